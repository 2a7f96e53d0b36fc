"""Ends what commands left running when the host process itself was killed.

A shell waits at a pipe for the end of the host; until then it is told what would have to be done.
"""

import atexit
import contextlib
import os
import shlex
import subprocess
from itertools import count
from threading import Lock
from typing import Final, final

from .cgroups import ControlGroup

__all__ = ["ending_group", "ending_members", "forget", "on_death"]

# What engines of containers go by, and no secrets.
_ENDING_S: Final = 5.0
_KEPT: Final = ("PATH", "HOME", "TMPDIR", "XDG_", "DOCKER_", "CONTAINER_HOST", "PODMAN_")
_SHELL: Final = """
tidy() {
    kept=
    for n in $all; do eval "[ -z \\"\\${s$n-}\\" ] || kept=\\"$kept $n\\""; done
    all=$kept
}
while read -r sign number script; do
    case $sign in
    +) eval "s$number=\\$script"; all="$all $number" ;;
    -) unset "s$number" ;;
    esac
    case $number in *00) tidy ;; esac
done
tidy
[ -n "$all" ] || exit
for time in 0 0.3 1; do
    sleep $time
    for number in $all; do eval "eval \\"\\${s$number-}\\""; done
done
"""


@final
class _Watchdog:
    """The shell of one host process, begun with the first command."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._known: dict[str, int] = {}
        self._shell = subprocess.Popen(
            ["/bin/sh", "-c", _SHELL],
            cwd="/",
            env={key: value for key, value in os.environ.items() if key.startswith(_KEPT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # Signals of a terminal are for the host.
            start_new_session=True,
        )
        atexit.register(self._end)

    def add(self, key: str, script: str) -> None:
        self.remove(key)
        number = self._known[key] = next(self._numbers)
        self._say(f"+ {number} {script}\n")

    def remove(self, key: str) -> None:
        number = self._known.pop(key, None)
        if number is not None:
            self._say(f"- {number}\n")

    def _end(self) -> None:
        """The host ends by itself; what is still known is ended with it."""
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            if self._shell.stdin is not None:
                self._shell.stdin.close()
            self._shell.wait(_ENDING_S)

    def _say(self, line: str) -> None:
        if self._shell.stdin is not None:
            with contextlib.suppress(OSError):
                os.write(self._shell.stdin.fileno(), os.fsencode(line))


_LOCK: Final = Lock()
_WATCHDOGS: Final[dict[int, _Watchdog]] = {}


def on_death(key: str, script: str) -> None:
    """Have one line of shell run once this process is gone, unless `forget` comes first.

    Args:
        key: names it; a second line for the same key replaces the first.
        script: POSIX shell, without a line break.
    """
    with _LOCK:
        watchdog = _WATCHDOGS.get(os.getpid())
        if watchdog is None:
            watchdog = _WATCHDOGS[os.getpid()] = _Watchdog()
        watchdog.add(key, script)


def forget(key: str) -> None:
    """Nothing is left to be done for `key`."""
    with _LOCK:
        watchdog = _WATCHDOGS.get(os.getpid())
        if watchdog is not None:
            watchdog.remove(key)


def ending_group(leader: int) -> str:
    """Return the line that ends a process group."""
    return f"kill -s KILL -- -{leader}"


def ending_members(group: ControlGroup, mark: str) -> str:
    """Return the line that ends what has `mark` in its environment, or is in a control group.

    The group goes with it.
    """
    # A thread of this process may be in it, too.
    lists = [f"grep -vx {os.getpid()} {shlex.quote(str(file))}" for file in group.lists]
    marked = f"grep -ls {shlex.quote(mark)} /proc/[0-9]*/environ | cut -d/ -f3"
    removing = [f"rmdir {shlex.quote(str(folder))}" for folder in group.folders]
    # Again and again, since processes may begin others meanwhile.
    ending = [
        f"n=0; while [ $n -lt 100 ] && kill -s KILL $({found}); do n=$((n+1)); done"
        for found in lists or [marked]
    ]
    return "; ".join([*ending, *removing])

"""Bubblewrap started by an ordinary user, as most are."""

import os
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.sandbox.sandbox_support import SMALL, why_not

from cardwright.sandbox.box import Wanted, forbids_nesting
from cardwright.sandbox.bwrap import _working

WANTED = Wanted(SMALL, network=False, readable=(), maps_owner=True)


def as_user(user: int, work: Callable[[Path], str]) -> str:
    """What `work` returns when that user does it in a tree of its own."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.setgroups([])
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
            with tempfile.TemporaryDirectory(dir="/tmp") as folder:
                said = work(Path(folder))
        except BaseException:  # noqa: BLE001 - the child says whatever went wrong
            said = traceback.format_exc()
        os.write(writing, said.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return said


def test_an_ordinary_user_is_isolated_and_bounded() -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root, to become somebody else")
    if reason := why_not("bwrap"):
        pytest.skip(reason)
    forbids_nesting()

    def work(folder: Path) -> str:
        box = _working(folder, WANTED)
        script = (
            "id -u; echo made > file; cat /etc/shadow; ulimit -u; : > /usr/x; "
            "b() { b | b & }; b 2>/dev/null; sleep 0.2"
        )
        first = box.run(["bash", "-c", script], "/workspace", 5.0)
        second = box.run(["cat", "file"], "/workspace", 5.0)
        box.close()
        return f"{first.stdout}|{second.stdout}"

    assert as_user(54321, work) == f"65534\n{SMALL.processes}\n|made\n"

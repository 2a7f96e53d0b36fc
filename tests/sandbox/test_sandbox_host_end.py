"""The end of the host, killed or stopped, while a command runs: nothing of it is left."""

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.sandbox.sandbox_support import processes_with, running, trees, wait_until, why_not

from cardwright.actors import ActorDeadError
from cardwright.sandbox import ExecResult
from cardwright.sandbox.cgroups import _parents

HOST = """
import sys
from pathlib import Path
from tests.sandbox.sandbox_support import running
with running(sys.argv[1], Path(sys.argv[2])) as box:
    box.sh(f"setsid sleep {sys.argv[3]} & sleep {sys.argv[3]}", 60)
"""


UNTIDY = """
import sys
from pathlib import Path
from tests.sandbox.sandbox_support import SMALL
from cardwright.sandbox.bwrap import _working
from cardwright.sandbox.box import Wanted
box = _working(Path(sys.argv[1]), Wanted(SMALL, False, (), True))
print(box.run(["echo", "hi"], "/workspace", 5).stdout)
sys.exit(7)
"""


@pytest.fixture(params=["bwrap", "bwrap-of-root", "docker", "local"])
def mode(request: pytest.FixtureRequest) -> str:
    if reason := why_not(request.param):
        pytest.skip(reason)
    if request.param == "bwrap-of-root" and os.geteuid() != 0:
        pytest.skip("needs root")
    return str(request.param)


def left_behind(root: Path, host: int) -> list[str]:
    """Control groups, containers, mounts and temporary files that are still there."""
    groups = [str(group) for parent in _parents() for group in parent.glob(f"cardwright-{host}-*")]
    label = f"label=cardwright.tree={root / 'box'}"
    listed = ["podman", "ps", "--all", "--quiet", f"--filter={label}"]
    with contextlib.suppress(FileNotFoundError):
        groups += subprocess.run(listed, capture_output=True, text=True, check=False).stdout.split()
    mounts = Path("/proc/self/mountinfo").read_text().splitlines()
    return [*groups, *(line for line in mounts if str(root) in line)]


def two_of(nap: str) -> Callable[[], bool]:
    return lambda: len(processes_with(f"sleep\0{nap}")) == 2


def test_a_killed_host_takes_its_commands_with_it(mode: str, nap: str, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    host = subprocess.Popen(
        [sys.executable, "-c", HOST, mode, str(tmp_path), nap],
        env={
            **os.environ,
            "CARDWRIGHT_WORKSPACES_ROOT": str(tmp_path),
            "CARDWRIGHT_SANDBOX_IMAGE": "cardwright-test:latest",
            "PYTHONPATH": str(Path.cwd()),
            "TMPDIR": str(temporary),
        },
    )
    try:
        assert wait_until(two_of(nap), 30)
    finally:
        host.kill()
        host.wait()
    assert wait_until(lambda: not processes_with(nap))
    assert wait_until(lambda: not left_behind(tmp_path, host.pid))
    assert list(temporary.iterdir()) == []


def test_a_host_that_stops_ends_its_command_at_once(mode: str, nap: str) -> None:
    ended: list[ExecResult] = []
    with trees() as root:
        with running(mode, root) as box:

            def work() -> None:
                with contextlib.suppress(ActorDeadError):
                    ended.append(box.sh(f"setsid sleep {nap} & sleep {nap}", 60))

            working = threading.Thread(target=work)
            working.start()
            assert wait_until(two_of(nap), 30)
        working.join()
        assert [result.timed_out for result in ended] in ([], [False])
        assert processes_with(nap) == []
        assert wait_until(lambda: not left_behind(root, os.getpid()))


def test_a_host_that_ends_without_stopping_its_sandbox_ends_as_it_wants(tmp_path: Path) -> None:
    if reason := why_not("bwrap"):
        pytest.skip(reason)
    host = subprocess.Popen(
        [sys.executable, "-c", UNTIDY, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
        stdout=subprocess.PIPE,
    )
    printed, _ = host.communicate(timeout=30)
    assert (host.returncode, printed.strip()) == (7, b"hi")
    assert wait_until(lambda: not left_behind(tmp_path, host.pid))

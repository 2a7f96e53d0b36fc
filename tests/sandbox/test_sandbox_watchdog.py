"""What is done once the host was killed, and what is not."""

import subprocess
import sys
from pathlib import Path

from tests.sandbox.sandbox_support import wait_until

HOST = """
import os, signal, sys
from cardwright.sandbox.watchdog import forget, on_death
for number in range(250):
    on_death(f"key {number}", f"echo {number} >> {sys.argv[1]}")
for number in range(249):
    forget(f"key {number}")
on_death("replaced", "echo first >> " + sys.argv[1])
on_death("replaced", "echo 'it'\\"'\\"'s done' >> " + sys.argv[1])
{end}
"""


def ran(end: str, told: Path) -> list[str]:
    program = HOST.replace("{end}", end)
    subprocess.run(
        [sys.executable, "-W", "error", "-c", program, str(told)], check=False, timeout=30
    )
    assert wait_until(lambda: told.exists() and told.read_text().count("done") == 3)
    return told.read_text().splitlines()


def test_what_is_known_is_done_thrice_and_nothing_that_was_forgotten(tmp_path: Path) -> None:
    lines = ran("os.kill(os.getpid(), signal.SIGKILL)", tmp_path / "told")
    assert sorted(set(lines)) == ["249", "it's done"]


def test_a_host_that_forgot_everything_ends_at_once_and_in_silence(tmp_path: Path) -> None:
    end = "forget('replaced'); forget('key 249')"
    program = HOST.replace("{end}", end)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, str(tmp_path / "told")],
        check=True,
        timeout=30,
        capture_output=True,
    )
    assert done.stderr == b""
    assert not (tmp_path / "told").exists()

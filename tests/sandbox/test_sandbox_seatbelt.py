"""The policy of macOS, as text, and what is done with it."""

import os
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from tempfile import gettempdir

import pytest

from cardwright.actors import ActorSystem
from cardwright.sandbox import SandboxActor, SeatbeltSandboxActor, sandbox_config
from cardwright.sandbox.seatbelt import seatbelt_profile

POLICY = """\
(version 1)
(deny default)
(allow process-exec)
(allow process-fork)
(allow signal (target same-sandbox))
(allow sysctl-read)
(allow file-read*)
(allow file-write* (subpath "/trees/box"))
(allow file-write* (subpath "/private/tmp"))
(allow file-write* (literal "/dev/null"))
(allow ipc-posix-shm)
(allow mach-lookup)
"""


def test_the_policy_allows_what_it_names_and_nothing_else() -> None:
    writable = [Path("/trees/box"), Path("/private/tmp")]
    assert seatbelt_profile(writable, network=False) == POLICY
    assert seatbelt_profile(writable, network=True) == POLICY + "(allow network*)\n"


@pytest.mark.parametrize(
    ("path", "quoted"),
    [
        ('/a") (allow default) (x "\\', '"/a\\") (allow default) (x \\"\\\\"'),
        ("/(a) b;#|c", '"/(a) b;#|c"'),
        ('/a\\"b', '"/a\\\\\\"b"'),
    ],
)
def test_a_folder_cannot_write_rules_of_its_own(path: str, quoted: str) -> None:
    policy = seatbelt_profile([Path(path)], network=False)
    assert f"(allow file-write* (subpath {quoted}))\n" in policy
    # Outside of strings every parenthesis is one of ours.
    outside = re.sub(r'"(?:[^"\\]|\\.)*"', "", policy)
    assert (
        outside.count("(")
        == outside.count(")")
        == seatbelt_profile([Path("/plain")], network=False).count("(")
    )


@pytest.mark.skipif(os.uname().sysname == "Darwin", reason="seatbelt is there")
def test_elsewhere_it_is_not_available() -> None:
    assert SeatbeltSandboxActor.obstacle() == "seatbelt is part of macOS"


@pytest.fixture
def actor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[SandboxActor]:
    """A seatbelt actor whose `sandbox-exec` copies the policy and runs the command."""
    program = tmp_path / "bin" / "sandbox-exec"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\ncp "$2" "$POLICY"\necho "$2"\nshift 2\nexec "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("CARDWRIGHT_WORKSPACES_ROOT", str(tmp_path))
    monkeypatch.setattr(SeatbeltSandboxActor, "obstacle", staticmethod(lambda: ""))
    monkeypatch.setattr(
        "cardwright.sandbox.seatbelt.host_environment",
        lambda: {"PATH": os.environ["PATH"], "POLICY": str(tmp_path / "policy")},
    )
    system = ActorSystem()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        address = system.createActor(
            SeatbeltSandboxActor, config=sandbox_config("seatbelt", "team", "box")
        )
        actor = system.proxy_ask(address, SandboxActor)
        actor.ready()
    yield actor
    system.shutdown()


def test_each_command_has_its_policy_in_a_file_that_is_gone_afterwards(
    actor: SandboxActor, tmp_path: Path
) -> None:
    printed = actor.exec("echo hi").stdout.splitlines()
    assert printed[1] == "hi"
    assert not Path(printed[0]).exists()
    policy = (tmp_path / "policy").read_text()
    writable = [line for line in policy.splitlines() if "file-write" in line]
    assert writable == [
        f'(allow file-write* (subpath "{tmp_path / "box"}"))',
        f'(allow file-write* (subpath "{Path(gettempdir()).resolve()}"))',
        '(allow file-write* (literal "/dev/null"))',
    ]
    assert "(deny default)" in policy
    assert "(allow network*)" not in policy


def test_case_55_a_missing_folder_is_named_as_it_was_given(
    actor: SandboxActor, tmp_path: Path
) -> None:
    result = actor.exec("echo hi", "no/such")
    assert result.exit_code == 1
    assert "no/such" in result.stderr
    assert str(tmp_path) not in result.stderr

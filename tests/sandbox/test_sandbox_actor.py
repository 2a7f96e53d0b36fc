"""The actor around every backend."""

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar, override

import pytest

from cardwright.actors import ActorSystem
from cardwright.sandbox import (
    ExecResult,
    SandboxActor,
    SandboxState,
    SandboxUnavailableError,
    sandbox_actor_name,
    sandbox_config,
)


class Fake(SandboxActor):
    """A backend of somebody else: it does as the class says."""

    obstacles: ClassVar[list[str]] = []
    stopped: ClassVar[list[str]] = []
    seen: ClassVar[list[tuple[list[str], str, float]]] = []

    @override
    def _start_sandbox(self) -> None:
        if self.obstacles:
            raise RuntimeError(self.obstacles.pop(0))

    @override
    def _stop_sandbox(self) -> None:
        self.stopped.append(self.config.name)
        raise OSError("cannot stop")

    @override
    def _exec(self, argv: Sequence[str], cwd: str, timeout: float) -> ExecResult:
        self.seen.append((list(argv), cwd, timeout))
        if argv[-1] == "late":
            raise subprocess.TimeoutExpired(list(argv), timeout, output=b"partial \xff")
        if argv[-1] == "killed":
            return ExecResult(stdout="", stderr="working", exit_code=137)
        return ExecResult(stdout="out", stderr="", exit_code=0 if argv[-1] == "good" else 3)


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ActorSystem]:
    monkeypatch.setenv("CARDWRIGHT_WORKSPACES_ROOT", str(tmp_path))
    for record in (Fake.obstacles, Fake.stopped, Fake.seen):
        record.clear()
    system = ActorSystem()
    yield system
    system.shutdown()


def started(system: ActorSystem) -> Fake:
    address = system.createActor(Fake, config=sandbox_config("fake", "team", "box"))
    return system.proxy_ask(address, Fake)


def test_names_say_which_tree_is_served() -> None:
    assert sandbox_actor_name("box") == "#SandboxActor-box"
    assert sandbox_config("local", "t1").name == "#SandboxActor-t1"
    assert sandbox_config("local", "t1", "box").name == "#SandboxActor-box"


def test_the_tree_is_made_and_shown_in_the_state(system: ActorSystem, tmp_path: Path) -> None:
    actor = started(system)
    assert actor.ready() is True
    state = actor.state
    assert isinstance(state, SandboxState)
    assert state.workspace_path == tmp_path / "box"
    assert (tmp_path / "box").is_dir()


def test_words_folder_and_time_reach_the_backend(system: ActorSystem) -> None:
    actor = started(system)
    actor.exec("echo 'a b' good", "sub", 3.0)
    actor.exec("echo good")
    assert Fake.seen == [(["echo", "a b", "good"], "sub", 3.0), (["echo", "good"], "", 30.0)]


def test_what_the_list_refuses_never_reaches_the_backend(system: ActorSystem) -> None:
    actor = started(system)
    with pytest.raises(ValueError, match="not allowed"):
        actor.exec("psql")
    assert Fake.seen == []


def test_trap_18_a_failed_start_is_told_and_tried_again(system: ActorSystem) -> None:
    Fake.obstacles[:] = ["no daemon", "no daemon yet"]
    actor = started(system)
    with pytest.raises(SandboxUnavailableError, match="no daemon yet"):
        actor.exec("echo good")
    assert actor.exec("echo good").stdout == "out"


def test_trap_20_a_late_backend_keeps_what_was_printed(system: ActorSystem) -> None:
    result = started(system).exec("echo late", "", 0.5)
    assert result.timed_out
    assert result.exit_code == 124
    assert result.stdout == "partial \ufffd"
    assert "0.5 s" in result.stderr


def test_shell_syntax_is_pointed_out_when_a_command_fails(system: ActorSystem) -> None:
    actor = started(system)
    assert "sh -c" in actor.exec("ls | bad").stderr
    assert actor.exec("ls | good").stderr == ""


def test_a_command_that_is_killed_says_why_that_may_be(system: ActorSystem) -> None:
    actor = started(system)
    stderr = actor.exec("echo killed").stderr
    assert stderr.startswith("working\nended by signal 9, as when it needs more memory")
    assert "signal" not in actor.exec("echo bad").stderr
    assert "signal" not in actor.exec("echo late").stderr


def test_case_51_a_stop_that_fails_completes(system: ActorSystem) -> None:
    address = system.createActor(Fake, config=sandbox_config("fake", "team", "box"))
    system.proxy_ask(address, Fake).ready()
    system.shutdown()
    assert Fake.stopped == ["#SandboxActor-box"]
    assert not address.is_alive()

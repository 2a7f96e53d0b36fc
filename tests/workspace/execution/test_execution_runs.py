"""Commands through the tree actor, its workers and real processes."""

import logging
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.workspace.execution.execution_support import Script, Slow, Tree, run_id_of

from cardwright.actors import ActorAddress, Orchestrator
from cardwright.actors.proxies import ask_proxy
from cardwright.bench import LocalTeam
from cardwright.sandbox import SANDBOX_ACTOR_CLASSES, ExecResult, resolve_mode, tree_root
from cardwright.workspace.execution import collect
from cardwright.workspace.refusals import Refusal
from cardwright_cards.workspace import WorkspaceExec

OUT = ExecResult(stdout="out", stderr="", exit_code=0)


@pytest.fixture
def team(trees: Path) -> Iterator[LocalTeam]:
    with LocalTeam() as team:
        yield team


@pytest.fixture
def tree(team: LocalTeam) -> Tree:
    return Tree(team, resolve_mode("auto"))


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Script:
    """What the backend `slow` does."""
    script = Script()
    monkeypatch.setattr(Slow, "script", script)
    monkeypatch.setitem(SANDBOX_ACTOR_CLASSES, "slow", Slow)
    return script


def collected(tree: Tree, run_id: str, agent: str = "a") -> str:
    return collect(tree.actor, agent, WorkspaceExec(), run_id)


def until_settled(tree: Tree, run_id: str, agent: str = "a") -> str:
    deadline = time.monotonic() + 20
    while not tree.actor.exec_status(agent, run_id).settled:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return collected(tree, run_id, agent)


def test_case_43_what_a_command_prints_comes_back(tree: Tree) -> None:
    assert tree.run("echo hi").startswith("exit_code: 0 (OK)\nstdout:\nhi\n")
    failed = tree.run("sh -c 'echo no >&2; exit 2'")
    assert failed.startswith("exit_code: 2 (FAILED)")
    assert failed.endswith("no\n")


def test_commands_work_on_the_tree(tree: Tree) -> None:
    (tree_root(tree.name) / "sub").mkdir()
    tree.run("sh -c 'echo made > file'", cwd="sub")
    assert (tree_root(tree.name) / "sub/file").read_text() == "made\n"
    assert "not found" in tree.run("echo hi", cwd="none")
    assert "outside the workspace" in tree.run("echo hi", cwd="../..")


def test_case_44_another_program_is_a_failure_in_words(tree: Tree) -> None:
    for cmd in ("psql", "   "):
        text = tree.run(cmd)
        assert "failed: " in text
        assert "xargs" in text


def test_case_45_a_command_over_its_budget_is_an_outcome_in_time(tree: Tree) -> None:
    tree.run("echo warm")
    began = time.monotonic()
    text = tree.run("sh -c 'echo before; sleep 30'", timeout_s=0.5)
    assert time.monotonic() - began < 15
    assert text.startswith("exit_code: 124 (FAILED)\nstdout:\nbefore\n")
    assert "timed out after 0.5 s" in text


def test_case_46_a_run_goes_on_while_its_agent_does_something_else(tree: Tree) -> None:
    tree.actor.register_agent("a", "@Alice")
    text = tree.run("sh -c 'sleep 0.4; echo slept'", poll_attempts=0)
    run_id = run_id_of(text)
    assert f"workspace_exec_result(run_id='{run_id}')" in text
    refused = tree.actor.apply_write("b", "new.txt", "x")
    assert refused.message.startswith("workspace busy")
    assert run_id in refused.message
    assert "@Alice" in refused.message
    assert not (tree_root(tree.name) / "new.txt").exists()
    with pytest.raises(Refusal, match=run_id) as busy:
        tree.run("echo hi", "b")
    assert busy.value.failure == "busy"
    assert "in progress" in collected(tree, run_id)
    assert "slept" in until_settled(tree, run_id)
    assert tree.actor.apply_write("b", "new.txt", "x").failure is None


def test_case_36_folders_cannot_be_made_under_a_lease(tree: Tree) -> None:
    run_id = run_id_of(tree.run("sh -c 'sleep 0.3'", poll_attempts=0))
    assert tree.actor.apply_mkdir("a", "new").failure == "busy"
    until_settled(tree, run_id)
    assert tree.actor.apply_mkdir("a", "new").failure is None


def test_case_47_trap_21_a_run_is_collected_by_its_owner_alone(tree: Tree) -> None:
    run_id = run_id_of(tree.run("echo secret", poll_attempts=0))
    assert "secret" in until_settled(tree, run_id)
    other = collected(tree, run_id, "b")
    assert "secret" not in other
    assert "none" in other
    assert run_id in collected(tree, "00000000")


def test_a_bounded_wait_ends_with_the_id(tree: Tree) -> None:
    text = tree.run("sh -c 'sleep 0.6'", poll_attempts=2, poll_delay_seconds=0.05)
    assert "in progress" in text
    until_settled(tree, run_id_of(text))


def test_trap_22_a_quick_command_is_answered_long_before_the_next_look(tree: Tree) -> None:
    tree.run("echo warm")
    began = time.monotonic()
    tree.run("echo hi", poll_delay_seconds=60.0)
    assert time.monotonic() - began < 10


def test_trap_16_quotes_group(tree: Tree) -> None:
    assert "stdout:\na b\n" in tree.run("bash -c 'echo a b'")


def test_trap_17_the_tree_is_free_only_when_nothing_of_the_command_lives(tree: Tree) -> None:
    tree.run("sh -c '(setsid sh -c \"sleep 0.5; echo late > late\" &); sleep 20'", timeout_s=0.3)
    assert tree.actor.apply_write("a", "other", "x").failure is None
    time.sleep(0.5)
    assert not (tree_root(tree.name) / "late").exists()


def test_trap_18_a_backend_that_does_not_start_says_why(team: LocalTeam, slow: Script) -> None:
    def fail() -> None:
        raise RuntimeError("no such device")

    slow.starting = fail
    tree = Tree(team, "slow")
    text = tree.run("echo hi")
    assert "no such device" in text
    assert "never ran" in text
    slow.starting = bool
    assert "out" in tree.run("echo hi")


def test_trap_23_a_cold_start_is_not_taken_from_the_command(team: LocalTeam, slow: Script) -> None:
    slow.starting = lambda: time.sleep(0.8)
    assert "out" in Tree(team, "slow").run("echo hi", timeout_s=0.2, poll_delay_seconds=0.05)


def test_trap_25_a_second_mode_on_one_tree_is_refused(team: LocalTeam, slow: Script) -> None:
    Tree(team, "slow")
    with pytest.raises(ValueError, match="different class"):
        Tree(team, "local")


def test_slow_work_never_holds_up_the_tree_actor(team: LocalTeam, slow: Script) -> None:
    go_on = threading.Event()

    def work() -> ExecResult:
        go_on.wait(20)
        return OUT

    slow.work = work
    tree = Tree(team, "slow")
    run_id = run_id_of(tree.run("echo hi", poll_attempts=0))
    assert tree.actor.exec_status("a", run_id).state == "running"
    go_on.set()
    assert "out" in until_settled(tree, run_id)


def test_a_backend_that_fails_is_a_failure_in_words(team: LocalTeam, slow: Script) -> None:
    def work() -> ExecResult:
        raise OSError("disk on fire")

    slow.work = work
    tree = Tree(team, "slow")
    assert "disk on fire" in tree.run("echo hi")
    assert tree.actor.apply_write("a", "x", "x").failure is None


def test_a_worker_that_dies_without_a_word_loses_its_lease(
    team: LocalTeam, slow: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()

    def work() -> ExecResult:
        go_on.wait(20)
        return OUT

    slow.work = work
    tree = Tree(team, "slow")
    monkeypatch.setattr("cardwright.workspace.execution.desk.LEASE_GRACE_S", -60.0)
    start = tree.actor.request_exec("a", "echo hi", "", 0.1)
    refused = tree.actor.apply_write("b", "x", "x")
    assert "still awaited" in refused.message
    assert start.worker is not None

    worker, is_alive = start.worker, type(start.worker).is_alive

    def dead(address: ActorAddress) -> bool:
        return address != worker and is_alive(address)

    monkeypatch.setattr(type(worker), "is_alive", dead)
    assert tree.actor.apply_write("b", "x", "x").failure is None
    monkeypatch.undo()
    go_on.set()


def test_a_stopping_team_ends_its_commands_at_once(trees: Path) -> None:
    began = time.monotonic()
    with LocalTeam() as team:
        tree = Tree(team, resolve_mode("auto"))
        tree.run("sh -c 'sleep 14.321'", poll_attempts=0)
        time.sleep(0.2)
    assert time.monotonic() - began < 10
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    assert "sleep 14.321" not in listed.stdout


def test_what_a_command_wrote_is_committed_as_its_owners(team: LocalTeam) -> None:
    tree = Tree(team, resolve_mode("auto"), git_journal=True)
    tree.actor.register_agent("a", "@Alice")
    (tree_root(tree.name) / "upload.txt").write_text("x")
    tree.run("sh -c 'echo made > made.txt'")
    git_dir = tree_root(tree.name).with_name(f"{tree.name}.git")
    log = subprocess.run(
        ["git", f"--git-dir={git_dir}", "log", "--format=%an: %s%n%b", "--name-only"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "@Alice: exec" in log
    assert "echo made > made.txt" in log
    assert log.index("made.txt") < log.index("out-of-band")


def test_twelve_agents_get_the_tree_one_after_the_other(tree: Tree) -> None:
    done: list[str] = []

    def work(agent: str) -> None:
        for _ in range(3):
            while True:
                try:
                    text = tree.run("sh -c 'test ! -e lock && touch lock && rm lock'", agent)
                except Refusal:
                    time.sleep(0.01)
                    continue
                done.append(text.splitlines()[0])
                break

    threads = [threading.Thread(target=work, args=(f"agent{number}",)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done == ["exit_code: 0 (OK)"] * 36


def test_workers_leave_nothing_behind(
    team: LocalTeam, tree: Tree, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        tree.run("echo hi")
    orchestrator = ask_proxy(team.orchestrator, Orchestrator)
    deadline = time.monotonic() + 5
    while any(one.name.startswith("#defer") for one in orchestrator.get_team()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert caplog.records == []

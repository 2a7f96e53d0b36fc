"""A team's tree for other capabilities: ordered with its agents, journaled, under their lease."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic_ai.workspaces import (
    WorkspaceOutputLimitError,
    WorkspaceTimeoutError,
    WorkspaceUnavailableError,
)

from cardwright.bench import LocalTeam, RetryRequested
from cardwright.workspace import (
    PathEscapeError,
    TeamTreeBackend,
    WorkspaceBusyError,
    WorkspaceExec,
    WorkspaceTool,
)
from cardwright.workspace.files import Tree
from cardwright.workspace.journal.history import History


@pytest.fixture
def team(trees: Path) -> Iterator[LocalTeam]:
    (trees / "box").mkdir()
    (trees / "secret.txt").write_text("secret")
    with LocalTeam() as team:
        yield team


@pytest.fixture
def backend(team: LocalTeam) -> TeamTreeBackend:
    return TeamTreeBackend(team.orchestrator, "box", agent="@Host", mode="local")


def card(*, poll: int = -1) -> WorkspaceTool:
    param = WorkspaceExec(mode="local", poll_attempts=poll)
    return WorkspaceTool(workspace_id="box", git_journal=True, workspace_exec=param)


async def test_what_it_writes_is_journaled_and_named_to_agents(
    team: LocalTeam, backend: TeamTreeBackend, trees: Path
) -> None:
    anna = team.agent("@Anna", cards=[card()])
    anna.call("workspace_write", path="a.txt", content="one\n")
    root = await backend.working_dir()
    await backend.write_bytes(f"{root}/a.txt", b"two\n")
    await backend.write_bytes(f"{root}/d/b.txt", b"b\n")
    with pytest.raises(RetryRequested, match="It was last written by @Host") as caught:
        anna.call("workspace_write", path="a.txt", content="three\n")
    assert "-two\n+three" in str(caught.value)
    await backend.remove(f"{root}/d")
    told = [
        (each.author, each.subject)
        for each in reversed(History(Tree(trees / "box")).log())
        if each.author != "out-of-band"
    ]
    assert told == [
        ("@Anna", "write: a.txt"),
        ("@Host", "write: a.txt"),
        ("@Host", "write: d/b.txt"),
        ("@Host", "delete: d/b.txt"),
    ]


async def test_it_takes_the_lease_and_heeds_it(team: LocalTeam, backend: TeamTreeBackend) -> None:
    anna = team.agent("@Anna", cards=[card(poll=0)])
    answer = str(anna.call("workspace_exec", cmd="sh -c 'sleep 0.6'"))
    assert "in progress" in answer
    root = await backend.working_dir()
    for attempt in (
        backend.run(["ls"]),
        backend.write_bytes(f"{root}/a", b"x"),
        backend.make_dir(f"{root}/d"),
        backend.remove(f"{root}/a"),
    ):
        with pytest.raises(WorkspaceBusyError, match="workspace busy: run "):
            await attempt
    assert await backend.exists(root)


async def test_what_a_command_changes_is_that_of_the_host(
    team: LocalTeam, backend: TeamTreeBackend, trees: Path
) -> None:
    team.agent("@Anna", cards=[card()])
    assert (await backend.run("echo hi > made.txt", shell=True)).exit_code == 0
    newest, *_ = History(Tree(trees / "box")).log()
    assert (newest.author, newest.subject) == ("@Host", "exec: made.txt")


async def test_nothing_outside_is_reached(backend: TeamTreeBackend, trees: Path) -> None:
    for attempt in (
        backend.write_bytes(f"{trees}/secret.txt", b"owned"),
        backend.make_dir(f"{trees}/made"),
        backend.remove(f"{trees}/secret.txt"),
        backend.read_bytes(f"{trees}/secret.txt"),
    ):
        with pytest.raises((PathEscapeError, ValueError)):
            await attempt
    assert (trees / "secret.txt").read_text() == "secret"


async def test_output_beyond_what_is_kept_is_an_error_with_its_beginning(
    backend: TeamTreeBackend,
) -> None:
    with pytest.raises(WorkspaceOutputLimitError) as cut:
        await backend.run(["sh", "-c", "yes | head -c 100000"])
    assert cut.value.limit == 16 * 1024
    assert cut.value.stdout.startswith("y\ny\n")


async def test_a_command_that_takes_too_long_keeps_what_it_printed(
    backend: TeamTreeBackend,
) -> None:
    with pytest.raises(WorkspaceTimeoutError, match=r"time limit of 0\.3 s") as late:
        await backend.run(["sh", "-c", "echo begun; sleep 9"], timeout=0.3)
    assert late.value.stdout == "begun\n"


@pytest.mark.parametrize("env", [{"A B": "x"}, {"": "x"}, {"A=B": "x"}, {"A": "\0"}])
async def test_what_no_shell_takes_is_refused(
    backend: TeamTreeBackend, env: dict[str, str]
) -> None:
    with pytest.raises(ValueError, match=r"variables|NUL"):
        await backend.run(["true"], env=env)
    for command, shell in (([], False), ("", True), (["a\0b"], False)):
        with pytest.raises(ValueError, match="at least one word"):
            await backend.run(command, shell=shell)
    for timeout in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="timeout"):
            await backend.run(["true"], timeout=timeout)


async def test_another_mode_than_that_of_the_tree_is_refused(
    team: LocalTeam, backend: TeamTreeBackend
) -> None:
    await backend.run(["true"])
    team.agent("@Anna", cards=[card()])
    other = TeamTreeBackend(team.orchestrator, "box", mode="seatbelt")
    with pytest.raises(ValueError, match=r"config\.mode"):
        await other.run(["true"])


async def test_a_tree_that_went_away_is_unavailable(backend: TeamTreeBackend, trees: Path) -> None:
    root = await backend.working_dir()
    await backend.run(["true"])
    (trees / "box").rename(trees / "moved")
    with pytest.raises(WorkspaceUnavailableError):
        await backend.run(["true"])
    with pytest.raises(WorkspaceUnavailableError):
        await backend.write_bytes(f"{root}/a", b"x")
    assert not (trees / "box").exists()

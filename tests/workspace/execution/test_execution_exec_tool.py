"""The shipped example of a deprecated card."""

import threading
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardwright.bench import LocalAgent, LocalTeam
from cardwright.sandbox import ALLOWED_COMMANDS, resolve_mode
from cardwright.workspace.actor import WorkspaceActor
from cardwright_cards.exec import ExecCommand, ExecTool

pytestmark = pytest.mark.filterwarnings("ignore:ExecTool is deprecated")


@pytest.fixture
def team(trees: Path) -> Iterator[LocalTeam]:
    with LocalTeam() as team:
        yield team


@pytest.fixture
def agent(team: LocalTeam) -> LocalAgent:
    return team.agent("@A", [ExecTool()])


def test_it_warns_when_it_is_bound_and_names_the_replacement(team: LocalTeam) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        card = ExecTool()
    with pytest.warns(DeprecationWarning, match="WorkspaceTool"):
        team.agent("@A", [card])


def test_it_needs_a_team() -> None:
    class Alone:
        orchestrator = None

    with pytest.raises(Exception, match=r"ActorToolObserver|orchestrator"):
        ExecTool().observer(Alone())  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def test_it_runs_commands_in_the_tree_of_the_team(agent: LocalAgent, trees: Path) -> None:
    assert "exit_code: 0 (OK)" in str(agent.call("exec_command", cmd="sh -c 'echo x > made'"))
    assert [path.name for path in trees.glob("*/made")] == ["made"]


def test_whatever_goes_wrong_is_text(agent: LocalAgent, team: LocalTeam, trees: Path) -> None:
    assert ", ".join(sorted(ALLOWED_COMMANDS)) in str(agent.call("exec_command", cmd="psql"))
    holder = team.agent("@B", [ExecTool()])
    thread = threading.Thread(
        target=lambda: holder.call("exec_command", cmd="sh -c 'touch begun; sleep 1'")
    )
    thread.start()
    deadline = time.monotonic() + 10
    while not list(trees.glob("*/begun")):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    refused = str(agent.call("exec_command", cmd="echo hi"))
    assert refused.startswith("workspace busy")
    assert "@B" in refused
    thread.join()


def test_a_dead_tree_is_text_too(agent: LocalAgent, team: LocalTeam) -> None:
    tree = team.actor(f"#Workspace-{team.team_id}", WorkspaceActor)
    tree.stop()
    deadline = time.monotonic() + 10
    while "SandboxError: ActorDeadError" not in str(agent.call("exec_command", cmd="echo hi")):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_the_list_of_programs_is_in_its_description(agent: LocalAgent) -> None:
    described = agent.registry.resolve("exec_command").description
    for program in sorted(ALLOWED_COMMANDS):
        assert program in described


def test_switched_off_it_serves_and_starts_nothing(team: LocalTeam) -> None:
    for param in (False, ExecCommand(expose=set())):
        name = f"@Off{param is False}"
        team.agent(name, [ExecTool(exec_command=param, mode="no such mode")])
    with pytest.raises(LookupError):
        team.actor(f"#SandboxActor-{team.team_id}", WorkspaceActor)


def test_it_shares_the_tree_and_its_lease_with_other_cards(team: LocalTeam) -> None:
    team.agent("@A", [ExecTool(mode="auto")])
    team.agent("@B", [ExecTool(mode=resolve_mode("auto"))])
    with pytest.raises(ValueError, match="different class"):
        team.agent("@C", [ExecTool(mode="local")])
    with pytest.raises(ValueError, match="no sandbox mode"):
        team.agent("@D", [ExecTool(mode="gvisor")])


def test_it_is_stored_with_three_fields() -> None:
    card = ExecTool(mode="local", workspace_id="box")
    assert set(ExecTool.model_fields) == {"exec_command", "mode", "workspace_id"}
    assert ExecTool.model_validate(card.model_dump()) == card

"""Commands of the workspace card: when they are wired, and what they need."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cardwright.bench import LocalTeam
from cardwright.sandbox import SANDBOX_ACTOR_CLASSES, LocalSandboxActor, modes
from cardwright.tools import ToolNotFoundError
from cardwright_cards.workspace import WorkspaceExec, WorkspaceTool


@pytest.fixture
def team(trees: Path) -> Iterator[LocalTeam]:
    with LocalTeam() as team:
        yield team


@pytest.fixture
def probes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Backends that were probed."""
    probed: list[str] = []

    def probe() -> str:
        probed.append("x")
        return "not here"

    monkeypatch.setattr(modes, "_obstacles", {})
    for name in ("bwrap", "seatbelt", "docker"):
        monkeypatch.setattr(SANDBOX_ACTOR_CLASSES[name], "obstacle", probe)
    return probed


@pytest.mark.parametrize(
    "card",
    [
        WorkspaceTool(),
        WorkspaceTool(read_only=True, workspace_exec=True),
        WorkspaceTool(workspace_exec=WorkspaceExec(expose=set())),
    ],
)
def test_case_2_3_switched_off_nothing_is_probed_or_started(
    team: LocalTeam, probes: list[str], card: WorkspaceTool
) -> None:
    agent = team.agent("@A", [card])
    for name in ("workspace_exec", "workspace_exec_result"):
        with pytest.raises(ToolNotFoundError):
            agent.call(name)
    assert probes == []
    with pytest.raises(LookupError):
        team.actor(f"#SandboxActor-{team.team_id}", LocalSandboxActor)


def test_a_budget_beyond_the_most_is_warned_of_once(
    team: LocalTeam, caplog: pytest.LogCaptureFixture
) -> None:
    team.agent("@A", [WorkspaceTool(workspace_exec=WorkspaceExec(mode="local", timeout_s=20))])
    assert caplog.text == ""
    team.agent("@B", [WorkspaceTool(workspace_exec=WorkspaceExec(mode="local", timeout_s=60))])
    (warned,) = caplog.records
    assert "timeout_s=60" in warned.getMessage()
    assert "20 s" in warned.getMessage()


def test_it_runs_where_its_files_are(team: LocalTeam) -> None:
    agent = team.agent("@A", [WorkspaceTool(workspace_exec=True)])
    agent.call("workspace_write", path="in.txt", content="given\n")
    assert "given" in str(agent.call("workspace_exec", cmd="sh -c 'cat in.txt > out.txt; cat *'"))
    assert "given" in str(agent.call("workspace_read", path="out.txt"))


def test_case_48_fewer_attempts_than_minus_one_are_refused() -> None:
    with pytest.raises(ValueError, match="poll_attempts"):
        WorkspaceExec(poll_attempts=-2)


def test_an_unknown_mode_leaves_the_card_unbound(team: LocalTeam) -> None:
    with pytest.raises(ValueError, match="no sandbox mode 'gvisor'"):
        team.agent("@A", [WorkspaceTool(workspace_exec=WorkspaceExec(mode="gvisor"))])


def test_trap_25_cards_with_two_modes_on_one_tree_are_refused(team: LocalTeam) -> None:
    team.agent("@A", [WorkspaceTool(workspace_exec=True)])
    with pytest.raises(ValueError, match="different class"):
        team.agent("@B", [WorkspaceTool(workspace_exec=WorkspaceExec(mode="local"))])


def test_trap_13_the_tree_has_no_name_that_leads_outside() -> None:
    with pytest.raises(ValueError, match="workspace_id"):
        WorkspaceTool(workspace_id="../../x", workspace_exec=True)

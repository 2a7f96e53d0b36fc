"""Agents built again for one place in a team, and how they leave it."""

import gc
from collections.abc import Iterator

import pytest
from pydantic_ai import Agent

from cardwright.bench import LocalTeam
from cardwright.pydantic_ai import Cards

from ..bench.cards_fixture import BoardTool, ProbeTool  # noqa: TID252 - tests are no package
from .scripted import Script


@pytest.fixture
def team() -> Iterator[LocalTeam]:
    with LocalTeam() as team:
        yield team


def request(team: LocalTeam | str, title: str, tenant: str | None = None) -> Cards:
    """What a web handler does for each request."""
    script = Script([("add_note", {"note": {"title": title}})], "done")
    cards = Cards([BoardTool()], agent="@Alice", team=team, tenant=tenant)
    Agent(script.model, capabilities=[cards]).run_sync("Go.")
    return cards


def test_an_agent_built_per_request_is_one_member(team: LocalTeam) -> None:
    """While the former is in use, after it was closed, and after it was merely dropped."""
    first = request(team, "milk")
    second = request(team, "bread")

    assert second.dispatch("/board") == first.dispatch("/board") == "Notes: milk, bread"
    assert list(team.agents) == ["@Alice"]
    first.close()
    assert second.dispatch("/board") == "Notes: milk, bread"
    del first, second
    gc.collect()
    assert request(team, "salt").dispatch("/board") == "Notes: milk, bread, salt"


def test_a_tenant_belongs_to_the_request(team: LocalTeam) -> None:
    first = request(team, "milk", tenant="acme")
    second = request(team, "bread", tenant="umbrella")

    assert (first.tenant, second.tenant) == ("acme", "umbrella")
    assert first._bound.tenant == "acme"
    assert second._bound.tenant == "umbrella"


def test_the_last_one_to_close_takes_the_agent_out(team: LocalTeam) -> None:
    first, second = request(team, "milk"), request(team, "bread")

    first.close()
    first.close()
    assert "@Alice" in team.agents
    second.close()

    assert list(team.agents) == []
    other = Cards([ProbeTool()], agent="@Alice", team=team)
    assert next(iter(other.tools)) == "probe"


def test_after_closing_nothing_runs(team: LocalTeam) -> None:
    cards = Cards([BoardTool()], agent="@Alice", team=team)
    agent = Agent(Script("done").model, capabilities=[cards])
    cards.close()

    with pytest.raises(RuntimeError, match="build them again"):
        agent.run_sync("Go.")


def test_a_named_team_ends_with_its_last_agent() -> None:
    alice = Cards([BoardTool()], agent="@Alice", team="ending")
    bob = Cards([BoardTool()], agent="@Bob", team="ending")

    alice.close()
    assert list(bob.joined.agents) == ["@Bob"]
    bob.close()

    assert bob.joined.stopped
    assert Cards([BoardTool()], agent="@Bob", team="ending").dispatch("/board") == "Notes: none"


def test_an_own_team_ends_with_its_agent() -> None:
    cards = Cards([BoardTool()])
    cards.close()

    assert cards.joined.stopped
    cards.close()


def test_a_stopped_team_takes_nobody_again(team: LocalTeam) -> None:
    former = Cards([BoardTool()], agent="@Alice", team=team)
    team.stop()

    with pytest.raises(RuntimeError, match="this team has stopped"):
        Cards([BoardTool()], agent="@Alice", team=team)
    former.close()


def test_a_member_that_no_cards_made_keeps_its_name(team: LocalTeam) -> None:
    former = Cards([BoardTool()], agent="@Alice", team=team)
    team.dismiss("@Alice")
    alice = team.agent("@Alice", cards=[BoardTool()])

    with pytest.raises(ValueError, match="@Alice: choose another"):
        Cards([BoardTool()], agent="@Alice", team=team)
    former.close()
    assert team.agents == {"@Alice": alice}


def test_an_agent_with_a_model_goes_on_when_a_state_is_broken(
    team: LocalTeam, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> str:
        raise ZeroDivisionError("a bug")

    cards = Cards([BoardTool()], agent="@Alice", team=team)
    monkeypatch.setattr("tests.bench.cards_fixture.BoardState.render_full", broken)

    result = Agent(Script("done").model, capabilities=[cards]).run_sync("Go.")

    assert result.output == "done"
    assert "a bug" in caplog.text

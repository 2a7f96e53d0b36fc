"""Cards in an agent spec, and what importing the host costs."""

import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from pydantic_ai import Agent, AgentSpec

from cardwright.pydantic_ai import Cards
from cardwright.pydantic_ai.spec import installed_cards

from ..bench import cards_fixture  # noqa: TID252 - tests are no package


@pytest.fixture(autouse=True)
def catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed distribution that brings the handwritten cards."""
    info = tmp_path / "fixture_catalogue-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fixture-catalogue\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[cardwright.catalogues]\nfixture = fixture_catalogue\n")
    fixture = cards_fixture.__name__
    (tmp_path / "fixture_catalogue.py").write_text(
        f"TYPES = {{}}\nCARDS = {{'BoardTool': '{fixture}:BoardTool', "
        f"'ProbeTool': '{fixture}:ProbeTool'}}\n"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])


def spec_file(folder: Path, text: str) -> Path:
    path = folder / "agent.yaml"
    path.write_text(dedent(text))
    return path


def load(path: Path) -> Agent[Any, Any]:
    return Agent.from_file(path, custom_capability_types=[Cards])


def cards_of(agent: Agent[Any, Any]) -> Cards:
    found: list[Cards] = []
    agent.root_capability.apply(
        lambda each: found.append(each) if isinstance(each, Cards) else None
    )
    (cards,) = found
    return cards


def test_a_spec_names_cards_and_a_team(tmp_path: Path) -> None:
    path = spec_file(
        tmp_path,
        """
        model: test
        instructions: You shop.
        capabilities:
          - Cards:
              cards:
                - BoardTool
                - {card: ProbeTool, greeting: Be kind.}
              agent: "@Alice"
              team: shop
        """,
    )

    agent = load(path)
    cards = cards_of(agent)

    assert list(cards.tools)[:2] == ["add_note", "probe"]
    assert cards.dispatch("/note milk") == "added milk"
    bob = Cards([cards_fixture.BoardTool()], agent="@Bob", team="shop")
    other = Cards([cards_fixture.BoardTool()], agent="@Bob", team="office")
    assert bob.dispatch("/board") == "Notes: milk"
    assert other.dispatch("/board") == "Notes: none"


def test_a_named_team_that_was_stopped_is_replaced() -> None:
    first = Cards([cards_fixture.BoardTool()], team="closing")
    first.joined.stop()

    second = Cards([cards_fixture.BoardTool()], team="closing")

    assert second.joined is not first.joined
    assert second.dispatch("/board") == "Notes: none"


def test_other_agents_of_a_named_team_need_other_names() -> None:
    first = Cards([], team="crowd")

    with pytest.raises(ValueError, match="agent @Agent with other cards: choose another name"):
        Cards([cards_fixture.BoardTool()], team="crowd")
    with pytest.raises(ValueError, match="other role"):
        Cards([], team="crowd", role="Boss")
    assert list(first.joined.agents) == ["@Agent"]


def test_the_schema_of_agent_specs_knows_cards() -> None:
    schema = AgentSpec.model_json_schema_with_capabilities([Cards])

    assert "Cards" in str(schema)
    assert "max_retries" in str(schema)


def test_the_name_in_specs_is_cards() -> None:
    assert Cards.get_serialization_name() == "Cards"


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        (["BordTool"], "did you mean BoardTool"),
        (["Zzz"], "there are .*BoardTool"),
        ([{"greeting": "x"}], "name the card"),
        ("BoardTool", r"`cards` is a list: `cards: \[PlanningTool\]`"),
        ([{"card": "ProbeTool", "greting": "secret value"}], "did you mean greeting"),
    ],
)
def test_what_a_spec_has_wrong_is_named(cards: list[str | dict[str, Any]], told: str) -> None:
    with pytest.raises(ValueError, match=told) as refused:
        Cards.from_spec(cards)

    assert "secret value" not in str(refused.value)


def test_catalogues_are_found_through_their_entry_points() -> None:
    assert installed_cards()["BoardTool"].endswith(":BoardTool")


def run_python(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", dedent(code)], capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def test_the_bench_and_the_tools_never_load_pydantic_ai() -> None:
    told = run_python(
        """
        import sys
        import cardwright, cardwright.bench, cardwright.tools
        from cardwright.bench import LocalTeam
        with LocalTeam() as team:
            team.agent("@Alice", cards=[]).context_update()
        print(sorted(name for name in sys.modules if name.startswith("pydantic_ai")))
        """
    )

    assert told.strip() == "[]"


def test_without_the_extra_one_error_says_what_to_install() -> None:
    told = run_python(
        """
        import sys
        sys.modules["pydantic_ai"] = None
        import cardwright.pydantic_ai
        """
    )

    assert told.strip().endswith(
        "ImportError: cardwright.pydantic_ai needs pydantic-ai, which is not installed: "
        'pip install "cardwright[pydantic-ai]"'
    )

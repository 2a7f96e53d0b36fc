# Generated from specs/search.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""How `SearchTool` is wired: what it serves when, what keeps loading, what its logic must look like."""

import json

import pytest
from pydantic import ValidationError

from cardwright.actors import deserialize_object, serialize
from cardwright.core import (
    BaseToolParam,
    Channels,
    Data,
    ToolCard,
)
from cardwright.core.conformity import logic_problems
from cardwright.core.testing import (
    bind_stub,
    command_names,
    prompt_names,
    provider_names,
    stub_logic,
    tool_names,
)
from cardwright_cards.search.card import SearchTool, WebCrawl, WebFetch, WebSearch
from cardwright_cards.search.contract import SearchContract


def served(card: SearchTool) -> dict[str, list[str]]:
    """What the card serves on each channel; channels without anything are left out."""
    bind_stub(card, SearchContract)
    found = {
        "tools": tool_names(card),
        "prompts": prompt_names(card),
        "states": provider_names(card),
        "commands": command_names(card),
    }
    return {channel: names for channel, names in found.items() if names}


CASES = [
    pytest.param(
        SearchTool(), {"tools": ["web_search", "web_crawl", "web_fetch"]}, id="as constructed"
    ),
    pytest.param(
        SearchTool(), {"tools": ["web_search", "web_crawl", "web_fetch"]}, id="everything on"
    ),
    pytest.param(
        SearchTool(web_search=False, web_crawl=False, web_fetch=False), {}, id="everything off"
    ),
    pytest.param(
        SearchTool(web_search=False), {"tools": ["web_crawl", "web_fetch"]}, id="without web_search"
    ),
    pytest.param(
        SearchTool(web_crawl=False), {"tools": ["web_search", "web_fetch"]}, id="without web_crawl"
    ),
    pytest.param(
        SearchTool(web_fetch=False), {"tools": ["web_search", "web_crawl"]}, id="without web_fetch"
    ),
    pytest.param(
        SearchTool(web_crawl=False, web_fetch=False),
        {"tools": ["web_search"]},
        id="web_search on tool_call alone",
    ),
    pytest.param(
        SearchTool(web_search=False, web_fetch=False),
        {"tools": ["web_crawl"]},
        id="web_crawl on tool_call alone",
    ),
    pytest.param(
        SearchTool(web_search=False, web_crawl=False),
        {"tools": ["web_fetch"]},
        id="web_fetch on tool_call alone",
    ),
]


@pytest.mark.parametrize(("card", "expected"), CASES)
def test_serves_exactly(card: SearchTool, expected: dict[str, list[str]]) -> None:
    assert served(card) == expected


@pytest.mark.parametrize(("card", "expected"), CASES)
def test_survives_storage(card: SearchTool, expected: dict[str, list[str]]) -> None:
    stored = serialize(card)
    restored = deserialize_object(json.loads(json.dumps(stored)))
    assert isinstance(restored, SearchTool)
    assert serialize(restored) == stored
    assert served(restored) == expected
    assert SearchTool.model_validate(card.model_dump()).model_dump() == card.model_dump()
    assert SearchTool.model_validate_json(card.model_dump_json()).model_dump() == card.model_dump()


@pytest.mark.parametrize(
    ("param", "channel"),
    [
        (WebSearch, Channels.SYSTEM_PROMPT),
        (WebSearch, Channels.LLM_CONTEXT),
        (WebSearch, Channels.COMMAND),
        (WebCrawl, Channels.SYSTEM_PROMPT),
        (WebCrawl, Channels.LLM_CONTEXT),
        (WebCrawl, Channels.COMMAND),
        (WebFetch, Channels.SYSTEM_PROMPT),
        (WebFetch, Channels.LLM_CONTEXT),
        (WebFetch, Channels.COMMAND),
    ],
)
def test_refuses_a_channel_it_does_not_serve(param: type[BaseToolParam], channel: Channels) -> None:
    with pytest.raises(ValidationError, match=f"not served on {channel}"):
        param.model_validate({"expose": [channel]})


@pytest.mark.parametrize(
    ("owner", "stored", "present"),
    [
        (WebSearch, {"search_depth": None}, {"search_depth": "basic"}),
        (WebCrawl, {"extract_depth": None}, {"extract_depth": "basic"}),
        (WebFetch, {"extract_depth": None}, {"extract_depth": "basic"}),
    ],
)
def test_loads_what_was_stored_before(
    owner: type[ToolCard | BaseToolParam | Data],
    stored: dict[str, object],
    present: dict[str, object],
) -> None:
    assert owner.upgrade_stored(stored) == present


Stub = stub_logic(SearchContract)


def test_serves_unbound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SearchTool, "logic_path", f"{__name__}:Stub")
    card = SearchTool()
    assert isinstance(card.logic, Stub)


def test_the_logic_fits_its_contract() -> None:
    assert logic_problems(SearchTool, SearchContract) == []

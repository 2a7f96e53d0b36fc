"""SearchTool: what it serves, and what reaches the service."""

import logging
from collections.abc import Callable
from typing import cast

import pytest
from pydantic import ValidationError
from tests.search.search_server import KEY, Tavily

from cardwright.actors import deserialize_object
from cardwright.search import SearchTool, WebCrawl, WebFetch, WebSearch
from cardwright.tools import Tool


class Watcher:
    """The least an agent can be."""

    def notify_event(self, event: object) -> None:
        """Nobody listens."""


def callables(card: SearchTool) -> dict[str, Callable[..., object]]:
    return {function.__name__: function for function in card.get_tools()}


def properties(function: Callable[..., object]) -> dict[str, dict[str, object]]:
    schema = Tool.from_function(function).parameters_schema
    return cast("dict[str, dict[str, object]]", schema["properties"])


def test_tools_have_the_short_names_in_contract_order() -> None:
    assert list(callables(SearchTool())) == ["web_search", "web_crawl", "web_fetch"]


def test_s10_a_capability_that_is_off_is_absent() -> None:
    assert list(callables(SearchTool(web_crawl=False))) == ["web_search", "web_fetch"]
    assert SearchTool(web_search=False, web_crawl=False, web_fetch=False).get_tools() == []


def test_it_serves_no_other_channel() -> None:
    card = SearchTool()
    assert (card.get_system_prompts(), card.get_context_states()) == ([], [])
    assert (card.get_commands(), card.get_toolsets()) == ({}, [])


def test_s5_search_returns_the_answer_unchanged_after_one_request(tavily: Tavily) -> None:
    answer = {
        "query": "bees",
        "results": [{"title": "Bees", "url": "https://bees.example", "score": 0.9}],
        "answer": None,
        "response_time": 0.7,
        "follow_up_questions": None,
        "images": [],
        "field_of_tomorrow": {"kept": [1, 2]},
    }
    tavily.answers(answer)
    assert callables(SearchTool())["web_search"](query="bees") == answer
    (request,) = tavily.requests
    assert request.path == "/search"
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert request.body == {"query": "bees", "max_results": 5, "search_depth": "basic"}


def test_s5_fetch_sends_query_and_defaults(tavily: Tavily) -> None:
    answer: dict[str, object] = {
        "results": [{"url": "https://a.example", "raw_content": "# A"}],
        "failed_results": [{"url": "https://b.example", "error": "404"}],
        "response_time": 1.5,
    }
    tavily.answers(answer)
    urls = ["https://a.example", "https://b.example"]
    assert callables(SearchTool())["web_fetch"](urls=urls, query="what is a") == answer
    (request,) = tavily.requests
    assert request.path == "/extract"
    assert request.body == {
        "urls": urls,
        "query": "what is a",
        "chunks_per_source": 3,
        "timeout": 30,
        "extract_depth": "basic",
        "format": "markdown",
    }


def test_s9_crawl_leaves_out_the_numbers_that_are_not_set(tavily: Tavily) -> None:
    answer: dict[str, object] = {"base_url": "a.example", "results": [], "response_time": 9.0}
    tavily.answers(answer)
    crawl = callables(SearchTool())["web_crawl"]
    assert crawl(url="a.example", crawl_instructions="prices") == answer
    (request,) = tavily.requests
    assert request.path == "/crawl"
    assert request.body == {
        "url": "a.example",
        "instructions": "prices",
        "timeout": 150,
        "extract_depth": "basic",
        "format": "markdown",
    }


def test_s9_only_the_crawl_numbers_that_are_set_are_sent(tavily: Tavily) -> None:
    crawl = callables(SearchTool(web_crawl=WebCrawl(max_depth=2, limit=50)))["web_crawl"]
    crawl(url="a.example", crawl_instructions="prices", limit=None, max_breadth=7)
    (request,) = tavily.requests
    assert request.body["max_depth"] == 2
    assert request.body["max_breadth"] == 7
    assert "limit" not in request.body


def test_configuration_is_the_default_of_the_argument_and_the_model_may_override_it(
    tavily: Tavily,
) -> None:
    card = SearchTool(web_search=WebSearch(max_results=9, search_depth="advanced"))
    search = callables(card)["web_search"]
    assert properties(search)["max_results"]["default"] == 9
    assert properties(search)["search_depth"]["default"] == "advanced"
    search(query="a")
    search(query="b", max_results=1, search_depth="basic")
    sent = [(r.body["max_results"], r.body["search_depth"]) for r in tavily.requests]
    assert sent == [(9, "advanced"), (1, "basic")]


def test_what_selects_the_content_is_required_and_no_field() -> None:
    tools = callables(SearchTool())
    fetch = Tool.from_function(tools["web_fetch"]).parameters_schema
    crawl = Tool.from_function(tools["web_crawl"]).parameters_schema
    assert sorted(cast("list[str]", fetch["required"])) == ["query", "urls"]
    assert sorted(cast("list[str]", crawl["required"])) == ["crawl_instructions", "url"]
    assert "query" not in WebFetch.model_fields
    assert "crawl_instructions" not in WebCrawl.model_fields


def test_s8_the_crawl_schema_has_crawl_instructions_and_no_instructions() -> None:
    names = properties(callables(SearchTool())["web_crawl"])
    assert "crawl_instructions" in names
    assert "instructions" not in names
    assert "instructions" not in WebCrawl.__annotations__


def test_s6_s7_instructions_reach_the_description_and_crawl_guidance_the_request(
    tavily: Tavily,
) -> None:
    card = SearchTool(web_crawl=WebCrawl(instructions="Stay polite."))
    crawl = callables(card)["web_crawl"]
    crawl(url="a.example", crawl_instructions="only the price list")
    assert "Additional Instructions:\nStay polite." in (crawl.__doc__ or "")
    assert "price list" not in (crawl.__doc__ or "")
    (request,) = tavily.requests
    assert request.body["instructions"] == "only the price list"
    assert "polite" not in str(request.body)


def test_trap_1_argument_descriptions_survive_instructions() -> None:
    card = SearchTool(
        web_search=WebSearch(instructions="Cite."), web_fetch=WebFetch(instructions="Cite.")
    )
    for function in card.get_tools():
        assert all(found.get("description") for found in properties(function).values())


def test_descriptions_name_the_tools_that_exist() -> None:
    texts = " ".join(function.__doc__ or "" for function in SearchTool().get_tools())
    assert {"web_search", "web_fetch", "web_crawl"} <= set(
        texts.replace(".", " ").replace(",", " ").split()
    )
    assert "_tool" not in texts


@pytest.mark.parametrize(
    ("param", "field"),
    [(WebSearch, "search_depth"), (WebFetch, "extract_depth"), (WebCrawl, "extract_depth")],
)
def test_trap_32_a_stored_null_depth_reads_as_basic(
    param: type[WebSearch | WebFetch | WebCrawl], field: str
) -> None:
    stored = param().model_dump()
    assert getattr(deserialize_object({**stored, field: None}), field) == "basic"
    assert getattr(deserialize_object({**stored, field: "advanced"}), field) == "advanced"
    with pytest.raises(ValidationError):
        param.model_validate({field: None})


def test_trap_32_an_old_stored_crawl_instructions_key_is_dropped_with_one_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    stored = {**WebCrawl(max_depth=3).model_dump(), "crawl_instructions": "old"}
    with caplog.at_level(logging.WARNING):
        loaded = deserialize_object(stored)
    assert loaded == WebCrawl(max_depth=3)
    assert len(caplog.records) == 1


def test_a_bound_card_round_trips() -> None:
    unbound = SearchTool(web_crawl=WebCrawl(limit=5), web_fetch=False)
    card = unbound.model_copy(deep=True).observer(Watcher())
    assert deserialize_object(card.model_dump()) == unbound
    assert SearchTool.model_validate_json(card.model_dump_json()) == unbound


def test_none_is_no_capability() -> None:
    with pytest.raises(ValidationError):
        SearchTool.model_validate({"web_search": None})

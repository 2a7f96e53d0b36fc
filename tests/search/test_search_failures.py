"""SearchTool: every failure is text the model can read; the key is in none of them."""

import json
import logging
import socket
import threading
from collections.abc import Callable

import pytest
from tests.search.search_server import KEY, Tavily

from cardwright.core import ToolFactory
from cardwright.search import SearchTool


class Watcher:
    """The least an agent can be."""

    def notify_event(self, event: object) -> None:
        """Nobody listens."""


def search(**arguments: object) -> object:
    return named("web_search")(**{"query": "bees", **arguments})


def named(tool: str) -> Callable[..., object]:
    return next(found for found in SearchTool().get_tools() if found.__name__ == tool)


def every_tool() -> list[tuple[str, dict[str, object]]]:
    return [
        ("web_search", {"query": "a"}),
        ("web_crawl", {"url": "a.example", "crawl_instructions": "a"}),
        ("web_fetch", {"urls": ["a.example"], "query": "a"}),
    ]


@pytest.mark.parametrize("key", [None, "", "  \t"])
def test_s1_without_a_key_the_card_warns_once_when_bound_and_answers_unavailable(
    key: str | None,
    tavily: Tavily,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.delenv("TAVILY_API_KEY")
    if key is not None:
        monkeypatch.setenv("TAVILY_API_KEY", key)
    watcher = Watcher()
    with caplog.at_level(logging.WARNING):
        tools = ToolFactory([SearchTool()], watcher).get_tools()
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "TAVILY_API_KEY" in caplog.text
    assert len(tools) == 3
    for (name, arguments), tool in zip(every_tool(), tools, strict=True):
        text = tool(**arguments)
        assert isinstance(text, str)
        assert f"{name} is unavailable" in text
        assert "TAVILY_API_KEY" in text
    assert tavily.requests == []


def test_s1_the_key_is_checked_even_when_every_capability_is_off(
    tavily: Tavily, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("TAVILY_API_KEY")
    card = SearchTool(web_search=False, web_crawl=False, web_fetch=False)
    with caplog.at_level(logging.WARNING):
        card.observer(Watcher())
    assert len(caplog.records) == 1


def test_s2_with_a_key_nothing_is_logged(tavily: Tavily, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        SearchTool().observer(Watcher())
        search()
    assert caplog.records == []


def test_the_key_is_sent_without_surrounding_blanks(
    tavily: Tavily, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAVILY_API_KEY", f"  {KEY}\n")
    search()
    assert tavily.requests[0].headers["Authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("status", "hint"),
    [
        (400, "change them"),
        (401, "refuses the key"),
        (403, "plan"),
        (429, "quota"),
        (432, "plan"),
        (500, "may be down"),
        (204, "may be down"),
    ],
)
@pytest.mark.parametrize(("tool", "arguments"), every_tool())
def test_s3_a_refusal_is_text_and_one_warning(
    tool: str,
    arguments: dict[str, object],
    status: int,
    hint: str,
    tavily: Tavily,
    caplog: pytest.LogCaptureFixture,
) -> None:
    tavily.refuses(status, f"not with {KEY}, friend")
    with caplog.at_level(logging.WARNING, "cardwright"):
        text = named(tool)(**arguments)
    assert isinstance(text, str)
    assert text.startswith(f"{tool} failed: ")
    assert hint in text
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert KEY not in text + caplog.text


def test_s3_the_reason_of_the_service_reaches_the_model(tavily: Tavily) -> None:
    tavily.refuses(400, "Query is too long.")
    assert "BadRequestError: Query is too long" in str(search())


@pytest.mark.parametrize("body", [b"<html>oops</html>", b"", b'{"results": [', b"\xff\xfe"])
def test_s3_broken_json_is_text(body: bytes, tavily: Tavily) -> None:
    tavily.body = body
    assert str(search()).startswith("web_search failed: ")


@pytest.mark.parametrize("body", [[1, 2], "text", None, 7])
@pytest.mark.parametrize(("tool", "arguments"), every_tool())
def test_s3_json_that_is_no_object_is_text(
    tool: str, arguments: dict[str, object], body: object, tavily: Tavily
) -> None:
    tavily.answers(body)
    assert str(named(tool)(**arguments)).startswith(f"{tool} failed: ")


def test_s3_a_slow_answer_times_out(tavily: Tavily) -> None:
    tavily.hold.clear()
    text = named("web_fetch")(urls=["a.example"], query="a", timeout=0.05)
    assert "web_fetch failed: TimeoutError: Request timed out after 0.05 seconds" in str(text)


@pytest.mark.parametrize("timeout", [0, -3, float("nan")])
def test_s3_a_senseless_timeout_is_text(timeout: float, tavily: Tavily) -> None:
    text = named("web_crawl")(url="a.example", crawl_instructions="a", timeout=timeout)
    assert isinstance(text, str)
    assert text.startswith("web_crawl failed: ")


def test_s3_nobody_listening_is_text(tavily: Tavily, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("CARDWRIGHT_TAVILY_URL", f"http://127.0.0.1:{port}")
    text = str(search())
    assert text.startswith("web_search failed: ConnectionError")
    assert "unreachable" in text


def test_s4_a_client_that_cannot_be_made_is_text(
    tavily: Tavily, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Refusing:
        def __init__(self, api_key: str, **_: object) -> None:
            raise RuntimeError(f"no client for {api_key}")

    monkeypatch.setattr("tavily.TavilyClient", Refusing)
    with caplog.at_level(logging.WARNING):
        text = str(search())
    assert "web_search failed: RuntimeError: no client for ***" in text
    assert len(caplog.records) == 1
    assert KEY not in text + caplog.text


@pytest.mark.parametrize("key", [f"{KEY}\nInjected: yes", f"{KEY}é\u2026", "a\\b\x00c"])
def test_a_key_that_no_header_can_carry_stays_secret(
    key: str,
    tavily: Tavily,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    if "\x00" in key:  # no environment holds it
        key = key.replace("\x00", "\x01")
    monkeypatch.setenv("TAVILY_API_KEY", key)
    with caplog.at_level(logging.DEBUG):
        text = str(search())
    for spelling in (key, repr(key)[1:-1], json.dumps(key)[1:-1]):
        assert spelling not in text + caplog.text


def test_a_long_reason_is_cut_after_the_key_was_masked(tavily: Tavily) -> None:
    tavily.refuses(400, "x" * 490 + KEY + "y" * 5000)
    text = str(search())
    assert len(text) < 700
    assert KEY[:8] not in text


def test_the_password_of_a_proxy_stays_secret(
    tavily: Tavily, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAVILY_HTTP_PROXY", "http://user:hunter2@")
    text = str(search())
    assert text.startswith("web_search failed: ")
    assert "hunter2" not in text


def test_calls_are_independent_of_each_other_and_of_threads(tavily: Tavily) -> None:
    tavily.answers({"results": ["ok"]})
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(search())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [{"results": ["ok"]}] * 8
    assert len(tavily.requests) == 8

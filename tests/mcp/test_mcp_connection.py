"""MCPTool: connections as they are written, stored, refused and turned into transports."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from pydantic import ValidationError
from pydantic_ai.toolsets import PrefixedToolset
from tests.mcp.mcp_servers import toolset_of

from cardwright.actors import deserialize_object
from cardwright.core import Secret, SecretMissingError, ToolFactory, ToolObserver
from cardwright.mcp import (
    MCPDiagnosticsConfig,
    MCPHTTPConnectionConfig,
    MCPOAuthConfig,
    MCPStdioConnectionConfig,
    MCPTool,
)
from cardwright.mcp.connection import stdio_environment

if TYPE_CHECKING:  # late in all tests: it takes more than a second
    from pydantic_ai.mcp import MCPToolset

URL = "https://mcp.example/api"
TOKEN = "tok-0123456789"

type Make = Callable[..., MCPTool]


class Watcher:
    """The least an agent can be."""

    def notify_event(self, event: object) -> None:
        """Nobody listens."""


def bare(card: MCPTool) -> "MCPToolset[object]":
    from pydantic_ai.mcp import MCPToolset

    from cardwright.mcp.reconnecting import ReconnectingToolset

    toolset = toolset_of(card)
    if isinstance(toolset, PrefixedToolset):
        toolset = toolset.wrapped
    assert isinstance(toolset, ReconnectingToolset)
    assert isinstance(toolset.wrapped, MCPToolset)
    return toolset.wrapped


def http(**fields: object) -> MCPTool:
    return MCPTool.model_validate({"connection": {"url": URL, **fields}})


def program(**fields: object) -> MCPTool:
    return MCPTool.model_validate({"connection": {"stdio_command": "server", **fields}})


def test_it_serves_one_fresh_toolset_and_nothing_else() -> None:
    card = http()
    assert (card.get_tools(), card.get_commands(), card.get_system_prompts()) == ([], {}, [])
    assert toolset_of(card) is not toolset_of(card)
    watcher = cast("ToolObserver", Watcher())
    assert len(ToolFactory([card], watcher).get_toolsets()) == 1


def test_m1_connection_is_required_and_singular() -> None:
    with pytest.raises(ValidationError, match="connection"):
        MCPTool.model_validate({})
    with pytest.raises(ValidationError, match="connections"):
        MCPTool.model_validate({"connections": [{"url": URL}]})


@pytest.mark.parametrize("url", [URL, f"{URL}/sse", f"{URL}/sse/"])
def test_m2_the_transport_is_never_inferred_from_the_address(url: str) -> None:
    from fastmcp.client.transports import StreamableHttpTransport

    assert isinstance(bare(http(url=url)).client.transport, StreamableHttpTransport)


@pytest.mark.parametrize("read_timeout", [77.0, 900.0])
@pytest.mark.parametrize("url", [URL, f"{URL}/sse"])
def test_m3_sse_on_any_path_with_the_read_timeout_on_its_stream(
    url: str, read_timeout: float
) -> None:
    from fastmcp.client.transports import SSETransport

    transport = bare(http(url=url, transport="sse", read_timeout=read_timeout)).client.transport
    assert isinstance(transport, SSETransport)
    assert transport.url == url
    assert transport.sse_read_timeout is not None
    assert transport.sse_read_timeout.total_seconds() == read_timeout


def test_m4_a_program_is_missed_when_bound_and_not_earlier() -> None:
    card = MCPTool(connection=MCPStdioConnectionConfig())
    with pytest.raises(ValueError, match=r"connection\.stdio_command"):
        card.observer(cast("ToolObserver", Watcher()))
    with pytest.raises(ValueError, match=r"connection\.stdio_command"):
        card.get_toolsets()


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"stdio_env": None}, None),
        ({"stdio_env": {}}, None),
        ({"stdio_env": {"A": "1"}}, {"A": "1"}),
        (
            {"stdio_env": {"A": "1"}, "stdio_token_env_var": "T", "bearer_token": TOKEN},
            {"A": "1", "T": TOKEN},
        ),
        (
            {"stdio_env": {"T": "old"}, "stdio_token_env_var": "T", "bearer_token": TOKEN},
            {"T": TOKEN},
        ),
        ({"stdio_token_env_var": "T", "bearer_token": TOKEN}, {"T": TOKEN}),
        ({"stdio_token_env_var": "T"}, None),
        ({"bearer_token": TOKEN}, None),
        ({"stdio_token_env_var": "T", "bearer_token": ""}, None),
    ],
)
def test_m5_environment_of_a_program(
    fields: dict[str, object], expected: dict[str, str] | None
) -> None:
    from fastmcp.client.transports import StdioTransport

    card = program(**fields)
    connection = card.connection
    assert isinstance(connection, MCPStdioConnectionConfig)
    before = dict(connection.stdio_env or {})
    assert stdio_environment(connection) == expected
    transport = bare(card).client.transport
    assert isinstance(transport, StdioTransport)
    assert transport.env == expected
    assert dict(connection.stdio_env or {}) == before


def test_a_program_gets_command_arguments_and_directory(tmp_path: Path) -> None:
    from fastmcp.client.transports import StdioTransport

    card = program(stdio_args=["-x", "1"], stdio_cwd=str(tmp_path))
    transport = bare(card).client.transport
    assert isinstance(transport, StdioTransport)
    assert (transport.command, transport.args) == ("server", ["-x", "1"])
    assert transport.cwd == str(tmp_path)


def sse(**fields: object) -> MCPTool:
    return http(transport="sse", **fields)


@pytest.mark.parametrize("card", [http, sse, program])
def test_m6_both_timeouts_are_always_explicit(card: Make) -> None:
    def seconds(**fields: object) -> tuple[object, object]:
        client = bare(card(**fields)).client
        return client._init_timeout, client._session_kwargs.get("read_timeout_seconds")

    assert seconds(timeout=12.5, read_timeout=77) == (12.5, 77)
    assert seconds() == (10, 300)


@pytest.mark.parametrize("transport", ["streamable-http", "sse"])
def test_m7_the_token_is_on_the_transport_alone(transport: str) -> None:
    from fastmcp.client.transports import SSETransport, StreamableHttpTransport

    toolset = bare(http(transport=transport, bearer_token=TOKEN))
    found = toolset.client.transport
    assert isinstance(found, StreamableHttpTransport | SSETransport)
    assert found.headers == {"Authorization": f"Bearer {TOKEN}"}
    assert found.auth is None
    without = bare(http(transport=transport)).client.transport
    assert isinstance(without, StreamableHttpTransport | SSETransport)
    assert without.headers == {}


def test_m8_a_prefix_keeps_the_transport() -> None:
    from fastmcp.client.transports import StreamableHttpTransport

    from cardwright.mcp.reconnecting import ReconnectingToolset

    toolset = toolset_of(http(tool_prefix="acme", bearer_token=TOKEN))
    assert isinstance(toolset, PrefixedToolset)
    assert toolset.prefix == "acme"
    transport = bare(http(tool_prefix="acme", bearer_token=TOKEN)).client.transport
    assert isinstance(transport, StreamableHttpTransport)
    assert transport.headers == {"Authorization": f"Bearer {TOKEN}"}
    assert isinstance(toolset_of(http(tool_prefix="")), ReconnectingToolset)
    with pytest.raises(ValidationError, match="tool_prefix"):
        http(tool_prefix="no blanks")


@pytest.mark.parametrize(
    "config",
    [
        MCPHTTPConnectionConfig(url=URL, transport="sse", timeout=1, tool_prefix="p"),
        MCPHTTPConnectionConfig(url=URL, oauth=MCPOAuthConfig(callback_port=0)),
        MCPHTTPConnectionConfig(url=URL, bearer_token=Secret.from_env("MCP_TOKEN")),
        MCPStdioConnectionConfig(stdio_command="x", stdio_args=["y"], stdio_env={"A": "1"}),
        MCPDiagnosticsConfig(max_tools_to_print=3),
    ],
)
def test_m11_configs_round_trip_exactly_their_own_fields(
    config: MCPHTTPConnectionConfig | MCPStdioConnectionConfig | MCPDiagnosticsConfig,
) -> None:
    assert set(config.model_dump()) == set(type(config).model_fields)
    assert type(config).model_validate(config.model_dump()) == config
    assert type(config).model_validate_json(config.model_dump_json()) == config


def test_m11_a_card_loads_without_a_word(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        for card in (http(transport="sse", oauth={}), program(stdio_args=["a"])):
            assert deserialize_object(card.model_dump()) == card
    assert caplog.records == []


def test_m12_what_the_keys_say() -> None:
    assert isinstance(program().connection, MCPStdioConnectionConfig)
    assert isinstance(http().connection, MCPHTTPConnectionConfig)
    empty = MCPTool.model_validate({"connection": {}}).connection
    assert empty == MCPStdioConnectionConfig()


@pytest.mark.parametrize(
    "mix",
    [
        {"url": URL, "stdio_command": "server"},
        {"url": URL, "transport": "stdio"},
    ],
)
def test_m12_a_contradictory_mix_is_refused_with_one_message(mix: dict[str, object]) -> None:
    with pytest.raises(ValidationError) as refused:
        MCPTool.model_validate({"connection": mix})
    assert refused.value.error_count() == 1
    assert "MCPHTTPConnectionConfig" in str(refused.value)
    assert "MCPStdioConnectionConfig" in str(refused.value)
    assert URL not in str(refused.value)


def test_m12_where_one_form_is_meant_its_fault_alone_is_told() -> None:
    with pytest.raises(ValidationError) as refused:
        program(transport="sse")
    assert [error["loc"] for error in refused.value.errors()] == [("connection", "transport")]


@pytest.mark.parametrize("field", ["timeout", "read_timeout"])
@pytest.mark.parametrize("card", [http, program])
def test_m13_timeouts_are_positive(card: Make, field: str) -> None:
    with pytest.raises(ValidationError) as refused:
        card(**{field: 0})
    assert [error["loc"] for error in refused.value.errors()] == [("connection", field)]


@pytest.mark.parametrize("url", ["mcp.example", "ftp://mcp.example", ""])
def test_an_address_without_http_is_refused_when_bound(url: str) -> None:
    with pytest.raises(ValueError, match=r"connection\.url must start"):
        http(url=url).observer(cast("ToolObserver", Watcher()))


@pytest.mark.parametrize("token", [{"bearer_token": TOKEN}, {"bearer_token_env": "MCP_TOKEN"}])
def test_a_token_and_a_sign_in_exclude_each_other(token: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"connection\.oauth excludes"):
        http(oauth={}, **token).observer(cast("ToolObserver", Watcher()))


def test_a_literal_token_is_not_stored_and_missed_by_name() -> None:
    loaded = deserialize_object(http(bearer_token=TOKEN).model_dump())
    assert isinstance(loaded, MCPTool)
    with pytest.raises(ValueError, match=r"connection\.bearer_token"):
        loaded.observer(cast("ToolObserver", Watcher()))
    with pytest.raises(ValueError, match=r"connection\.bearer_token"):
        loaded.get_toolsets()


def test_a_card_loaded_without_its_token_reads_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from fastmcp.client.transports import StreamableHttpTransport

    stored = http(bearer_token=TOKEN, bearer_token_env="MCP_TOKEN").model_dump()
    loaded = deserialize_object(stored)
    assert isinstance(loaded, MCPTool)
    with pytest.raises(SecretMissingError, match=r"connection\.bearer_token_env.* MCP_TOKEN"):
        loaded.get_toolsets()
    monkeypatch.setenv("MCP_TOKEN", "from-env\n")
    transport = bare(loaded).client.transport
    assert isinstance(transport, StreamableHttpTransport)
    assert transport.headers == {"Authorization": "Bearer from-env"}


def test_a_token_given_by_reference_is_read_at_each_building(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from fastmcp.client.transports import StreamableHttpTransport

    connection = MCPHTTPConnectionConfig(url=URL, bearer_token=Secret.from_env("MCP_TOKEN"))
    card = MCPTool(connection=connection)
    with pytest.raises(SecretMissingError, match=r"connection\.bearer_token: .*MCP_TOKEN"):
        card.get_toolsets()
    for token in ("one", "two"):
        monkeypatch.setenv("MCP_TOKEN", token)
        transport = bare(card).client.transport
        assert isinstance(transport, StreamableHttpTransport)
        assert transport.headers == {"Authorization": f"Bearer {token}"}


@pytest.mark.parametrize("token", ["a b", "a\nInjected: yes", "a\x7f", "tökén"])
def test_a_token_that_no_header_can_carry_is_refused_without_being_shown(token: str) -> None:
    with pytest.raises(ValueError, match=r"connection\.bearer_token") as refused:
        http(bearer_token=token).get_toolsets()
    assert token not in str(refused.value)

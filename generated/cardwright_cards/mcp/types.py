# Generated from specs/mcp.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""Types of `MCPTool`."""

from typing import Annotated, Literal

from pydantic import Field

from cardwright.core import PlainData, Secret


class MCPOAuthConfig(PlainData):
    """Sign-in by browser, as the authorization specification of MCP describes it."""

    client_id: Annotated[
        str | None,
        Field(
            description="Id of a client registered beforehand; left out to register one at the server."
        ),
    ] = None
    client_name: Annotated[str, Field(description="Name that the consent page shows.")] = (
        "Cardwright"
    )
    callback_port: Annotated[
        int,
        Field(
            description="Loopback port that the browser comes back to; 0 takes a free one.",
            ge=0,
            le=65535,
        ),
    ] = 8765
    timeout: Annotated[float, Field(description="Seconds the person has to sign in.", gt=0)] = 300.0


class MCPHTTPConnectionConfig(PlainData):
    """A server reached by address."""

    url: Annotated[str, Field(description="Address of the server; http or https.")]
    transport: Annotated[
        Literal["streamable-http", "sse"],
        Field(description="Taken as it is, never inferred from the address."),
    ] = "streamable-http"
    bearer_token: Annotated[
        Secret | None,
        Field(
            description="Token sent in the Authorization header of the transport; only an environment reference is stored."
        ),
    ] = None
    bearer_token_env: Annotated[
        str | None,
        Field(description="Environment variable read for the token when bearer_token holds none."),
    ] = None
    oauth: Annotated[
        MCPOAuthConfig | None,
        Field(
            description="Sign in by browser instead of a token; excludes bearer_token and bearer_token_env."
        ),
    ] = None
    timeout: Annotated[
        float, Field(description="Seconds to connect and agree on a protocol.", gt=0)
    ] = 10.0
    read_timeout: Annotated[
        float,
        Field(
            description="Seconds to wait for an answer and without anything on the event stream.",
            gt=0,
        ),
    ] = 300.0
    tool_prefix: Annotated[
        str | None,
        Field(
            description="Put before the name of each tool with an underscore; empty means none.",
            pattern="^[A-Za-z0-9_-]*$",
        ),
    ] = None


class MCPStdioConnectionConfig(PlainData):
    """A server started as a program of this machine."""

    transport: Annotated[Literal["stdio"], Field(description="Always stdio.")] = "stdio"
    stdio_command: Annotated[
        str | None, Field(description="Program to start; needed once the toolset is built.")
    ] = None
    stdio_args: Annotated[list[str], Field(description="Its arguments.")] = []
    stdio_env: Annotated[
        dict[str, str] | None,
        Field(
            description="Environment variables added for it; stored in clear, so a token belongs into bearer_token."
        ),
    ] = None
    stdio_cwd: Annotated[str | None, Field(description="Directory it is started in.")] = None
    stdio_token_env_var: Annotated[
        str | None,
        Field(description="Variable under which it receives the token; wins over stdio_env."),
    ] = None
    bearer_token: Annotated[
        Secret | None,
        Field(
            description="Token handed over through stdio_token_env_var; only an environment reference is stored."
        ),
    ] = None
    bearer_token_env: Annotated[
        str | None,
        Field(description="Environment variable read for the token when bearer_token holds none."),
    ] = None
    timeout: Annotated[
        float, Field(description="Seconds to start and agree on a protocol.", gt=0)
    ] = 10.0
    read_timeout: Annotated[float, Field(description="Seconds to wait for an answer.", gt=0)] = (
        300.0
    )
    tool_prefix: Annotated[
        str | None,
        Field(
            description="Put before the name of each tool with an underscore; empty means none.",
            pattern="^[A-Za-z0-9_-]*$",
        ),
    ] = None


type MCPConnectionConfig = Annotated[
    MCPHTTPConnectionConfig | MCPStdioConnectionConfig,
    Field(description="How to reach the one server of a card."),
]


class MCPDiagnosticsConfig(PlainData):
    """How much a diagnosis reports."""

    max_tools_to_print: Annotated[
        int, Field(description="Names of tools listed at most.", ge=1)
    ] = 20

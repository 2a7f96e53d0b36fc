"""One external MCP server as a toolset; diagnostics and sign-in for such servers.

Importing this loads no MCP library: that happens when a toolset is built.
"""

from cardwright_cards.mcp import (
    MCPConnectionConfig,
    MCPDiagnosticsConfig,
    MCPHTTPConnectionConfig,
    MCPOAuthConfig,
    MCPStdioConnectionConfig,
    MCPTool,
)

from .diagnostics import MCPProbe, list_mcp_tools, probe_mcp_connection
from .errors import MCPConnectionError
from .oauth import (
    get_mcp_token_with_oauth_if_needed,
    handle_mcp_oauth_flow,
    parse_www_authenticate_header,
    probe_mcp_with_oauth,
)

__all__ = [
    "MCPConnectionConfig",
    "MCPConnectionError",
    "MCPDiagnosticsConfig",
    "MCPHTTPConnectionConfig",
    "MCPOAuthConfig",
    "MCPProbe",
    "MCPStdioConnectionConfig",
    "MCPTool",
    "get_mcp_token_with_oauth_if_needed",
    "handle_mcp_oauth_flow",
    "list_mcp_tools",
    "parse_www_authenticate_header",
    "probe_mcp_connection",
    "probe_mcp_with_oauth",
]

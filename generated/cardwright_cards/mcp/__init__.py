# Generated from specs/mcp.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""One external MCP server as a toolset."""

from .card import MCPTool
from .types import (
    MCPConnectionConfig,
    MCPDiagnosticsConfig,
    MCPHTTPConnectionConfig,
    MCPOAuthConfig,
    MCPStdioConnectionConfig,
)

__all__ = [
    "MCPConnectionConfig",
    "MCPDiagnosticsConfig",
    "MCPHTTPConnectionConfig",
    "MCPOAuthConfig",
    "MCPStdioConnectionConfig",
    "MCPTool",
]

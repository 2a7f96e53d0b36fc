# Generated from specs/mcp.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""`MCPTool` and the params of its capabilities."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, ClassVar, cast, override

from pydantic import Field

from cardwright.core import (
    ToolCard,
    Toolset,
)

from .types import MCPConnectionConfig

if TYPE_CHECKING:
    from .contract import MCPContract


class MCPTool(ToolCard):
    """One external MCP server as a toolset.

    Hands the tools of one Model Context Protocol server to the agent, over stdio, streamable HTTP or SSE. A lost connection is opened anew on the next use; the token travels on the transport alone and is neither stored nor logged.
    """

    logic_path: ClassVar[str] = "cardwright.mcp.logic:MCPLogic"
    observer_type: ClassVar[type[object] | None] = None

    connection: Annotated[MCPConnectionConfig, Field(description="The one server of this card.")]

    @property
    def logic(self) -> "MCPContract":
        """The bound logic; raises `ToolObserverGone` when the card is not bound."""
        return cast("MCPContract", self.bound_logic())

    @override
    def get_tools(self) -> list[Callable[..., object]]:
        return []

    @override
    def get_toolsets(self) -> list[Toolset]:
        return [self.logic.toolset()]

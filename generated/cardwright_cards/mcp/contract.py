# Generated from specs/mcp.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""What the logic of `MCPTool` must implement."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Never

from cardwright.core import CardLogic, ToolObserver

from .card import MCPTool

if TYPE_CHECKING:
    from cardwright.core import Toolset

type MCPFailure = Never
"""This card declares no failure that the model can fix."""


class MCPContract(CardLogic[MCPTool, ToolObserver, MCPFailure]):
    """Base of `MCPLogic`: one method per endpoint of the spec."""

    @abstractmethod
    def toolset(self) -> Toolset:
        """The tools of the server, under its prefix."""

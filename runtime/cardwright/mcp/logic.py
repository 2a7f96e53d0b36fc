"""Behaviour of `MCPTool`: one toolset per call of `get_toolsets()`."""

from functools import cached_property
from typing import TYPE_CHECKING, final, override

from cardwright.core import Toolset
from cardwright_cards.mcp.contract import MCPContract

from .connection import check
from .extra import mcp_extra

if TYPE_CHECKING:
    from .sign_in import SignIn


@final
class MCPLogic(MCPContract):
    """Checks the connection when bound and builds toolsets for it; starts nothing itself."""

    @override
    def bind(self) -> None:
        check(self.card.connection)

    @override
    def toolset(self) -> Toolset:
        with mcp_extra():
            from .building import toolset
        return toolset(self.card.connection, self._sign_in)

    @cached_property
    def _sign_in(self) -> "SignIn | None":
        """One for all toolsets of the card, so that a person signs in once."""
        from .sign_in import sign_in_of

        return sign_in_of(self.card.connection)

"""The team behind a server: one agent that carries the cards, and the actors they need."""

import asyncio
from collections.abc import Collection, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self
from uuid import UUID

from cardwright.bench import LocalTeam
from cardwright.core import ToolCard

if TYPE_CHECKING:
    from cardwright.store import EventStore
    from cardwright.tools import AnyTool

MEMBER: Final = "@MCP"


class NotStoredError(Exception):
    """The store takes nothing for now; the text says why."""


class House:
    """A team of its own for the clients of one server; leave it through `with`."""

    def __init__(
        self,
        cards: Sequence[ToolCard],
        *,
        store: "EventStore | str | None" = None,
        team_id: UUID | None = None,
        name: str = "",
        agreed: Collection[str] = (),
    ) -> None:
        """Start the team and bind the cards.

        Args:
            cards: The cards whose tools are served.
            store: Where the team is kept, so that it outlives the process.
            team_id: Identity of the team; the same one resumes a stored team.
            name: What people call the team, once it is made.
            agreed: Tools that ask for approval, to which the operator agrees beforehand.

        Raises:
            ValueError: The cards do not fit together or serve no tool, or `agreed` names none.
            StoreError: The store cannot be opened, or the team runs elsewhere.
        """
        self.agreed = frozenset(agreed)
        self.team = LocalTeam(store=store, team_id=team_id, name=name)
        try:
            self.agent = self.team.agent(MEMBER, cards, role="MCP", raises=False)
            self._refuse()
            self.instructions = "\n\n".join(filter(None, self.agent.system_prompts())) or None
            """The system prompts of the cards, for the client's own model."""
        except BaseException:
            self.team.stop()
            raise

    @property
    def tools(self) -> "Sequence[AnyTool]":
        """What is served, in the order of the cards."""
        return tuple(self.agent.tools.values())

    async def stored(self) -> None:
        """Wait until what was done is stored, off the loop.

        Raises:
            NotStoredError: The store does not take it for now.
        """
        if not self.team.is_stored:
            return
        from cardwright.store import StoreError

        try:
            await asyncio.to_thread(self.team.flush)
        except StoreError as error:
            raise NotStoredError(str(error)) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.team.stop()

    def _refuse(self) -> None:
        names = self.agent.tools.keys()
        if not names:
            raise ValueError(
                "these cards serve no tool: configure one that has a tool_call channel"
            )
        unknown = sorted(self.agreed - names)
        if unknown:
            raise ValueError(f"there is no tool {unknown[0]!r} to agree to: {', '.join(names)}")

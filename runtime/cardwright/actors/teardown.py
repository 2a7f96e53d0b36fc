"""The two phases in which a team stops: agents first, then the tool actors that they use."""

import logging
from collections.abc import Callable
from threading import Event, Timer
from typing import TYPE_CHECKING

from cardwright.actors.addresses import ActorAddressImpl
from cardwright.actors.children import TOOL_PREFIX, Child, tell_stop

if TYPE_CHECKING:
    from cardwright.actors.addresses import ActorAddress
    from cardwright.actors.refs import AkgentRef
    from cardwright.actors.roster import Roster

__all__ = ["Teardown"]

logger = logging.getLogger(__name__)


class Teardown:
    """State of one team's stop; used on the orchestrator's thread only."""

    def __init__(self, roster: "Roster", finish: Callable[[], None]) -> None:
        """Watch `roster`; call `finish` once, when nobody is left or the grace is over."""
        self.stopped = Event()
        self._roster = roster
        self._finish = finish
        self._waiting_tools: list[AkgentRef] = []
        self._timer: Timer | None = None
        self._begun = False
        self._tools_told = False
        self._finished = False

    @property
    def begun(self) -> bool:
        """Whether the team is stopping."""
        return self._begun

    def begin(self, children: list[Child], grace: float, give_up: Callable[[], None]) -> None:
        """Tell the agents among `children` to stop, remember the tool actors, start the clock.

        Args:
            children: the living children, oldest first; told in reverse.
            grace: seconds until `give_up` is called, from a thread of its own.
            give_up: has to lead to `expire` on the orchestrator's thread.
        """
        self._begun = True
        newest_first = list(reversed(children))
        self._waiting_tools = [child.ref for child in newest_first if child.is_tool]
        for child in newest_first:
            if not child.is_tool:
                tell_stop(child.ref)
        self._timer = Timer(grace, give_up)
        self._timer.daemon = True
        self._timer.start()
        self.advance()

    def advance(self) -> None:
        """Go on as far as the roster allows."""
        if not self._begun or self._finished:
            return
        members = self._present()
        if all(member.name.startswith(TOOL_PREFIX) for member in members):
            self._tell_tools()
        if not members:
            self._conclude()

    def take_in(self, newcomer: "ActorAddress") -> None:
        """Stop an actor that started although the team is stopping."""
        if not self._begun or not isinstance(newcomer, ActorAddressImpl):
            return
        if self._tools_told or not newcomer.name.startswith(TOOL_PREFIX):
            tell_stop(newcomer.ref)
        else:
            self._waiting_tools.append(newcomer.ref)

    def expire(self) -> None:
        """Give up on whoever is left."""
        if self._finished:
            return
        left = ", ".join(member.name for member in self._present())
        logger.warning("The grace period is over and these did not stop: %s.", left or "nobody")
        self._tell_tools()
        self._conclude()

    def cancel(self) -> None:
        """Stop the clock."""
        if self._timer is not None:
            self._timer.cancel()

    def _present(self) -> "list[ActorAddress]":
        # A restored member that was never brought to life is not waited for.
        return [one for one in self._roster.living() if isinstance(one, ActorAddressImpl)]

    def _tell_tools(self) -> None:
        if not self._tools_told:
            self._tools_told = True
            for tool in self._waiting_tools:
                tell_stop(tool)

    def _conclude(self) -> None:
        self._finished = True
        self.cancel()
        self._finish()

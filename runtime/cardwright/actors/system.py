"""Where actors come from: create them, talk to them from outside, and shut them down."""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from queue import Empty, SimpleQueue
from time import monotonic
from typing import TYPE_CHECKING, Self, cast, override
from uuid import UUID, uuid4

from cardwright.actors.addresses import ActorAddress, ActorAddressImpl
from cardwright.actors.akgent import Akgent, AnyAkgent
from cardwright.actors.class_paths import class_from_path
from cardwright.actors.config import BaseConfig
from cardwright.actors.directory import Directory
from cardwright.actors.errors import ActorDeadError, Timeout
from cardwright.actors.messages import Message
from cardwright.actors.orchestrator import Orchestrator
from cardwright.actors.proxies import ask_proxy, tell_proxy
from cardwright.actors.refs import ASK_TIMEOUT, AkgentRef
from cardwright.actors.serialization import SerializableBaseModel
from cardwright.actors.spawning import spawn

if TYPE_CHECKING:
    from threading import Event

__all__ = ["ActorSystem", "ExecutionContext", "Statistics"]

logger = logging.getLogger(__name__)

# Seconds that teams have for their two-phase stop when a system shuts down.
TEAM_GRACE = 30.0
# Seconds that actors outside of any team, or left behind by one, have after that.
LEFTOVER_GRACE = 2.0


class Statistics(SerializableBaseModel):
    """How many actors of a system are alive."""

    orchestrator_count: int
    agent_count: int


class _Listener(Akgent):
    """Keeps what is sent to somebody outside of all actors."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(config=BaseConfig(name="@ActorSystem", role="ActorSystem"))
        del kwargs
        self.heard: SimpleQueue[object] = SimpleQueue()

    @override
    def on_receive(self, message: object) -> object:
        self.heard.put(message)
        return None


class ExecutionContext:
    """A place outside of all actors from which to talk to them."""

    def __init__(self) -> None:
        """Start the listener, which has an address for actors to answer to."""
        self._directory = Directory()
        self._listener = _Listener()
        self._listener.begin()

    @property
    def myAddress(self) -> ActorAddress:
        """Where answers arrive; read them with `listen`."""
        return self._listener.myAddress

    @property
    def directory(self) -> Directory:
        """The living actors of this system."""
        return self._directory

    def tell(self, actor: ActorAddress, message: object) -> None:
        """Deliver `message` without waiting; a `Message` is stamped with this sender.

        Raises:
            ActorDeadError: the actor has stopped.
        """
        actor.tell(self._stamped(actor, message))

    def ask(
        self, actor: ActorAddress, message: object, timeout: float | None = ASK_TIMEOUT
    ) -> object:
        """Deliver `message` and return (or raise) what its handler returns (or raises).

        Raises:
            ActorDeadError: the actor has stopped.
            Timeout: no answer within `timeout` seconds.
        """
        return actor.ask(self._stamped(actor, message), timeout)

    def listen(self, timeout: float | None = None) -> object:
        """Return the next message that was sent here, waiting for it.

        Raises:
            Timeout: none came within `timeout` seconds.
        """
        try:
            return self._listener.heard.get(timeout=timeout)
        except Empty:
            msg = f"Nothing was sent here within {timeout} s."
            raise Timeout(msg) from None

    def shutdown(self, timeout: float | None = None) -> None:
        """Stop listening; errors are logged."""
        try:
            self._listener.akgent_ref.stop(timeout=timeout)
        except Exception:
            logger.exception("The listener could not be stopped.")

    def _stamped(self, actor: ActorAddress, message: object) -> object:
        return (
            message.init(self.myAddress, actor.team_id) if isinstance(message, Message) else message
        )


class ActorSystem(ExecutionContext):
    """Creates actors and shuts them down; what it does never touches another system's actors."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.shutdown()

    def createActor(
        self,
        actor_class: type[AnyAkgent] | str,
        restoring: bool = False,  # noqa: FBT002 - contract
        agent_id: UUID | str | None = None,
        user_id: str | None = None,
        user_email: str | None = None,
        team_id: UUID | str | None = None,
        config: BaseConfig | None = None,
    ) -> ActorAddress:
        """Create an actor without parent or orchestrator: usually the orchestrator of a new team.

        Args:
            actor_class: the class, or the name of a registered one.
            restoring: whether a stored team is being rebuilt.
            agent_id: identifier, also as text; a fresh one by default.
            user_id: for whom the team works; an opaque text.
            user_email: the address of that person; an opaque text.
            team_id: team, also as text; a fresh one by default.
            config: copied; a missing squad becomes a fresh one.

        Raises:
            ValueError: the class name is not registered, or an identifier is no UUID.
        """
        requested = config or BaseConfig()
        squad = requested.squad_id or uuid4()
        make = partial(
            class_from_path(actor_class, Akgent, "actor_class"),
            agent_id=_as_uuid(agent_id),
            team_id=_as_uuid(team_id),
            config=requested.model_copy(update={"squad_id": squad}),
            user_id=user_id,
            user_email=user_email,
            restoring=restoring,
        )
        return spawn(make, self._directory)

    def get_actor(self, address: ActorAddress) -> ActorAddress | None:
        """Return the live address of that agent id, or None."""
        ref = self._directory.get(address.agent_id)
        return None if ref is None else ActorAddressImpl(ref)

    @property
    def orchestrators(self) -> list[ActorAddress]:
        """The living orchestrators."""
        return [ActorAddressImpl(ref) for ref in self._orchestrator_refs()]

    def stat(self) -> list[Statistics]:
        """Count the living actors; the list has one element."""
        return [
            Statistics(
                orchestrator_count=len(self._orchestrator_refs()),
                agent_count=len(self._directory.living()) + self.myAddress.is_alive(),
            )
        ]

    def proxy_ask[A](
        self,
        actor: ActorAddress,
        actor_type: type[A] | None = None,
        timeout: float | None = ASK_TIMEOUT,
    ) -> A:
        """Return a stand-in for `actor` whose methods wait at most `timeout` seconds."""
        return ask_proxy(actor, actor_type, timeout)

    def proxy_tell[A](self, actor: ActorAddress, actor_type: type[A] | None = None) -> A:
        """Return a stand-in for `actor` whose methods return at once."""
        return tell_proxy(actor, actor_type)

    @contextmanager
    def private(self) -> Generator[ExecutionContext]:
        """Give a place of one's own to talk from, for the length of the block."""
        context = ExecutionContext()
        try:
            yield context
        finally:
            context.shutdown()

    @override
    def shutdown(self, timeout: float | None = 120.0) -> None:
        """Stop all teams in their two phases, then whatever actor of this system is left.

        Args:
            timeout: seconds for the teams; None gives each its usual grace.
        """
        super().shutdown(TEAM_GRACE)
        deadline = monotonic() + (timeout or TEAM_GRACE)
        for stopped in self._stop_teams(min(timeout or TEAM_GRACE, TEAM_GRACE)):
            stopped.wait(max(deadline - monotonic(), 0.0))
        self._stop_leftovers()

    def _stop_teams(self, grace: float) -> list[Event]:
        events: list[Event] = []
        for ref in self._orchestrator_refs():
            try:
                events.append(cast("Event", ref.call("stop", (grace,), {}, grace)))
            except (ActorDeadError, Timeout):
                logger.warning("Orchestrator of team %s does not answer.", ref.identity.team_id)
            except Exception:
                # Of its own `stop`; the other teams stop all the same.
                logger.exception("Team %s refuses to stop.", ref.identity.team_id)
        return events

    def _stop_leftovers(self) -> None:
        left = self._directory.living()
        if not left:
            return
        names = ", ".join(ref.identity.name for ref in left)
        logger.warning("Stopping actors that belong to no stopped team: %s.", names)
        for ref in reversed(left):
            ref.stop(block=False)
        deadline = monotonic() + LEFTOVER_GRACE
        for ref in left:
            ref.finished.wait(max(deadline - monotonic(), 0.0))

    def _orchestrator_refs(self) -> list[AkgentRef]:
        return [
            ref for ref in self._directory.living() if issubclass(ref.actor_class, Orchestrator)
        ]


def _as_uuid(value: UUID | str | None) -> UUID | None:
    return UUID(value) if isinstance(value, str) else value

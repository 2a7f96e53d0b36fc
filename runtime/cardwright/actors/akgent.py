"""The base actor: one thread, one message at a time, and nothing that happens goes unreported."""

from __future__ import annotations

import logging
from collections.abc import Collection
from functools import partial
from typing import Any, ClassVar, Generic, cast, override
from uuid import UUID, uuid4

from typing_extensions import TypeVar

from cardwright.actors.addresses import ActorAddress, ActorAddressImpl
from cardwright.actors.children import Child
from cardwright.actors.class_paths import class_from_path
from cardwright.actors.config import BaseConfig
from cardwright.actors.errors import TeamStoppingError
from cardwright.actors.frozen import frozen
from cardwright.actors.identity import ActorIdentity
from cardwright.actors.loop import ActorLoop
from cardwright.actors.messages import (
    EventMessage,
    Message,
    StartMessage,
    StopRecursively,
)
from cardwright.actors.proxies import ask_proxy, tell_proxy
from cardwright.actors.refs import ASK_TIMEOUT, AkgentRef
from cardwright.actors.registry import marker_of, register_type
from cardwright.actors.spawning import current_directory, spawn
from cardwright.actors.state import BaseState
from cardwright.actors.team_views import TeamViews
from cardwright.actors.telemetry import Telemetry, failure_message
from cardwright.actors.turns import SUPER, Super, handlers_for, handlers_of
from cardwright.actors.updates import merged_state

__all__ = ["Akgent", "AnyAkgent"]

logger = logging.getLogger(__name__)

ConfigType = TypeVar("ConfigType", bound=BaseConfig, default=BaseConfig)
StateType = TypeVar("StateType", bound=BaseState, default=BaseState)

# Seconds that a stopping actor waits for its children.
STOP_GRACE = 30.0


@register_type
class Akgent(TeamViews, ActorLoop, Generic[ConfigType, StateType]):
    """Base of all actors: typed configuration, published state, children, telemetry.

    A message of type `X` is handled by `receiveMsg_X(self, message)`, or with
    a further parameter `sender`.
    Prepare in `on_start`, on the actor's own thread; a failing `on_start` stops the actor.
    """

    # Whether the actor stands for a person; addresses tell it.
    is_user_proxy: ClassVar[bool] = False
    # Whether the actor is gone with its work, so that a resumed team does not bring it back.
    ephemeral: ClassVar[bool] = False
    # A handler returns it to pass the message on to the handler of the next base type.
    SUPER: ClassVar[Super] = SUPER

    config: ConfigType
    state: StateType

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        register_type(cls)

    def __init__(  # noqa: PLR0913 - keywords only, and passed by `createActor`
        self,
        *,
        agent_id: UUID | None = None,
        team_id: UUID | None = None,
        config: ConfigType | None = None,
        user_id: str | None = None,
        user_email: str | None = None,
        parent: ActorAddress | None = None,
        orchestrator: ActorAddress | None = None,
        restoring: bool = False,
    ) -> None:
        """Construct the actor on the creator's thread; use `createActor` rather than this.

        Args:
            agent_id: identifier; a fresh one by default.
            team_id: team of the actor; a fresh one by default.
            config: copied, so that one value may configure many actors.
            user_id: opaque text, inherited by children.
            user_email: opaque text, inherited by children.
            parent: who created the actor.
            orchestrator: who is told what the actor does.
            restoring: whether a stored team is being rebuilt.
        """
        super().__init__()
        given = cast("ConfigType", BaseConfig()) if config is None else config
        name = given.name or f"{type(self).__name__} ({self.actor_urn})"
        role = given.role or type(self).__name__
        self.config = given.model_copy(update={"name": name, "role": role}, deep=True)
        self.state = cast("StateType", BaseState())
        self.restoring = restoring
        self._user_id = user_id
        self._user_email = user_email
        self._parent = parent
        self._orchestrator = orchestrator
        identity = self._identify(agent_id or uuid4(), team_id or uuid4())
        self._akgent_ref = AkgentRef(self, identity, current_directory.get())
        self._actor_ref = self._akgent_ref
        self._address = ActorAddressImpl(self._akgent_ref)
        self._telemetry = Telemetry(self._address, identity.team_id, orchestrator)
        self._handlers = handlers_of(type(self))

    def _identify(self, agent_id: UUID, team_id: UUID) -> ActorIdentity:
        return ActorIdentity(
            actor_type=marker_of(type(self)),
            agent_id=agent_id,
            name=self.config.name,
            role=self.config.role,
            team_id=team_id,
            squad_id=self.config.squad_id,
            is_user_proxy=self.is_user_proxy,
        )

    @override
    def _announce(self) -> None:
        self._report(self._start_message())

    def _start_message(self) -> StartMessage:
        config = self.config.model_copy(deep=True)
        return StartMessage(config=config, parent=self._parent, ephemeral=self.ephemeral)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.config.name!r})"

    @property
    def myAddress(self) -> ActorAddress:
        """The actor's own address."""
        return self._address

    @property
    def agent_id(self) -> UUID:
        """The actor's identifier."""
        return self._address.agent_id

    @property
    def team_id(self) -> UUID:
        """The team that the actor belongs to."""
        return self._address.team_id

    @property
    def user_id(self) -> str | None:
        """For whom the team works; an opaque text."""
        return self._user_id

    @property
    def user_email(self) -> str | None:
        """The address of that person; an opaque text."""
        return self._user_email

    @property
    def parent(self) -> ActorAddress | None:
        """Who created the actor."""
        return self._parent

    @property
    def orchestrator(self) -> ActorAddress | None:
        """Who is told what the actor does."""
        return self._orchestrator

    @property
    def current_message(self) -> Message | None:
        """The message whose turn it is, if any."""
        return self._current

    def createActor(
        self,
        actor_class: type[AnyAkgent] | str,
        agent_id: UUID | None = None,
        config: BaseConfig | None = None,
    ) -> ActorAddress:
        """Create a child in the same team, with the same user and orchestrator.

        Args:
            actor_class: the class, or the name of a registered one.
            agent_id: identifier; a fresh one by default.
            config: copied; a missing squad is inherited.

        Raises:
            TeamStoppingError: this actor is stopping.
            Exception: what the child's constructor raises; nobody heard of the child then.
        """
        if self._stopping:
            msg = f"{self.config.name!r} is stopping and creates no more actors."
            raise TeamStoppingError(msg)
        requested = (config or BaseConfig()).model_copy(deep=True)
        found = class_from_path(actor_class, Akgent, "actor_class")
        directory = self._akgent_ref.directory
        if agent_id is None and directory is not None:
            # A revived actor that creates its children anew creates those that it had.
            former = directory.claim(self.agent_id, marker_of(found), requested.name)
            if former is not None:
                agent_id, requested.name = former.agent_id, former.name
        return self._adopt(found, agent_id, requested)

    def _revive(
        self, actor_class: type[AnyAkgent], agent_id: UUID, config: BaseConfig
    ) -> ActorAddress:
        """Create a child of an earlier life, unless `on_start` has done so."""
        # Of the children: one of the earlier life may live on in the system, left behind.
        made = (child.address for child in self._children if child.address.agent_id == agent_id)
        return next(made, None) or self.createActor(actor_class, agent_id, config)

    def _adopt(
        self, actor_class: type[AnyAkgent], agent_id: UUID | None, requested: BaseConfig
    ) -> ActorAddress:
        squad = requested.squad_id or self.config.squad_id
        make = partial(
            actor_class,
            agent_id=agent_id,
            team_id=self.team_id,
            config=requested.model_copy(update={"squad_id": squad}),
            user_id=self._user_id,
            user_email=self._user_email,
            parent=self._address,
            orchestrator=self._orchestrator_of_children(),
        )
        address = spawn(make, self._akgent_ref.directory)
        self._children.add(Child(address, actor_class, requested))
        return address

    def _orchestrator_of_children(self) -> ActorAddress | None:
        return self._orchestrator

    def send(self, recipient: ActorAddress, message: object) -> object:
        """Send `message` and return it; a `Message` is stamped and enters the ledger.

        Raises:
            ActorDeadError: the recipient has stopped; the ledger has no open entry then.
        """
        if not isinstance(message, Message):
            recipient.tell(message)
            return message
        message.init(self._address, self.team_id, self._current)
        if not recipient.is_alive():
            # Raises what this kind of address raises, before anything is recorded.
            recipient.tell(message)
        self._telemetry.sent(message, recipient, self._current)
        try:
            self._hand_over(recipient, message)
        except BaseException:
            self._telemetry.absorbed(message, self._current)
            raise
        return message

    def _hand_over(self, recipient: ActorAddress, message: Message) -> None:
        if isinstance(recipient, ActorAddressImpl) and self._telemetry.keeps(recipient):
            recipient.ref.deliver(message)
        else:
            recipient.tell(message)

    def proxy_ask[A](
        self,
        actor: ActorAddress,
        actor_type: type[A] | None = None,
        timeout: float | None = ASK_TIMEOUT,
    ) -> A:
        """Return a stand-in for `actor` whose methods wait for the answer.

        Args:
            actor: a live address.
            actor_type: what to treat it as, for type checkers.
            timeout: seconds to wait for each answer; None waits without end.

        Raises:
            ActorDeadError: the actor has stopped.
        """
        return ask_proxy(actor, actor_type, timeout)

    def proxy_tell[A](self, actor: ActorAddress, actor_type: type[A] | None = None) -> A:
        """Return a stand-in for `actor` whose methods return at once.

        Raises:
            ActorDeadError: the actor has stopped.
        """
        return tell_proxy(actor, actor_type)

    def get_mailbox(self) -> list[Message]:
        """Return the waiting messages without removing them, oldest first."""
        return self.inbox.messages()

    def consume_mailbox(self, message_ids: Collection[UUID]) -> list[Message]:
        """Take waiting messages out of turn, oldest first; call on the actor's own thread.

        Messages that someone waits for an answer to stay; unknown ids are ignored.
        """
        taken = self.inbox.pick(message_ids)
        for message in taken:
            self._telemetry.absorbed(message, self._current)
        return taken

    def notify_event(self, event: object) -> None:
        """Tell the orchestrator of a domain event: any value that can be stored, as it is now."""
        self._report(EventMessage(event=frozen(event)))

    def notify_state_change(self, state: BaseState) -> None:
        """Tell the orchestrator what `state` is like now."""
        self._telemetry.state_changed(state.snapshot(), self._current)

    def init_state(self, state: StateType) -> None:
        """Install `state`, observed by whoever observed the outgoing one, and publish it."""
        observer = self.state.get_observer()
        self.state = state
        state.observer(observer)

    def update_state(self, updates: dict[str, object]) -> None:
        """Install the state with some fields replaced; a failure is reported, never raised."""
        try:
            self.init_state(cast("StateType", merged_state(self.state, updates, self._akgent_ref)))
        except Exception as error:
            logger.exception("%r cannot update its state.", self._address)
            self._report(failure_message(error, self._current))

    def init_llm_context(self, events: list[EventMessage]) -> None:
        """Take up the events of an earlier life; called when a stored team is resumed."""

    @override
    def on_receive(self, message: object) -> object:
        """Handle one message; a `Message` has a reported turn, at whose end state is published."""
        return self._turn(message) if isinstance(message, Message) else self._dispatch(message)

    def _turn(self, message: Message) -> object:
        self._current = message
        self._telemetry.began(message)
        try:
            try:
                answer = self._dispatch(message)
            except BaseException:
                self._publish_guarded()
                self._telemetry.ended(message)
                raise
            self._telemetry.ended(message)
            self.state.notify_if_changed()
            return answer
        finally:
            self._current = None

    def _dispatch(self, message: object) -> object:
        kind = type(message)
        found = self._handlers.get(kind) or handlers_for(type(self), kind)
        for handler, wants_sender in found:
            if wants_sender:
                answer = handler(self, message, getattr(message, "sender", None))
            else:
                answer = handler(self, message)
            if answer is not SUPER:
                return answer
        logger.warning("%r has no handler for %s.", self._address, type(message).__name__)
        return None

    def receiveMsg_StopRecursively(self, _message: StopRecursively) -> None:
        """Stop children and self."""
        self.stop()

    def stop_children(self, blocking: bool = True) -> None:  # noqa: FBT002 - contract
        """Ask all children to stop; wait for them, or not."""
        if blocking:
            self._children.stop(STOP_GRACE)
        else:
            self._children.tell_stop()

    @override
    def stop(self) -> None:
        """Publish the state, stop all children and wait for them, then stop.

        What is in the inbox already is handled before.
        """
        self._stopping = True
        self._publish_guarded(at_the_end=True)
        try:
            self.stop_children()
        except BaseException:
            self._stopping = False
            raise
        self._stop_self()

    def _stop_self(self) -> None:
        """Stop once what is in the inbox has been handled, whatever becomes of the children."""
        super().stop()

    @override
    def on_stop(self) -> None:
        """Publish the state and say goodbye; override to clean up, calling this at the end."""
        self._publish_guarded(at_the_end=True)
        self._say_stop()

    def _publish_guarded(self, *, at_the_end: bool = False) -> None:
        state = self.state
        try:
            (state.notify_at_the_end if at_the_end else state.notify_if_changed)()
        except Exception:
            logger.warning("%r cannot publish its state.", self._address, exc_info=True)


type AnyAkgent = Akgent[Any, Any]

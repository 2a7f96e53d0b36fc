"""Delivery to an actor of this process: without waiting, or waiting for the answer."""

from __future__ import annotations

from threading import Event, Lock, get_ident
from typing import TYPE_CHECKING, Any, Final, cast, override

import pykka
from pykka._envelope import Envelope
from pykka.messages import ProxyCall

from cardwright.actors.errors import ActorDeadError, SelfAskError, Timeout

if TYPE_CHECKING:
    from pykka._types import OptExcInfo

    from cardwright.actors.akgent import AnyAkgent
    from cardwright.actors.directory import Directory
    from cardwright.actors.identity import ActorIdentity
    from cardwright.actors.inbox import Inbox
    from cardwright.actors.pressure import Pressure
    from cardwright.actors.records import Record

__all__ = ["ASK_TIMEOUT", "AkgentRef", "Reply"]

# Seconds that an ask waits unless told otherwise.
ASK_TIMEOUT = 30.0
# What an envelope holds that nobody will open.
_REFUSED: Final = object()


class Reply(pykka.Future[Any]):
    """An answer to come. One lock instead of a condition: most asks cost little more than it."""

    def __init__(self) -> None:
        """Start without an answer."""
        super().__init__()
        self._ready = Lock()
        self._ready.acquire()
        self._value: object = None
        self.error: BaseException | None = None

    @property
    def answered(self) -> bool:
        """Whether the answer has come."""
        return not self._ready.locked()

    @override
    def set(self, value: object = None) -> None:
        self._value = value
        self._ready.release()

    @override
    def set_exception(self, exc_info: OptExcInfo | None = None) -> None:
        self.error = (exc_info or (None, None, None))[1] or ActorDeadError("No answer.")
        self._ready.release()

    @override
    def get(self, *, timeout: float | None = None) -> object:
        """Wait for the answer and return or raise it.

        Raises:
            Timeout: none came within `timeout` seconds.
        """
        if not self._ready.acquire(timeout=-1 if timeout is None else max(timeout, 0.0)):
            msg = f"No answer within {timeout:g} s."
            raise Timeout(msg)
        self._ready.release()
        if self.error is not None:
            raise self.error
        return self._value


class AkgentRef(pykka.ActorRef["AnyAkgent"]):
    """A pykka reference that also knows who its actor is and on which thread it runs.

    It does not keep the actor alive. `closed` says that nobody looks into the inbox any more,
    `finished` that the actor has said everything.
    """

    def __init__(
        self, actor: AnyAkgent, identity: ActorIdentity, directory: Directory | None
    ) -> None:
        """Refer to `actor`, which belongs to the system of `directory`."""
        super().__init__(actor)
        self.identity = identity
        self.directory = directory
        self.inbox = cast("Inbox", actor.actor_inbox)
        self.thread_id: int | None = None
        self.closed = False
        self.finished = Event()
        self.stop_reason = "has stopped"
        # Of an orchestrator only: holds back those who tell it more than it can record.
        self.pressure: Pressure | None = None

    @property
    def actor(self) -> AnyAkgent | None:
        """The actor itself, or None once it was collected."""
        return self._actor_weakref()

    @property
    def on_own_thread(self) -> bool:
        """Whether the caller runs on the actor's own thread."""
        return self.thread_id == get_ident()

    def deliver(self, message: object, reply: Reply | None = None) -> None:
        """Put `message` into the inbox and return at once.

        Raises:
            ActorDeadError: the actor has stopped.
        """
        self._put(Envelope(message, reply_to=reply))

    def post(self, record: Record) -> None:
        """Put an entry of the ledger into the inbox; it is lost if the actor has ended."""
        if not self.closed:
            # A record is its own envelope.
            self.inbox.put(cast("Envelope[Any]", record))
            self._sweep()

    def request(self, message: object, timeout: float | None = ASK_TIMEOUT) -> object:
        """Put `message` into the inbox and return (or raise) the answer.

        Raises:
            ActorDeadError: the actor has stopped, or stops before it answers.
            SelfAskError: called on the actor's own thread.
            Timeout: no answer within `timeout` seconds; the work itself goes on.
        """
        if self.thread_id == get_ident() and self.is_alive():
            msg = f"Actor {self.identity.name!r} asks itself. Call the method directly, or tell."
            raise SelfAskError(msg)
        reply = Reply()
        self._put(Envelope(message, reply_to=reply))
        try:
            return reply.get(timeout=timeout)
        except Timeout as error:
            # The handler's own time-out is an answer like any other.
            raise error if reply.answered else self._late(message, timeout) from None
        finally:
            # Its traceback refers to this frame: a ring that would keep all their values.
            reply.error = None

    def call(
        self, name: str, args: tuple[object, ...], kwargs: dict[str, object], timeout: float | None
    ) -> object:
        """Call a method on the actor's thread and return what it returns."""
        return self.request(ProxyCall((name,), args, kwargs), timeout)

    def cast(self, name: str, *args: object, **kwargs: object) -> None:
        """Have a method called on the actor's thread, without waiting."""
        self.deliver(ProxyCall((name,), args, kwargs))

    def dead(self) -> ActorDeadError:
        """Return the error that says why the actor cannot be reached."""
        who = self.identity
        return ActorDeadError(f"Actor {who.name!r} ({who.agent_id}) {self.stop_reason}.")

    def refuse_pending(self) -> list[object]:
        """Empty the inbox of a stopped actor, answer those who wait, return the messages."""
        dropped = self.inbox.drain()
        messages: list[object] = [envelope.message for envelope in dropped]
        for envelope in dropped:
            if envelope.reply_to is not None:
                error = self.dead()
                envelope.reply_to.set_exception((type(error), error, None))
            if type(envelope) is Envelope:
                # Whoever put it in may be about to look: another one has emptied the inbox.
                envelope.message = _REFUSED
        return messages

    def _put(self, envelope: Envelope[Any]) -> None:
        if not self.is_alive() or self._actor_weakref() is None:
            raise self.dead()
        self.inbox.put(envelope)
        self._sweep()
        if envelope.message is _REFUSED:
            raise self.dead()

    def _sweep(self) -> None:
        if self.closed:
            # It stopped in between, and nobody looks into the inbox any more.
            self.refuse_pending()

    def _late(self, message: object, timeout: float | None) -> Timeout:
        what = message.attr_path[0] if isinstance(message, ProxyCall) else type(message).__name__
        return Timeout(f"No answer from {self.identity.name!r} to {what} within {timeout:g} s.")

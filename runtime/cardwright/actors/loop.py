"""The life of an actor on its own thread; replaces the loop of pykka, which keeps no ledger."""

from __future__ import annotations

import logging
from functools import partial
from threading import get_ident
from typing import TYPE_CHECKING, Any, ClassVar, cast, override

import pykka
from pykka.messages import ProxyGetAttr

from cardwright.actors.children import Children
from cardwright.actors.errors import ExpectedError, WarningError
from cardwright.actors.inbox import Inbox
from cardwright.actors.later import Later
from cardwright.actors.messages import Message, StopMessage
from cardwright.actors.telemetry import Telemetry, failure_message

if TYPE_CHECKING:
    from types import TracebackType

    from pykka._envelope import Envelope

    from cardwright.actors.refs import AkgentRef

__all__ = ["ActorLoop"]

logger = logging.getLogger(__name__)


class ActorLoop(pykka.ThreadingActor):
    """Takes messages one by one, survives their failures, and always says when it stops."""

    # A forgotten team must never keep the interpreter from exiting.
    use_daemon_thread: ClassVar[bool] = True

    # Set by the constructor of the subclass, which knows who the actor is.
    _akgent_ref: AkgentRef
    _telemetry: Telemetry

    def __init__(self) -> None:
        """Construct on the creator's thread, alive for nobody yet."""
        super().__init__()
        self._children = Children()
        self._current: Message | None = None
        self._stopping = False
        self._said_stop = False
        self._owed_answers: set[pykka.Future[Any]] = set()

    @property
    def akgent_ref(self) -> AkgentRef:
        """The reference through which others deliver."""
        return self._akgent_ref

    @property
    def inbox(self) -> Inbox:
        """What waits for the actor."""
        return self._akgent_ref.inbox

    @staticmethod
    @override
    def _create_actor_inbox() -> Inbox:
        return Inbox()

    def begin(self) -> AkgentRef:
        """Bring the actor to life; called once, when it is fully constructed.

        Raises:
            RuntimeError: there is no thread for it; it has stopped then.
        """
        pykka.ActorRegistry.register(self._akgent_ref)
        try:
            self._start_actor_loop()
        except BaseException:
            # Announced or not: nobody waits for it.
            self._end("could not start")
            self._actor_loop_teardown()
            raise
        return self._akgent_ref

    @override
    def _start_actor_loop(self) -> None:
        if self._akgent_ref.directory is not None:
            self._akgent_ref.directory.add(self._akgent_ref)
        self._announce()
        super()._start_actor_loop()

    def hand_in(self, message: object) -> None:
        """Take a message from outside of the team; what stores the team hears of it first.

        Raises:
            ActorDeadError: the actor has stopped.
        """
        if not isinstance(message, Message):
            self._akgent_ref.deliver(message)
            return
        self._telemetry.handed_in(message)
        try:
            self._akgent_ref.deliver(message)
        except BaseException:
            self._telemetry.absorbed(message, None)
            raise

    def _announce(self) -> None:
        """Tell whoever has to know that the actor starts; it is fully constructed."""

    def _report(self, message: Message) -> None:
        self._telemetry.report(message, self._current)

    def _report_failure(self, error: BaseException, message: object, *, asked: bool) -> None:
        """Tell people of a failure, unless it is an answer that the asker expects."""
        if asked and isinstance(error, ExpectedError):
            return
        cause = message if isinstance(message, Message) else None
        if isinstance(error, WarningError):
            logger.warning("%r: %s", self, error)
        else:
            # Whoever asked gets the exception itself.
            level = logging.INFO if asked else logging.ERROR
            logger.log(level, "%r failed on %s.", self, type(message).__name__, exc_info=error)
        self._telemetry.report(failure_message(error, cause), cause)

    @override
    def _actor_loop_setup(self) -> None:
        self._akgent_ref.thread_id = get_ident()
        try:
            self.on_start()
        except BaseException as error:  # noqa: BLE001 - whatever it is, no half-started actor lives
            self._report_failure(error, None, asked=False)
            self._end(f"could not start ({type(error).__name__})")

    @override
    def _actor_loop_running(self) -> None:
        inbox = self.inbox
        while not self.actor_stopped.is_set():
            self._take(inbox.get())

    def _take(self, envelope: Envelope[Any]) -> None:
        message, asker = envelope.message, envelope.reply_to
        try:
            answer: object = self._handle_receive(message)
        except BaseException as error:  # noqa: BLE001 - one failure path for all of them
            self._take_failure(error, message, asker)
        else:
            if type(answer) is Later:
                self._owe_answer(cast("Later[object]", answer), message, asker)
            elif asker is not None:
                asker.set(answer)

    def _take_failure(
        self, error: BaseException, message: object, asker: pykka.Future[Any] | None
    ) -> None:
        # Asking for an attribute that is not there is no failure of the actor.
        if not isinstance(message, ProxyGetAttr):
            self._report_failure(error, message, asked=asker is not None)
        if asker is not None:
            asker.set_exception((type(error), error, error.__traceback__))
        if not isinstance(error, Exception):
            self._end(f"was ended by {type(error).__name__}")

    def _owe_answer(
        self, later: Later[object], message: object, asker: pykka.Future[Any] | None
    ) -> None:
        """Answer when the answer comes; until then, who asked is remembered."""
        if asker is not None:
            self._owed_answers.add(asker)
        later.then(partial(self._settle_answer, message, asker))

    def _settle_answer(
        self, message: object, asker: pykka.Future[Any] | None, later: Later[object]
    ) -> None:
        if asker is not None:
            self._owed_answers.discard(asker)
        if later.error is not None:
            self._take_failure(later.error, message, asker)
        elif asker is not None:
            asker.set(later.value)

    def _end(self, reason: str) -> None:
        """Stop at once: this actor and its children, nobody else."""
        self._akgent_ref.stop_reason = reason
        self._stopping = True
        self._children.tell_stop()
        pykka.ActorRegistry.unregister(self._akgent_ref)
        self.actor_stopped.set()
        self._say_stop()

    def _say_stop(self) -> None:
        if not self._said_stop:
            self._said_stop = True
            self._take_leave()

    def _take_leave(self) -> None:
        """Tell whoever has to know that the actor stops; called once, however it ends."""
        self._report(StopMessage())

    @override
    def _stop(self) -> None:
        try:
            super()._stop()
        finally:
            # Even when an overridden `on_stop` failed or forgot the base.
            self._say_stop()

    @override
    def _handle_failure(
        self,
        exception_type: type[BaseException] | None,
        exception_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        # pykka calls it only for a failing `on_stop`: the loop above takes all else.
        if exception_value is not None:
            self._report_failure(exception_value, None, asked=False)

    @override
    def _actor_loop_teardown(self) -> None:
        ref = self._akgent_ref
        ref.closed = True
        for asker in self._owed_answers:
            error = ref.dead()
            asker.set_exception((type(error), error, None))
        for message in ref.refuse_pending():
            if isinstance(message, Message):
                self._telemetry.absorbed(message, self._current)
        if ref.directory is not None:
            ref.directory.discard(ref)
        ref.finished.set()

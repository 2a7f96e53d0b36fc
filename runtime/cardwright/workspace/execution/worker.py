"""The worker of one run: it waits for the sandbox, so that the tree actor does not."""

import logging
from contextlib import suppress
from math import trunc
from typing import Final, Protocol, final, override

from cardwright.actors import ActorAddress, ActorDeadError, Orchestrator, Timeout
from cardwright.actors.proxies import tell_proxy
from cardwright.core.deferred import DeferredPayload, DeferredWorker
from cardwright.sandbox import (
    SandboxActor,
    SandboxUnavailableError,
    sandbox_class,
    sandbox_config,
)

from .models import ExecOutcome, ExecPayload

__all__ = ["REPLY_GRACE_S", "ExecWorker", "RunFailedError"]

logger = logging.getLogger(__name__)

REPLY_GRACE_S: Final = 2.0
"""Seconds beyond its budget in which a sandbox ends a command and answers."""

_ENDING_S: Final = 5.0


class RunFailedError(Exception):
    """There is no outcome; the text says why."""


class _Parent(Protocol):
    def run_started(self, run_id: str, sandbox: ActorAddress) -> None: ...


@final
class ExecWorker(DeferredWorker):
    """Has one command run and tells the tree actor its outcome, within the time it has."""

    def settled(self) -> bool:
        """Return True, once the run is over: calls are answered in the order of their coming."""
        return True

    @override
    def produce(self, payload: DeferredPayload) -> ExecOutcome:
        if not isinstance(payload, ExecPayload):
            raise TypeError("an ExecWorker works on an ExecPayload")
        sandbox = self._ready(payload)
        if self.parent is not None:
            with suppress(ActorDeadError):
                tell_proxy(self.parent, _Parent).run_started(payload.deferred_key, sandbox)
        return self._outcome(sandbox, payload)

    def _ready(self, payload: ExecPayload) -> ActorAddress:
        """Return the sandbox of the tree, ready for the command."""
        whole = trunc(self.time_left())
        try:
            sandbox = self._sandbox(payload, whole)
            self.proxy_ask(sandbox, SandboxActor, timeout=self.time_left()).ready()
        except SandboxUnavailableError as error:
            raise RunFailedError(f"the command never ran. {error}") from error
        except Exception as error:
            logger.warning("%r: no sandbox.", self, exc_info=True)
            raise RunFailedError(
                f"the sandbox was not ready in {whole} s, so the command never ran "
                f"({type(error).__name__}: {error}). Trying again may help."
            ) from error
        return sandbox

    def _sandbox(self, payload: ExecPayload, timeout: float) -> ActorAddress:
        if self.orchestrator is None:
            raise RuntimeError("there is no team")
        orchestrator = self.proxy_ask(self.orchestrator, Orchestrator, timeout=timeout)
        return orchestrator.getChildrenOrCreate(
            sandbox_class(payload.mode),
            config=sandbox_config(payload.mode, payload.team_id, payload.workspace_id),
        )

    def _outcome(self, sandbox: ActorAddress, payload: ExecPayload) -> ExecOutcome:
        budget = min(payload.timeout_s, self.time_left())
        asked = self.proxy_ask(sandbox, SandboxActor, timeout=trunc(budget) + REPLY_GRACE_S)
        try:
            result = asked.exec(payload.cmd, payload.cwd, budget)
        except Timeout as error:
            # The tree is free only when nothing of the command writes to it any more.
            with suppress(Timeout, ActorDeadError):
                self.proxy_ask(sandbox, SandboxActor, timeout=_ENDING_S).ready()
            raise RunFailedError(f"the sandbox did not end it within {budget:g} s") from error
        return ExecOutcome(
            stdout=result.stdout,
            stderr=result.stderr,
            exit_code=result.exit_code,
            timed_out=result.timed_out,
        )

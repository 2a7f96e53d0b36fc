"""A team that runs in this process and is stored as it goes."""

import logging
from collections.abc import Callable
from threading import Event, Lock, Thread
from time import monotonic
from typing import cast
from uuid import UUID

from cardwright.actors import ActorAddress, ActorDeadError, ActorSystem, Orchestrator, Timeout
from cardwright.actors.addresses import ActorAddressImpl
from cardwright.store.errors import StoreError
from cardwright.store.teams.errors import TeamPausedError
from cardwright.store.teams.lease_keeper import LeaseKeeper
from cardwright.store.teams.persister import Persister

logger = logging.getLogger(__name__)

GRACE = 30.0
"""Seconds that a team has to stop in."""
LOST_GRACE = 2.0
"""The same for a copy that somebody else has taken over."""
STORE_TIMEOUT = 30.0
"""Seconds to wait for the store before a call says that the team pauses."""


class RunningTeam:
    """Made by `Teams.create` and `Teams.resume`; stop it, or let its actor system do so."""

    def __init__(
        self,
        team_id: UUID,
        system: ActorSystem,
        orchestrator: ActorAddress,
        persister: Persister,
        on_end: Callable[["RunningTeam", StoreError | None], None],
    ) -> None:
        """Start to store the team of `orchestrator`."""
        self.team_id = team_id
        self.orchestrator = orchestrator
        """Address of the orchestrator."""
        self._system = system
        self.persister = persister
        """What stores it."""
        self._keeper: LeaseKeeper | None = None
        self._on_end = on_end
        self._ended = Event()
        self._lock = Lock()
        persister.start(self._end)

    @property
    def root(self) -> Orchestrator:
        """The orchestrator, to ask."""
        return self._system.proxy_ask(self.orchestrator, Orchestrator)

    @property
    def paused(self) -> StoreError | None:
        """Why the team waits for its store; None if it does not."""
        return self.persister.paused

    @property
    def sequence(self) -> int:
        """The number of the last stored event."""
        return self.persister.sequence

    @property
    def ended(self) -> bool:
        """Whether the team runs here no more and is stored."""
        return self._ended.is_set()

    def member(self, name: str) -> ActorAddress | None:
        """Return the living member of that name."""
        return self.root.get_team_member(name)

    def flush(self, timeout: float = STORE_TIMEOUT) -> None:
        """Wait until all that was told to the orchestrator before is stored: then it is certain.

        Raises:
            TeamPausedError: the store does not take it for now; the text says why.
            StoreError: this copy of the team has been replaced by another.
        """
        deadline = monotonic() + timeout
        self._pass_on(timeout)
        self.persister.flush(max(deadline - monotonic(), 0.0))

    def _pass_on(self, timeout: float) -> None:
        """Wait until the orchestrator has passed on what it was told before, in its order."""
        try:
            self._system.proxy_ask(self.orchestrator, Orchestrator, timeout).get_metadata()
        except ActorDeadError:
            logger.debug("The orchestrator of %s has passed on all.", self.team_id)
        except Timeout:
            why = self.persister.paused or "its orchestrator does not answer"
            raise TeamPausedError(f"Not stored within {timeout:g} s: {why}") from None

    def require_store(self, timeout: float = STORE_TIMEOUT) -> None:
        """Wait while the team pauses.

        Raises:
            TeamPausedError: it still does after `timeout` seconds.
        """
        if self.persister.paused is not None:
            self.persister.flush(timeout)

    def stop(self, grace: float = GRACE, store_timeout: float = STORE_TIMEOUT) -> None:
        """Stop the members, store the rest, and wait for both; again is no error.

        Raises:
            TeamNotStoredError: the store was away until `store_timeout` was over.
        """
        self._stop_members(grace)
        self.persister.join(store_timeout)

    def keep(self, keeper: LeaseKeeper) -> None:
        """Give the lease back at the end."""
        self._keeper = keeper

    def lose(self, error: StoreError) -> None:
        """Stop this copy: another process is in charge of the team."""
        logger.error("Team %s stops here: %s", self.team_id, error)
        self.persister.fail(error)

    def _stop_members(self, grace: float) -> None:
        try:
            stopped = cast(
                "Event",
                cast("ActorAddressImpl", self.orchestrator).ref.call("stop", (grace,), {}, grace),
            )
        except (ActorDeadError, Timeout):
            return
        stopped.wait()

    def _end(self, failure: StoreError | None) -> None:
        """Runs on the persister's thread, when it has nothing left to store or cannot."""
        with self._lock:
            if self._ended.is_set():
                return
            self._on_end(self, failure)
            if self._keeper is not None:
                self._keeper.release()
            self._ended.set()
        if failure is not None:
            stop = Thread(target=self._stop_members, args=(LOST_GRACE,), daemon=True)
            stop.start()

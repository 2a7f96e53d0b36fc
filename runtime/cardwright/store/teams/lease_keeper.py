"""Keeps a team's lease for as long as the team runs here."""

import logging
import os
import re
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from uuid import uuid4

from cardwright.store.errors import FencedError, LeaseHeldError, StoreError, StreamGone
from cardwright.store.protocol import EventStore
from cardwright.store.records import Lease
from cardwright.store.teams.errors import TeamRunsElsewhereError

logger = logging.getLogger(__name__)

TTL = 15.0
"""Seconds after which another process may take over a team whose process says nothing."""
RENEWALS = 3
"""Renewals per `TTL`."""

_OWNER = re.compile(r"(?P<machine>[^/]*)/(?P<pid>\d+)-(?P<started>\d+)/")


def owner_name() -> str:
    """Return a name for one run in this process that tells another process whether we live."""
    return f"{_machine()}/{os.getpid()}-{_started(os.getpid())}/{uuid4().hex[:12]}"


def place_of(owner: str) -> str:
    """Say in which process a holder of a lease runs, such as `process 7 on box`."""
    found = _OWNER.match(owner)
    if found is None:
        return f"another place, named {owner!r}"
    host = found["machine"].partition(":")[0]
    return f"process {found['pid']}" + (f" on {host}" if host else "")


def take_lease(store: EventStore, stream: str, owner: str, ttl: float = TTL) -> Lease:
    """Acquire the lease; that of a process of this machine which is dead need not run out.

    Raises:
        TeamRunsElsewhereError: the team runs elsewhere, or did until moments ago.
    """
    try:
        return store.acquire_lease(stream, owner, ttl=ttl)
    except LeaseHeldError as held:
        if not _is_dead(held.owner):
            raise TeamRunsElsewhereError(held, place_of(held.owner)) from None
        logger.info("Taking over team %s: the process that ran it is dead.", stream)
        # Under the dead one's name it is free to us, and once released to everybody.
        store.release_lease(store.acquire_lease(stream, held.owner, ttl=ttl))
        return store.acquire_lease(stream, owner, ttl=ttl)


class LeaseKeeper:
    """Renews a lease in the background."""

    def __init__(
        self, store: EventStore, lease: Lease, ttl: float, on_lost: Callable[[StoreError], None]
    ) -> None:
        """Start; `on_lost` is called on the thread when another owner has taken over."""
        self._store = store
        self._lease = lease
        self._ttl = ttl
        self._on_lost = on_lost
        self._ending = Event()
        Thread(target=self._run, name="team-lease", daemon=True).start()

    def release(self) -> None:
        """Renew no more and give the lease back; if that fails it runs out by itself."""
        self._ending.set()
        with suppress(StoreError):
            self._store.release_lease(self._lease)

    def _run(self) -> None:
        while not self._ending.wait(self._ttl / RENEWALS):
            try:
                self._lease = self._store.renew_lease(self._lease, ttl=self._ttl)
            except (FencedError, StreamGone) as error:
                if not self._ending.is_set():
                    self._on_lost(error)
                return
            except StoreError as error:
                # Appends are refused anyway once another owner has taken over.
                logger.debug("The lease of %s was not renewed: %s", self._lease.stream, error)


def _is_dead(owner: str) -> bool:
    """Tell whether `owner` surely runs no more: a process of this machine that is not there."""
    found = _OWNER.match(owner)
    if found is None or not found["machine"] or found["machine"] != _machine():
        return False
    return _started(int(found["pid"])) != int(found["started"])


def _machine() -> str:
    """Name what process numbers are unique in: this boot and its process namespace, or nothing."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        namespace = Path("/proc/self/ns/pid").readlink()
    except OSError:
        return ""
    return f"{socket.gethostname()[:60]}:{boot}:{namespace}".replace("/", "-")


def _started(pid: int) -> int:
    """Return when a process started, in clock ticks since boot; 0 if there is none."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        state, started = words[0], int(words[19])
    except (OSError, ValueError, IndexError):
        return 0
    return 0 if state in "ZX" else started

"""One change of a tree from the question whether it may be to the commit of what it did."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from cardwright.core import CallContext
from cardwright.workspace.files import TreeLock, content_sha, refusing
from cardwright.workspace.gate import Accepted, EditMissed, MutationOutcome, MutationStatus
from cardwright.workspace.gate.observations import Bounded
from cardwright.workspace.journal import GitJournal, Identity
from cardwright.workspace.refusals import Refusal

logger = logging.getLogger(__name__)

REMEMBERED_CALLS = 256
_LATE = "The call took too long and nothing was changed: send it again."

type CallKey = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Request:
    """A change as it was asked for; `capability` is what the journal calls it."""

    capability: str
    arguments: tuple[object, ...]

    @property
    def digest(self) -> str:
        """Tells requests apart: providers give one id to several calls of a run."""
        return content_sha(repr(self).encode(errors="surrogatepass"))


class Turns:
    """Wraps the changes of one tree; each runs on the thread of the tree's actor."""

    def __init__(self, lock: TreeLock, journal: GitJournal, busy: Callable[[], str | None]) -> None:
        """`busy` tells why nothing may change now, if so."""
        self._lock = lock
        self._journal = journal
        self._busy = busy
        self._answers = Bounded[CallKey, MutationOutcome](REMEMBERED_CALLS)

    def take(
        self, change: Request, by: Identity, call: CallContext, body: Callable[[], Accepted]
    ) -> MutationOutcome:
        """Make one change; a call that is repeated is answered again and not applied again.

        Args:
            change: What is asked for.
            by: Who makes it.
            call: Identity and deadline.
            body: Judges and publishes.
        """
        key = None if call.key is None else (by.email, change.digest, *call.key)
        known = None if key is None else self._answers.get(key)
        if known is not None:
            return known
        outcome = self._taken(change.capability, by, call, body)
        if key is not None and outcome.status is MutationStatus.ACCEPTED:
            self._answers.put(key, outcome)
        return outcome

    def _taken(
        self, capability: str, by: Identity, call: CallContext, body: Callable[[], Accepted]
    ) -> MutationOutcome:
        try:
            with refusing("The workspace"), self._lock():
                self._admit(call)
                self._journal.commit_outside()
                accepted = body()
                if accepted.paths:
                    self._journal.commit(capability, by, accepted.paths)
        except Refusal as refused:
            return MutationOutcome(MutationStatus.REJECTED, str(refused), refused.failure)
        except EditMissed as missed:
            return MutationOutcome(MutationStatus.FAILED, str(missed))
        return MutationOutcome(MutationStatus.ACCEPTED, accepted.message)

    def _admit(self, call: CallContext) -> None:
        """Ask while the tree is held: no command can begin before the change is done."""
        busy = self._busy()
        if busy is not None:
            raise Refusal("busy", busy)
        if call.expired:
            raise Refusal("lost", _LATE)

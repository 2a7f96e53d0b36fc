"""Whether an agent may change a file, from what it saw and what is there."""

from dataclasses import dataclass
from enum import StrEnum

from cardwright.workspace.files import Blob

from .observations import Observation


class Verdict(StrEnum):
    """The cells of the table of the gate."""

    CLEAR = "clear"
    ABSENT = "absent"
    EXACT = "exact"
    UNREAD = "unread"
    PARTIAL = "partial"
    CHANGED = "changed"
    DELETED = "deleted"

    @property
    def admits(self) -> bool:
        """Whether the change may go on: exact means only where its anchor is found literally."""
        return self in {Verdict.CLEAR, Verdict.ABSENT, Verdict.EXACT}


@dataclass(frozen=True, slots=True)
class Precondition:
    """What a change rests on: what its agent saw, and whether it replaces or deletes the whole."""

    seen: Observation | None
    whole: bool

    def judge(self, live: Blob | None) -> Verdict:
        """Hold it to the file as it is now; `None` where nothing is."""
        if live is None:
            return Verdict.ABSENT if self.seen is None else Verdict.DELETED
        if self.seen is None:
            return Verdict.UNREAD
        if self.seen.sha != live.sha:
            return Verdict.CHANGED if self.whole else Verdict.EXACT
        return Verdict.PARTIAL if self.whole and not self.seen.full else Verdict.CLEAR

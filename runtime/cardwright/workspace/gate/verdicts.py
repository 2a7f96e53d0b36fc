"""Whether an agent may change a file, from what it saw and what is there."""

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


def judge(seen: Observation | None, live: Blob | None, *, whole: bool) -> Verdict:
    """Judge a change.

    Args:
        seen: What the agent saw.
        live: What is there now.
        whole: Whether the whole file is replaced or deleted, rather than an anchored part.
    """
    if live is None:
        return Verdict.ABSENT if seen is None else Verdict.DELETED
    if seen is None:
        return Verdict.UNREAD
    if seen.sha != live.sha:
        return Verdict.CHANGED if whole else Verdict.EXACT
    return Verdict.PARTIAL if whole and not seen.full else Verdict.CLEAR

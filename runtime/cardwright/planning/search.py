"""Finding tasks: exact filters first, then the query over what they keep."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .board import Entry
from .rows import headline, people

KEYWORD_LABEL = "keyword match"


@dataclass(frozen=True, slots=True)
class TaskFilter:
    """Fields a task must have, exactly; None accepts any. An empty owner is an unassigned task."""

    status: str | None = None
    owner: str | None = None
    creator: str | None = None

    def keeps(self, entry: Entry) -> bool:
        """Whether the task passes all three."""
        row = entry.row
        return (
            self.status in (None, row.status)
            and self.owner in (None, row.owner)
            and self.creator in (None, row.creator)
        )


def find(entries: Iterable[Entry], wanted: TaskFilter, query: str | None, top_k: int) -> list[str]:
    """One line per task in board order.

    Without a query (or with a blank one) every task that passes the filter, unlabelled and without
    limit; with one, at most `top_k` of those whose description contains it.
    """
    kept = filter(wanted.keeps, entries)
    text = (query or "").strip()
    if not text:
        return [_line(entry) for entry in kept]
    hits = list(_containing(kept, text))
    return [_line(entry, KEYWORD_LABEL) for entry in hits[:top_k]]


def _containing(entries: Iterable[Entry], text: str) -> Iterator[Entry]:
    folded = text.casefold()
    return (entry for entry in entries if folded in entry.folded)


def _line(entry: Entry, *labels: str) -> str:
    return " | ".join([headline(entry.row), people(entry.row), *labels])

"""Finding tasks: exact filters first, then the query over what they keep."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

from cardwright.vectors import DEFAULT_ALPHA, fuse
from cardwright_cards.planning.types import TaskStatus

from .board import Entry
from .rows import headline, people

type SearchMode = Literal["hybrid", "vector", "keyword"]
KEYWORD_LABEL = "keyword match"


@dataclass(frozen=True, slots=True)
class TaskFilter:
    """Fields a task must have, exactly; None accepts any. An empty owner is an unassigned task."""

    status: TaskStatus | None = None
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


@dataclass(frozen=True, slots=True)
class Matching:
    """How a query matches, and what was found by meaning: cosines by task id, best first."""

    mode: SearchMode = "keyword"
    alpha: float = DEFAULT_ALPHA
    cosines: Mapping[str, float] = field(default_factory=dict[str, float])


KEYWORDS = Matching()
"""By the text of the query alone."""


def find(
    entries: Iterable[Entry],
    wanted: TaskFilter,
    query: str | None,
    top_k: int,
    matching: Matching = KEYWORDS,
) -> list[str]:
    """One line per task.

    Without a query (or with a blank one) every task that passes the filter, in board order,
    unlabelled and without limit; with one, at most `top_k` of those whose description contains it
    or is close to it, best first and equals in board order.
    """
    kept = filter(wanted.keeps, entries)
    text = (query or "").strip()
    if not text:
        return [_line(entry) for entry in kept]
    if matching.cosines:
        return _fused({str(entry.task.id): entry for entry in kept}, text, top_k, matching)
    hits = () if matching.mode == "vector" else _containing(kept, text)
    return [_line(entry, KEYWORD_LABEL) for entry in islice(hits, top_k)]


def _fused(kept: Mapping[str, Entry], text: str, top_k: int, matching: Matching) -> list[str]:
    """Hits of both legs; foreign and filtered ones go before they can shift the ranking."""
    near = {key: cosine for key, cosine in matching.cosines.items() if key in kept}
    words = () if matching.mode == "vector" else _containing(kept.values(), text)
    named = dict.fromkeys((str(entry.task.id) for entry in words), 1.0)
    ranked = fuse(named, near, alpha=matching.alpha)
    ranked.sort(key=lambda hit: (-hit[1], kept[hit[0]].place))
    return [_line(kept[key], _label(key, near, named)) for key, _ in ranked[:top_k]]


def _label(key: str, near: Mapping[str, float], named: Collection[str]) -> str:
    if key not in near:
        return KEYWORD_LABEL
    return f"{'hybrid' if key in named else 'semantic'}: {near[key]:.2f}"


def _containing(entries: Iterable[Entry], text: str) -> Iterator[Entry]:
    folded = text.casefold()
    return (entry for entry in entries if folded in entry.folded)


def _line(entry: Entry, *labels: str) -> str:
    return " | ".join([headline(entry.row), people(entry.row), *labels])

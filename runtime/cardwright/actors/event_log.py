"""What happened in a team since it started: the latest in memory, the rest in pages elsewhere."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, cast

from cardwright.actors.messages import EventMessage, Message
from cardwright.actors.records import Record, kind_of, live_message
from cardwright.actors.spill import SpillFile

if TYPE_CHECKING:
    from uuid import UUID

    from cardwright.actors.addresses import ActorAddress

__all__ = ["PAGE", "WINDOW", "EventLog", "LogArchive"]

logger = logging.getLogger(__name__)

# Entries that stay in memory, and those that leave it at a time.
WINDOW: Final = 2_048
PAGE: Final = 512

type Entry = Message | Record
type _Key = tuple[type[Message], UUID | None]


class LogArchive(Protocol):
    """Keeps the pages that left the memory, oldest first: a file, or the store of the team."""

    def write(self, page: Sequence[Message | Record]) -> None:
        """Take the next page.

        Raises:
            Exception: it cannot; the log keeps the page itself then, and says so.
        """
        ...

    def read(self, number: int) -> Sequence[Message | Record]:
        """Return the page that was the `number`th to be written, from 0."""
        ...


@dataclass(frozen=True, slots=True)
class _Page:
    """Where a page is, and what is in it, so that most need not be read."""

    keys: frozenset[_Key]
    # Its number in the archive, the page itself if no archive could take it, or who reads it.
    place: int | list[Entry] | Callable[[], Sequence[Entry]]


class EventLog:
    """Telemetry in the order of its arrival; readers get messages of their own."""

    def __init__(self, window: int = WINDOW, page: int = PAGE) -> None:
        """Start empty.

        Args:
            window: entries that stay in memory at least.
            page: entries that leave it at a time.
        """
        self._size, self._limit = page, window + page
        self._window: list[Entry] = []
        self._pages: list[_Page] = []
        self._counts: Counter[_Key] = Counter()
        self._archive: LogArchive | None = None
        self._archived = 0

    def use(self, archive: LogArchive) -> None:
        """Let `archive` keep the pages from now on.

        Raises:
            RuntimeError: another one has pages already.
        """
        if self._archived:
            msg = "The log has pages in another archive: choose it before the team works."
            raise RuntimeError(msg)
        self._archive = archive

    def append(self, entry: Message | Record) -> None:
        """Record an entry."""
        self._window.append(entry)
        if len(self._window) >= self._limit:
            self._turn_page(self._size)

    def take(
        self,
        counts: Mapping[tuple[type[Message], UUID | None], int],
        read: Callable[[], Sequence[Entry]],
    ) -> None:
        """Record entries that are kept elsewhere.

        Args:
            counts: how many they are, by class and sender; all others, and none, are not counted.
            read: returns exactly these entries whenever they are wanted.
        """
        if self._window:
            # They come behind it.
            self._turn_page(len(self._window))
        if counts:
            self._counts.update(counts)
            self._pages.append(_Page(frozenset(counts), read))

    def messages(
        self, sender: UUID | None = None, message_type: type[Message] | None = None
    ) -> list[Message]:
        """Return the messages of a sender (by agent id) and of a type; all by default."""
        wanted = self._wanted(sender, message_type or Message)
        return [live_message(entry) for entry in self._entries(wanted)]

    def events(
        self, sender: UUID | None = None, event_class: type | None = None
    ) -> list[EventMessage]:
        """Return the event messages of a sender whose event is of a class; all by default."""
        found = cast("list[EventMessage]", self.messages(sender, EventMessage))
        kind = event_class or object
        return [message for message in found if isinstance(message.event, kind)]

    def of_this_life(self) -> list[Message | Record]:
        """Return the entries that happened here, without those that were kept elsewhere before."""
        own = [page.place for page in self._pages if not callable(page.place)]
        return [entry for place in (*own, self._window) for entry in self._read(place)]

    def count(self, sender: UUID | None = None, message_type: type[Message] | None = None) -> int:
        """Count the messages of a sender and of a type; reads no page."""
        counts = self._counts + _counted(self._window)
        return sum(counts[key] for key in _wanted(counts, sender, message_type or Message))

    def __len__(self) -> int:
        return self._counts.total() + len(self._window)

    def _wanted(self, sender: UUID | None, kind: type[Message]) -> frozenset[_Key]:
        return _wanted(self._counts + _counted(self._window), sender, kind)

    def _entries(self, wanted: frozenset[_Key]) -> Iterator[Entry]:
        for page in self._pages:
            if not wanted.isdisjoint(page.keys):
                yield from _chosen(self._read(page.place), wanted)
        yield from _chosen(self._window, wanted)

    def _read(self, place: int | list[Entry] | Callable[[], Sequence[Entry]]) -> Sequence[Entry]:
        if isinstance(place, int):
            return () if self._archive is None else self._archive.read(place)
        return place() if callable(place) else place

    def _turn_page(self, size: int) -> None:
        page = self._window[:size]
        del self._window[:size]
        counts = _counted(page)
        self._counts.update(counts)
        self._pages.append(_Page(frozenset(counts), self._place_for(page)))

    def _place_for(self, page: list[Entry]) -> int | list[Entry]:
        try:
            if self._archive is None:
                self._archive = SpillFile()
            self._archive.write(page)
        except Exception:
            logger.warning("A page of the log stays in memory.", exc_info=True)
            return page
        self._archived += 1
        return self._archived - 1


def _key(entry: Entry) -> _Key:
    sender = entry.sender
    return kind_of(entry), None if sender is None else sender.agent_id


def _counted(entries: list[Entry]) -> Counter[_Key]:
    # Senders are told apart by their addresses first: those of one actor are few, and quick.
    rough: dict[tuple[type[Message], int], int] = {}
    senders: dict[int, ActorAddress | None] = {}
    for entry in entries:
        sender = entry.sender
        place = id(sender)
        key = (kind_of(entry), place)
        if key in rough:
            rough[key] += 1
        else:
            rough[key], senders[place] = 1, sender
    counts: Counter[_Key] = Counter()
    for (kind, place), count in rough.items():
        sender = senders[place]
        counts[kind, None if sender is None else sender.agent_id] += count
    return counts


def _wanted(counts: Iterable[_Key], sender: UUID | None, kind: type[Message]) -> frozenset[_Key]:
    return frozenset(
        key for key in counts if issubclass(key[0], kind) and (sender is None or sender == key[1])
    )


def _chosen(entries: Iterable[Entry], wanted: frozenset[_Key]) -> Iterator[Entry]:
    return (entry for entry in entries if _key(entry) in wanted)

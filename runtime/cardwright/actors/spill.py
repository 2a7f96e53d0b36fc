"""Pages of a log in an unnamed temporary file, which vanishes with the process."""

from __future__ import annotations

import io
import pickle
from collections.abc import Sequence
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any, Final, cast, override
from uuid import UUID

from cardwright.actors.addresses import (
    ActorAddress,
    ActorAddressImpl,
    ActorAddressProxy,
    ActorAddressStopped,
)
from cardwright.actors.records import Frozen, Record, Shape

if TYPE_CHECKING:
    from cardwright.actors.messages import Message

__all__ = ["SpillFile"]

type _Frozen = tuple[Shape, tuple[Any, ...]]
type _Closed = tuple[
    type[Message],
    ActorAddress,
    int | None,
    int | _Frozen,
    ActorAddress | None,
    float,
    bytes,
]
type _Entry = Message | Record

_MODULE: Final = "cardwright.actors.spill"
_INERT: Final = frozenset({ActorAddressProxy, ActorAddressStopped})


class _Table:
    """Objects that are named by number: living actors, classes, and shapes of messages."""

    def __init__(self) -> None:
        self._members: list[object] = []
        self._numbers: dict[int, int] = {}

    def number(self, member: object) -> int:
        # An actor may have any number of addresses, and one reference.
        place = id(member.ref if type(member) is ActorAddressImpl else member)
        found = self._numbers.get(place)
        if found is None:
            # The list keeps it alive, so that its id stays its own.
            found = self._numbers[place] = len(self._members)
            self._members.append(member)
        return found

    def member(self, number: int) -> object:
        return self._members[number]


def at(number: int) -> object:
    """Stand for the member of that number; never called, see `_Unpacker`."""
    raise LookupError(number)


def identifier(number: int) -> UUID:
    """Return the identifier of that number."""
    return UUID(int=number)


class _Packer(pickle.Pickler):
    """Writes entries; only this process reads them again."""

    def __init__(self, file: IO[bytes], table: _Table) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._table = table

    @override
    def reducer_override(self, obj: object, /) -> Any:
        kind = type(obj)
        if kind is UUID:
            return identifier, (cast("UUID", obj).int,)
        # Asked of each object, so by its class: addresses are slow to be told from other things.
        if kind is ActorAddressImpl:
            address = cast("ActorAddressImpl", obj)
            if address.ref.finished.is_set():
                # Of actors there is no end, so nothing here refers to those that are gone.
                return ActorAddressStopped, (address.identity,)
            return at, (self._table.number(obj),)
        if kind is Shape or isinstance(obj, type):
            return at, (self._table.number(obj),)
        if kind in _INERT:
            return kind, (cast("ActorAddress", obj).identity,)
        return NotImplemented


class _Unpacker(pickle.Unpickler):
    """Reads what `_Packer` wrote."""

    def __init__(self, file: IO[bytes], table: _Table) -> None:
        super().__init__(file)
        self._table = table

    @override
    def find_class(self, module_name: str, global_name: str, /) -> Any:
        if (module_name, global_name) == (_MODULE, "at"):
            return self._table.member
        return super().find_class(module_name, global_name)


class SpillFile:
    """An archive for a log that no store keeps. Entries that cannot be written stay in memory."""

    def __init__(self) -> None:
        """Open the file.

        Raises:
            OSError: there is no place for temporary files.
        """
        # Without a buffer: what a full disk refused is not tried again when somebody reads.
        self._file = TemporaryFile(buffering=0)  # noqa: SIM115 - open as long as the log
        self._end = 0
        self._table = _Table()
        self._places: list[tuple[int, int]] = []
        self._kept: dict[int, dict[int, _Entry]] = {}

    def write(self, page: Sequence[Message | Record]) -> None:
        """Append a page.

        Raises:
            OSError: the disk is full.
        """
        data, kept = self._packed(page)
        self._file.seek(self._end)
        left = memoryview(data)
        while left:
            left = left[self._file.write(left) :]
        if kept:
            self._kept[len(self._places)] = kept
        self._places.append((self._end, len(data)))
        self._end += len(data)

    def read(self, number: int) -> Sequence[Message | Record]:
        """Return a page."""
        start, size = self._places[number]
        self._file.seek(start)
        packed = self._unpacked(self._file.read(size))
        kept = self._kept.get(number, {})
        return [kept[at] if one is None else _opened(one) for at, one in enumerate(packed)]

    def _packed(self, page: Sequence[_Entry]) -> tuple[bytes, dict[int, _Entry]]:
        try:
            return self._dump([_closed(entry) for entry in page]), {}
        except (pickle.PicklingError, TypeError, AttributeError, RecursionError):
            fits = [self._fits(entry) for entry in page]
        packed = [_closed(entry) if fits[at] else None for at, entry in enumerate(page)]
        kept = {at: entry for at, entry in enumerate(page) if not fits[at]}
        return self._dump(packed), kept

    def _fits(self, entry: _Entry) -> bool:
        try:
            self._dump(_closed(entry))
        except (pickle.PicklingError, TypeError, AttributeError, RecursionError):
            return False
        return True

    def _dump(self, value: object) -> bytes:
        file = io.BytesIO()
        _Packer(file, self._table).dump(value)
        return file.getvalue()

    def _unpacked(self, data: bytes) -> list[object]:
        return cast("list[object]", _Unpacker(io.BytesIO(data), self._table).load())


def _closed(entry: _Entry) -> object:
    """Return a record as a tuple of what pickle writes fastest; a message as it is."""
    if not isinstance(entry, Record):
        return entry
    subject, parent = entry.subject, entry.parent
    about: int | _Frozen
    if isinstance(subject, Frozen):
        about = (subject.shape, subject.values)
    else:
        # States are not logged.
        about = cast("UUID", subject).int
    above = None if parent is None else parent.int
    return (entry.kind, entry.sender, above, about, entry.recipient, entry.at, entry.id)


def _opened(packed: object) -> _Entry:
    if not isinstance(packed, tuple):
        return cast("Message", packed)
    kind, sender, above, about, recipient, moment, name = cast("_Closed", packed)
    subject = UUID(int=about) if isinstance(about, int) else Frozen(*about)
    parent = None if above is None else UUID(int=above)
    return Record(kind, sender, parent, subject, recipient, moment, name)

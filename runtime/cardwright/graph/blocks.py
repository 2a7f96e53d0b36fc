"""Substring search over many short texts: they are looked through by the block."""

from collections.abc import Iterable, Iterator
from typing import Final

_ENTRIES: Final = 64
# Blocks that may wait for the next search to be joined.
_UNREAD: Final = 32
# Stand between fields and between texts; UTF-8 has no such bytes, so no query goes across.
_FIELD: Final = b"\xfe"
_TEXT: Final = b"\xff"


class Blocks:
    """Texts by key, oldest first; texts of a block stand in one string, made when it is read.

    A search costs a look at each block, and at the texts of those that have the query in them. They
    are kept as UTF-8, in which a letter of another script does not make those around it wider.
    """

    def __init__(self) -> None:
        self._blocks: dict[int, dict[str, bytes]] = {}
        self._joined: dict[int, bytes] = {}
        self._unread: set[int] = set()
        self._at: dict[str, int] = {}
        self._next = 0

    def put(self, key: str, fields: Iterable[str]) -> None:
        """Add a text of some fields, or replace that of the same key, which keeps its place."""
        if (at := self._at.get(key)) is None:
            at = self._at[key] = self._next // _ENTRIES
            self._next += 1
        block = self._blocks.get(at)
        if block is None:
            block = self._blocks[at] = {}
            self._joined[at] = b""
        block[key] = _FIELD.join(map(_folded, fields))
        self._changed(at)

    def drop(self, key: str) -> None:
        """Remove the text of that key, if it is there."""
        at = self._at.pop(key, None)
        if at is None:
            return
        block = self._blocks[at]
        del block[key]
        if block or at == self._next // _ENTRIES:
            self._changed(at)
        else:
            self._unread.discard(at)
            del self._blocks[at], self._joined[at]

    def containing(self, text: str) -> Iterator[str]:
        """Keys of the texts with a field that contains `text`, in any case; oldest first."""
        self._read()
        wanted = _folded(text)
        for at, whole in self._joined.items():
            if wanted in whole:
                yield from (key for key, each in self._blocks[at].items() if wanted in each)

    def _changed(self, at: int) -> None:
        self._unread.add(at)
        if len(self._unread) > _UNREAD:
            self._read()

    def _read(self) -> None:
        for at in self._unread:
            self._joined[at] = _TEXT.join(self._blocks[at].values())
        self._unread.clear()


def _folded(text: str) -> bytes:
    return text.casefold().encode("utf-8", "surrogatepass")

"""Substring search over many short texts: they are looked through by the block."""

from collections.abc import Iterator
from typing import Final

_ENTRIES: Final = 128
# Stands between texts so that few queries match across two of them.
_BREAK: Final = "\x01"


class Blocks:
    """Texts by key, oldest first; texts of a block stand in one string, made when it is read.

    A search costs a look at each block, and at the texts of those that have the query in them.
    """

    def __init__(self) -> None:
        self._blocks: dict[int, dict[str, str]] = {}
        self._joined: dict[int, str] = {}
        self._at: dict[str, int] = {}
        self._next = 0

    def put(self, key: str, text: str) -> None:
        """Add a text, or replace that of the same key, which keeps its place."""
        if (at := self._at.get(key)) is None:
            at = self._at[key] = self._next // _ENTRIES
            self._next += 1
        self._blocks.setdefault(at, {})[key] = text
        self._joined.pop(at, None)

    def drop(self, key: str) -> None:
        """Remove the text of that key."""
        at = self._at.pop(key)
        block = self._blocks[at]
        del block[key]
        self._joined.pop(at, None)
        if not block and at != self._next // _ENTRIES:
            del self._blocks[at]

    def containing(self, text: str) -> Iterator[str]:
        """Keys of the texts that contain `text`, oldest first."""
        joined = self._joined
        for at, block in self._blocks.items():
            if (whole := joined.get(at)) is None:
                whole = joined[at] = _BREAK.join(block.values())
            if text in whole:
                yield from (key for key, each in block.items() if text in each)

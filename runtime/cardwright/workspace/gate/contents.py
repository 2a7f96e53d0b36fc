"""Contents that agents saw, kept for a while to show what became of them."""

from collections import OrderedDict

LARGEST = 1024 * 1024
"""Bytes of a file above which a difference would not be looked at."""
ROOM = 32 * 1024 * 1024


class SeenContents:
    """Bytes by their digest; those seen longest ago go first when there is no more room."""

    def __init__(self, room: int = ROOM, largest: int = LARGEST) -> None:
        """Keep at most `room` bytes in all, of files of at most `largest`."""
        self._room = room
        self._largest = largest
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0

    def keep(self, sha: str, data: bytes) -> None:
        """Remember `data`, whose digest is `sha`; too large ones are not kept."""
        if len(data) > self._largest:
            return
        if sha not in self._kept:
            self._kept[sha] = data
            self._size += len(data)
        self._kept.move_to_end(sha)
        while self._size > self._room:
            self._size -= len(self._kept.popitem(last=False)[1])

    def get(self, sha: str) -> bytes | None:
        """What has that digest; `None` if it is not known any more."""
        return self._kept.get(sha)

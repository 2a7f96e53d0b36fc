"""Checksums: SQLite has none of its own, so a flipped bit in a payload would go unseen."""

import zlib

from cardwright.store.errors import CorruptStoreError


def checksum(place: str, payload: str) -> int:
    """Return the CRC-32 of a payload at its place, so that a swapped row is found too."""
    return zlib.crc32(payload.encode(), zlib.crc32(place.encode()))


def verify(where: str, place: str, payload: str, expected: int) -> None:
    """Compare what was read with what was written.

    Raises:
        CorruptStoreError: they differ; `where` is named.
    """
    if checksum(place, payload) != expected:
        raise CorruptStoreError(where, "its checksum does not match")

"""Fresh identifiers, many at a time: each message has one, and each thing that is told of it."""

import os
from collections.abc import Iterator
from typing import Final
from uuid import UUID, SafeUUID

__all__ = ["fresh_bytes", "fresh_uuid", "uuid_of"]

_SIZE: Final = 16
_AT_ONCE: Final = 256
# What RFC 9562 prescribes of a random identifier: version 4, variant 10.
_KEPT: Final = ~((0xF000 << 64) | (0xC000 << 48))
_MARKED: Final = (4 << 76) | (0x8000 << 48)


_new: Final = object.__new__
_number: Final = int.from_bytes
_set_int: Final = vars(UUID)["int"].__set__
_set_safe: Final = vars(UUID)["is_safe"].__set__
_UNKNOWN: Final = SafeUUID.unknown


class _Pool:
    """Random bytes in store; taking one is a single operation, so threads may share it."""

    def __init__(self) -> None:
        self._waiting: Iterator[bytes] = iter(())
        # A child process would hand out the same ones.
        os.register_at_fork(after_in_child=self._refill)

    def _refill(self) -> None:
        data = os.urandom(_SIZE * _AT_ONCE)
        self._waiting = iter([data[at : at + _SIZE] for at in range(0, len(data), _SIZE)])

    def take(self) -> bytes:
        while True:
            for one in self._waiting:
                return one
            self._refill()


_pool: Final = _Pool()
fresh_bytes: Final = _pool.take


def uuid_of(data: bytes) -> UUID:
    """Return 16 random bytes as an identifier of version 4."""
    # What the constructor does, without looking at six other ways to give the value.
    made = _new(UUID)
    _set_int(made, _number(data, "big") & _KEPT | _MARKED)
    _set_safe(made, _UNKNOWN)
    return made


def fresh_uuid() -> UUID:
    """Return a random identifier, as `uuid4` does."""
    return uuid_of(fresh_bytes())

"""Output in bounded memory: the head and the tail, and how much was left out between them."""

from collections import deque
from typing import Final

__all__ = ["HEAD_BYTES", "TAIL_BYTES", "Capture"]

HEAD_BYTES: Final = 8 * 1024
TAIL_BYTES: Final = 8 * 1024
# Bytes of UTF-8 from here on continue a character, from there on begin one of several bytes.
_CONTINUED: Final = 0x80
_FIRST: Final = 0xC0


class Capture:
    """Takes any number of bytes and keeps the first and the last of them."""

    def __init__(self, head: int = HEAD_BYTES, tail: int = TAIL_BYTES) -> None:
        """Keep `head` bytes of the beginning and `tail` bytes of the end."""
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._limits = (head, tail)
        self.total = 0

    def add(self, data: bytes) -> None:
        """Take further output."""
        self.total += len(data)
        room = self._limits[0] - len(self._head)
        self._head += data[:room]
        if rest := data[room:] if room > 0 else data:
            self._tail.append(rest)
            self._tail_size += len(rest)
            self._forget()

    def _forget(self) -> None:
        """Drop whole pieces that the tail does without; the last cut is made by `text`."""
        while self._tail_size - len(self._tail[0]) >= self._limits[1]:
            self._tail_size -= len(self._tail.popleft())

    def text(self) -> str:
        """Return what was kept; bytes that are no UTF-8 are replaced."""
        tail = b"".join(self._tail)[-self._limits[1] :] if self._tail else b""
        left_out = self.total - len(self._head) - len(tail)
        if not left_out:
            return (bytes(self._head) + tail).decode(errors="replace")
        notice = f"\n[... {left_out} bytes left out ...]\n"
        return _head_text(bytes(self._head)) + notice + _tail_text(tail)


def _head_text(data: bytes) -> str:
    """Decode, without a character that was cut at the end."""
    for cut in range(1, min(4, len(data)) + 1):
        if data[-cut] >= _FIRST:
            whole = data[-cut:].decode(errors="ignore")
            return (data if whole else data[:-cut]).decode(errors="replace")
        if data[-cut] < _CONTINUED:  # ASCII: nothing is cut
            break
    return data.decode(errors="replace")


def _tail_text(data: bytes) -> str:
    """Decode, without the rest of a character that was cut at the beginning."""
    start = 0
    while start < min(3, len(data)) and _CONTINUED <= data[start] < _FIRST:
        start += 1
    return data[start:].decode(errors="replace")

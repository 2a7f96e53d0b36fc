"""What recent calls were answered, so that a repeated one is not applied twice, also later on."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Final

REST_APPLIED: Final = "Everything else was applied."

type CallKey = tuple[str, ...]


class Answers:
    """Refusals by call, the oldest forgotten first. A call without a key is never remembered.

    An actor keeps `stored` in its state beside what the calls did, and publishes both at once: then
    a resumed team knows of exactly those calls whose effects it has.
    """

    def __init__(
        self, stored: Mapping[str, list[str]] | None = None, *, capacity: int = 256
    ) -> None:
        """Go on from what an earlier life has stored."""
        self._capacity = capacity
        self._by_call: dict[str, list[str]] = {} if stored is None else {**stored}

    @property
    def stored(self) -> dict[str, list[str]]:
        """What to keep: a dictionary that never changes, `put` makes another one."""
        return self._by_call

    def get(self, key: CallKey | None) -> tuple[str, ...] | None:
        """The refusals of the call, or None if it was not seen."""
        found = None if key is None else self._by_call.get(_digest(key))
        return None if found is None else tuple(found)

    def put(self, key: CallKey | None, refusals: tuple[str, ...]) -> None:
        """Remember the call."""
        if key is None:
            return
        remembered = {**self._by_call, _digest(key): [*refusals]}
        if len(remembered) > self._capacity:
            del remembered[next(iter(remembered))]
        self._by_call = remembered


def with_rest(refusals: Sequence[str], *, applied: int) -> tuple[str, ...]:
    """The refusals of a batch, the last one followed by a word on the rest, if there is one."""
    if not refusals or not applied:
        return tuple(refusals)
    return (*refusals[:-1], f"{refusals[-1]}. {REST_APPLIED}")


def _digest(key: CallKey) -> str:
    # Batches are part of keys, and may be long.
    return sha256("\0".join(key).encode("utf-8", "surrogatepass")).hexdigest()[:32]

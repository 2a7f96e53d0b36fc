"""What recent calls were answered, so that a repeated one is not applied twice."""

from collections import OrderedDict

type CallKey = tuple[str, ...]


class Answers:
    """Refusals by call, the oldest forgotten first. A call without a key is never remembered."""

    def __init__(self, capacity: int = 256) -> None:
        self._capacity = capacity
        self._by_key: OrderedDict[CallKey, tuple[str, ...]] = OrderedDict()

    def get(self, key: CallKey | None) -> tuple[str, ...] | None:
        """The refusals of the call, or None if it was not seen."""
        return None if key is None else self._by_key.get(key)

    def put(self, key: CallKey | None, refusals: tuple[str, ...]) -> None:
        """Remember the call."""
        if key is None:
            return
        self._by_key[key] = refusals
        if len(self._by_key) > self._capacity:
            self._by_key.popitem(last=False)

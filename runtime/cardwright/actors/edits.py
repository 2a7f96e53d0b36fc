"""Changes of a published form in place, each with what takes it back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Self, cast

__all__ = [
    "Edit",
    "Form",
    "Order",
    "Step",
    "added_keys",
    "moves_keys",
    "only_adds",
    "replaced",
    "take_back",
]

type Form = dict[Any, Any] | list[Any]
type Step = _Put | _Cut | _Drop | _Place


class _Put(NamedTuple):
    """Takes a replacement back."""

    key: Any
    old: object


class _Cut(NamedTuple):
    """Takes back that entries of a list came and others went."""

    start: int
    came: int
    gone: list[Any]


class _Drop(NamedTuple):
    """Takes back that a key came."""

    key: Any


class _Place(NamedTuple):
    """Takes back that a key went."""

    key: Any
    old: object
    place: int


class Order:
    """The places of the keys of a dictionary: only which is the smaller one counts.

    So a key that went can come back between others, when an older form is written out.
    """

    __slots__ = ("_next", "places")

    def __init__(self, places: dict[Any, int], following: int) -> None:
        """Keep `places`; the next key gets the place `following`."""
        self.places = places
        self._next = following

    @classmethod
    def of(cls, form: Form) -> Self:
        """Number the keys of a form."""
        return cls({key: at for at, key in enumerate(form)}, len(form))

    def append(self, key: object) -> None:
        """Give a new key the last place."""
        self.places[key] = self._next
        self._next += 1

    def copy(self) -> Order:
        """Return a copy."""
        return Order(self.places.copy(), self._next)


class Edit:
    """Changes one form, and remembers how to take that back."""

    __slots__ = ("_head", "order", "steps")

    def __init__(self, head: Form, order: Order | None) -> None:
        """Change `head`; `order` is known if a key was removed before."""
        self._head: dict[Any, Any] | list[Any] = head
        self.order = order
        self.steps: list[Step] = []

    def put(self, key: Any, entry: object) -> None:  # noqa: ANN401 - whatever keys the container has
        """Replace an entry."""
        self.steps.append(_Put(key, self._head[key]))
        self._head[key] = entry

    def splice(self, start: int, removed: int, entries: Sequence[object]) -> None:
        """Remove entries of a list and insert others in their place."""
        head = cast("list[object]", self._head)
        end = start + removed
        self.steps.append(_Cut(start, len(entries), head[start:end]))
        head[start:end] = entries

    def add(self, key: object, entry: object) -> None:
        """Add a key to a dictionary, behind all others."""
        cast("dict[object, object]", self._head)[key] = entry
        self.steps.append(_Drop(key))
        if self.order is not None:
            self.order.append(key)

    def drop(self, key: object) -> None:
        """Remove a key from a dictionary."""
        if self.order is None:
            self.order = Order.of(self._head)
        old = cast("dict[object, object]", self._head).pop(key)
        self.steps.append(_Place(key, old, self.order.places.pop(key)))

    def undo(self) -> None:
        """Take everything back."""
        take_back(self._head, self.order, reversed(self.steps))
        if self.order is not None and moves_keys(self.steps):
            head = cast("dict[object, object]", self._head)
            ordered = in_order(head, self.order)
            head.clear()
            head.update(ordered)


def moves_keys(steps: Iterable[Step]) -> bool:
    """Tell whether taking the steps back needs the order of keys."""
    return any(type(step) is _Place for step in steps)


def only_adds(steps: Sequence[Step], form: Form) -> bool:
    """Tell whether entries were replaced or came behind all others, and none went.

    `form` is what the steps led to.
    """
    came = sum(len(added_keys(step)) for step in steps)
    size = len(form) - came
    for step in steps:
        if isinstance(step, _Place) or (
            isinstance(step, _Cut) and (step.gone or step.start != size)
        ):
            return False
        size += len(added_keys(step))
    return True


def replaced(step: Step) -> tuple[Any, object] | None:
    """Return the key of a replaced entry and what it was; None if the step is another."""
    return (step.key, step.old) if isinstance(step, _Put) else None


def added_keys(step: Step) -> Sequence[Any]:
    """Return the keys, or places in a list, that came with a step."""
    if isinstance(step, _Drop):
        return (step.key,)
    return range(step.start, step.start + step.came) if isinstance(step, _Cut) else ()


def take_back(form: Form, order: Order | None, steps: Iterable[Step]) -> None:
    """Take steps back, given the latest first; see `in_order` if they move keys."""
    for step in steps:
        match step:
            case _Put(key, old):
                form[key] = old
            case _Cut(start, came, gone):
                cast("list[object]", form)[start : start + came] = gone
            case _Drop(key):
                del form[key]
                if order is not None:
                    order.places.pop(key, None)
            case _Place(key, old, place):
                form[key] = old
                if order is not None:
                    order.places[key] = place


def in_order(form: dict[object, object], order: Order) -> dict[object, object]:
    """Return a dictionary with the keys in their places."""
    return {key: form[key] for key in sorted(form, key=order.places.__getitem__)}

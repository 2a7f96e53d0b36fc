"""A logic that cannot be called as its contract says is refused when it is bound."""

import inspect
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from .errors import CardDefinitionError
from .logic import CardLogic

_EMPTY = inspect.Parameter.empty


def refuse_misfits(logic: type[CardLogic[Any, Any, Any]]) -> None:
    """Let only a logic pass whose methods take what the contract hands them.

    Raises:
        CardDefinitionError: Some do not; names each with both signatures.
    """
    found = _misfits(logic)
    if found:
        raise CardDefinitionError(
            f"{'; '.join(found)}. Change the logic (`cardwright check` finds every place), "
            "or run `cardwright generate` where the spec is newer than its contract"
        )


@lru_cache(maxsize=1024)
def _misfits(logic: type[CardLogic[Any, Any, Any]]) -> tuple[str, ...]:
    return tuple(
        f"{logic.__name__}.{name} is `{shown(name, found)}`, its contract `{shown(name, wanted)}`"
        for name, wanted in _declared(logic)
        if not _takes(found := getattr(logic, name), wanted)
    )


def _declared(logic: type[CardLogic[Any, Any, Any]]) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The abstract methods of the contract, each once, in its order."""
    seen: set[str] = set()
    for base in logic.__mro__[1:]:
        for name, member in vars(base).items():
            is_wanted = getattr(member, "__isabstractmethod__", False) and callable(member)
            if is_wanted and name not in seen:
                seen.add(name)
                yield name, member


def _takes(found: Callable[..., Any], wanted: Callable[..., Any]) -> bool:
    """Whether a call by the signature of `wanted` enters `found`, and is awaited iff it must be."""
    if inspect.iscoroutinefunction(wanted) != inspect.iscoroutinefunction(found):
        return False
    handed = inspect.signature(wanted).parameters.values()
    by_place = [one.name for one in handed if one.kind is not one.KEYWORD_ONLY]
    by_name = {one.name: None for one in handed if one.kind is one.KEYWORD_ONLY}
    try:
        inspect.signature(found).bind(*by_place, **by_name)
    except TypeError:
        return False
    return True


def shown(name: str, function: Callable[..., object]) -> str:
    """The first line of a method, without types."""
    parameters = inspect.signature(function).parameters.values()
    bare = [one.replace(annotation=_EMPTY) for one in parameters]
    asynchronous = "async " if inspect.iscoroutinefunction(function) else ""
    return f"{asynchronous}def {name}{inspect.Signature(bare)}"

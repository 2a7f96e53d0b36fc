"""Whether a card's logic still fits its contract, method by method."""

import inspect
from collections.abc import Callable, Iterator

from .card import ToolCard
from .errors import CardDefinitionError
from .imports import named_class
from .misfits import shown


def logic_problems(card: type[ToolCard], contract: type[object]) -> list[str]:
    """What keeps the logic that `card` names from implementing `contract`; each names the method.

    Types are left to type checkers; names, kinds and order of the arguments are compared here.
    """
    try:
        logic = named_class(card.logic_path, contract)
    except CardDefinitionError as error:
        return [str(error)]
    return list(_problems(logic, contract))


def _problems(logic: type[object], contract: type[object]) -> Iterator[str]:
    if not getattr(logic, "__final__", False):
        yield f"{logic.__name__}: decorate the class with @final"
    for name in _declared(contract):
        yield from _of_method(logic, contract, name)
    for name, member in vars(logic).items():
        if getattr(member, "__override__", False) and not hasattr(contract, name):
            yield f"{logic.__name__}.{name}: overrides nothing in {contract.__name__}"


def _declared(contract: type[object]) -> list[str]:
    return [
        name
        for name, member in vars(contract).items()
        if getattr(member, "__isabstractmethod__", False)
    ]


def _of_method(logic: type[object], contract: type[object], name: str) -> Iterator[str]:
    wanted: Callable[..., object] = getattr(contract, name)
    found: Callable[..., object] = getattr(logic, name)
    place = f"{logic.__name__}.{name}"
    if found is wanted:
        yield f"{place}: missing; the contract says {shown(name, wanted)}"
        return
    if _form(found) != _form(wanted):
        yield f"{place}: is {shown(name, found)}; the contract says {shown(name, wanted)}"
    if not getattr(found, "__override__", False):
        yield f"{place}: decorate the method with @override"


def _form(function: Callable[..., object]) -> tuple[object, ...]:
    parameters = inspect.signature(function).parameters.values()
    return (inspect.iscoroutinefunction(function), *((one.name, one.kind) for one in parameters))

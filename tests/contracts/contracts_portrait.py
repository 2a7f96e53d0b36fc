"""Everything a generated card declares, as plain data: for snapshots that a reviewer reads."""

import asyncio
import importlib
import inspect
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, TypeAliasType, cast

from pydantic import BaseModel, TypeAdapter, ValidationError

from cardwright.core import BaseToolParam, ToolCard
from cardwright.core.policy import is_internal
from cardwright.core.testing import bind_stub, calls_of
from cardwright.tools import Tool

type Json = dict[str, Any]


def package_of(card: str, cards: Mapping[str, str]) -> str:
    """The subpackage of a card."""
    return cards[card].partition(":")[0].rpartition(".")[0]


def portrait(card: str, cards: Mapping[str, str]) -> Json:
    """Configuration, types, contract and, where the card can be made, what it serves."""
    package = package_of(card, cards)
    module = importlib.import_module(f"{package}.card")
    card_type = cast("type[ToolCard]", getattr(module, card))
    contract = importlib.import_module(f"{package}.contract")
    abstract = [one for one in classes(contract) if getattr(one, "__abstractmethods__", None)]
    bases = abstract or classes(contract)  # a card may serve nothing at all
    found: Json = {
        "bases": [one.__name__ for one in card_type.__mro__[1:] if one.__module__ != "builtins"],
        "logic": card_type.logic_path,
        "observer": str(card_type.observer_type),
        "doc": card_type.__doc__,
        "upgrades": _upgrades(card_type),
        "deprecated": card_type.deprecated_use,
        "needs": _needs(card_type),
        "fields": {n: _field(f) for n, f in card_type.model_fields.items()},
        "params": {p.__name__: _param(p) for p in classes(module, BaseToolParam)},
        "types": _types(f"{package}.types") | _shared(module),
        "contract": {one.__name__: {"doc": one.__doc__, **_methods(one)} for one in bases},
        "properties": {
            name: one.__doc__ for name, one in vars(card_type).items() if isinstance(one, property)
        },
        "names": sorted(getattr(importlib.import_module(package), "__all__", [])),
        "failures": _aliases(contract),
    }
    # A card without tools has no contract to serve.
    if bases and not any(field.is_required() for field in card_type.model_fields.values()):
        found |= _served(card_type, bases[0])
    return found


def _needs(card_type: type[ToolCard]) -> Json:
    """Other cards that it needs and prefers: by default, and where one value changes that."""
    found: Json = {}
    for name in card_type.model_fields:
        for value in (None, False, True, "#Other"):
            with suppress(ValidationError):
                card = card_type.model_validate({} if value is None else {name: value})
                needs = {"needs": card.depends_on, "prefers": sorted(card.optional_dependencies)}
                if needs != found.setdefault("default", needs):
                    found[f"{name}={value}"] = needs
    return found


def classes(module: object, base: type = object) -> list[Any]:
    """Classes that a module defines, in order."""
    name = cast("str", getattr(module, "__name__", ""))
    return [
        one
        for one in vars(module).values()
        if isinstance(one, type) and one.__module__ == name and issubclass(one, base)
    ]


def _field(field: Any) -> Json:  # noqa: ANN401 - pydantic's, with its metadata
    return {
        "type": str(field.annotation),
        "default": repr(field.default),
        "factory": getattr(field.default_factory, "__name__", None),
        "description": field.description,
        "metadata": [repr(one) for one in field.metadata],
    }


def _param(param: type[BaseToolParam]) -> Json:
    return {
        "doc": param.__doc__,
        "serves": sorted(param.serves),
        "upgrades": _upgrades(param),
        "fields": {
            name: _field(field) if name != "expose" else sorted(field.default)
            for name, field in param.model_fields.items()
        },
    }


def _upgrades(owner: type[ToolCard | BaseToolParam]) -> Json:
    return {name: repr(getattr(owner, name)) for name in ("renamed_fields", "migrations")}


def _shared(module: object) -> Json:
    """The types of other packages that a card's module names, with the names of those packages."""
    own = getattr(module, "__name__", "").rpartition(".")[0]
    used = [one for one in vars(module).values() if isinstance(one, type)]
    found = {m for one in used if (m := one.__module__).startswith("cardwright_cards.")}
    shared: Json = {}
    for name in sorted(found):
        package = name.rpartition(".")[0]
        if package != own and name.endswith(".types"):
            exported = sorted(getattr(importlib.import_module(package), "__all__", []))
            shared |= {**_types(name), package: exported}
    return shared


def _types(module_name: str) -> Json:
    try:
        module = importlib.import_module(module_name)
    except ImportError:
        return {}
    found: Json = {}
    members: Json = vars(module)
    for name, one in members.items():
        own = getattr(one, "__module__", None) == module.__name__
        if own and isinstance(one, type) and issubclass(one, BaseModel):
            base = [each.__name__ for each in one.__bases__]
            fields = {key: _field(field) for key, field in one.model_fields.items()}
            found[name] = {"doc": one.__doc__, "bases": base, "fields": fields}
        elif own and isinstance(one, TypeAliasType):
            found[name] = TypeAdapter(cast("Any", one)).json_schema()
    return found


def _methods(contract: type) -> Json:
    return {
        name: {"signature": str(inspect.signature(one)), "doc": one.__doc__, **_kind(one)}
        for name, one in vars(contract).items()
        if inspect.isfunction(one)
    }


def _kind(function: Callable[..., object]) -> Json:
    code = function.__code__
    strings = [
        each for each in code.co_consts if isinstance(each, str) and each != function.__doc__
    ]
    return {
        "abstract": getattr(function, "__isabstractmethod__", False),
        "async": inspect.iscoroutinefunction(function),
        "calls": [*code.co_names, *strings],
    }


def _aliases(module: object) -> Json:
    return {n: str(one.__value__) for n, one in vars(module).items() if hasattr(one, "__value__")}


def _served(card_type: type[ToolCard], contract: type[Any]) -> Json:
    params = {
        p.__name__: p for p in classes(importlib.import_module(card_type.__module__), BaseToolParam)
    }
    chosen = {
        name: {"expose": sorted(param.serves), **_samples(param)}
        for name, field in card_type.model_fields.items()
        for param in params.values()
        if param.__name__ in str(field.annotation)
    }
    card = card_type.model_validate(chosen)
    logic = bind_stub(card, contract)
    functions = [*card.get_tools(), *card.get_system_prompts(), *card.get_commands().values()]
    return {
        "calls": [_calls(function, logic) for function in functions],
        "tools": [_tool(one) for one in card.get_tools()],
        "prompts": [_function(one) for one in card.get_system_prompts()],
        "states": [_function(one) for one in card.get_context_states()],
        "commands": {key.__name__: _function(one) for key, one in card.get_commands().items()},
    }


def _calls(function: Callable[..., object], logic: Any) -> Json:  # noqa: ANN401 - a stub
    """What reaches the logic: each argument is its own name."""
    given = {name: f"<{name}>" for name in inspect.signature(function).parameters}
    with suppress(Exception):  # a stub's answer cannot be rendered; the call is what counts
        answer = function(**given)
        if inspect.iscoroutine(answer):
            asyncio.run(answer)
    (*_, call) = calls_of(logic)
    return {"function": function.__name__, "method": call.method, "arguments": call.kwargs}


def _samples(param: type[BaseToolParam]) -> Json:
    """Something for each field that must be given; texts are all that cards ask for."""
    return {name: "sample" for name, field in param.model_fields.items() if field.is_required()}


def _tool(function: Callable[..., object]) -> Json:
    return {**_function(function), "policy": repr(Tool.from_function(function).policy)}


def _function(function: Callable[..., object]) -> Json:
    return {
        "name": function.__name__,
        "signature": str(inspect.signature(function)),
        "doc": function.__doc__,
        "internal": is_internal(function),
        "wrapped": hasattr(function, "__wrapped__"),
        "marks": {
            key: repr(value) for key, value in vars(function).items() if not key.startswith("__")
        },
    }

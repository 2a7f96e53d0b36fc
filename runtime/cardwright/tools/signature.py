"""What a function's signature says, read once and refused where a model could not call it."""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from types import NoneType
from typing import Final, get_type_hints

from pydantic import BaseModel

from .annotations import members, structures, untyped_field
from .context import ToolContext
from .errors import SchemaGenerationError, ToolDefinitionError

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What every provider accepts as the name of a tool."""
REQUIRED: Final = object()
UNANNOTATED: Final = object()
_CONTEXT_FORMS: Final[set[object]] = {ToolContext, NoneType}

_VARIADIC: Final[dict[object, str]] = {
    inspect.Parameter.VAR_POSITIONAL: "*{name} cannot be described: declare a list",
    inspect.Parameter.VAR_KEYWORD: "**{name} cannot be described: declare each argument",
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument a model may send."""

    name: str
    annotation: object
    default: object = REQUIRED


@dataclass(frozen=True, slots=True)
class Signature:
    """What a model may send, what the host injects, and what comes back."""

    parameters: tuple[Parameter, ...]
    context_parameter: str | None
    context_required: bool
    returns: object
    """The annotation; `UNANNOTATED` without one."""


def tool_name(function: Callable[..., object], name: str | None = None) -> str:
    """The name of the tool: `name`, else the function's own.

    Raises:
        ToolDefinitionError: There is none, or a provider would refuse it.
    """
    found: object = name or getattr(function, "__name__", None)
    if not isinstance(found, str):
        raise ToolDefinitionError(
            f"{type(function).__name__} has no __name__: name the tool or use a function"
        )
    if _NAME.fullmatch(found) is None:
        raise ToolDefinitionError(
            f"{found!r} is no tool name: use up to 64 letters, digits, `_` and `-`", tool=found
        )
    return found


def refuse_variadic(function: Callable[..., object], tool: str) -> None:
    """Refuse `*args` and `**kwargs`, which no schema can describe.

    Raises:
        ToolDefinitionError: There is one; names it.
    """
    for parameter in inspect.signature(function).parameters.values():
        if refused := _VARIADIC.get(parameter.kind):
            name = parameter.name
            raise ToolDefinitionError(
                f"{tool}: {refused.format(name=name)}", tool=tool, parameter=name
            )


def open_type(name: str, annotation: object) -> SchemaGenerationError | None:
    """The fault of a type that leaves open what a value may be, at any depth; `None` for none."""
    refused = untyped_field(name, annotation)
    if refused is None:
        return None
    field, found = refused
    return SchemaGenerationError(
        f"{field} is {found}, which leaves open what it may be: declare a type, "
        "or `JsonObject` for a map of any JSON values",
        field=field,
        annotation=found,
    )


def signature_of(
    function: Callable[..., object], tool: str, exclude: frozenset[str] = frozenset()
) -> Signature:
    """The parameters of `function` with their resolved annotations, in order.

    Variadic parameters are left out: nothing that a model sends reaches them.

    Raises:
        ToolDefinitionError: An annotation is absent, does not resolve or leaves open what may be
            sent, or a parameter has a kind or a name that arguments sent by a model cannot reach.
    """
    hints = _hints(function, tool)
    declared = [
        each
        for each in inspect.signature(function).parameters.values()
        if each.name not in exclude and each.kind not in _VARIADIC
    ]
    context = _context_parameter(tool, declared, hints)
    return Signature(
        parameters=tuple(_parameter(tool, each, hints) for each in declared if each is not context),
        context_parameter=None if context is None else context.name,
        context_required=context is not None and context.default is inspect.Parameter.empty,
        returns=hints.get("return", UNANNOTATED),
    )


def _hints(function: Callable[..., object], tool: str) -> dict[str, object]:
    annotated = function if hasattr(function, "__annotations__") else type(function).__call__
    try:
        return get_type_hints(annotated, include_extras=True)
    except NameError as error:
        raise ToolDefinitionError(
            f"{tool}: an annotation does not resolve: {error}", tool=tool
        ) from error


def _context_parameter(
    tool: str, declared: list[inspect.Parameter], hints: dict[str, object]
) -> inspect.Parameter | None:
    found: inspect.Parameter | None = None
    for each in declared:
        if each.name not in hints or not _takes_context(hints[each.name]):
            continue
        reason = _context_refusal(each, hints[each.name], found)
        if reason is not None:
            raise ToolDefinitionError(f"{tool}: {reason}", tool=tool, parameter=each.name)
        found = each
    return found


def _takes_context(annotation: object) -> bool:
    return ToolContext in members(annotation) or ToolContext in structures(annotation)


def _context_refusal(
    parameter: inspect.Parameter, annotation: object, earlier: inspect.Parameter | None
) -> str | None:
    name = parameter.name
    if set(members(annotation)) - _CONTEXT_FORMS:
        return f"{name} may be the context or something a model sends: declare `ToolContext` alone"
    if earlier is not None:
        return f"{name} is a second context, beside {earlier.name}: keep one"
    if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
        return f"{name} is positional-only, but arguments are named"
    return None


def _parameter(tool: str, parameter: inspect.Parameter, hints: dict[str, object]) -> Parameter:
    name = parameter.name
    if reason := _refusal(parameter, hints):
        raise ToolDefinitionError(f"{tool}: {reason}", tool=tool, parameter=name)
    if fault := open_type(name, hints[name]):
        raise ToolDefinitionError.caused(tool, fault) from fault
    empty = parameter.default is inspect.Parameter.empty
    return Parameter(name, hints[name], REQUIRED if empty else parameter.default)


def _refusal(parameter: inspect.Parameter, hints: dict[str, object]) -> str | None:
    name = parameter.name
    if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
        return f"{name} is positional-only, but arguments are named"
    if name not in hints:
        return f"{name} has no annotation: say what the model may send"
    if name.startswith("_"):
        return f"{name} begins with an underscore, which hides it from the model: rename it"
    if hasattr(BaseModel, name):
        return f"{name} is a name of pydantic's models: rename it"
    return None

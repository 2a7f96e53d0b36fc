"""What a function's signature says, read once and refused where a model could not call it."""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, get_type_hints

from pydantic import BaseModel

from .errors import ToolDefinitionError

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What every provider accepts as the name of a tool."""
REQUIRED: Final = object()

_REFUSED_KINDS: Final[dict[object, str]] = {
    inspect.Parameter.VAR_POSITIONAL: "*{name} cannot be described: declare a list",
    inspect.Parameter.VAR_KEYWORD: "**{name} cannot be described: declare each argument",
    inspect.Parameter.POSITIONAL_ONLY: "{name} is positional-only, but arguments are named",
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument a model may send."""

    name: str
    annotation: object
    default: object = REQUIRED


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


def parameters_of(
    function: Callable[..., object], tool: str, exclude: frozenset[str] = frozenset()
) -> tuple[Parameter, ...]:
    """The parameters of `function` with their resolved annotations, in order.

    Raises:
        ToolDefinitionError: An annotation is absent or does not resolve, or a parameter has a kind
            or a name that arguments sent by a model cannot reach.
    """
    hints = _hints(function, tool)
    return tuple(
        _parameter(tool, parameter, hints)
        for parameter in inspect.signature(function).parameters.values()
        if parameter.name not in exclude
    )


def _hints(function: Callable[..., object], tool: str) -> dict[str, object]:
    annotated = function if hasattr(function, "__annotations__") else type(function).__call__
    try:
        return get_type_hints(annotated, include_extras=True)
    except NameError as error:
        raise ToolDefinitionError(
            f"{tool}: an annotation does not resolve: {error}", tool=tool
        ) from error


def _parameter(tool: str, parameter: inspect.Parameter, hints: dict[str, object]) -> Parameter:
    name = parameter.name
    if reason := _refusal(parameter, hints):
        raise ToolDefinitionError(f"{tool}: {reason}", tool=tool, parameter=name)
    empty = parameter.default is inspect.Parameter.empty
    return Parameter(name, hints[name], REQUIRED if empty else parameter.default)


def _refusal(parameter: inspect.Parameter, hints: dict[str, object]) -> str | None:
    name = parameter.name
    if refused := _REFUSED_KINDS.get(parameter.kind):
        return refused.format(name=name)
    if name not in hints:
        return f"{name} has no annotation: say what the model may send"
    if name.startswith("_"):
        return f"{name} begins with an underscore, which hides it from the model: rename it"
    if hasattr(BaseModel, name):
        return f"{name} is a name of pydantic's models: rename it"
    return None

"""One function as a model sees it."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from pydantic.errors import PydanticUserError

from cardwright.core import ToolPolicy, policy_of
from cardwright.core.retry import is_async

from .arguments import STRICT, ArgumentPolicy, ToolArgumentValidator
from .errors import ToolDefinitionError
from .schema import JsonSchema, parameters_schema
from .signature import tool_name


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Tool:
    """A function, what a model is told about it, and the check its arguments pass."""

    name: str
    description: str
    """The whole docstring, instructions included; the name when there is none."""
    parameters_schema: JsonSchema
    """Exactly what the model is sent; to be read, not changed."""
    is_async: bool
    function: Callable[..., object]
    validator: ToolArgumentValidator
    policy: ToolPolicy
    """How a host must run it."""

    @classmethod
    def from_function(
        cls,
        function: Callable[..., object],
        *,
        name: str | None = None,
        description: str | None = None,
        arguments: ArgumentPolicy = STRICT,
    ) -> Self:
        """Describe `function` by its signature, annotations and docstring.

        Args:
            function: The body, synchronous or not; `Annotated[T, Field(...)]` describes arguments.
            name: Instead of the function's own.
            description: Instead of the docstring.
            arguments: How strictly arguments are read.

        Raises:
            ToolDefinitionError: It is no function, or a model could not call it.
        """
        _refuse_uncallable(function)
        found = tool_name(function, name)
        validator = ToolArgumentValidator(function, tool=found, policy=arguments)
        return cls(
            name=found,
            description=description or inspect.getdoc(function) or found,
            parameters_schema=_schema(validator),
            is_async=is_async(function),
            function=function,
            validator=validator,
            policy=policy_of(function),
        )


def _refuse_uncallable(function: object) -> None:
    if not callable(function):
        raise ToolDefinitionError(f"{type(function).__name__} is not callable")
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        name = getattr(function, "__name__", "")
        raise ToolDefinitionError(f"{name} is a generator: return the values instead", tool=name)


def _schema(validator: ToolArgumentValidator) -> JsonSchema:
    try:
        return parameters_schema(validator.model)
    except PydanticUserError as error:
        raise ToolDefinitionError(
            f"{validator.tool}: an argument has no JSON Schema: {error.message}",
            tool=validator.tool,
        ) from error

"""What a command takes, read from its signature."""

import enum
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from inspect import Parameter
from types import NoneType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    TypeAliasType,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import TypeAdapter, ValidationError
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticUserError
from pydantic.fields import FieldInfo

from .event import CommandArg


class RestOfLine:
    """Marks the last `str` argument of a command, which takes the rest of the line verbatim.

    Use it as `Annotated[str, RestOfLine]`. Arguments before it without default are positional,
    those with one become options `name=value`.
    """


_MISSING: Final = object()


@dataclass(frozen=True)
class CommandParameter:
    """One argument: how it binds and how its text is read."""

    name: str
    annotation: Any
    required: bool
    option: bool
    """Bound by `name=value` only."""
    rest_of_line: bool

    @cached_property
    def adapter(self) -> TypeAdapter[object]:
        """Reads a token in lax mode."""
        return TypeAdapter(self.annotation)

    def read(self, text: str) -> object:
        """`text` as a value of the argument's type.

        Raises:
            ValueError: It is none; says what is expected, never what was given.
        """
        try:
            return self.adapter.validate_python(text)
        except ValidationError as error:
            reasons = "; ".join(
                detail["msg"] for detail in error.errors(include_url=False, include_input=False)
            )
            raise ValueError(f"{self.name}: {reasons}") from None

    def describe(self) -> CommandArg:
        """The argument as a palette shows it."""
        return CommandArg(
            name=self.name,
            type=self._json_type(),
            required=self.required,
            description=_description(self.annotation),
            keyword_only=self.option,
            rest_of_line=self.rest_of_line,
            choices=list(_choices(self.annotation)) or None,
        )

    def _json_type(self) -> str:
        try:
            schema = self.adapter.json_schema()
        except PydanticInvalidForJsonSchema:
            return "string"
        members = schema.get("anyOf", [schema])
        kinds = {kind for one in members if (kind := one.get("type")) != "null"}
        declared = kinds.pop() if len(kinds) == 1 else None
        return declared if isinstance(declared, str) else "string"


def parameters_of(name: str, function: Callable[..., object]) -> tuple[CommandParameter, ...]:
    """The arguments of a command in signature order.

    Raises:
        ValueError: A parameter cannot be typed on a line; names the command and the parameter.
    """
    hints = _hints(function)
    found = [
        _checked(name, parameter) for parameter in inspect.signature(function).parameters.values()
    ]
    marked = [_is_rest(hints.get(each.name, each.annotation)) for each in found]
    for index, each in enumerate(found):
        if marked[index] and (
            index < len(found) - 1 or (each.kind is Parameter.KEYWORD_ONLY and any(marked[:index]))
        ):
            raise ValueError(
                f"command {name}: {each.name} takes the rest of the line, so put it last"
            )
    has_rest = any(marked)
    built = tuple(
        CommandParameter(
            name=each.name,
            annotation=hints.get(each.name, each.annotation),
            required=each.default is Parameter.empty,
            option=has_rest and not rest and each.default is not Parameter.empty,
            rest_of_line=rest,
        )
        for each, rest in zip(found, marked, strict=True)
    )
    _no_positional_after_option(name, built)
    for parameter in built:
        _readable(name, parameter)
    return built


def _readable(name: str, parameter: CommandParameter) -> None:
    try:
        complete = parameter.adapter.pydantic_complete
    except PydanticUserError:
        complete = False
    if not complete:
        raise ValueError(f"command {name}: no text can be read as the type of {parameter.name}")


def _no_positional_after_option(name: str, parameters: tuple[CommandParameter, ...]) -> None:
    options = False
    for parameter in parameters:
        if options and not parameter.option and not parameter.rest_of_line:
            raise ValueError(
                f"command {name}: {parameter.name} has no default, so put it before options"
            )
        options = options or parameter.option


def _hints(function: Callable[..., object]) -> dict[str, Any]:
    try:
        return get_type_hints(function, include_extras=True)
    except (NameError, TypeError, AttributeError):
        return {}


def _checked(name: str, parameter: Parameter) -> Parameter:
    if parameter.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
        raise ValueError(
            f"command {name}: {parameter} takes any number of values; name each argument"
        )
    if parameter.annotation is Parameter.empty:
        raise ValueError(f"command {name}: {parameter.name} has no type; annotate it")
    return parameter


def _parts(annotation: object) -> Iterator[object]:
    """The annotation and, through aliases, unions and `Annotated`, what it is made of."""
    if isinstance(annotation, TypeAliasType):
        yield from _parts(annotation.__value__)
        return
    if get_origin(annotation) is Annotated:
        inner, *metadata = get_args(annotation)
        yield from _parts(inner)
        yield from metadata
        return
    yield annotation


def _is_rest(annotation: object) -> bool:
    return any(part is RestOfLine or isinstance(part, RestOfLine) for part in _parts(annotation))


def _description(annotation: object) -> str | None:
    described = (part.description for part in _parts(annotation) if isinstance(part, FieldInfo))
    return next((text for text in described if text), None)


def _choices(annotation: object) -> Iterator[str]:
    for part in _parts(annotation):
        if get_origin(part) is Literal:
            yield from (str(value) for value in get_args(part))
        elif part is bool:
            yield from ("true", "false")
        elif isinstance(part, type) and issubclass(part, enum.Enum):
            yield from (str(member.value) for member in part)
        elif get_origin(part) is not None and NoneType in get_args(part):
            for inner in get_args(part):
                yield from _choices(inner)

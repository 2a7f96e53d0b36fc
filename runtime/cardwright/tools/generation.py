"""From Python types to the schemas of arguments and results."""

from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Final, cast, get_args, get_origin

from pydantic import TypeAdapter
from pydantic.errors import PydanticUserError

from .annotations import resolved, structures
from .dialects import JSON_SCHEMA, Dialect, in_dialect
from .documentation import documented
from .errors import SchemaGenerationError, ToolDefinitionError
from .model import arguments_model, model_schema
from .schema import JsonSchema, normalised
from .signature import UNANNOTATED, open_type, refuse_variadic, signature_of, tool_name

_AWAITED: Final = (Awaitable, Coroutine)


def schema_for(
    target: object,
    *,
    dialect: Dialect = JSON_SCHEMA,
    max_bytes: int | None = None,
    exclude: Iterable[str] = (),
) -> JsonSchema:
    """The schema of a type, or of the arguments of a function.

    Two schemas of one type are byte-identical. Docstrings describe what `Field` does not.

    Args:
        target: A pydantic model, dataclass, TypedDict or another type; or an annotated function.
        dialect: The form of the schema.
        max_bytes: Most bytes of its compact JSON; `None` for no limit. Nothing is cut off.
        exclude: Parameters or fields to leave out.

    Raises:
        SchemaGenerationError: It is neither type nor function, leaves open what it accepts, has no
            schema, or one that is too large.
        CapabilityError: The dialect cannot express it.
    """
    left_out = frozenset(exclude)
    if isinstance(target, type) or get_origin(target) is not None:
        schema = type_schema(target)
    elif callable(target):
        schema = _function_schema(target, left_out)
    else:
        message = f"{type(target).__name__} is neither a type nor callable: it has no schema"
        raise SchemaGenerationError(message, annotation=type(target).__name__)
    return in_dialect(_without(schema, left_out), dialect, max_bytes)


def type_schema(annotation: object, name: str = "it") -> JsonSchema:
    """The documented schema of what an annotation accepts, its nested types under `$defs`.

    Args:
        annotation: Any type.
        name: What to call it in refusals.

    Raises:
        SchemaGenerationError: It leaves open what it accepts, or has no JSON Schema.
    """
    if fault := open_type(name, annotation):
        raise fault
    try:
        schema = normalised(TypeAdapter(cast("type", annotation)).json_schema())
    except PydanticUserError as error:
        message = f"{name} is {annotation}, which has no JSON Schema"
        raise SchemaGenerationError(message, field=name, annotation=str(annotation)) from error
    nested = list(structures(annotation))
    own = annotation if annotation in set[object](nested) else None
    return documented(schema, own, nested, described=own is not None)


def returns_schema(annotation: object, dialect: Dialect) -> JsonSchema | None:
    """The schema of an awaited result; `None` when a function says nothing about it.

    Raises:
        SchemaGenerationError: It has no schema that says what it is.
        CapabilityError: The dialect cannot express it.
    """
    if annotation is UNANNOTATED:
        return None
    found = resolved(annotation)
    if get_origin(found) in _AWAITED:
        annotation = get_args(found)[-1]
    return in_dialect(type_schema(annotation, "the result"), dialect)


def _function_schema(function: Callable[..., object], exclude: frozenset[str]) -> JsonSchema:
    name = getattr(function, "__name__", None) or type(function).__name__
    try:
        refuse_variadic(function, name)
        parameters = signature_of(function, tool_name(function, name), exclude).parameters
        schema = model_schema(name, arguments_model(name, parameters), parameters)
    except ToolDefinitionError as error:
        cause = error.__cause__
        if isinstance(cause, SchemaGenerationError):
            raise cause from None
        raise SchemaGenerationError(str(error), field=error.parameter) from error
    nested = [found for each in parameters for found in structures(each.annotation)]
    return documented(schema, function, nested, described=True)


def _without(schema: JsonSchema, exclude: frozenset[str]) -> JsonSchema:
    properties = cast("dict[str, object]", schema.get("properties", {}))
    if not exclude & properties.keys():
        return schema
    required = [
        each for each in cast("list[str]", schema.get("required", [])) if each not in exclude
    ]
    kept = {name: each for name, each in properties.items() if name not in exclude}
    found = {**schema, "properties": kept, "required": required}
    return {key: value for key, value in found.items() if value or key != "required"}

"""One tool in the form in which pydantic-ai sends it to a provider."""

from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from pydantic_ai import JsonSchemaTransformer

type Json = dict[str, Any]
type Dialect = Literal["json-schema", "openai", "openai-strict", "anthropic", "gemini"]

DIALECTS: Final[tuple[Dialect, ...]] = (
    "json-schema",
    "openai",
    "openai-strict",
    "anthropic",
    "gemini",
)
"""What can be asked for: the schema as it is, then forms of providers."""


class InexpressibleError(ValueError):
    """A provider's form has no place for this schema at all; the text says why."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What goes over the wire for one tool."""

    body: Json
    schema: Json
    """The schema of the arguments, inside `body` too."""


def sent(dialect: Dialect, name: str, description: str, parameters: Json) -> Sent:
    """The entry for one tool in the list of tools of a request.

    Raises:
        InexpressibleError: The form cannot hold the schema.
        ImportError: pydantic-ai is not installed.
    """
    schema, strict = _transformed(dialect, parameters)
    return Sent(_body(dialect, name, description, schema, strict=strict), schema)


def _transformed(dialect: Dialect, parameters: Json) -> tuple[Json, bool]:
    if dialect == "json-schema":
        return deepcopy(parameters), False
    from pydantic_ai.exceptions import UserError

    asked = True if dialect == "openai-strict" else None
    try:
        walker = _transformer(dialect)(deepcopy(parameters), strict=asked)
        schema = walker.walk()
    except UserError as error:
        raise InexpressibleError(str(error)) from error
    return schema, walker.is_strict_compatible if asked is None else asked


def _transformer(dialect: Dialect) -> "type[JsonSchemaTransformer]":
    """What pydantic-ai's profile of a provider's current models names."""
    if dialect == "gemini":
        from pydantic_ai.profiles.google import GoogleJsonSchemaTransformer

        return GoogleJsonSchemaTransformer
    if dialect == "anthropic":
        from pydantic_ai.providers.anthropic import AnthropicJsonSchemaTransformer

        return AnthropicJsonSchemaTransformer
    from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer

    return OpenAIJsonSchemaTransformer


def _body(dialect: Dialect, name: str, description: str, schema: Json, *, strict: bool) -> Json:
    said: Json = {"name": name, "description": description}
    match dialect:
        case "json-schema":
            return {**said, "parameters": schema}
        case "openai" | "openai-strict":
            function = {**said, "parameters": schema, **({"strict": True} if strict else {})}
            return {"type": "function", "function": function}
        case "anthropic":
            return {**said, "input_schema": schema}
        case "gemini":
            return {**said, "parameters_json_schema": schema}

"""The schema dialect: our strict subset of JSON Schema 2020-12 (design.md, section 9 A3)."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag
from pydantic_core import PydanticCustomError

type JsonType = Literal["string", "integer", "number", "boolean", "array", "object", "null"]


def shape(value: object) -> str:
    """Return the union tag of a raw value, so that one branch is validated and one fault told."""
    if isinstance(value, dict | BaseModel):
        return "<mapping>"
    return "<list>" if isinstance(value, list) else "<scalar>"


def _scalar(value: object) -> object:
    if isinstance(value, list | dict):
        kind = "scalar_type"
        raise PydanticCustomError(kind, "not a single value")
    return value


def _number(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int | float):
        kind = "number_type"
        raise PydanticCustomError(kind, "not a number")
    return value


type Scalar = Annotated[str | int | float | bool | None, BeforeValidator(_scalar)]
type Number = Annotated[int | float, BeforeValidator(_number)]
type TypeWord = Annotated[
    Annotated[JsonType, Tag("<scalar>")]
    | Annotated[list[JsonType], Field(min_length=1), Tag("<list>")],
    Discriminator(shape),
]


class SpecModel(BaseModel):
    """Base of every node: unknown keys refused, values never coerced, immutable."""

    # A spec is validated from its root: the models in it need no validators of their own.
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        validate_by_name=False,
        hide_input_in_errors=True,
        defer_build=True,
    )


class Schema(SpecModel):
    """What a value may be, in JSON Schema words plus the few that JSON Schema lacks."""

    description: str | None = Field(
        default=None,
        description="What the value means, also of items and alternatives. The model reads it"
        " wherever an argument reaches it; answers and observers have none.",
        examples=["File to read."],
    )
    type: TypeWord | None = Field(
        default=None,
        description='JSON type, or a list of types; the type "null" is written in quotes.',
        examples=["string", ["integer", "null"]],
    )
    ref: str | None = Field(
        default=None,
        alias="$ref",
        description="Named type: of this file, of one beside it that shares types, of a package.",
        examples=["#/types/Task", "common.yaml#/types/CollectionConfig"],
    )
    enum: Annotated[list[Scalar], Field(min_length=1)] | None = Field(
        default=None,
        description="The values that are allowed, in the order in which they are shown.",
        examples=[["basic", "advanced"]],
    )
    const: Scalar = Field(
        default=None, description="The one value that is allowed.", examples=["stdio"]
    )
    any_of: "Annotated[list[Schema], Field(min_length=1)] | None" = Field(
        default=None,
        alias="anyOf",
        description="Alternatives: the value fits at least one of them.",
        examples=[[{"$ref": "#/types/DocumentReader"}, {"type": "boolean"}]],
    )
    items: "Schema | None" = Field(
        default=None, description="What each item of an array is.", examples=[{"type": "string"}]
    )
    properties: "dict[str, PropertySpec] | None" = Field(
        default=None,
        description="Properties of an object, by name, in the order in which they are shown.",
        examples=[{"path": {"type": "string", "description": "File to change."}}],
    )
    required: list[str] | None = Field(
        default=None,
        description="Properties that must be given; every other property has a default.",
        examples=[["path", "content"]],
    )
    additional_properties: "Additional | None" = Field(
        default=None,
        alias="additionalProperties",
        description="Schema of the values of a free mapping; objects with properties are closed.",
        examples=[{"type": "string"}],
    )
    format: Literal["date-time", "date", "time", "uuid"] | None = Field(
        default=None,
        description="Meaning of a string; its default stands beside it, a moment with its offset.",
        examples=["date-time", "uuid"],
    )
    minimum: Number | None = Field(default=None, description="Lowest number allowed.", examples=[1])
    maximum: Number | None = Field(
        default=None, description="Highest number allowed.", examples=[100]
    )
    exclusive_minimum: Number | None = Field(
        default=None,
        alias="exclusiveMinimum",
        description="The number is greater than this.",
        examples=[0],
    )
    exclusive_maximum: Number | None = Field(
        default=None,
        alias="exclusiveMaximum",
        description="The number is less than this.",
        examples=[1],
    )
    multiple_of: Number | None = Field(
        default=None,
        alias="multipleOf",
        description="The number is a multiple of this.",
        examples=[5],
    )
    min_length: int | None = Field(
        default=None,
        alias="minLength",
        description="Fewest characters of a string.",
        examples=[1],
    )
    max_length: int | None = Field(
        default=None,
        alias="maxLength",
        description="Most characters of a string.",
        examples=[300],
    )
    pattern: str | None = Field(
        default=None,
        description="Regular expression (of Rust's regex, without look-around) a string matches.",
        examples=["^#"],
    )
    min_items: int | None = Field(
        default=None, alias="minItems", description="Fewest items of an array.", examples=[1]
    )
    max_items: int | None = Field(
        default=None, alias="maxItems", description="Most items of an array.", examples=[20]
    )
    unique_by: str | None = Field(
        default=None,
        description="Property of the items that no two items of the array may share.",
        examples=["name"],
    )
    truncate: int | None = Field(
        default=None,
        description="Longest string kept; a longer one is cut to it, with a closing `...`.",
        examples=[150],
    )
    secret: bool = Field(
        default=False,
        description="The string is masked everywhere and stored as an environment reference only.",
        examples=[True],
    )
    python: str | None = Field(
        default=None,
        description="Python class `module:Name` instead of a schema; never in a tool argument.",
        examples=["cardwright.core:ActorAddress"],
    )


type Additional = Annotated[
    Annotated[Schema, Tag("<mapping>")] | Annotated[Literal[False], Tag("<scalar>")],
    Discriminator(shape),
]
type Returns = Annotated[
    Annotated[JsonType, Tag("<scalar>")] | Annotated[Schema, Tag("<mapping>")],
    Discriminator(shape),
]


class DefaultedSchema(Schema):
    """A schema that may carry a default; `has_default` tells null from absent."""

    default: Any = Field(
        default=None,
        description="Value when none is given; null counts as a default. `{}` is a new object.",
        examples=[10, None],
    )

    @property
    def has_default(self) -> bool:
        """Whether a default is declared, null included."""
        return "default" in self.model_fields_set


class PropertySpec(DefaultedSchema):
    """A property of an object type."""

    auto: Literal["uuid", "now"] | None = Field(
        default=None,
        description="Filled in on creation: a new UUID, or the present moment in UTC.",
        examples=["uuid"],
    )
    renamed_from: str | None = Field(
        default=None,
        description="Old name of the property; stored data that uses it keeps loading.",
        examples=["title"],
    )


class TypeSpec(Schema):
    """A named type: becomes a class or an alias of the emitted `types.py`."""

    base: Literal["data", "plain", "context"] = Field(
        default="data",
        description="data: stored with its class marker; plain: without; context: a context state.",
        examples=["context"],
    )
    class_: str | None = Field(
        default=None,
        alias="class",
        description="`module:Class` of the handwritten subclass of the emitted `<Name>Base`.",
        examples=["cardwright.team.context:TeamRosterState"],
    )
    renamed_from: str | None = Field(
        default=None,
        description="Old name of the type; stored data that uses it keeps loading.",
        examples=["RosterState"],
    )


class FieldSpec(DefaultedSchema):
    """A configuration field of the card or of one capability."""

    renamed_from: str | None = Field(
        default=None,
        description="Old name of the field; stored cards that use it keep loading.",
        examples=["top_k"],
    )


class ArgumentSpec(DefaultedSchema):
    """An argument of an endpoint; optional if it has `default` or `default_from`."""

    default_from: str | None = Field(
        default=None,
        description="Configuration field that holds the default.",
        examples=["max_results"],
    )
    when: str | None = Field(
        default=None,
        description="The argument exists only while this configuration is set.",
        examples=["summarizer", "not read_only"],
    )
    rest_of_line: bool = Field(
        default=False,
        description="Last argument of a command: takes the rest of the line as it is.",
        examples=[True],
    )

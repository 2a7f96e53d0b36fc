"""The spec language: what one YAML file of a card may say (design.md, sections 4 and 9)."""

from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag

from cardwright_generator.spec.capability import (
    CapabilitySpec,
    ChannelName,
    EndpointSpec,
    MigrationStep,
)
from cardwright_generator.spec.declared import (
    ActorSpec,
    DependencySpec,
    DeprecatedSpec,
    EnvironmentSpec,
    EventSpec,
    ExtraSpec,
    FailureSpec,
    ObserverMember,
    ObserverSpec,
    StoredSpec,
    ToolsetSpec,
)
from cardwright_generator.spec.dialect import (
    ArgumentSpec,
    DefaultedSchema,
    FieldSpec,
    JsonType,
    PropertySpec,
    Returns,
    Scalar,
    Schema,
    SpecModel,
    TypeSpec,
    shape,
)

__all__ = [
    "ActorSpec",
    "ArgumentSpec",
    "CapabilitySpec",
    "CardSpec",
    "ChannelName",
    "CommonSpec",
    "DefaultedSchema",
    "DependencySpec",
    "DeprecatedSpec",
    "EndpointSpec",
    "EnvironmentSpec",
    "EventSpec",
    "ExtraSpec",
    "FailureSpec",
    "FieldSpec",
    "JsonType",
    "MigrationStep",
    "ObserverMember",
    "ObserverSpec",
    "PropertySpec",
    "Returns",
    "Scalar",
    "Schema",
    "SpecModel",
    "StoredSpec",
    "ToolsetSpec",
    "TypeSpec",
]


class CommonSpec(SpecModel):
    """A file of shared types."""

    types: dict[str, TypeSpec] = Field(
        description="Types that cards refer to as `<file>#/types/<Name>`.",
        examples=[{"Point": {"type": "object", "properties": {"x": {"type": "number"}}}}],
    )


class CardSpec(SpecModel):
    """The whole contract of one card."""

    card: str = Field(description="Class name of the card.", examples=["WeatherTool"])
    summary: str = Field(
        description="One sentence: what the card is for.", examples=["Forecasts of a place."]
    )
    description: str | None = Field(
        default=None,
        description="More about the card, for its reference page.",
        examples=["Reads the public service of the weather office."],
    )
    logic: str = Field(
        description="`module:Class` of the handwritten logic.",
        examples=["acme.weather.logic:WeatherLogic"],
    )
    observer: Annotated[
        Annotated[Literal["none", "tool", "actor"], Tag("<scalar>")]
        | Annotated[ObserverSpec, Tag("<mapping>")],
        Discriminator(shape),
    ] = Field(
        default="actor",
        description="Protocol through which the logic reaches the running system.",
        examples=["none", {"name": "MailObserver", "members": {"inbox": {"returns": "string"}}}],
    )
    depends_on: list[DependencySpec] = Field(
        default=[],
        description="Cards that must be bound earlier.",
        examples=[[{"card": "VectorStoreTool", "when": "vector_store"}]],
    )
    renamed_from: str | None = Field(
        default=None,
        description="Old class name of the card; stored cards that use it keep loading.",
        examples=["ForecastTool"],
    )
    deprecated: DeprecatedSpec | None = Field(
        default=None,
        description="Marks the card as deprecated.",
        examples=[{"use": "WorkspaceTool"}],
    )
    fields: dict[str, FieldSpec] = Field(
        default={},
        description="Configuration of the whole card.",
        examples=[
            {"read_only": {"type": "boolean", "default": False, "description": "Only look."}}
        ],
    )
    types: dict[str, TypeSpec] = Field(
        default={},
        description="Types of the card, by class name.",
        examples=[{"Status": {"enum": ["open", "done"]}}],
    )
    actors: dict[str, ActorSpec] = Field(
        default={},
        description="Actors that own shared state of the card.",
        examples=[{"board": {"name": "#Board", "class": "acme.board.actor:BoardActor"}}],
    )
    stored_entries: list[
        Annotated[
            Annotated[str, Tag("<scalar>")] | Annotated[StoredSpec, Tag("<mapping>")],
            Discriminator(shape),
        ]
    ] = Field(
        default=[],
        alias="stored",
        description="Handwritten classes, `module:Class`, that stored data names.",
        examples=[
            ["acme.board.actor:BoardState"],
            [{"class": "acme.board.actor:BoardState", "renamed_from": "acme.board.old.Board"}],
        ],
    )
    events: dict[str, EventSpec] = Field(
        default={},
        description="State events, by the type of their payload or a `$ref` to a shared one.",
        examples=[{"BoardChanged": {"emitter": "board", "when": "an update changed something"}}],
    )
    failures: dict[str, FailureSpec] = Field(
        default={},
        description="Failures of the card, by id.",
        examples=[{"not_found": {"surfaces": "retry", "when": "nothing is there"}}],
    )
    environment: dict[str, EnvironmentSpec] = Field(
        default={},
        description="Environment variables that the card reads.",
        examples=[{"TAVILY_API_KEY": {"description": "Key of the search service."}}],
    )
    extras: dict[str, ExtraSpec] = Field(
        default={},
        description="Optional dependencies.",
        examples=[{"vector": {"when_missing": "keyword search only"}}],
    )
    toolset: ToolsetSpec | None = Field(
        default=None,
        description="The card serves a toolset.",
        examples=[{"doc": "The tools of the server."}],
    )
    capabilities: dict[str, CapabilitySpec] = Field(
        default={},
        description="What the card can do, by field name; the order is the order of every list.",
        examples=[
            {
                "forecast": {
                    "param": "Forecast",
                    "endpoints": {"forecast": {"channels": ["tool_call"], "doc": "Look ahead."}},
                }
            }
        ],
    )

    @property
    def stored(self) -> list[str]:
        """`module:Class` of each handwritten class that stored data names, each once."""
        found = (one if isinstance(one, str) else one.class_ for one in self.stored_entries)
        return list(dict.fromkeys(found))

    @property
    def stored_before(self) -> dict[str, str]:
        """Old marker in stored data -> `module:Class` of today."""
        found = (one for one in self.stored_entries if not isinstance(one, str))
        return {one.renamed_from: one.class_ for one in found}

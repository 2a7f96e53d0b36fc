"""The language of capabilities: what a card can do, and how it is served (design.md, A1)."""

from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag

from cardwright_generator.spec.dialect import (
    ArgumentSpec,
    FieldSpec,
    Number,
    Returns,
    Scalar,
    SpecModel,
)

type ChannelName = Literal["tool_call", "system_prompt", "llm_context", "command"]


class EndpointSpec(SpecModel):
    """One callable that a capability serves on its channels."""

    channels: Annotated[list[ChannelName], Field(min_length=1)] = Field(
        description="Where the callable is served.", examples=[["tool_call", "command"]]
    )
    name: str | None = Field(
        default=None,
        description="Public name; the key of the endpoint when left out.",
        examples=["search_graph"],
    )
    doc: str | None = Field(
        default=None,
        description="What the model or the user reads; `{field}` is configuration, `{{` a brace.",
        examples=["Read a file with numbered lines."],
    )
    arguments: dict[str, ArgumentSpec] = Field(
        default={},
        description="Arguments by name, in order.",
        examples=[{"path": {"type": "string", "description": "File to read."}}],
    )
    returns: Returns | None = Field(
        default=None,
        description="Type of the answer: a JSON type, a schema, or null for none.",
        examples=["string", {"$ref": "#/types/TeamActivityReport"}],
    )
    state: str | None = Field(
        default=None,
        description="Context type that an llm_context endpoint provides.",
        examples=["PlanningState"],
    )
    renders: str | None = Field(
        default=None,
        description="State endpoint whose full text this endpoint shows, without a method.",
        examples=["team_roster_state"],
    )
    when: str | None = Field(
        default=None,
        description="The endpoint exists only while this configuration is set.",
        examples=["not read_only"],
    )
    async_: bool = Field(
        default=False,
        alias="async",
        description="The logic's method is a coroutine.",
        examples=[True],
    )
    internal: bool = Field(
        default=False,
        description="A command for code, not announced to people.",
        examples=[True],
    )
    timeout: Number | None = Field(
        default=None, description="Seconds that one tool call may take.", examples=[30]
    )
    parallel_safe: bool = Field(
        default=True,
        description="Whether calls of the tool may run beside other calls.",
        examples=[False],
    )
    idempotency: Literal["read_only", "idempotent", "effectful"] | None = Field(
        default=None,
        description="What repeating a tool call does.",
        examples=["read_only"],
    )
    approval: bool = Field(
        default=False, description="A human confirms each tool call.", examples=[True]
    )


class MigrationStep(SpecModel):
    """One rewriting of a stored value."""

    from_: Scalar = Field(
        alias="from", description="Value found in stored data.", examples=["system_prompt"]
    )
    to: Scalar = Field(description="Value that replaces it.", examples=["llm_context"])


class CapabilitySpec(SpecModel):
    """One thing the card can do: one field on the card."""

    param: str = Field(
        description="Class that configures the capability.", examples=["GetPlanning"]
    )
    description: str | None = Field(
        default=None, description="What the capability is for.", examples=["Show the board."]
    )
    default: Annotated[
        Annotated[bool, Tag("<flag>")] | Annotated[Literal["required"], Tag("<scalar>")],
        Discriminator(lambda value: "<flag>" if isinstance(value, bool) else "<scalar>"),
    ] = Field(
        default=True,
        description="On (true), off (false), or required: the author of an agent must decide.",
        examples=[False, "required"],
    )
    when: str | None = Field(
        default=None,
        description="The capability exists only while this configuration is set.",
        examples=["not read_only"],
    )
    expose: list[ChannelName] | None = Field(
        default=None,
        description="Channels used unless configured otherwise; all served ones when left out.",
        examples=[["llm_context", "command"]],
    )
    config: dict[str, FieldSpec] = Field(
        default={},
        description="Configuration of the capability, read by its logic.",
        examples=[
            {"max_results": {"type": "integer", "default": 5, "description": "Hits at most."}}
        ],
    )
    migrate: dict[str, list[MigrationStep]] = Field(
        default={},
        description="Rewriting of stored values, by field.",
        examples=[{"expose": [{"from": "system_prompt", "to": "llm_context"}]}],
    )
    endpoints: Annotated[dict[str, EndpointSpec], Field(min_length=1)] = Field(
        description="Callables by the name of the logic's method.",
        examples=[{"web_search": {"channels": ["tool_call"], "doc": "Search the web."}}],
    )
    failures: list[str] = Field(
        default=[],
        description="Declared failures that the endpoints can meet.",
        examples=[["not_found", "busy"]],
    )
    renamed_from: str | None = Field(
        default=None,
        description="Old name of the capability; stored cards that use it keep loading.",
        examples=["roster"],
    )

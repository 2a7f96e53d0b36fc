"""The language of declarations: what a card needs, owns, emits and fails with (A5 to A8)."""

from typing import Annotated, Literal

from pydantic import Field

from cardwright_generator.spec.dialect import Returns, Schema, SpecModel


class DependencySpec(SpecModel):
    """A card that must be bound earlier."""

    card: str = Field(description="Class name of that card.", examples=["VectorStoreTool"])
    when: str | None = Field(
        default=None,
        description="The dependency exists only while this configuration is set.",
        examples=["vector_store"],
    )
    optional: bool = Field(
        default=False,
        description="Orders the cards when that card is there; its absence is one warning.",
        examples=[True],
    )
    named_by: str | None = Field(
        default=None,
        description="Field `boolean | string`: a name makes it mandatory, true optional.",
        examples=["vector_store"],
    )


class ObserverMember(SpecModel):
    """One method an observer must have."""

    arguments: dict[str, Schema] = Field(
        default={}, description="Arguments by name.", examples=[{"key": {"type": "string"}}]
    )
    returns: Returns | None = Field(
        default=None, description="Type of the answer, or null for none.", examples=["string"]
    )


class ObserverSpec(SpecModel):
    """A protocol of the card's own, emitted as `observer.py`."""

    name: str = Field(
        description="Class name of the protocol.", examples=["ModelSwitchToolObserver"]
    )
    extends: Literal["tool", "actor"] = Field(
        default="actor", description="Protocol of the core that it extends.", examples=["actor"]
    )
    members: Annotated[dict[str, ObserverMember], Field(min_length=1)] = Field(
        description="Methods by name.",
        examples=[
            {"switch_model": {"arguments": {"key": {"type": "string"}}, "returns": "string"}}
        ],
    )


class ActorSpec(SpecModel):
    """A `#`-named actor that owns state of the card."""

    name: str = Field(
        description="Name, with configuration in braces: the first of `{a|b}` that is set.",
        examples=["#Workspace-{workspace_id|team_id}"],
    )
    class_: str | None = Field(
        default=None,
        alias="class",
        description="`module:Class` of the actor; the logic passes it when left out.",
        examples=["cardwright.planning.actor:PlanActor"],
    )
    when: str | None = Field(
        default=None,
        description="The actor exists only while this configuration is set.",
        examples=["get_team_activity.summarizer"],
    )


class StoredSpec(SpecModel):
    """A handwritten class that stored data names, by an old name too."""

    class_: str = Field(
        alias="class",
        description="`module:Class` of the class.",
        examples=["acme.board.actor:BoardState"],
    )
    renamed_from: str = Field(
        description="Where it was, `old.module.Class`; stored data that says so keeps loading.",
        examples=["acme.board.state.Board"],
    )


class EventSpec(SpecModel):
    """A state event that an actor of the card emits."""

    emitter: str = Field(description="Key of the actor that emits it.", examples=["graph"])
    when: str = Field(
        description="When it is emitted, in words.", examples=["an update changed something"]
    )


class FailureSpec(SpecModel):
    """A way in which an endpoint fails, and where that surfaces."""

    surfaces: Literal["retry", "text", "raise", "log"] = Field(
        description="retry: the model may correct itself; text: an answer; raise; log.",
        examples=["retry"],
    )
    when: str = Field(description="When it happens, in words.", examples=["nothing is there"])


class EnvironmentSpec(SpecModel):
    """An environment variable that the card reads."""

    default: str | None = Field(
        default=None, description="Value when it is unset.", examples=["./workspaces"]
    )
    description: str = Field(
        description="What it decides.", examples=["Root of all working trees."]
    )
    read_by: str | None = Field(
        default=None,
        description="Who reads it, where that is not code of the card: a library, in words.",
        examples=["the Tavily client"],
    )


class ExtraSpec(SpecModel):
    """An optional dependency of the card."""

    when_missing: str = Field(
        description="How the card degrades without it, in words.",
        examples=["keyword search only"],
    )


class ToolsetSpec(SpecModel):
    """A toolset endpoint: one method of the contract."""

    doc: str = Field(description="What the toolset offers.", examples=["The tools of the server."])


class DeprecatedSpec(SpecModel):
    """Marks the card as deprecated; binding it warns."""

    use: str = Field(description="What to use instead.", examples=["WorkspaceTool"])

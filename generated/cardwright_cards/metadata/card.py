# Generated from specs/metadata.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""`MetadataTool` and the params of its capabilities."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, ClassVar, cast, override

from pydantic import Field

from cardwright.core import ActorToolObserver, BaseToolParam, Channels, ToolCard, served

if TYPE_CHECKING:
    from .contract import MetadataContract


class RenderMetadata(BaseToolParam):
    """Render the metadata. Off unless a template is given."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.SYSTEM_PROMPT, Channels.COMMAND})
    expose: set[Channels] = {Channels.SYSTEM_PROMPT, Channels.COMMAND}

    template: Annotated[
        str,
        Field(
            description="Text with placeholders: the name of a field of the metadata model in braces. Doubled braces are literal.",
            min_length=1,
        ),
    ]
    header: Annotated[str | None, Field(description="Bold line above the text.")] = None


class MetadataTool(ToolCard):
    """The team's business metadata as text in every system prompt.

    The orchestrator of a team holds one metadata model of any class. One template of the operator turns it into text; the first successful rendering is kept, so that the system prompt stays the same over all turns.
    """

    logic_path: ClassVar[str] = "cardwright.metadata.logic:MetadataLogic"
    observer_type: ClassVar[type[object] | None] = ActorToolObserver

    render_metadata: Annotated[
        RenderMetadata | bool,
        Field(description="Render the metadata. Off unless a template is given."),
    ] = False

    @property
    def logic(self) -> "MetadataContract":
        """The bound logic; raises `ToolObserverGone` when the card is not bound."""
        return cast("MetadataContract", self.bound_logic())

    @override
    def get_tools(self) -> list[Callable[..., object]]:
        return []

    @override
    def get_system_prompts(self) -> list[Callable[[], str]]:
        found: list[Callable[[], str]] = []
        if render_metadata := served(self.render_metadata, RenderMetadata, Channels.SYSTEM_PROMPT):
            found.append(self._team_metadata(render_metadata))
        return found

    @override
    def get_commands(self) -> dict[type[BaseToolParam], Callable[..., object]]:
        found: dict[type[BaseToolParam], Callable[..., object]] = {}
        if render_metadata := served(self.render_metadata, RenderMetadata, Channels.COMMAND):
            found[RenderMetadata] = self._team_metadata(render_metadata)
        return found

    def _team_metadata(self, config: RenderMetadata) -> Callable[..., str]:
        def team_metadata() -> str:
            """Show the metadata of the team."""
            return self.logic.team_metadata(config)

        return config.describe(team_metadata)

# Generated from specs/skill.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""`SkillTool` and the params of its capabilities."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, ClassVar, cast, override

from pydantic import Field

from cardwright.core import (
    BaseToolParam,
    Channels,
    ToolCard,
    ToolPolicy,
    UniqueBy,
    policy,
    served,
)

from .types import SkillEntry

if TYPE_CHECKING:
    from .contract import SkillContract


class Skills(BaseToolParam):
    """Announce the skills and hand out their guidance."""

    serves: ClassVar[frozenset[Channels]] = frozenset(
        {Channels.TOOL_CALL, Channels.SYSTEM_PROMPT, Channels.COMMAND}
    )
    expose: set[Channels] = {Channels.TOOL_CALL, Channels.SYSTEM_PROMPT, Channels.COMMAND}

    skills: Annotated[
        list[SkillEntry],
        UniqueBy("name"),
        Field(description="The library, in the order of the menu."),
    ] = []


class SkillTool(ToolCard):
    """Library of guidance that an agent reads when it needs it.

    A menu of skills stands in the system prompt; the body of a skill is fetched by a tool call, so its length costs nothing until it is used, and it can be fetched again after the conversation was compacted.
    """

    logic_path: ClassVar[str] = "cardwright.skill.logic:SkillLogic"
    observer_type: ClassVar[type[object] | None] = None
    renamed_fields: ClassVar[Mapping[str, str]] = {"param": "skills"}

    skills: Annotated[
        Skills | bool, Field(description="Announce the skills and hand out their guidance.")
    ] = True

    @property
    def logic(self) -> "SkillContract":
        """The bound logic; raises `ToolObserverGone` when the card is not bound."""
        return cast("SkillContract", self.bound_logic())

    @override
    def get_tools(self) -> list[Callable[..., object]]:
        found: list[Callable[..., object]] = []
        if skills := served(self.skills, Skills, Channels.TOOL_CALL):
            found.append(self._use_skill(skills))
        return found

    @override
    def get_system_prompts(self) -> list[Callable[[], str]]:
        found: list[Callable[[], str]] = []
        if skills := served(self.skills, Skills, Channels.SYSTEM_PROMPT):
            found.append(self._skills(skills))
        return found

    @override
    def get_commands(self) -> dict[type[BaseToolParam], Callable[..., object]]:
        found: dict[type[BaseToolParam], Callable[..., object]] = {}
        if skills := served(self.skills, Skills, Channels.COMMAND):
            found[Skills] = self._skills(skills)
        return found

    def _skills(self, config: Skills) -> Callable[..., str]:
        def skills() -> str:
            """List the skills with the kind of work each is for."""
            return self.logic.skills(config)

        return config.describe(skills)

    def _use_skill(self, config: Skills) -> Callable[..., str]:
        @policy(ToolPolicy(idempotency="read_only"))
        def use_skill(
            name: Annotated[str, Field(description="Name of the skill as the menu lists it.")],
        ) -> str:
            """Read the guidance of one skill and follow it.

            Call it before you produce any work of the kind the skill is for, even if you believe you know how.
            """
            return self.logic.use_skill(config, name=name)

        return config.describe(use_skill)

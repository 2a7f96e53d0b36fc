"""The actor that carries the cards of one agent on the bench and in the pydantic-ai host."""

from typing import Self, override

from pydantic import Field

from cardwright.actors import Akgent, BaseConfig, BaseState
from cardwright.core import ToolState


class MemberState(BaseState):
    """State of a member: the tool layer's part, nothing else."""

    tool_state: ToolState = Field(default_factory=ToolState)


class TeamMember(Akgent[BaseConfig, MemberState]):
    """An agent without a model: it observes cards and is reachable in its team."""

    @override
    def on_start(self) -> None:
        super().on_start()
        self.state = MemberState()
        self.state.observer(self)

    def itself(self) -> Self:
        """The actor object, for the host that lives in its process."""
        return self

"""What one agent may call."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .definition import AnyTool
from .dispatch import Call
from .errors import ToolNotPermittedError
from .payload import RawArguments

if TYPE_CHECKING:
    from .registry import ToolDeclaration, ToolRegistry

_PLAIN = Call()


@dataclass(frozen=True, slots=True)
class AgentToolView:
    """The tools of one agent, fixed when the view was made; whatever is not in it is refused.

    Nothing turns that off, and no tool that is registered later gets in.
    """

    registry: "ToolRegistry" = field(repr=False)
    names: tuple[str, ...]
    agent: str = ""

    def declarations(self) -> "tuple[ToolDeclaration, ...]":
        """What the model of this agent is told, in the order of registration."""
        return tuple(each for each in self.registry.declarations() if each.name in self.names)

    def resolve(self, name: str) -> AnyTool:
        """The tool of that name.

        Raises:
            ToolNotPermittedError: The agent may not call it.
        """
        if name not in self.names:
            raise ToolNotPermittedError(name, agent=self.agent, permitted=self.names)
        return self.registry.resolve(name)

    async def invoke(self, name: str, arguments: RawArguments, *, call: Call = _PLAIN) -> object:
        """Call a tool with what the model sent, as `ToolRegistry.invoke` does.

        Raises:
            ToolNotPermittedError: The agent may not call it; nothing was entered.
            Exception: As `ToolRegistry.invoke`.
        """
        if name not in self.names:
            error = ToolNotPermittedError(name, agent=self.agent, permitted=self.names)
            self.registry.deny(name, self.agent, error)
            raise error
        return await self.registry.invoke(name, arguments, agent=self.agent, call=call)

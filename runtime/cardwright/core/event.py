"""Events of the tool layer, as they are logged and stored."""

from cardwright.actors import ActorAddress, SerializableBaseModel
from cardwright.actors.messages import Message


class ToolStateEvent(Message):
    """What changed in the state of a tool actor."""

    tool_id: str
    """Name of the emitting tool actor, `#` included."""
    seq: int
    """Per tool, from 1, by one per event."""
    payload: SerializableBaseModel


class CommandArg(SerializableBaseModel):
    """One argument of a command, as a palette shows it."""

    name: str
    type: str
    """JSON Schema type name; `string` for what has no single one."""
    required: bool
    description: str | None = None
    keyword_only: bool = False
    rest_of_line: bool = False
    choices: list[str] | None = None


class CommandDescriptor(SerializableBaseModel):
    """One command, as a palette shows it; the order of `args` is that of positional binding."""

    name: str
    description: str
    args: list[CommandArg]
    tool_card: str
    """Class name of the card, or `BaseAgent`."""


class CommandsAnnouncedEvent(SerializableBaseModel):
    """The commands of one agent, once at its start."""

    agent: ActorAddress
    commands: list[CommandDescriptor]

"""One name-keyed table of commands, for people (text) and code (native values)."""

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import cast

from .command_line import bind
from .command_signature import CommandParameter, parameters_of
from .errors import CommandNotRecognized
from .event import CommandDescriptor
from .policy import is_internal

EXTRA_OWNER = "BaseAgent"
"""Owner of commands that no card brings."""


@dataclass(frozen=True)
class Command:
    """One registered command."""

    name: str
    function: Callable[..., object]
    owner: str
    parameters: tuple[CommandParameter, ...]

    @property
    def descriptor(self) -> CommandDescriptor:
        """The command as a palette shows it."""
        return CommandDescriptor(
            name=self.name,
            description=inspect.getdoc(self.function) or "",
            args=[parameter.describe() for parameter in self.parameters],
            tool_card=self.owner,
        )


class CommandRegistry:
    """The commands of one agent."""

    def __init__(self) -> None:
        self._commands: dict[str, Command] = {}

    def register(self, function: Callable[..., object], owner: str) -> None:
        """Add a command under the name of `function`.

        Raises:
            ValueError: It has no name, the name is taken, or a parameter cannot be typed on a line.
        """
        name: object = getattr(function, "__name__", None)
        if not isinstance(name, str):
            raise ValueError(  # noqa: TRY004 - the contract's type for a refused command
                f"{owner}: a command needs a name; give {type(function).__name__} a __name__"
            )
        if (holder := self._commands.get(name)) is not None:
            raise ValueError(_collision(name, holder.owner, owner))
        self._commands[name] = Command(name, function, owner, parameters_of(name, function))

    def has(self, name: str) -> bool:
        """Whether a command has that name."""
        return name in self._commands

    def callable(self, name: str) -> Callable[..., object]:
        """The command itself, with native arguments and return value.

        Raises:
            CommandNotRecognized: No command has that name.
        """
        return self._named(name).function

    def descriptors(self) -> list[CommandDescriptor]:
        """The announced commands, in registration order; internal ones are left out."""
        return [
            each.descriptor for each in self._commands.values() if not is_internal(each.function)
        ]

    def dispatch(self, text: str) -> str | None:
        """Run the command line `text` and return its answer; `None` for nothing to say.

        What goes wrong once the command is identified is answered as text.

        Raises:
            CommandNotRecognized: The first word names no command; nothing was run.
        """
        command, line = self._identified(text)
        try:
            result = command.function(**bind(command.parameters, line))
            if inspect.isawaitable(result):
                _discard(result)
                return _failed(command.name, "it is asynchronous; await dispatch_async instead")
        except Exception as error:  # noqa: BLE001 - the contract: every failure of a known command is its answer
            return _failed(command.name, error)
        return None if result is None else str(result)

    async def dispatch_async(self, text: str) -> str | None:
        """`dispatch` that awaits an asynchronous command."""
        command, line = self._identified(text)
        try:
            result = command.function(**bind(command.parameters, line))
            if inspect.isawaitable(result):
                result = await cast("Awaitable[object]", result)
        except Exception as error:  # noqa: BLE001 - as in `dispatch`
            return _failed(command.name, error)
        return None if result is None else str(result)

    def _named(self, name: str) -> Command:
        try:
            return self._commands[name]
        except KeyError:
            raise CommandNotRecognized(
                f"there is no command {name!r}: {self._others(name)}"
            ) from None

    def _others(self, name: str) -> str:
        announced = [
            each.name for each in self._commands.values() if not is_internal(each.function)
        ]
        if close := get_close_matches(name, announced, n=1):
            return f"did you mean {close[0]!r}?"
        return f"there are {', '.join(sorted(announced)) or 'none'}"

    def _identified(self, text: str) -> tuple[Command, str]:
        """The command a line names, and the text behind the name."""
        words = text.removeprefix("/").split(maxsplit=1)
        if not words:
            raise CommandNotRecognized("the line is empty")
        name, rest = words[0], words[1] if len(words) > 1 else ""
        return self._named(name), rest


def _collision(name: str, holder: str, owner: str) -> str:
    if EXTRA_OWNER in (holder, owner):
        return f"command {name!r} is already taken: rename one of the two"
    return f"command {name!r} is exposed by {holder} and by {owner}: switch off one of them"


def _failed(name: str, reason: object) -> str:
    return f"Command '{name}' failed: {reason}"


def _discard(result: object) -> None:
    close: object = getattr(result, "close", None)
    if callable(close):
        close()

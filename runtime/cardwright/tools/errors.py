"""The errors of the typed tools.

ToolError
├── ConfigurationError           something was assembled wrongly
│   └── ToolDefinitionError      a function cannot be a tool
├── ToolNotFoundError            nothing is registered under the name
└── ToolArgumentValidationError  the model's arguments are refused; the body is not entered
"""

from collections.abc import Mapping
from itertools import islice
from typing import ClassVar, Final

_MOST_LINES: Final = 20
"""A model that sends hundreds of wrong fields is not helped by hundreds of lines."""


class ToolError(Exception):
    """Base of everything the tool layer raises by itself."""

    retryable: ClassVar[bool] = False


class ConfigurationError(ToolError):
    """An assembly mistake: found while building, fixed in code."""


class ToolDefinitionError(ConfigurationError):
    """A function cannot be described to a model, or cannot be called with what one sends."""

    def __init__(self, message: str, *, tool: str = "", parameter: str = "") -> None:
        super().__init__(message)
        self.tool = tool
        self.parameter = parameter


class ToolNotFoundError(ToolError):
    """No tool has the name; `known` lists the ones there are."""

    def __init__(self, message: str, *, tool: str, known: tuple[str, ...]) -> None:
        super().__init__(message)
        self.tool = tool
        self.known = known


class ToolArgumentValidationError(ToolError):
    """The arguments of one call are refused and its body was not entered.

    `problems` maps dotted paths to reasons. Neither the message nor `feedback()` repeats a value;
    `payload` keeps the raw input for debugging and must not be logged.
    """

    def __init__(
        self, tool: str, problems: Mapping[str, str], *, payload: object, call_id: str = ""
    ) -> None:
        self.tool = tool
        self.call_id = call_id
        self.problems = dict(sorted(problems.items()))
        self.paths = tuple(path for path in self.problems if path)
        self.payload = payload
        super().__init__(self.feedback())

    def feedback(self) -> str:
        """What the model is told: the tool did not run, and what to change in each argument."""
        lines = [f"Tool `{self.tool}` did not run: its arguments were refused."]
        lines += [
            _line(path, reason) for path, reason in islice(self.problems.items(), _MOST_LINES)
        ]
        if len(self.problems) > _MOST_LINES:
            lines.append(f"- and {len(self.problems) - _MOST_LINES} more")
        return "\n".join(lines)


class ToolTimedOutError(ToolError):
    """The ceiling of a call elapsed. What its body does may still happen."""

    def __init__(self, tool: str, seconds: float) -> None:
        super().__init__(f"`{tool}` did not finish within {seconds:g} s; it may still take effect.")
        self.tool = tool
        self.seconds = seconds


def _line(path: str, reason: str) -> str:
    return f"- {path}: {reason}" if path else f"- {reason}"

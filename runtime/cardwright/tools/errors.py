"""The errors of the typed tools.

ToolError
├── ConfigurationError             something was assembled wrongly
│   ├── ToolDefinitionError        a function cannot be a tool
│   └── SchemaGenerationError      a type cannot be described faithfully
├── CapabilityError                a dialect cannot express a type
├── ToolArgumentValidationError    the model's arguments are refused; the body is not entered
├── ToolExecutionError             what a body needs is missing; it is not entered
├── ToolNotFoundError              nothing is registered under the name
├── ToolNotPermittedError          it is registered, and not for this agent
├── ToolTimedOutError              the ceiling of a call elapsed
├── WorkersBusyError               no lane or no worker came free in time
├── ApprovalRequiredError          a person must agree to exactly this call first
├── ToolIndeterminateError         an earlier attempt of this very call may have taken effect
├── RepairBudgetSpentError         a run has corrected arguments as often as it may
├── CallLimitError                 a turn or a run calls more tools than it may
├── CancelledError                 the run was cancelled through its token
├── ToolFailure                    a tool failed, under a code        (failures.py)
└── ToolRefusal                    a tool said no, under a code       (failures.py)
"""

from collections.abc import Mapping
from itertools import islice
from typing import ClassVar, Final, Self, override

_MOST_LINES: Final = 20
"""A model that sends hundreds of wrong fields is not helped by hundreds of lines."""


class ToolError(Exception):
    """Base of everything the tool layer raises by itself.

    `details` holds names and figures, never credentials and never what a model or a tool said.
    """

    retryable: ClassVar[bool] = False

    def __init__(
        self,
        message: str,
        *,
        run_id: str | None = None,
        tenant: str | None = None,
        details: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.run_id = run_id
        self.tenant = tenant
        self.details = dict(details or {})

    @override
    def __reduce__(self) -> tuple[object, ...]:
        """Errors cross processes, whatever their constructors ask for; a payload stays behind."""
        kept = {key: None if key == "payload" else value for key, value in vars(self).items()}
        return (_restored, (type(self), self.args, kept))


class ConfigurationError(ToolError):
    """An assembly mistake: found while building, fixed in code."""


class ToolDefinitionError(ConfigurationError):
    """A function cannot be described to a model, or cannot be called with what one sends."""

    def __init__(self, message: str, *, tool: str = "", parameter: str = "") -> None:
        super().__init__(message, details=_given(tool=tool, parameter=parameter))
        self.tool = tool
        self.parameter = parameter

    @classmethod
    def caused(cls, tool: str, cause: ToolError) -> Self:
        """The same fault, told of a tool; raise it `from` its cause."""
        field = cause.field if isinstance(cause, SchemaGenerationError) else ""
        return cls(f"{tool}: {cause}", tool=tool, parameter=field)


class SchemaGenerationError(ConfigurationError):
    """A type has no JSON Schema that says what it accepts."""

    def __init__(self, message: str, *, field: str = "", annotation: str = "") -> None:
        super().__init__(message, details=_given(field=field, annotation=annotation))
        self.field = field
        self.annotation = annotation


class CapabilityError(ToolError):
    """A dialect cannot express a type: choose another dialect or another type."""


class ToolExecutionError(ToolError):
    """A body could not be entered: `details` names the tool and the parameter it lacks."""


class ToolNotFoundError(ToolError):
    """No tool has the name; `known` lists the ones there are."""

    def __init__(self, message: str, *, tool: str, known: tuple[str, ...]) -> None:
        super().__init__(message, details={"tool": tool})
        self.tool = tool
        self.known = known


class ToolNotPermittedError(ToolError):
    """The tool exists and this agent may not call it; `permitted` lists what it may."""

    def __init__(self, tool: str, *, agent: str, permitted: tuple[str, ...]) -> None:
        super().__init__(
            f"agent {agent!r} may not call {tool!r}: it may call {', '.join(permitted)}",
            details={"tool": tool, "agent": agent},
        )
        self.tool = tool
        self.agent = agent
        self.permitted = permitted


class ToolArgumentValidationError(ToolError):
    """The arguments of one call are refused and its body was not entered.

    `problems` maps dotted paths to reasons. Neither the message nor `feedback()` repeats a value;
    `payload` keeps the raw input for debugging and must not be logged; a pickle leaves it out.
    """

    def __init__(
        self, tool: str, problems: Mapping[str, str], *, payload: object, call_id: str = ""
    ) -> None:
        self.tool = tool
        self.call_id = call_id
        self.problems = dict(sorted(problems.items()))
        self.paths = tuple(path for path in self.problems if path)
        self.payload = payload
        super().__init__(self.feedback(), details=_given(tool=tool, call_id=call_id))

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
        super().__init__(
            f"`{tool}` did not finish within {seconds:g} s; it may still take effect.",
            details={"tool": tool},
        )
        self.tool = tool
        self.seconds = seconds


class WorkersBusyError(ToolError):
    """No lane or worker came free in time, or the pool is closed; nothing ran."""

    retryable: ClassVar[bool] = True


class ApprovalRequiredError(ToolError):
    """A person must agree first; `digest` stands for exactly this tool with these arguments."""

    def __init__(self, tool: str, digest: str) -> None:
        super().__init__(
            f"`{tool}` did not run: a person must approve this call first.",
            details={"tool": tool, "approval": digest},
        )
        self.tool = tool
        self.digest = digest


class ToolIndeterminateError(ToolError):
    """An earlier attempt of this very call neither succeeded nor certainly failed."""

    def __init__(self, tool: str) -> None:
        super().__init__(
            f"`{tool}` did not run again: an earlier attempt of this call may have taken effect. "
            "Check what it did before sending a new call.",
            details={"tool": tool},
        )
        self.tool = tool


class RepairBudgetSpentError(ToolError):
    """A run was told to correct arguments as often as it may be; names tool and fields."""

    def __init__(self, tool: str, paths: tuple[str, ...], attempts: int) -> None:
        where = f" ({', '.join(paths)})" if paths else ""
        after = (
            f"after {attempts} of {attempts} repairs" if attempts else "and none may be repaired"
        )
        super().__init__(
            f"the arguments of `{tool}` were refused{where}, {after}",
            details={"tool": tool},
        )
        self.tool = tool
        self.paths = paths
        self.attempts = attempts


class CallLimitError(ToolError):
    """A turn or a run calls more tools than it may; nothing of that turn was run."""

    def __init__(self, message: str, *, correctable: bool = False) -> None:
        super().__init__(message)
        self.correctable = correctable
        """Whether fewer calls in one turn would do."""


class CancelledError(ToolError):
    """The run was cancelled through its token; the text is the token's reason."""


def _restored(
    kind: type[ToolError], args: tuple[object, ...], attributes: dict[str, object]
) -> ToolError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(attributes)
    return error


def _given(**details: str) -> dict[str, str]:
    return {name: value for name, value in details.items() if value}


def _line(path: str, reason: str) -> str:
    return f"- {path}: {reason}" if path else f"- {reason}"

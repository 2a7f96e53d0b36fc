"""What the loop of a run allows: corrections of refused arguments, and calls."""

from dataclasses import dataclass
from threading import Lock
from typing import Final, Literal

from cardwright.actors import SerializableBaseModel

from .errors import (
    CallLimitError,
    ConfigurationError,
    RepairBudgetSpentError,
    ToolArgumentValidationError,
)

MOST_PATHS: Final = 20
"""A model that sends hundreds of wrong fields is not recorded with each."""


@dataclass(frozen=True, slots=True)
class RepairConfig:
    """How often the model of a run may be told to correct arguments, over all its tools."""

    enabled: bool = True
    """Without repair the first refusal fails the run."""
    max_attempts: int = 2

    def __post_init__(self) -> None:
        """Refuse a budget of none.

        Raises:
            ConfigurationError: `max_attempts` is below 1.
        """
        if self.max_attempts < 1:
            message = "max_attempts must be at least 1: use enabled=False for no repair"
            raise ConfigurationError(message)

    @property
    def attempts(self) -> int:
        """Refusals that a run survives."""
        return self.max_attempts if self.enabled else 0


class RepairRequested(SerializableBaseModel):
    """The arguments of a call were refused and the model was told to correct them."""

    kind: Literal["REPAIR_REQUESTED"] = "REPAIR_REQUESTED"
    agent: str
    tool: str
    call_id: str
    paths: list[str]
    """Names of the failing fields, the first of them; no values."""
    attempt: int
    """Which one of the run, from 1."""
    max_attempts: int


class RepairBudget:
    """The repairs of one run."""

    def __init__(self, config: RepairConfig, agent: str = "") -> None:
        self._config = config
        self._agent = agent
        self._lock = Lock()
        self._used = 0

    def spend(self, refused: ToolArgumentValidationError) -> RepairRequested:
        """Take one repair for a refusal and say which one it is.

        Raises:
            RepairBudgetSpentError: There is none left; names tool and fields.
        """
        with self._lock:
            if self._used >= self._config.attempts:
                raise RepairBudgetSpentError(
                    refused.tool, refused.paths[:MOST_PATHS], self._config.attempts
                ) from refused
            self._used += 1
            attempt = self._used
        return RepairRequested(
            agent=self._agent,
            tool=refused.tool,
            call_id=refused.call_id,
            paths=list(refused.paths[:MOST_PATHS]),
            attempt=attempt,
            max_attempts=self._config.attempts,
        )


@dataclass(frozen=True, slots=True)
class CallLimits:
    """How many tools a turn, and a run, may call; `None` for no limit."""

    per_turn: int | None = None
    per_run: int | None = None

    def __post_init__(self) -> None:
        """Refuse limits that allow nothing.

        Raises:
            ConfigurationError: A limit is below 1.
        """
        if any(limit is not None and limit < 1 for limit in (self.per_turn, self.per_run)):
            message = "a limit of calls must be at least 1, or None for no limit"
            raise ConfigurationError(message)


class CallCount:
    """The calls of one run, counted a whole turn at a time before any of it is dispatched."""

    def __init__(self, limits: CallLimits) -> None:
        self._limits = limits
        self._made = 0

    def admit(self, calls: int) -> None:
        """Let a turn of that many calls pass, or none of it.

        Raises:
            CallLimitError: It does not fit.
        """
        per_turn, per_run = self._limits.per_turn, self._limits.per_run
        if per_turn is not None and calls > per_turn:
            raise CallLimitError(
                f"none of {calls} calls ran: a turn may make {per_turn}. Send fewer at once.",
                correctable=True,
            )
        if per_run is not None and self._made + calls > per_run:
            raise CallLimitError(
                f"none of {calls} calls ran: a run may make {per_run} and has made {self._made}."
            )
        self._made += calls

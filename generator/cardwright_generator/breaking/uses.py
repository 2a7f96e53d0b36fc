"""The places in which a schema stands: who writes values there, and who reads them."""

from dataclasses import dataclass
from enum import StrEnum

from .rule import Category


class Flow(StrEnum):
    """Which way values go, seen from the card."""

    IN = "in"
    """Others write, the card accepts: narrower is worse."""
    OUT = "out"
    """The card writes, others read: wider is worse."""
    KEPT = "kept"
    """Written by one version and read by a later one: narrower is worse."""


@dataclass(frozen=True, slots=True)
class Use:
    """One place in which a schema stands."""

    name: str
    """First word of the ids of its rules."""
    part: str
    """What a member is called in messages and purposes."""
    category: Category
    flow: Flow
    path: str
    """Where the example spec holds members of this use."""
    required: str | None = None
    """Where the example spec lists which of them must be given, if it does."""


ARGUMENT = Use(
    "argument",
    "an argument that the model gives",
    Category.LLM,
    Flow.IN,
    "capabilities.greet.endpoints.greet.arguments",
)
COMMAND = Use(
    "command",
    "an argument of a command",
    Category.SOURCE,
    Flow.IN,
    "capabilities.greet.endpoints.greeting_line.arguments",
)
RESULT = Use(
    "result",
    "a value that a call answers",
    Category.LLM,
    Flow.OUT,
    "types.Answer.properties",
    "types.Answer.required",
)
STATE = Use(
    "state",
    "a value of a context state",
    Category.WIRE,
    Flow.KEPT,
    "types.GuestState.properties",
    "types.GuestState.required",
)
FIELD = Use(
    "field",
    "a configuration field",
    Category.WIRE,
    Flow.IN,
    "fields",
)
STORED = Use(
    "stored",
    "a property of stored data",
    Category.WIRE,
    Flow.KEPT,
    "types.Guest.properties",
    "types.Guest.required",
)

USES = (ARGUMENT, COMMAND, RESULT, STATE, FIELD, STORED)

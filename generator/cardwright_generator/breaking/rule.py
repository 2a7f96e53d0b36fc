"""What a rule is: an id, one sentence, who is affected, how badly, and an example to learn from."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum


class Category(StrEnum):
    """Who a change concerns."""

    LLM = "LLM"
    """What the model reads: names, texts, arguments, answers."""
    WIRE = "WIRE"
    """What outlives a process: stored data, events, actors, environment."""
    SOURCE = "SOURCE"
    """What code names: classes, constructor fields, defaults, methods, commands."""


class Level(IntEnum):
    """How much a change may break; the higher, the worse."""

    INFO = 1
    WARN = 2
    ERR = 3


class Step(IntEnum):
    """The part of a version number that a change asks to raise."""

    NONE = 0
    PATCH = 1
    MINOR = 2
    MAJOR = 3


type Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Gone:
    """In an example: the key is not there."""


GONE = Gone()

type Edits = Mapping[str, object]
"""Dotted path in the example spec -> value there."""


@dataclass(frozen=True, slots=True)
class Example:
    """What differs from the common example spec before and after a change."""

    before: Edits
    after: Edits

    def swapped(self) -> "Example":
        """The change the other way round."""
        return Example(self.after, self.before)


@dataclass(frozen=True, slots=True)
class Rule:
    """One concept of change, with all that its findings share."""

    id: str
    purpose: str
    """One sentence: what is reported."""
    category: Category
    level: Level
    why: str
    """Who notices, and how."""
    example: Example
    mirrors: tuple[str, ...] = ()
    """Rules of which one reports the opposite change."""
    step: Step = Step.NONE
    """Read `asks_for` instead: this is only what differs from the level's usual one."""

    @property
    def asks_for(self) -> Step:
        """The semantic version step that a finding asks for."""
        if self.step is not Step.NONE:
            return self.step
        return Step.MAJOR if self.level is Level.ERR else Step.MINOR

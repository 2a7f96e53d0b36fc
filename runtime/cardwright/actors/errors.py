"""What can go wrong between actors.

Exception
├── ActorDeadError            the actor has stopped (pykka's own class)
├── Timeout                   an ask was not answered in time (pykka's own class)
├── WarningError              a handled condition: reported as a warning, without a traceback
├── ExpectedError             the asker deals with it: not reported when somebody asked
├── ValueError
│   ├── ActorConflictError    a living actor of that name is of another class or configuration
│   └── UnresolvableClassError  stored data names a type that is not declared
└── RuntimeError
    ├── SelfAskError          an actor waits for its own answer
    └── TeamStoppingError     a team that is stopping creates no more actors
"""

from collections.abc import Sequence

from pykka import ActorDeadError, Timeout

__all__ = [
    "ActorConflictError",
    "ActorDeadError",
    "ExpectedError",
    "SelfAskError",
    "TeamStoppingError",
    "Timeout",
    "UnresolvableClassError",
    "WarningError",
]


class WarningError(Exception):
    """A condition worth telling people about that is no failure of the actor."""


class ExpectedError(Exception):
    """A failure that is an answer: whoever asked deals with it, so nobody else is told.

    A caller that does not wait cannot deal with anything: then it is reported like any other.
    """


class ActorConflictError(ExpectedError, ValueError):
    """A living actor has the wanted name, but another class or configuration."""

    def __init__(self, actor: str, differences: Sequence[str]) -> None:
        """Keep the actor's name and what differs: `class A, not B` or names of config fields."""
        self.actor = actor
        self.differences = tuple(differences)
        super().__init__(
            f"Actor {actor!r} is already running with a different {', '.join(self.differences)}. "
            "Use the same class and configuration, or another actor name."
        )


class UnresolvableClassError(ValueError):
    """Stored data names a type that neither this process nor an installed catalogue declares."""

    def __init__(self, marker: str) -> None:
        """Keep the marker that could not be resolved."""
        self.marker = marker
        super().__init__(
            f"Type {marker!r} is not declared. Import the module that defines it, decorate it with "
            "`register_type`, or list it under `stored` in the spec of its card."
        )


class SelfAskError(RuntimeError):
    """An actor asked itself: the answer could only come after the wait."""


class TeamStoppingError(ExpectedError, RuntimeError):
    """An actor was to be created in a team that is stopping."""

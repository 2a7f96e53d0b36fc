"""The errors of the tool layer.

RetriableError        the model can fix it: translated by the factory
ToolObserverGone      the card is not bound, or its agent has stopped
CommandNotRecognized  the text names no command: handle it as ordinary text
CardDefinitionError   the card and its logic do not fit together
SecretMissingError    a secret was not stored and is not in the environment
"""

from cardwright.actors import ExpectedError


class RetriableError(ExpectedError):
    """A condition the model can fix by calling again with other input.

    `failure` is the id the spec declares for it, or `None` when raised by hand. Raised by an actor
    that was asked, it is an answer and no failure of that actor.
    """

    def __init__(self, message: str, *, failure: str | None = None) -> None:
        super().__init__(message)
        self.failure = failure


class ToolObserverGone(RuntimeError):  # noqa: N818 - the public name of the contract
    """A callable was used before its card was bound or after its agent stopped."""


class CommandNotRecognized(Exception):  # noqa: N818 - the public name of the contract
    """The first word names no command; never raised once a command was identified."""


class CardDefinitionError(TypeError):
    """A card names a logic class or an observer that does not fit it."""


class SecretMissingError(ValueError):
    """A secret has no value: it was not stored, or its environment variable is not set."""

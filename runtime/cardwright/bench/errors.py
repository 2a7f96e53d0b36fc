"""What a call on the bench raises where a run would go back to the model."""

from typing import override


class RetryRequested(Exception):  # noqa: N818 - it is an answer of the tool, not a fault of the bench
    """The model would be asked to call again; `str()` is exactly what it would be told.

    The cause is the refusal itself: a `ToolArgumentValidationError` (the body was not entered) or a
    `RetriableError`, whose declared failure id is repeated here.
    """

    def __init__(self, text: str, *, tool: str, failure: str | None = None) -> None:
        super().__init__(text)
        self.tool = tool
        self.failure = failure
        """Id of the declared failure; `None` for refused arguments and undeclared refusals."""

    @override
    def __reduce__(self) -> tuple[object, ...]:
        return (_restored, (str(self), self.tool, self.failure))


def _restored(text: str, tool: str, failure: str | None) -> RetryRequested:
    return RetryRequested(text, tool=tool, failure=failure)

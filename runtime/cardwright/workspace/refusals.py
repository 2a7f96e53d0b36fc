"""What a model can fix: one exception with the failure id that the card declares."""

from typing import Literal

type FailureId = Literal[
    "not_found",
    "outside",
    "denied",
    "unsuitable",
    "invalid",
    "stale",
    "busy",
    "no_match",
    "lost",
    "unavailable",
]


class Refusal(Exception):  # noqa: N818 - a refusal is an answer, no error of the program
    """The request cannot be served as it stands; the text says why and what to do instead."""

    def __init__(self, failure: FailureId, text: str) -> None:
        super().__init__(text)
        self.failure: FailureId = failure

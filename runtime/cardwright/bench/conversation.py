"""The part of a conversation that context updates look at: texts in user position."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class UserText:
    """One text of a user prompt, shaped as the updater finds it in pydantic-ai's messages."""

    content: str
    part_kind: Literal["user-prompt"] = "user-prompt"


@dataclass(frozen=True, slots=True)
class Request:
    """One request to the model."""

    parts: tuple[UserText, ...]
    kind: Literal["request"] = "request"


def as_messages(texts: Iterable[str]) -> list[Request]:
    """The texts as a message history."""
    return [Request((UserText(text),)) for text in texts]

"""The texts in the log of a team: its messages, and what changed in the states of its members."""

import json
import logging
from dataclasses import dataclass
from typing import Self, cast

from pydantic_core import from_json

from cardwright.actors import deserialize_object
from cardwright.actors.messages import Message
from cardwright.actors.stored import MODEL_KEY
from cardwright.store.teams.json_text import as_text
from cardwright.store.teams.patches import Patch

logger = logging.getLogger(__name__)

STATE_OF = "state_of"
"""The key that tells a change of a state from a message."""

type Data = dict[str, object]


@dataclass(frozen=True, slots=True)
class StateChange:
    """What one stretch of work changed in the state of one member."""

    agent_id: str
    name: str
    patch: Patch

    def dump(self) -> str:
        """Return its text in the log."""
        return as_text({STATE_OF: self.agent_id, "name": self.name, "patch": self.patch})

    @classmethod
    def of(cls, data: Data) -> Self | None:
        """Read it; None if `data` is a message."""
        if STATE_OF not in data or MODEL_KEY in data:
            # A field of a message may have that name.
            return None
        return cls(str(data[STATE_OF]), str(data["name"]), cast("Patch", data["patch"]))


def as_data(text: str) -> Data:
    """Return the object that a text of the log holds.

    Raises:
        ValueError: it is no JSON object.
    """
    try:
        data: object = from_json(text)
    except ValueError:
        # Slower, and not as strict about halves of characters in texts.
        data = json.loads(text)
    if not isinstance(data, dict):
        raise ValueError("the text is no JSON object")  # noqa: TRY004 - bad data, not a bad call
    return cast("Data", data)


def message_of(data: Data, context: object = None) -> Message | None:
    """Return the message, or None with a warning if it cannot be read; the log keeps it."""
    try:
        found = deserialize_object(data, context)
    except ValueError as error:
        logger.warning("A stored %s is left out: %s", data.get("__model__"), _first_line(error))
        return None
    if isinstance(found, Message):
        return found
    logger.warning("A stored %s is left out: its type is not declared.", data.get("__model__"))
    return None


def _first_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]

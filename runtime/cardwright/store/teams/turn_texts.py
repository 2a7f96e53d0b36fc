"""Turns that began and ended are most of a log: what they say is read without taking it apart."""

from datetime import datetime
from typing import Final, NamedTuple

from cardwright.actors.messages import Message, ProcessedMessage, ReceivedMessage
from cardwright.actors.registry import marker_of

# How `MessageTexts` begins and ends such a text; an identifier is as long as any other.
_START: Final = '{"id":"'
_PARENT: Final = '","parent_id":"'
_TEAM: Final = '","team_id":"'
_TIME: Final = '","timestamp":"'
_SENDER: Final = '","sender":{"__actor_address__":'
_AGENT: Final = '"agent_id":"'
_ABOUT: Final = '},"recipient":null,"display_type":"other","message_id":"'
_ENDS: Final = {
    f'","__model__":"{marker_of(kind)}"}}': kind for kind in (ReceivedMessage, ProcessedMessage)
}
_UUID: Final = 36
_PARENT_AT: Final = len(_START) + _UUID
_TEAM_AT: Final = _PARENT_AT + len(_PARENT) + _UUID
_TIME_AT: Final = _TEAM_AT + len(_TEAM) + _UUID
_STARTED: Final = _TIME_AT + len(_TIME)


class TurnText(NamedTuple):
    """What the text of such a message says."""

    id: str
    parent_id: str
    team_id: str
    timestamp: str
    sender_id: str
    message_id: str
    kind: type[Message]

    @property
    def seconds(self) -> float:
        """When it was said, since 1970."""
        return datetime.fromisoformat(self.timestamp).timestamp()


def turn_of(text: str) -> TurnText | None:
    """Return what the text says, or None if it is not exactly such a message."""
    for end, kind in _ENDS.items():
        if text.endswith(end):
            return _read(text, len(text) - len(end) - _UUID, kind)
    return None


def _read(text: str, about_at: int, kind: type[Message]) -> TurnText | None:
    if not (
        text.startswith(_START)
        and text.startswith(_PARENT, _PARENT_AT)
        and text.startswith(_TEAM, _TEAM_AT)
        and text.startswith(_TIME, _TIME_AT)
    ):
        return None
    sender_at = text.find(_SENDER, _STARTED, _STARTED + 64)
    agent_at = text.find(_AGENT, sender_at) + len(_AGENT)
    # Names in the address may hold anything: an escaped quote is no quote, and a brace is rare.
    if sender_at < 0 or not text.endswith(_ABOUT, 0, about_at) or text.count("{") != len("{{"):
        return None
    return TurnText(
        text[len(_START) : _PARENT_AT],
        text[_PARENT_AT + len(_PARENT) : _TEAM_AT],
        text[_TEAM_AT + len(_TEAM) : _TIME_AT],
        text[_STARTED:sender_at],
        text[agent_at : agent_at + _UUID],
        text[about_at : about_at + _UUID],
        kind,
    )

"""Events with which a stored team tells of its own life."""

from dataclasses import dataclass

from cardwright.actors import register_type


@register_type
@dataclass(frozen=True, slots=True)
class TeamResumedEvent:
    """Event: a team that had ended goes on."""

    redelivered: int
    """Messages that waited in mailboxes and were delivered again."""
    interrupted: int
    """Messages whose turns had begun and did not end; they are reported, not repeated."""

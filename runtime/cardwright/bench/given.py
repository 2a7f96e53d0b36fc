"""What a host was given: cards, as copies of its own, and the id of a team."""

from collections.abc import Iterable
from typing import cast
from uuid import UUID

from cardwright.core import ToolCard


def copies_of(cards: object) -> list[ToolCard]:
    """Deep copies of `cards`, a list of cards.

    Raises:
        TypeError: It is no such list; the text says what to write instead.
    """
    if isinstance(cards, ToolCard):
        raise TypeError(f"`cards` is a list: give [{type(cards).__name__}(...)]")
    if isinstance(cards, type) or not isinstance(cards, Iterable):
        raise TypeError(f"`cards` is a list of cards: give [{_example(cards)}]")
    if isinstance(cards, str | dict):
        raise TypeError("`cards` is a list of cards: give [PlanningTool()], or the like")
    return [_card(given).model_copy(deep=True) for given in cast("Iterable[object]", cards)]


def team_id_of(given: UUID | str) -> UUID:
    """The id of a team.

    Raises:
        ValueError: It is no UUID.
    """
    try:
        return UUID(str(given))
    except ValueError:
        raise ValueError(
            "team_id is no UUID: leave it out for a fresh one, or give uuid4() or the id of a "
            "stored team in full"
        ) from None


def _card(given: object) -> ToolCard:
    if isinstance(given, ToolCard):
        return given
    raise TypeError(
        f"{_kind(given)} is no card: give {_example(given)}"
        + ("; names are for agent specs" if isinstance(given, str | dict) else "")
    )


def _kind(given: object) -> str:
    return f"the class {given.__name__}" if isinstance(given, type) else f"a {type(given).__name__}"


def _example(given: object) -> str:
    if isinstance(given, type) and issubclass(given, ToolCard):
        return f"{given.__name__}()"
    return "an instance, such as PlanningTool()"

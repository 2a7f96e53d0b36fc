"""Cards named in an agent spec, found in the installed catalogues."""

from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, cast

from cardwright.actors.registry import CATALOGUE_GROUP
from cardwright.core import ToolCard

type CardSpec = str | dict[str, Any]
"""A card's name, or its name under `card` beside the values of its fields."""


def cards_from_spec(entries: object) -> list[ToolCard]:
    """The cards that an agent spec asks for.

    Raises:
        ValueError: It is no list, or a card is in no installed catalogue, or does not validate.
    """
    if not isinstance(entries, list):
        raise ValueError("`cards` is a list: `cards: [PlanningTool]`")  # noqa: TRY004 - one error type for what a spec says
    return [card_from_spec(entry) for entry in cast("list[CardSpec]", entries)]


def card_from_spec(entry: CardSpec) -> ToolCard:
    """The card an agent spec asks for.

    Raises:
        ValueError: No installed catalogue has the card, or its fields do not validate.
    """
    fields: dict[str, Any] = {"card": entry} if isinstance(entry, str) else dict(entry)
    name = fields.pop("card", None)
    if not isinstance(name, str):
        raise ValueError("name the card: `PlanningTool` or `{card: PlanningTool, ...}`")  # noqa: TRY004 - one error type for what a spec says
    return _card_class(name).model_validate(fields)


def _card_class(name: str) -> type[ToolCard]:
    known = installed_cards()
    if name not in known:
        close = get_close_matches(name, known, n=1)
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(sorted(known))}"
        raise ValueError(f"no installed catalogue has a card {name!r}: {hint}")
    module, _, qualname = known[name].partition(":")
    return cast("type[ToolCard]", getattr(import_module(module), qualname))


def installed_cards() -> dict[str, str]:
    """Card name -> `module:Class`, over all catalogues installed in this environment."""
    found: dict[str, str] = {}
    for entry in entry_points(group=CATALOGUE_GROUP):
        found |= cast("Mapping[str, str]", getattr(entry.load(), "CARDS", {}))
    return found

"""The file that says which cards are served and how they are configured."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import yaml
from pydantic import ValidationError

from cardwright.core import ToolCard


class CardFileError(ValueError):
    """The file is no list of cards, or a card does not take its fields; echoes no value."""


@dataclass(frozen=True, slots=True)
class CardEntry:
    """One card, by its name."""

    name: str
    fields: dict[str, object]

    def made(self, card: type[ToolCard]) -> ToolCard:
        """The card with these fields.

        Raises:
            CardFileError: It does not take them; names the places.
        """
        try:
            return card.model_validate_json(self._json())
        except ValidationError as error:
            found = error.errors(include_input=False, include_url=False)
            lines = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in found]
            raise CardFileError(f"{self.name} does not take this: {'; '.join(lines)}") from None

    def _json(self) -> str:
        try:
            return json.dumps(self.fields, default=str)
        except (TypeError, ValueError, RecursionError):
            raise CardFileError(
                f"{self.name} does not take this: a value holds itself, or is no JSON"
            ) from None


def read_card_file(path: Path) -> Sequence[CardEntry]:
    """The entries of `cards: [PlanningTool, {card: SearchTool, web_search: {...}}]`.

    Raises:
        CardFileError: The file is no such list.
        OSError: It cannot be read.
    """
    try:
        content: object = yaml.safe_load(path.read_bytes())
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # no date; too deep
        place = getattr(error, "problem_mark", None)
        line = "" if place is None else f" at line {place.line + 1}"
        raise CardFileError(f"it is no YAML{line}") from None
    listed = (
        cast("dict[object, object]", content).get("cards") if isinstance(content, dict) else None
    )
    if not isinstance(listed, list) or len(cast("dict[object, object]", content)) != 1:
        raise CardFileError("it holds one key: `cards: [PlanningTool, {card: SearchTool}]`")
    return [_entry(one) for one in cast("list[object]", listed)]


def _entry(given: object) -> CardEntry:
    fields = {"card": given} if isinstance(given, str) else given
    if not isinstance(fields, dict):
        raise CardFileError("an entry is a card's name, or `{card: NAME, field: value}`")
    named = {str(key): value for key, value in cast("dict[object, object]", fields).items()}
    name = named.pop("card", None)
    if not isinstance(name, str):
        raise CardFileError("an entry lacks `card`, the name of the card")
    return CardEntry(name, named)

"""What the other cards must know of a card: small, and storable as JSON."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from cardwright_generator.spec.positions import Place


@dataclass(frozen=True, slots=True)
class PublicName:
    """A name that one endpoint takes on one channel."""

    channel: str
    name: str
    endpoint: str
    place: Place


@dataclass(frozen=True, slots=True)
class Dependency:
    """A card that this one names in `depends_on`."""

    card: str
    optional: bool
    place: Place


@dataclass(frozen=True, slots=True)
class CardFacts:
    """Facts of one card; `as_json` and `from_json` keep them in a cache."""

    path: str
    card: str
    place: Place
    renamed_from: str | None
    renamed_place: Place
    names: tuple[PublicName, ...]
    depends_on: tuple[Dependency, ...]
    types: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the facts as plain JSON data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Rebuild facts from `as_json` data, also after a round trip through JSON text."""
        return cls(
            path=data["path"],
            card=data["card"],
            place=_place(data["place"]),
            renamed_from=data["renamed_from"],
            renamed_place=_place(data["renamed_place"]),
            names=tuple(_public_name(one) for one in data["names"]),
            depends_on=tuple(_dependency(one) for one in data["depends_on"]),
            types=tuple(data["types"]),
        )


def _public_name(data: Mapping[str, Any]) -> PublicName:
    return PublicName(data["channel"], data["name"], data["endpoint"], _place(data["place"]))


def _dependency(data: Mapping[str, Any]) -> Dependency:
    return Dependency(data["card"], data["optional"], _place(data["place"]))


def _place(value: list[int] | tuple[int, int]) -> Place:
    line, column = value
    return line, column

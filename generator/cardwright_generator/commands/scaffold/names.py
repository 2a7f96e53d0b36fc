"""The names that follow from the one name a user gives."""

import keyword
import re
import sys
from dataclasses import dataclass

from cardwright_generator.model.naming import folder, snake, stem
from cardwright_generator.spec.naming import module_name
from cardwright_generator.spec.visible import visible

_CARD = re.compile(r"[A-Z][A-Za-z0-9]*")


@dataclass(frozen=True, slots=True)
class CardNames:
    """Names of the files and classes of one new card."""

    card: str
    package: str
    """Import package of the generated cards."""
    logic: str
    """Import package of the handwritten logic."""

    @property
    def stem(self) -> str:
        """`WeatherTool` as `Weather`."""
        return stem(self.card)

    @property
    def folder(self) -> str:
        """`WeatherTool` as `weather`: its spec, its logic folder and its tests."""
        return folder(self.card)

    @property
    def module(self) -> str:
        """Name of its spec: as `folder`, also where that is a keyword of Python."""
        return module_name(self.card)

    @property
    def capability(self) -> str:
        """Its first capability; the prefix keeps it clear of reserved names."""
        return f"ask_{snake(self.stem)}"

    @property
    def actor(self) -> str:
        """Key of the actor of a card that has one; the suffix keeps it clear of reserved names."""
        return f"{snake(self.stem)}_shared"

    @property
    def write(self) -> str:
        """The capability by which such a card changes what the team shares."""
        return f"note_{snake(self.stem)}"

    @property
    def read(self) -> str:
        """The capability by which such a card shows it."""
        return f"{snake(self.stem)}_notes"


def card_name(text: str) -> str:
    """`text` as the class name of a card.

    Raises:
        ValueError: It is no class name.
    """
    if not _CARD.fullmatch(text):
        words = re.split(r"[^A-Za-z0-9]+", text.lstrip("0123456789"))
        proposal = "".join(part.capitalize() for part in words).removesuffix("tool") or "Weather"
        message = f"{text!r} is no name of a card: give a class name such as {proposal}Tool"
        raise ValueError(message)
    return text


@dataclass(frozen=True, slots=True)
class ProjectNames:
    """Names in a new project, derived from its folder."""

    title: str
    base: str

    @property
    def package(self) -> str:
        """Import package of the generated cards."""
        return f"{self.base}_cards"

    @property
    def distribution(self) -> str:
        """Name under which the project is installed."""
        return self.package.replace("_", "-")

    @classmethod
    def of(cls, title: str) -> "ProjectNames":
        """From the name of a folder: `acme-cards` gives `acme` and `acme_cards`."""
        words = re.sub(r"[^a-z0-9_]+", "_", snake(title)).strip("_").removesuffix("_cards")
        base = words if words.isidentifier() else f"my_{words}".rstrip("_")
        taken = base in sys.stdlib_module_names or keyword.iskeyword(base)
        if taken or base in {"cardwright", "tests", "generated", "cards"}:
            base = f"my_{base}"
        return cls(title=visible(title), base=base)

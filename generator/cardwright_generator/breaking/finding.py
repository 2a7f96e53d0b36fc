"""One thing that changed: which rule says so, where in both versions, and how it is told apart."""

from dataclasses import dataclass
from hashlib import sha256

from .rule import Category, Level, Rule

FINGERPRINT = 12
"""Hexadecimal digits of a fingerprint."""


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """A place in a file of one version; lines and columns from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        """`file:line:column`."""
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found."""

    rule: Rule
    card: str
    """The card, or the file of shared types, that it is about."""
    subject: str
    """The part of it, as a dotted path without positions."""
    message: str
    before: Spot | None
    """Where it stood; `None` where its file is new."""
    after: Spot | None
    """Where it stands; `None` where its file is gone."""
    old: str = ""
    new: str = ""

    @property
    def level(self) -> Level:
        """How bad it is."""
        return self.rule.level

    @property
    def category(self) -> Category:
        """Whom it concerns."""
        return self.rule.category

    @property
    def fingerprint(self) -> str:
        """Names this very change: the same whatever lines move, another for another change."""
        said = f"{self.rule.id}\0{self.card}\0{self.subject}\0{self.old}\0{self.new}"
        return sha256(said.encode()).hexdigest()[:FINGERPRINT]

    @property
    def order(self) -> tuple[str, int, int, int, str, str]:
        """The key by which findings are listed: by place, the worst first."""
        spot = self.after or self.before or Spot("", 0, 0)
        return (spot.file, spot.line, spot.column, -self.level, self.rule.id, self.subject)

"""Comparing: two versions of a project's specs in, findings out."""

from .cards import compare_cards
from .comparison import Comparison
from .finding import Finding
from .named_types import compare_commons
from .sides import Side


def compare(old: Side, new: Side) -> tuple[Finding, ...]:
    """Everything that differs between two versions, in order of its place."""
    found = Comparison(old, new)
    compare_cards(found)
    compare_commons(found)
    return found.findings()

"""What a change of specs breaks: two versions of resolved contracts, compared rule by rule.

`compare` is pure: two sides in, findings out. `load_sides` reads a git reference or a folder.
"""

from .compare import compare
from .finding import Finding, Spot
from .loading import Sides, load_sides
from .rule import Category, Level, Rule, Step
from .rules import UnknownRuleError, all_rules, rule_of
from .sides import Side
from .verdict import Verdict, judge

__all__ = [
    "Category",
    "Finding",
    "Level",
    "Rule",
    "Side",
    "Sides",
    "Spot",
    "Step",
    "UnknownRuleError",
    "Verdict",
    "all_rules",
    "compare",
    "judge",
    "load_sides",
    "rule_of",
]

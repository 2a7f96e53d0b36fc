"""The checks of what a well-formed spec says: one family per module, one function per check."""

from cardwright_generator.spec.checks import (
    arguments,
    capabilities,
    clashes,
    conditions,
    declarations,
    dialect,
    endpoints,
    hiding,
    names,
    objects,
    shared,
    states,
    texts,
)
from cardwright_generator.spec.rules import run_checks

__all__ = ["FAMILIES", "run_checks"]

FAMILIES = (
    names,
    clashes,
    hiding,
    dialect,
    objects,
    arguments,
    shared,
    texts,
    endpoints,
    states,
    capabilities,
    conditions,
    declarations,
)
"""Importing a family registers its checks."""

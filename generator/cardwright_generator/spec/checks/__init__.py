"""The checks of what a well-formed spec says: one family per module, one function per check."""

from cardwright_generator.spec.checks import (
    arguments,
    bounds,
    capabilities,
    clashes,
    conditions,
    declarations,
    dialect,
    endpoints,
    hiding,
    names,
    objects,
    past,
    pythons,
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
    bounds,
    arguments,
    pythons,
    shared,
    texts,
    endpoints,
    states,
    capabilities,
    past,
    conditions,
    declarations,
)
"""Importing a family registers its checks."""

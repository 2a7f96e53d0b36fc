"""The failures a logic raises against those that its spec declares."""

import ast
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from .logic import Flaw
from .modules import Found, Modules


def flaws_of_failures(
    logic: Found, contract: str, declared: Sequence[str], modules: Modules
) -> Iterator[Flaw]:
    """Calls `self.retry("id", ...)`, in a logic and its handwritten bases, of undeclared ids.

    Only ids that are written out are seen; what a variable holds is for a type checker.
    """
    bases = modules.ancestors(logic, stop=contract)
    bases.pop(contract, None)
    for owner in [logic, *(base for base in bases.values() if base is not None)]:
        for given in _given_ids(owner.node):
            name = str(given.value)
            if name not in declared:
                yield Flaw(owner, given, "CW919", *_told(name, declared))


def _given_ids(node: ast.ClassDef) -> Iterator[ast.Constant]:
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "self.retry":
            named = [one.value for one in call.keywords if one.arg == "failure"]
            for given in [*call.args[:1], *named]:
                yield from texts_of(given)


def texts_of(given: ast.expr) -> Iterator[ast.Constant]:
    """The texts that an expression may be."""
    if isinstance(given, ast.IfExp):
        yield from texts_of(given.body)
        yield from texts_of(given.orelse)
    elif isinstance(given, ast.BoolOp):
        for one in given.values:
            yield from texts_of(one)
    elif isinstance(given, ast.Constant) and isinstance(given.value, str):
        yield given


def _told(name: str, declared: Sequence[str]) -> tuple[str, str]:
    """Message and hint about an undeclared failure."""
    message = f"'{name}' is no failure of the spec that surfaces as a retry"
    near = get_close_matches(name, declared, n=1)
    declare = f"declare it: `failures: {{{name}: {{surfaces: retry, when: ...}}}}`"
    return message, f"did you mean '{near[0]}'?" if near else declare

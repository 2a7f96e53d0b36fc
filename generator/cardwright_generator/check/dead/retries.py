"""Which failures code raises, as far as that can be proven."""

import ast
from collections.abc import Iterable, Iterator, Sequence

from cardwright_generator.check.failures import texts_of
from cardwright_generator.check.modules import Module

from .reach import says


def never_raised(declared: Sequence[str], modules: Sequence[Module]) -> Iterator[str]:
    """Failures that surface as a retry and that no reached module can raise.

    While every id is written out where it is raised, those are all; once a variable holds one, a
    failure counts as raised if its id is a text anywhere in these modules.
    """
    raised, all_told = set[str](), True
    for given in _given(modules):
        found = [str(one.value) for one in texts_of(given)]
        raised.update(found)
        all_told &= bool(found)
    for name in declared:
        if name not in raised and (all_told or not says(modules, name)):
            yield name


def _given(modules: Iterable[Module]) -> Iterator[ast.expr]:
    """What is given as the id, to `retry` of a logic or to the error itself."""
    for module in modules:
        if "retry" not in module.text and "RetriableError" not in module.text:
            continue
        for call in ast.walk(module.tree):
            if isinstance(call, ast.Call):
                name = ast.unparse(call.func).rpartition(".")[2]
                if name == "retry" and call.args:
                    yield call.args[0]
                if name in {"retry", "RetriableError"}:
                    yield from (one.value for one in call.keywords if one.arg == "failure")

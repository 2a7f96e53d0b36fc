"""Mutants of every shipped spec: each is caught by the right guard, category and level."""

from collections import Counter
from pathlib import Path

import pytest
from tests.mutation.mutants import OPERATORS
from tests.mutation.sampling import sample
from tests.mutation.spec_score import Bench, specs

ONE_IN = 120
"""The whole run is `python -m tests.mutation`."""


@pytest.fixture(scope="module")
def bench(root: Path) -> Bench:
    return Bench.of(specs(root))


def test_specs_have_mutants_of_most_operators(bench: Bench) -> None:
    count = Counter(mutant.operator for mutant in bench.mutants())
    assert len(count) >= 80
    assert count.keys() <= OPERATORS.keys()
    assert {mutant.file for mutant in bench.mutants()} == set(bench.specs)


def test_unchanged_specs_are_not_caught(bench: Bench) -> None:
    for file, data in bench.specs.items():
        assert bench.caught(file, data) == ()


def test_a_sample_of_mutants_is_caught_by_the_right_guard(bench: Bench) -> None:
    survivors = [
        outcome.told
        for mutant in sample(bench.mutants(), ONE_IN)
        if (outcome := bench.outcome(mutant)).survived
    ]
    assert survivors == []


def test_a_guard_that_is_not_met_is_told(bench: Bench) -> None:
    """The bench itself can fail: a mutant held against the guard of another survives."""
    first, second = (
        next(m for m in bench.mutants() if m.operator == name)
        for name in ("rename_tool", "rename_param")
    )
    assert bench.outcome(first.guarded_by(second)).survived

"""A sample of mutants that is the same in every run, and holds one of each operator."""

from collections.abc import Iterable, Iterator
from hashlib import sha256

from tests.mutation.mutants import Mutant


def sample(every: Iterable[Mutant], one_in: int) -> Iterator[Mutant]:
    """One in so many mutants, chosen by what they are called, and the first of each operator."""
    met = set[str]()
    for mutant in every:
        name = f"{mutant.operator} {mutant.file} {mutant.where}"
        chosen = int(sha256(name.encode()).hexdigest(), 16) % one_in == 0
        if chosen or mutant.operator not in met:
            met.add(mutant.operator)
            yield mutant

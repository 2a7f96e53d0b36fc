"""One way to measure: the best of several rounds, recorded by pytest-benchmark."""

from collections.abc import Callable
from typing import Any, Protocol, cast

import pytest
from pytest_benchmark.fixture import BenchmarkFixture


class Measure(Protocol):
    """Measure a call; the shortest round counts, other processes only ever add time."""

    def __call__(self, function: Callable[[], object], *, rounds: int = 5, loops: int = 1) -> float:
        """Seconds of one call."""
        ...


@pytest.fixture
def measure(benchmark: BenchmarkFixture) -> Measure:
    """Measure calls in this test; only one measurement is recorded per test."""
    recording = cast("Any", benchmark)

    def best(function: Callable[[], object], *, rounds: int = 5, loops: int = 1) -> float:
        recording.pedantic(function, rounds=rounds, iterations=loops)
        return cast("float", recording.stats.stats.min)

    return best


@pytest.fixture
def note(benchmark: BenchmarkFixture) -> Callable[..., None]:
    """Keep a figure beside the measurement: `note(added_us=1.2)`."""

    def keep(**figures: float) -> None:
        cast("dict[str, float]", cast("Any", benchmark).extra_info).update(figures)

    return keep

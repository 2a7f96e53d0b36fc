"""`python -m tests.mutation`: the whole run, its score, and every survivor."""

import sys
from pathlib import Path

from tests.mutation.generated_score import GeneratedBench, explained
from tests.mutation.spec_score import Bench, specs

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Run every mutant; exit code 1 if a spec survives, or more than one in twenty of the code."""
    bench = Bench.of(specs(ROOT))
    outcomes = [bench.outcome(mutant) for mutant in bench.mutants()]
    lost = [outcome for outcome in outcomes if outcome.survived]
    operators = {outcome.mutant.operator for outcome in outcomes}
    _told("specs", len(outcomes), len(lost), len(operators))
    for outcome in lost:
        sys.stdout.write(f"  {outcome.told}\n")
    with GeneratedBench.of(ROOT) as code:
        results = list(code.outcomes())
    alive = [result for result in results if not result.caught_by]
    _told("generated code", len(results), len(alive), len({one.operator for one in results}))
    for result in alive:
        sys.stdout.write(f"  {result.told}: {explained(result)}\n")
    return int(bool(lost) or len(alive) * 20 > len(results))


def _told(what: str, total: int, alive: int, operators: int) -> None:
    caught = total - alive
    score = 100 * caught / total
    text = f"{what}: {caught} of {total} mutants of {operators} operators caught, {score:.1f} %\n"
    sys.stdout.write(text)


if __name__ == "__main__":
    raise SystemExit(main())

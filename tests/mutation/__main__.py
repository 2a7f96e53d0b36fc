"""`python -m tests.mutation`: the whole run, its score, and every survivor.

`python -m tests.mutation N` runs one in N mutants of generated code, without the type checker.
"""

import sys
from importlib import import_module
from pathlib import Path

from tests.mutation.generated_score import GeneratedBench, explained
from tests.mutation.spec_score import Bench, specs

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: list[str]) -> int:
    """Run every mutant; exit code 1 if a spec survives, or more than one in twenty of the code."""
    failed = False if arguments else specs_survive()
    one_in = int(arguments[0]) if arguments else 1
    return int(code_survives(one_in, typed=not arguments) or failed)


def specs_survive() -> bool:
    """Hold every mutant of every spec against its guards."""
    bench = Bench.of(specs(ROOT))
    outcomes = [bench.outcome(mutant) for mutant in bench.mutants()]
    lost = [outcome for outcome in outcomes if outcome.survived]
    operators = {outcome.mutant.operator for outcome in outcomes}
    _told("specs", len(outcomes), len(lost), len(operators))
    for outcome in lost:
        sys.stdout.write(f"  {outcome.told}\n")
    return bool(lost)


def code_survives(one_in: int, *, typed: bool) -> bool:
    """Hold mutants of generated code against tests, snapshots and, what is left, types."""
    # Children inherit what guards need, which is slow to import.
    import_module("tests.contracts.test_contracts_schemas")
    with GeneratedBench.of(ROOT) as code:
        mutants = list(code.mutants(one_in))
        if blind := [one.file for one in code.originals(mutants) if code.caught(one)]:
            sys.stdout.write(f"guards that catch what is no mutant prove nothing: {blind}\n")
            return True
        results = list(code.outcomes(mutants, typed=typed))
    alive = [result for result in results if not result.caught_by]
    _told("generated code", len(results), len(alive), len({one.operator for one in results}))
    for result in alive:
        sys.stdout.write(f"  {result.told}: {explained(result)}\n")
    return len(alive) * 20 > len(results)


def _told(what: str, total: int, alive: int, operators: int) -> None:
    caught = total - alive
    score = 100 * caught / total
    text = f"{what}: {caught} of {total} mutants of {operators} operators caught, {score:.1f} %\n"
    sys.stdout.write(text)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

"""What `import cardwright` costs beyond `import pydantic`."""

import subprocess
import sys
from collections.abc import Callable
from statistics import median

import pytest

ROUNDS = 9


def seconds(statement: str) -> float:
    """Time of the statement inside a fresh interpreter that has imported pydantic before."""
    code = (
        "import time; from pydantic import BaseModel, Field\n"
        f"start = time.perf_counter()\n{statement}\nprint(time.perf_counter() - start)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


@pytest.mark.parametrize(
    ("statement", "limit"),
    [("import cardwright", 0.150), ("from cardwright.core import *", 0.300)],
)
def test_import_adds_little_to_pydantic(
    statement: str, limit: float, measure: Callable[..., float], note: Callable[..., None]
) -> None:
    measure(lambda: seconds(statement), rounds=1)
    spent = [seconds(statement) for _ in range(ROUNDS)]
    note(best_ms=1000 * min(spent), median_ms=1000 * median(spent))
    assert min(spent) < limit

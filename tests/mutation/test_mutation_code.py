"""Mutants of generated code: caught by wiring tests and snapshots, not by the drift check."""

import ast
import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from subprocess import CompletedProcess

from tests.mutation.code_operators import CODE_OPERATORS, LOOKED_AT

type Run = Callable[..., CompletedProcess[str]]

ONE_IN = 120
"""The whole run is `python -m tests.mutation`."""


def test_a_sample_is_caught(python: Run, root: Path) -> None:
    """In a process of its own: its children must start without any generated card.

    The run holds the modules as they are first, which nothing may catch.
    """
    done = python("-m", "tests.mutation", str(ONE_IN), cwd=root)
    assert done.returncode == 0, done.stdout + done.stderr
    score = re.search(r"generated code: (\d+) of (\d+) mutants", done.stdout)
    assert score is not None
    assert int(score[2]) >= 8


def test_every_operator_has_something_to_change(root: Path) -> None:
    package = root / "generated/cardwright_cards"
    missing = CODE_OPERATORS.keys() - {"drop_from_table_of_names"}
    for path in sorted(package.glob("*/*.py"), key=lambda one: one.stat().st_size):
        nodes = [n for n in ast.walk(ast.parse(path.read_bytes())) if isinstance(n, LOOKED_AT)]
        missing -= {m for m in missing if any(CODE_OPERATORS[m](deepcopy(n)) for n in nodes)}
    assert missing == set()

"""The examples of typed tools, run as scripts."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

type Run = Callable[..., subprocess.CompletedProcess[str]]

FOLDER = Path(__file__).parent / "tools"
PRINTED = {
    "declaration": [
        "fare - Price a stay.",
        "Osaka: 80 EUR for anyone",
        "Osaka: 80 EUR for acme",
        '   "description": "Where the traveller boards.",',
    ],
    "refusals": [
        "('card', 'leg', 'lg', 'seats')",
        "Tool `book` did not run: its arguments were refused.",
        "- seats: must be an integer",
        "1 seats to Bath, 2 nights, ['sea']",
        "2",
    ],
    "registry": [
        "['rooms', 'partner']",
        "  span: rooms by planner ok",
        "  span: refund by planner refused ToolNotPermittedError",
        "agent 'planner' may not call 'refund': it may call rooms, partner",
        "  span: partner by planner timed_out ToolTimedOutError",
    ],
}


@pytest.mark.parametrize("example", sorted(PRINTED))
def test_an_example_prints_what_it_shows(example: str, python: Run) -> None:
    done = python(str(FOLDER / f"{example}.py"))

    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line for line in PRINTED[example] if line not in lines] == []
    assert "4000 1234" not in done.stdout

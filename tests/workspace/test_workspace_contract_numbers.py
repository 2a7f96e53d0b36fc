"""Each numbered edge case and trap of the contract has a test that names it."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent
NAMES = [
    name
    for folder in ("workspace", "sandbox")
    for file in sorted((TESTS / folder).rglob("test_*.py"))
    for name in re.findall(r"def (test_\w+)", file.read_text())
]
NOT_NUMBERS = re.compile(
    r"trap_\d+|version_\d|300_kb|200_lines|20_seconds|244_bytes|32_programs|50_000|utf_8"
)


@pytest.mark.parametrize("number", range(1, 59))
def test_an_edge_case_is_named(number: int) -> None:
    named = [n for n in NAMES if re.search(rf"_{number}(?![a-z0-9])", NOT_NUMBERS.sub("", n))]
    assert named, f"no test names edge case {number} of section 9"


@pytest.mark.parametrize("number", range(1, 26))
def test_a_trap_is_named(number: int) -> None:
    named = [n for n in NAMES if re.search(rf"_(?:t|trap_){number}(?![a-z0-9])", n)]
    assert named, f"no test names trap T{number} of section 11"

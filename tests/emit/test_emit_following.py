"""A spec changes and the logic does not follow: everything points at the same method."""

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from cardwright_generator.check import check_project
from cardwright_generator.project import Project
from cardwright_generator.writer import Report

type Make = Callable[..., Project]
type Generate = Callable[..., Report]
type Run = Callable[..., CompletedProcess[str]]

ROOT = Path(__file__).resolve().parents[2]
SPEC = """\
card: NoteTool
summary: Notes.
logic: acme.logic:NoteLogic
observer: none
capabilities:
  write:
    param: Write
    endpoints:
      write_note:
        channels: [tool_call]
        doc: Write a note.
        arguments: {text: {type: string, description: What it says.}}
        returns: string
"""
LOGIC = """\
from typing import final, override

from made_cards.note.contract import NoteContract


@final
class NoteLogic(NoteContract):
    @override
    def write_note(self, *, text: str) -> str:
        return text


NoteLogic  # used where the card is bound
"""


@pytest.fixture
def project(make: Make, generate: Generate) -> Project:
    made = make({"note": SPEC}, {"src/acme/__init__.py": "", "src/acme/logic.py": LOGIC})
    generate(made)
    return made


def wiring(project: Project, python: Run) -> str:
    paths = f"{project.root / 'generated'}:{project.root / 'src'}"
    done = python(
        *("-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib"),
        *("generated/tests", "-k", "fits_its_contract"),
        cwd=project.root,
        env={"PYTHONPATH": paths},
    )
    return done.stdout


def mypy(project: Project, python: Run) -> str:
    (project.root / "mypy.ini").write_text(
        "[mypy]\nstrict = true\nexplicit_package_bases = true\n"
        f"mypy_path = generated:src:{ROOT / 'runtime'}\n"
        f"cache_dir = {ROOT / '.mypy_cache' / 'following'}\n",
        "utf-8",
    )
    return python("-m", "mypy", "src/acme/logic.py", cwd=project.root).stdout


@pytest.mark.parametrize(
    ("change", "test_says", "mypy_says", "check_says"),
    [
        pytest.param(
            ("{text: {", "{title: {type: string, description: Its title.}, text: {"),
            "NoteLogic.write_note: is def write_note(self, *, text); "
            "the contract says def write_note(self, *, title, text)",
            'logic.py:9: error: Signature of "write_note" incompatible with supertype',
            ["CW918 'NoteLogic.write_note'"],
            id="another argument",
        ),
        pytest.param(
            ("write_note:", "put_note:"),
            "NoteLogic.put_note: missing; the contract says def put_note(self, *, text)",
            'Method "write_note" is marked as an override, but no base method was found',
            ["CW914 'NoteLogic' lacks the method 'put_note'", "CW916 'NoteLogic.write_note'"],
            id="another name",
        ),
        pytest.param(
            ("returns: string", "returns: string\n        async: true"),
            "NoteLogic.write_note: is def write_note(self, *, text); "
            "the contract says async def write_note(self, *, text)",
            'Return type "str" of "write_note" incompatible with return type',
            ["CW918 'NoteLogic.write_note'"],
            id="asynchronous",
        ),
    ],
)
def test_everything_points_at_the_method(
    project: Project,
    generate: Generate,
    python: Run,
    change: tuple[str, str],
    test_says: str,
    mypy_says: str,
    check_says: list[str],
) -> None:
    (project.root / "specs/note.yaml").write_text(SPEC.replace(*change), "utf-8")
    generate(project)
    assert test_says in wiring(project, python)
    assert mypy_says in mypy(project, python)
    found = [f"{one.code} {one.message}" for one in check_project(project).diagnostics]
    assert all(any(one.startswith(said) for one in found) for said in check_says), found


def test_while_it_follows_nobody_complains(project: Project, python: Run) -> None:
    assert "1 passed" in wiring(project, python)
    assert "Success" in mypy(project, python)
    assert check_project(project).clean

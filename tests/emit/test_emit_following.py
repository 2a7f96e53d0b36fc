"""Specs change and the logic does not follow: everything points at the same methods."""

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
CARDS = {
    "Argued": ("{text: {", "{title: {type: string, description: Its title.}, text: {"),
    "Named": ("write_named:", "put_named:"),
    "Waited": ("returns: string", "returns: string\n        async: true"),
}
"""What changes in each of the three specs."""
SPEC = """\
card: {card}Tool
summary: Notes.
logic: acme.{key}:{card}Logic
observer: none
capabilities:
  {key}:
    param: {card}
    endpoints:
      write_{key}:
        channels: [tool_call]
        doc: Write a note.
        arguments: {{text: {{type: string, description: What it says.}}}}
        returns: string
"""
LOGIC = """\
from typing import final, override

from made_cards.{key}.contract import {card}Contract


@final
class {card}Logic({card}Contract):
    @override
    def write_{key}(self, *, text: str) -> str:
        return text
"""


def texts(template: str) -> dict[str, str]:
    return {card.lower(): template.format(card=card, key=card.lower()) for card in CARDS}


@pytest.fixture
def project(make: Make, generate: Generate) -> Project:
    """Three cards with their logic, all in order."""
    logic = {f"src/acme/{key}.py": text for key, text in texts(LOGIC).items()}
    made = make(texts(SPEC), {"src/acme/__init__.py": "", **logic})
    generate(made)
    return made


def wiring(project: Project, python: Run) -> str:
    """What the wiring tests say about the logic."""
    return python(
        *("-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib"),
        *("generated/tests", "-k", "fits_its_contract"),
        cwd=project.root,
        env={"PYTHONPATH": f"{project.root / 'generated'}:{project.root / 'src'}"},
    ).stdout


def mypy(project: Project, python: Run) -> str:
    """With the options of a project that `new` makes: all of them use one cache."""
    (project.root / "mypy.ini").write_text(
        "[mypy]\nstrict = true\nplugins = pydantic.mypy\nexplicit_package_bases = true\n"
        "mypy_path = src:generated\n",
        "utf-8",
    )
    return python("-m", "mypy", "src/acme", cwd=project.root).stdout


def test_everything_points_at_the_methods(
    project: Project, generate: Generate, python: Run
) -> None:
    assert check_project(project).clean
    for key, text in texts(SPEC).items():
        changed = text.replace(*CARDS[key.capitalize()])
        (project.root / f"specs/{key}.yaml").write_text(changed, "utf-8")
    generate(project)

    tested = wiring(project, python)
    assert "3 failed" in tested
    says = "the contract says"
    for said in (
        f"write_argued: is def write_argued(self, *, text); {says} def write_argued(self, *, title",
        f"NamedLogic.put_named: missing; {says} def put_named(self, *, text)",
        f"write_waited: is def write_waited(self, *, text); {says} async def write_waited(self, *",
    ):
        assert said in tested

    typed = mypy(project, python)
    for said in (
        'acme/argued.py:9: error: Signature of "write_argued" incompatible with supertype',
        'acme/named.py:9: error: Method "write_named" is marked as an override, but no base',
        'acme/waited.py:9: error: Return type "str" of "write_waited" incompatible with return',
    ):
        assert said in typed

    found = {
        f"{one.code} {one.message.split(' is ')[0]}" for one in check_project(project).diagnostics
    }
    assert {
        "CW918 'ArguedLogic.write_argued'",
        "CW914 'NamedLogic' lacks the method 'put_named'",
        "CW916 'NamedLogic.write_named' overrides nothing in 'NamedContract'",
        "CW918 'WaitedLogic.write_waited'",
    } == found

"""Declared renames: a rename for `breaking`, a wiring test in the project, old data that loads."""

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.breaking.breaking_history import History

from cardwright.cli.app import run

type Run = Callable[..., subprocess.CompletedProcess[str]]

SPEC = """\
card: BoardTool
summary: Notes of a team.
logic: acme.board.logic:BoardLogic
observer: none
fields:
  title: {type: string, default: Notes, description: Title of the board.}
types:
  Note:
    description: A note.
    type: object
    required: [text]
    properties:
      text: {type: string, description: What it says.}
      author: {type: string, default: "", description: Who wrote it.}
capabilities:
  show_notes:
    param: ShowNotes
    description: Show notes.
    config:
      limit: {type: integer, default: 5, description: Notes at most.}
    endpoints:
      show_notes:
        channels: [tool_call]
        doc: Show the notes.
        returns: {type: array, items: {$ref: "#/types/Note"}}
        idempotency: read_only
"""
RENAMED = (
    SPEC.replace("card: BoardTool", "card: PinboardTool\nrenamed_from: BoardTool")
    .replace("  title: {", "  heading: {renamed_from: title, ")
    .replace("  Note:\n", "  Pin:\n    renamed_from: Note\n")
    .replace("      author: {", "      writer: {renamed_from: author, ")
    .replace("  show_notes:\n    param", "  show_pins:\n    renamed_from: show_notes\n    param")
    .replace("      limit: {", "      most: {renamed_from: limit, ")
    .replace("#/types/Note", "#/types/Pin")
)
LOGIC = '''\
"""Logic of the board."""

from typing import final, override

from acme_cards.pinboard.contract import PinboardContract


@final
class BoardLogic(PinboardContract):
    """Nothing is pinned."""

    @override
    def show_notes(self, config: object) -> list[object]:
        return []
'''
OLD_NAMES = """
import warnings
from cardwright.actors import deserialize_object, serialize
from cardwright.actors.registry import register_catalogue
from acme_cards.catalogue import TYPES
from acme_cards import board, pinboard
import acme_cards
register_catalogue(TYPES)
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    assert acme_cards.BoardTool is acme_cards.PinboardTool
    assert acme_cards.board.BoardTool is acme_cards.PinboardTool
    assert pinboard.Note is board.Note is pinboard.Pin
    assert board.ShowNotes is pinboard.ShowNotes
assert {one.category for one in told} == {DeprecationWarning}
stored = {
    "__model__": "acme_cards.board.card.BoardTool",
    "title": "Mine",
    "show_notes": {"__model__": "acme_cards.board.card.ShowNotes", "limit": 9},
}
card = deserialize_object(stored)
assert card.heading == "Mine"
assert card.show_pins.most == 9
note = deserialize_object({"__model__": "acme_cards.board.types.Note", "text": "x", "author": "me"})
assert note.writer == "me"
print("loads")
"""


def test_a_declared_rename_is_one_for_breaking_and_for_stored_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, python: Run
) -> None:
    history = History(tmp_path)
    with (tmp_path / "pyproject.toml").open("a", encoding="utf-8") as settings:
        settings.write('logic = ["src"]\n')
    history.commit({"specs/board.yaml": SPEC})
    history.commit(
        {
            "specs/board.yaml": None,
            "specs/pinboard.yaml": RENAMED,
            "src/acme/__init__.py": "",
            "src/acme/board/__init__.py": "",
            "src/acme/board/logic.py": LOGIC,
        }
    )
    found = {one.rule.id: one.level.name for one in history.since("HEAD~1")}
    assert found == {
        "card-renamed": "WARN",
        "capability-renamed": "WARN",
        "field-renamed": "INFO",
        "result-renamed": "WARN",
        "stored-renamed": "INFO",
        "type-renamed": "WARN",
    }
    monkeypatch.chdir(tmp_path)
    assert run(["generate"]) == 0
    wiring = (tmp_path / "generated/tests/test_pinboard_wiring.py").read_text(encoding="utf-8")
    emitted = re.findall(r"^def (test_\w+)", wiring, re.MULTILINE)
    assert {
        "test_loads_what_was_stored_before",
        "test_resolves_an_old_marker",
        "test_an_old_name_imports_with_a_warning",
    } <= set(emitted)
    paths = os.pathsep.join(str(tmp_path / folder) for folder in ("generated", "src"))
    for command in (("-c", OLD_NAMES), ("-m", "pytest", "-q", "generated/tests")):
        done = python(*command, cwd=tmp_path, env={"PYTHONPATH": paths})
        assert done.returncode == 0, done.stdout + done.stderr

"""`check`: every way in which a project is not what it claims to be, each with its code."""

import shutil
from collections.abc import Callable
from subprocess import CompletedProcess

import pytest

from cardwright_generator.check import check_project
from cardwright_generator.digests import generator_digest
from cardwright_generator.project import Project
from cardwright_generator.writer import Report

type Make = Callable[..., Project]
type Generate = Callable[..., Report]
type Run = Callable[..., CompletedProcess[str]]

SPEC = """\
card: BoardTool
summary: A board.
logic: acme.logic:BoardLogic
observer: actor
types:
  Seen:
    description: What is seen.
    base: context
    class: acme.context:Seen
    type: object
    required: [count]
    properties: {count: {type: integer, description: How many.}}
actors:
  board: {name: "#Board", class: acme.actor:BoardActor}
stored: [acme.actor:BoardState]
capabilities:
  look:
    param: Look
    endpoints:
      seen: {channels: [llm_context], state: Seen}
  post:
    param: Post
    endpoints:
      post_note:
        channels: [tool_call]
        doc: Post a note.
        arguments: {text: {type: string, description: What it says.}}
        returns: string
      tear_down: {channels: [tool_call], doc: Tear it down., returns: string, async: true}
"""
LOGIC = """\
from typing import final, override

from made_cards.board.contract import BoardContract as Contract

from .context import Seen


@final
class BoardLogic(Contract):
    @override
    def bind(self) -> None:
        self.board_actor

    @override
    def seen(self) -> Seen:
        return Seen(count=1)

    @override
    def post_note(self, *, text: str) -> str:
        return text

    @override
    async def tear_down(self) -> str:
        return ""

    def _helper(self) -> None: ...
"""
CONTEXT = """\
import made_cards.board.types as types
class Seen(types.SeenBase): ...
"""
SOURCES = {
    "src/acme/__init__.py": "",
    "src/acme/logic.py": LOGIC,
    "src/acme/context.py": CONTEXT,
    "src/acme/actor.py": "from .states import BoardState\nclass BoardActor: ...\n",
    "src/acme/states.py": "class BoardState: ...\n",
}
GENERATE = """
from cardwright_generator.build import build
from cardwright_generator.project import find_project
from cardwright_generator.writer import reconcile
project = find_project()
reconcile(project, build(project))
"""
CARD = "generated/made_cards/board/card.py"


@pytest.fixture
def project(make: Make, generate_once: Callable[[Project], None]) -> Project:
    """A project in which nothing is wrong."""
    made = make({"board": SPEC}, SOURCES)
    generate_once(made)
    return made


def found(project: Project) -> list[str]:
    checked = check_project(project)
    return [f"{one.file}:{one.line}: {one.code} {one.message}" for one in checked.diagnostics]


def edit(project: Project, file: str, old: str, new: str) -> None:
    path = project.root / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_a_right_project_is_clean(project: Project) -> None:
    assert found(project) == []
    assert check_project(project).clean


def test_a_clean_check_imports_nothing_heavy_and_nothing_of_the_project(
    project: Project, python: Run
) -> None:
    # Both in children, one right after the other: this process may have read an older generator.
    python("-c", GENERATE, cwd=project.root)
    heavy = ("pydantic", "yaml", "jinja2", "datamodel_code_generator", "acme", "made_cards")
    code = (
        "import sys; from cardwright_generator.check import check_project; "
        "from cardwright_generator.project import find_project; "
        "print(check_project(find_project()).clean, "
        f"[name for name in {heavy!r} if name in sys.modules])"
    )
    done = python("-c", code, cwd=project.root)
    assert done.stdout.strip() == "True []", done.stderr


def test_a_wrong_spec_is_reported_with_its_own_codes(project: Project) -> None:
    edit(project, "specs/board.yaml", "doc: Post a note.", "dok: Post a note.")
    checked = check_project(project)
    assert checked.diagnostics[0].code == "CW201"
    assert not checked.clean
    assert "specs/board.yaml" in checked.sources


def test_cw901_a_file_is_not_what_the_specs_say(project: Project) -> None:
    edit(project, "specs/board.yaml", "Post a note.", "Post one note.")
    assert f"{CARD}:1: CW901 the file is not what the specs say" in found(project)
    assert '-            """Post one note.' in check_project(project).diffs[CARD]


def test_cw902_a_generated_file_was_edited(project: Project) -> None:
    edit(project, CARD, "Post a note.", "Post my note.")
    assert found(project) == [f"{CARD}:1: CW902 a generated file was edited by hand"]
    assert '+            """Post my note."""' in check_project(project).diffs[CARD]


def test_cw903_no_spec_generates_a_file_any_more(project: Project) -> None:
    (project.root / "specs/board.yaml").unlink()
    codes = {line.split(": ")[1].split()[0] for line in found(project)}
    assert codes == {"CW903", "CW901"}
    stale = "generated/tests/test_board_wiring.py:1: CW903 no spec generates this file any more"
    assert stale in found(project)


@pytest.mark.parametrize(
    "path", ["generated/made_cards/board/mine.py", "generated/tests/test_mine.py"]
)
def test_cw904_a_foreign_file(project: Project, path: str) -> None:
    (project.root / path).write_text("x = 1\n", "utf-8")
    assert found(project) == [f"{path}:1: CW904 nothing generates this file"]


def test_what_python_and_force_leave_behind_is_not_foreign(project: Project) -> None:
    cache = project.root / "generated/made_cards/__pycache__"
    cache.mkdir()
    (cache / "x.cpython-312.pyc").touch()
    (project.root / f"{CARD}.orig").touch()
    assert found(project) == []


def test_cw905_a_generated_file_is_missing(project: Project) -> None:
    (project.root / CARD).unlink()
    assert found(project) == [f"{CARD}:1: CW905 a generated file is missing"]


def test_cw906_an_interrupted_run(project: Project) -> None:
    project.pending.write_text(project.manifest.read_text("utf-8"), "utf-8")
    codes = [line.split()[1] for line in found(project)]
    assert "CW906" in codes


def test_cw905_a_deleted_tree_is_one_finding(project: Project) -> None:
    shutil.rmtree(project.root / "generated")
    (line,) = found(project)
    assert line.startswith("generated:1: CW905 ")
    assert "generated files are missing" in line


def test_cw907_a_manifest_of_another_generator(project: Project, generate: Generate) -> None:
    text = project.manifest.read_text("utf-8")
    project.manifest.write_text(text.replace(generator_digest(), "0" * 64), "utf-8")
    (line,) = found(project)
    assert line.startswith("generated/.cardwright.json:1: CW907 ")
    assert not check_project(project).clean
    generate(project)
    assert found(project) == []
    assert project.manifest.read_text("utf-8") == text


RETRY = 'raise self.retry("no_room" if text else "no_text", "Shorten it.")'
FAILURES = """\
failures:
  no_room: {surfaces: retry, when: the board is full}
  no_text: {surfaces: retry, when: the note is empty}
  unseen: {surfaces: text, when: nobody looks}
"""


@pytest.fixture
def failing(project: Project, generate: Generate) -> Project:
    """The same project, whose logic raises the failures that its spec declares."""
    edit(project, "specs/board.yaml", "capabilities:\n", f"{FAILURES}capabilities:\n")
    edit(project, "specs/board.yaml", "Post\n", "Post\n    failures: [no_room, no_text, unseen]\n")
    edit(project, "src/acme/logic.py", "        return text\n", f"        {RETRY}\n")
    generate(project)
    return project


def test_declared_failures_are_fine(failing: Project) -> None:
    assert found(failing) == []


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ('"no_room"', '"no_rom"', "no_rom"),
        ('"no_text"', '"no_texts"', "no_texts"),
        ('"no_room" if text else "no_text"', '"unseen"', "unseen"),
        ('"no_room" if text else "no_text", ', 'failure="gone", message=', "gone"),
    ],
)
def test_cw919_a_failure_that_the_spec_does_not_declare(
    failing: Project, old: str, new: str, name: str
) -> None:
    edit(failing, "src/acme/logic.py", old, new)
    (line,) = found(failing)
    expected = f"CW919 '{name}' is no failure of the spec that surfaces as a retry"
    assert line == f"src/acme/logic.py:20: {expected}"
    (hint,) = [one.hint for one in check_project(failing).diagnostics]
    assert hint is not None
    assert ("did you mean" in hint) == name.startswith("no_")


def test_cw919_in_a_handwritten_base_and_for_a_spec_without_failures(project: Project) -> None:
    part = 'class Part(Contract):\n    def fail(self):\n        raise self.retry("lost", "")\n'
    edit(project, "src/acme/logic.py", "@final\n", f"{part}\n\n@final\n")
    edit(project, "src/acme/logic.py", "BoardLogic(Contract)", "BoardLogic(Part)")
    (line,) = found(project)
    assert line.startswith("src/acme/logic.py:10: CW919 'lost'")


def test_a_missing_actor_is_told_with_its_base(project: Project) -> None:
    edit(project, "src/acme/actor.py", "BoardActor", "OtherActor")
    (one,) = check_project(project).diagnostics
    assert "`class BoardActor(Akgent[BaseConfig, BaseState])`" in (one.hint or "")


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        (
            "specs/board.yaml",
            "logic: acme.logic:BoardLogic",
            "logic: acme.lojic:BoardLogic",
            "specs/board.yaml:3: CW911 there is no module 'acme.lojic'",
        ),
        (
            "specs/board.yaml",
            "logic: acme.logic:BoardLogic",
            "logic: acme.logic:Logic",
            "specs/board.yaml:3: CW911 module 'acme.logic' has no class 'Logic'",
        ),
        (
            "src/acme/logic.py",
            "    def _helper(self)",
            "    def _helper(self",
            "src/acme/logic.py:26: CW911 the module cannot be read",
        ),
        (
            "src/acme/logic.py",
            "@final\n",
            "",
            "src/acme/logic.py:8: CW912 'BoardLogic' is not final",
        ),
        (
            "src/acme/logic.py",
            "BoardLogic(Contract)",
            "BoardLogic(Seen)",
            "src/acme/logic.py:9: CW913 'BoardLogic' does not extend 'BoardContract'",
        ),
        (
            "src/acme/logic.py",
            "    @override\n    async def tear_down",
            "    async def tear_it",
            "src/acme/logic.py:9: CW914 'BoardLogic' lacks the method 'tear_down'",
        ),
        (
            "src/acme/logic.py",
            "    @override\n    def post_note",
            "    def post_note",
            "src/acme/logic.py:18: CW915 'BoardLogic.post_note' has no @override",
        ),
        (
            "src/acme/logic.py",
            "    def _helper",
            "    @override\n    def _helper",
            "src/acme/logic.py:27: CW916 'BoardLogic._helper' overrides nothing in 'BoardContract'",
        ),
        (
            "src/acme/logic.py",
            "def post_note(self, *, text: str)",
            "def post_note(self, text: str)",
            "src/acme/logic.py:19: CW918 'BoardLogic.post_note' is `def post_note(self, text)`",
        ),
        (
            "src/acme/context.py",
            "types.SeenBase",
            "object",
            "src/acme/context.py:2: CW917 'Seen' does not extend 'SeenBase'",
        ),
        (
            "src/acme/states.py",
            "BoardState",
            "OtherState",
            "specs/board.yaml:15: CW917 module 'acme.actor' has no class 'BoardState'",
        ),
        (
            "specs/board.yaml",
            "acme.actor:BoardActor",
            "acme.actors:BoardActor",
            "specs/board.yaml:14: CW917 there is no module 'acme.actors'",
        ),
    ],
)
def test_handwritten_classes(
    project: Project, generate: Generate, file: str, old: str, new: str, expected: str
) -> None:
    edit(project, file, old, new)
    generate(project)
    assert [line for line in found(project) if line.startswith(expected)], found(project)
    assert not check_project(project).clean


def test_methods_may_come_from_a_handwritten_base(project: Project) -> None:
    edit(project, "src/acme/logic.py", "@final\n", "class Part(Contract):\n    pass\n\n\n@final\n")
    edit(project, "src/acme/logic.py", "BoardLogic(Contract)", "BoardLogic(Part)")
    assert found(project) == []


def test_a_card_on_a_catalogue_without_logic_names_every_gap_at_once(
    project: Project, generate: Generate
) -> None:
    text = (project.root / "src/acme/logic.py").read_text("utf-8")
    bare = text.replace("@override", "").replace("@final", "")
    (project.root / "src/acme/logic.py").write_text(bare, "utf-8")
    generate(project)
    codes = sorted(line.split()[1] for line in found(project))
    assert codes == ["CW912", "CW915", "CW915", "CW915"]

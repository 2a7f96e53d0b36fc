"""The writer: what it writes, what it deletes, and what it never touches."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from cardwright_generator.build import build
from cardwright_generator.project import Project
from cardwright_generator.unchanged import unchanged_files
from cardwright_generator.writer import Report

type Make = Callable[..., Project]
type Generate = Callable[..., Report]

HELLO = """\
card: HelloTool
summary: Greets people.
logic: hello.logic:HelloLogic
observer: none
capabilities:
  greet:
    param: Greet
    endpoints:
      greet:
        channels: [tool_call, command]
        doc: Greet somebody.
        arguments: {name: {type: string, description: Whom to greet.}}
        returns: string
"""
BYE = HELLO.replace("Hello", "Bye").replace("hello", "bye").replace("reet", "art")
CARD = "generated/made_cards/hello/card.py"


def files(root: Path) -> set[str]:
    return {
        path.relative_to(root).as_posix()
        for path in (root / "generated").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_a_second_run_writes_nothing(make: Make, generate: Generate) -> None:
    project = make({"hello": HELLO})
    first = generate(project)
    stamps = {path: (project.root / path).stat().st_mtime_ns for path in files(project.root)}
    second = generate(project)
    assert (len(first.written), second.written, second.deleted) == (second.unchanged, (), ())
    assert stamps == {path: (project.root / path).stat().st_mtime_ns for path in stamps}
    assert unchanged_files(project.root) == second.unchanged


def test_what_a_card_becomes(make: Make, generate: Generate) -> None:
    project = make({"hello": HELLO})
    generate(project)
    assert files(project.root) == {
        "generated/.cardwright.json",
        "generated/card.schema.json",
        "generated/made_cards/README.md",
        "generated/made_cards/__init__.py",
        "generated/made_cards/catalogue.py",
        "generated/made_cards/hello/README.md",
        "generated/made_cards/hello/__init__.py",
        "generated/made_cards/hello/card.py",
        "generated/made_cards/hello/contract.py",
        "generated/made_cards/py.typed",
        "generated/made_cards/specs/hello.yaml",
        "generated/tests/test_hello_wiring.py",
    }


def test_stale_files_tests_and_empty_folders_go(make: Make, generate: Generate) -> None:
    project = make({"hello": HELLO, "bye": BYE})
    generate(project)
    cache = project.root / "generated/made_cards/bye/__pycache__"
    cache.mkdir()
    (cache / "card.cpython-312.pyc").touch()
    (project.root / "specs/bye.yaml").unlink()
    report = generate(project)
    assert "generated/tests/test_bye_wiring.py" in report.deleted
    assert not (project.root / "generated/made_cards/bye").exists()
    assert not any("bye" in path for path in files(project.root))
    assert "Bye" not in (project.root / "generated/made_cards/catalogue.py").read_text("utf-8")


def test_a_renamed_card_leaves_nothing_of_its_old_place(make: Make, generate: Generate) -> None:
    project = make({"hello": HELLO})
    generate(project)
    (project.root / "specs/hello.yaml").unlink()
    (project.root / "specs/bye.yaml").write_text(BYE, "utf-8")
    generate(project)
    assert not any("hello" in path for path in files(project.root))


def test_a_missing_file_comes_back(make: Make, generate: Generate) -> None:
    project = make({"hello": HELLO})
    generate(project)
    (project.root / CARD).unlink()
    assert unchanged_files(project.root) is None
    assert generate(project).written == (CARD,)


def test_a_hand_edit_is_shown_and_stops_the_run(make: Make, generate: Generate) -> None:
    project = make({"hello": HELLO})
    generate(project)
    card = project.root / CARD
    edited = card.read_text("utf-8").replace("Greet somebody.", "Greet me.")
    card.write_text(edited, "utf-8")
    (project.root / "specs/hello.yaml").write_text(HELLO.replace("people", "all"), "utf-8")
    before = {path: (project.root / path).read_bytes() for path in files(project.root)}
    report = generate(project)
    assert report.refused
    assert report.edited == (CARD,)
    assert '+            """Greet me."""' in report.diffs[CARD]
    assert '-            """Greet somebody."""' in report.diffs[CARD]
    assert {path: (project.root / path).read_bytes() for path in before} == before


def test_force_overwrites_an_edit_and_keeps_its_text(make: Make, generate: Generate) -> None:
    project = make({"hello": HELLO})
    generate(project)
    for text in ("# one\n", "# two\n"):
        (project.root / CARD).write_text(text, "utf-8")
        report = generate(project, force=True)
    kept = [project.root / f"{CARD}.orig", project.root / f"{CARD}.orig2"]
    assert [path.read_text("utf-8") for path in kept] == ["# one\n", "# two\n"]
    assert report.kept_edits == (f"{CARD}.orig2",)
    assert "class HelloTool" in (project.root / CARD).read_text("utf-8")


def test_an_edited_stale_file_is_not_deleted(make: Make, generate: Generate) -> None:
    project = make({"hello": HELLO, "bye": BYE})
    generate(project)
    edited = project.root / "generated/made_cards/bye/card.py"
    edited.write_text("# mine\n", "utf-8")
    (project.root / "specs/bye.yaml").unlink()
    assert generate(project).edited == ("generated/made_cards/bye/card.py",)
    assert edited.read_text("utf-8") == "# mine\n"
    generate(project, force=True)
    assert not edited.exists()
    assert edited.with_name("card.py.orig").read_text("utf-8") == "# mine\n"


def test_foreign_files_are_never_overwritten_or_deleted(make: Make, generate: Generate) -> None:
    project = make({"hello": HELLO}, {CARD: "# not ours\n", "generated/made_cards/own.py": "x\n"})
    report = generate(project)
    assert report.refused
    assert report.foreign == (CARD,)
    assert files(project.root) == {CARD, "generated/made_cards/own.py"}
    (project.root / CARD).unlink()
    generate(project)
    (project.root / "specs/hello.yaml").unlink()
    generate(project)
    assert (project.root / "generated/made_cards/own.py").read_text("utf-8") == "x\n"


@pytest.mark.parametrize("broken", ["", "{", "[]", '{"format": 99}', "<<<<<<< HEAD\n", "\x00"])
def test_a_lost_manifest_adopts_what_is_as_it_should_be(
    make: Make, generate: Generate, broken: str
) -> None:
    project = make({"hello": HELLO})
    generate(project)
    kept = project.manifest.read_bytes()
    project.manifest.write_text(broken, "utf-8")
    report = generate(project)
    assert report.written == ()
    assert not report.refused
    assert project.manifest.read_bytes() == kept


def test_a_lost_manifest_never_loses_an_edit(make: Make, generate: Generate) -> None:
    project = make({"hello": HELLO})
    generate(project)
    project.manifest.unlink()
    (project.root / CARD).write_text("# mine\n", "utf-8")
    assert generate(project).foreign == (CARD,)
    assert (project.root / CARD).read_text("utf-8") == "# mine\n"


def test_a_manifest_in_the_midst_of_a_merge_still_tells_ours_from_theirs(
    make: Make, generate: Generate
) -> None:
    project = make({"hello": HELLO})
    generate(project)
    lines = project.manifest.read_text("utf-8").splitlines()
    other = [line.replace(line[-66:-2], "0" * 64) if "card.py" in line else line for line in lines]
    merged = ["<<<<<<< ours", *lines[:9], "=======", *other[:9], ">>>>>>> theirs", *lines[9:]]
    project.manifest.write_text("\n".join(merged), "utf-8")
    (project.root / "specs/hello.yaml").write_text(HELLO.replace("people", "all"), "utf-8")
    report = generate(project)
    assert not report.refused
    assert CARD in report.written
    assert json.loads(project.manifest.read_text("utf-8"))["format"] == 1


def test_a_manifest_of_another_format_still_says_what_is_ours(
    make: Make, generate: Generate
) -> None:
    project = make({"hello": HELLO})
    generate(project)
    files = json.loads(project.manifest.read_text("utf-8"))["files"]
    project.manifest.write_text(json.dumps({"format": 0, "files": files}), "utf-8")
    (project.root / "specs/hello.yaml").write_text(HELLO.replace("people", "all"), "utf-8")
    assert CARD in generate(project).written


def test_a_wrong_spec_changes_nothing(make: Make, generate: Generate) -> None:
    project = make({"hello": HELLO})
    generate(project)
    before = {path: (project.root / path).read_bytes() for path in files(project.root)}
    (project.root / "specs/hello.yaml").write_text(HELLO.replace("doc:", "dok:"), "utf-8")
    made = build(project)
    assert made.failed
    assert [found.code for found in made.diagnostics][:1] == ["CW201"]
    assert {path: (project.root / path).read_bytes() for path in before} == before


def test_the_manifest_says_what_came_from_what(make: Make, generate: Generate) -> None:
    project = make({"hello": HELLO})
    generate(project)
    manifest = json.loads(project.manifest.read_text("utf-8"))
    source = manifest["sources"]["specs/hello.yaml"]
    assert CARD in source["files"]
    assert source["code"]["methods"] == ["greet"]
    assert set(source["files"]) <= set(manifest["files"])


def test_generating_over_an_older_tree(make: Make, generate: Generate) -> None:
    older = HELLO.replace("observer: none", "observer: tool") + (
        "  wave:\n    param: Wave\n    endpoints:\n"
        "      wave: {channels: [tool_call], doc: Wave., returns: string}\n"
    )
    project = make({"hello": older, "bye": BYE})
    generate(project)
    (project.root / "specs/hello.yaml").write_text(HELLO, "utf-8")
    (project.root / "specs/bye.yaml").unlink()
    generate(project)
    over = {path: (project.root / path).read_bytes() for path in files(project.root)}
    for path in over:
        (project.root / path).unlink()
    generate(project)
    assert over == {path: (project.root / path).read_bytes() for path in files(project.root)}


def test_no_temporary_file_is_left(make: Make, generate: Generate) -> None:
    project = make({"hello": HELLO})
    generate(project)
    names = {entry.name for entry in os.scandir(project.root / "generated")}
    assert names == {".cardwright.json", "card.schema.json", "made_cards", "tests"}


def test_a_project_without_specs(make: Make, generate: Generate) -> None:
    project = make()
    (project.root / "specs").mkdir()
    generate(project)
    text = (project.root / "generated/made_cards/__init__.py").read_text("utf-8")
    assert "__all__: list[str] = []" in text
    assert "TYPE_CHECKING" not in text

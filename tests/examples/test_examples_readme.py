"""The README's walkthrough, done as it says, in a folder outside this checkout."""

import contextlib
import re
import shlex
import subprocess
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.examples.conftest import Printed

from cardwright.cli.app import run
from cardwright_generator.spec import load_specs

type Run = Callable[..., subprocess.CompletedProcess[str]]

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"(?:In `(?P<file>[^`]+)`:\n\n)?```(?P<kind>\w*)\n(?P<text>.*?)```", re.DOTALL)


@dataclass(frozen=True)
class Block:
    kind: str
    text: str
    file: str | None


def blocks(heading: str) -> list[Block]:
    """The code blocks of one section."""
    section = TEXT.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    found = BLOCK.finditer(section)
    return [Block(m["kind"], m["text"], m["file"]) for m in found]


@dataclass
class Project:
    """A reader's shell; commands run with this interpreter instead of through `uv run`."""

    here: Path
    cardwright: Run
    python: Run

    def follow(self, steps: list[Block]) -> None:
        for step in steps:
            if step.file is not None:
                (self.here / step.file).write_text(step.text, encoding="utf-8")
                continue
            for line in step.text.splitlines():
                self.enter(line)

    def enter(self, line: str) -> None:
        command = shlex.split(line.removeprefix("$ "))
        if command[0] == "cd":
            self.here = (self.here / command[1]).resolve()
            return
        assert command[:2] == ["uv", "run"]
        if command[2] != "cardwright":
            done = self.python("-m", *command[2:], cwd=self.here)
        elif command[3] == "show":  # imports what was generated
            done = self.cardwright(*command[3:], cwd=self.here)
        else:
            with contextlib.chdir(self.here):
                assert run(command[3:]) == 0, line
            return
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, cardwright: Run, python: Run) -> Project:
    """Both sections write into it, one after the other."""
    here = tmp_path_factory.mktemp("readme") / "cardwright"
    here.mkdir()
    return Project(here, cardwright, python)


def test_the_walkthrough_and_the_card_with_state(project: Project) -> None:
    """Every file that the walkthrough says to fill is one that `new` wrote.

    The card with state is written into the same project; its new module stands beside the logic.
    """
    steps = blocks("Write a card of your own in ten minutes")
    assert [step.kind for step in steps].count("console") == 3
    created = [step for step in steps if step.file is None][:2]
    project.follow(created)
    for step in steps:
        assert step.file is None or (project.here / step.file).is_file(), step.file
    project.follow([step for step in steps if step not in created])
    assert "GlossaryTool" in project.cardwright("list", cwd=project.here).stdout

    steps = blocks("A card with state that a team shares")
    assert [step.kind for step in steps].count("python") == 3
    project.follow(steps)
    made = {p.name for p in project.here.glob("generated/tests/*")}
    assert {"test_glossary_wiring.py", "test_ledger_wiring.py"} <= made


def test_the_specs_of_the_page_are_valid(tmp_path: Path) -> None:
    (first,) = (b for b in blocks("A spec, and what it becomes") if b.kind == "yaml")
    (page,) = (b for b in blocks("The spec language in one page") if b.kind == "yaml")
    found = load_specs({"specs/glossary.yaml": first.text, "specs/board.yaml": page.text})
    assert found.diagnostics == ()
    assert {loaded.spec.card for loaded in found.cards} == {"GlossaryTool", "BoardTool"}


def test_the_bench_of_the_page(printed: Printed) -> None:
    (code,) = (b for b in blocks("Give a card to an agent") if "LocalTeam" in b.text)
    told = printed(code.text)
    assert "Book the movers" in told
    assert "get_planning_task" in told


def test_the_stored_team_of_the_page(tmp_path: Path, printed: Printed, cardwright: Run) -> None:
    (code,) = blocks("Keep a team")
    told = printed(code.text)
    assert "Day 1" in told.partition("Day 2")[2] or told.count("Day 1") == 2
    events = cardwright("team", "events", "5b0c", "--store", "sqlite:///movers.db", cwd=tmp_path)
    assert "knows more: task_list" in events.stdout


def test_the_workspace_of_the_page(
    tmp_path: Path,
    printed: Printed,
    python: Run,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shared, log, sandbox, own, lent = blocks("Share files and run commands")
    assert python("-c", sandbox.text, cwd=tmp_path).returncode == 0  # registers a mode, for good
    told = printed(shared.text)
    assert "It was last written by @Anna." in told
    assert "+Write to us." in told
    assert (tmp_path / "workspaces/site/index.md").is_file()
    command = log.text.removeprefix("$ uv run cardwright ").split()
    monkeypatch.setenv("COLUMNS", "120")
    assert run(command) == 0  # `printed` went into the folder
    assert "write: index.md" in capsys.readouterr().out
    done = python("-c", own.text, cwd=tmp_path)
    assert done.stdout == "Movers\n ['.gitignore', 'a.txt', 'b.txt', 'index.md', 'logo.txt']\n", (
        done.stderr
    )
    replaced = lent.text.replace('"openai:gpt-5.2-mini"', '"test"')
    assert replaced != lent.text
    assert "Movers" in printed(f"{replaced}\nimport asyncio\nprint(asyncio.run(main()))")


def test_the_graph_of_the_page(
    tmp_path: Path, printed: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    (code,) = blocks("Share what a team knows")
    monkeypatch.setenv("CARDWRIGHT_VECTOR_PATH", str(tmp_path))
    told = printed(code.text)
    assert "Done\n" in told
    assert "Relations of the hits:\n- Ann -[lives in]-> Bern" in told
    assert "No task matches.\n" in told
    assert "- entity types: person, town" in told


def test_the_agent_of_the_page(printed: Printed) -> None:
    """Its model is replaced by pydantic-ai's test model, which calls every tool."""
    (code,) = (b for b in blocks("Give a card to an agent") if " Agent(" in b.text)
    replaced = code.text.replace('"openai:gpt-5.2-mini"', '"test"')
    assert replaced != code.text
    assert "Agent(" in printed(f"{replaced}\nprint(agent)")


def test_the_agent_spec_of_the_page(tmp_path: Path, printed: Printed) -> None:
    """Loaded by the code beside it; only the model is another one."""
    (text,) = (b.text for b in blocks("Give a card to an agent") if b.kind == "yaml")
    (code,) = (b.text for b in blocks("Give a card to an agent") if "from_file" in b.text)
    replaced = text.replace("openai:gpt-5.2-mini", "test")
    assert replaced != text
    (tmp_path / "agent.yaml").write_text(replaced, encoding="utf-8")
    assert "TestModel" in printed(f"{code}\nprint(agent.model)")


def test_the_function_beside_cards(printed: Printed) -> None:
    (code,) = blocks("Functions beside cards")
    assert printed(code.text) == "Osaka: 160 EUR\n"


def test_the_test_without_a_model(printed: Printed) -> None:
    (code,) = blocks("Test an agent without a model")
    printed(code.text)


def test_the_table_of_extras_is_the_one_of_the_project() -> None:
    section = TEXT.split("\n## The extras\n", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\| (`.*?`) \|", section, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`([\w-]+)`", row)}
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert named == set(declared["project"]["optional-dependencies"])


def test_the_first_commands_open_the_page() -> None:
    opening = TEXT.split("```", 2)[1].split()
    assert " ".join(opening).startswith(
        "python3 -m pip install uv && python3 -m uv run cardwright demo"
    )


def test_every_command_of_the_table_exists(cardwright: Run) -> None:
    named = re.findall(r"^\| `cardwright (\w+)", TEXT, re.MULTILINE)
    help_text = cardwright("--help").stdout
    assert len(named) == 16
    assert [name for name in named if f" {name} " not in help_text] == []


def test_every_folder_of_the_map_exists() -> None:
    for name in re.findall(r"^\| `(\w+)/` \|", TEXT, re.MULTILINE):
        assert (ROOT / name).is_dir()

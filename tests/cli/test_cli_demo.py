"""`demo`: two agents over one plan, on a scripted model, in plain text when piped."""

import shutil
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from cardwright.cli.app import run

ROOT = Path(__file__).resolve().parents[2]
KEYS = ["ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "OPENAI_API_KEY"]


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the demo prints in a copy of this project, which it may regenerate."""
    here = tmp_path_factory.mktemp("demo")
    shutil.copy(ROOT / "pyproject.toml", here)
    for folder in ("specs", "generated"):
        shutil.copytree(ROOT / folder, here / folder)
    printed = StringIO()
    with chdir(here), redirect_stdout(printed):
        assert run(["demo"]) == 0
    return printed.getvalue()


def lines(shown: str, label: str) -> list[str]:
    return [
        line.split(maxsplit=1)[1] for line in shown.splitlines() if line.startswith(f"   {label} ")
    ]


def test_it_makes_the_catalogue_first(shown: str) -> None:
    (said,) = lines(shown, "generate")
    assert f"{len(list(ROOT.glob('specs/*.yaml')))} specs" in said


def test_tool_calls_and_their_results_are_printed(shown: str) -> None:
    assert [call.split()[0] for call in lines(shown, "call")] == ["update_planning"] * 3
    assert lines(shown, "result") == ["Done", "Done"]


def test_a_refused_call_is_followed_by_its_correction(shown: str) -> None:
    assert lines(shown, "refused") == ["no task 7 to update"]
    before, after = shown.split("   refused ")
    assert '"id": 7' in before.splitlines()[-1]
    assert '"id": 2' in after.splitlines()[1]


def test_the_context_is_told_as_a_difference(shown: str) -> None:
    first, *later = lines(shown, "context")
    assert first == "**Context update 1** — current state."
    last_act = shown.split("4  @Alice", maxsplit=1)[0]
    assert "The team's task board is empty." in last_act
    told = shown.split("@Alice sees what changed")[1].split("5  ", maxsplit=1)[0]
    assert "Changed: #2 status pending -> started" in told
    assert "Order desks" not in told
    assert len(later) >= 3


def test_a_command_answers_with_the_board(shown: str) -> None:
    answer = shown.split("   person     /planning_summary")[1]
    assert "#2 [started] Book the movers" in answer


def test_it_is_short_and_plain(shown: str) -> None:
    assert "\x1b" not in shown
    assert len(shown.splitlines()) < 80
    assert max(map(len, shown.splitlines())) <= 100
    assert [line for line in shown.splitlines() if line != line.rstrip()] == []


def test_outside_the_project_it_plays_without_generating(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["demo"]) == 0
    assert "generate" not in capsys.readouterr().out.split("@Alice plans")[0]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("openai:gpt-5.2-mini", "set the variable OPENAI_API_KEY"),
        ("anthropic:some-model", "set the variable ANTHROPIC_API_KEY"),
        ("google:some-model", "GOOGLE_API_KEY or GEMINI_API_KEY"),
        ("gpt-5.2-mini", "--model takes provider:name"),
        ("nobody:some-model", "nobody"),
    ],
)
def test_a_model_that_cannot_be_used_is_named_before_anything_happens(
    model: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for key in KEYS:
        monkeypatch.delenv(key, raising=False)
    assert run(["demo", "--model", model]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert said in printed.err
    assert printed.err.count("\n") == 1

"""`new` and `init`: what they write, what they refuse."""

import ast
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cardwright.cli.app import run
from cardwright_generator.commands.scaffold import project_files
from cardwright_generator.commands.scaffold.names import CardNames, ProjectNames, card_name

type Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project made by `init`, and the current folder."""
    folder = tmp_path / "acme-cards"
    assert run(["init", str(folder)]) == 0
    monkeypatch.chdir(folder)
    return folder


def files(folder: Path) -> dict[str, str]:
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {p.relative_to(folder).as_posix(): p.read_text(encoding="utf-8") for p in found}


def test_init_names_git_first_unless_a_repository_is_around(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["init", str(tmp_path / "alone")]) == 0
    assert "alone && git init && " in capsys.readouterr().out
    (tmp_path / ".git").mkdir()
    assert run(["init", str(tmp_path / "inside")]) == 0
    assert "git init" not in capsys.readouterr().out


def test_init_writes_a_project_with_one_card(project: Path) -> None:
    assert list(files(project)) == [
        ".gitattributes",
        ".gitignore",
        ".pre-commit-config.yaml",
        ".python-version",
        "README.md",
        "pyproject.toml",
        "specs/hello.yaml",
        "src/acme/__init__.py",
        "src/acme/hello/__init__.py",
        "src/acme/hello/logic.py",
        "tests/hello/test_hello_logic.py",
    ]
    pyproject = files(project)["pyproject.toml"]
    assert 'acme = "acme_cards.catalogue"' in pyproject
    assert 'package = "acme_cards"' in pyproject


def test_a_new_project_installs_what_every_command_needs(project: Path, root: Path) -> None:
    """`docs`, `mcp serve` and `check --dialect all` want extras of their own."""
    made = tomllib.loads(files(project)["pyproject.toml"])
    (asked,) = (one for one in made["dependency-groups"]["dev"] if one.startswith("cardwright["))
    extras = set(asked.removeprefix("cardwright[").removesuffix("]").split(","))
    assert extras == {"anthropic", "generator", "mcp", "pydantic-ai", "site"}
    here = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    assert extras <= here["project"]["optional-dependencies"].keys()


def test_a_new_project_and_a_new_card_are_green_at_once(
    project: Path, cardwright: Run, python: Run
) -> None:
    assert run(["new", "WeatherReportTool"]) == 0
    assert run(["new", "TeamLedgerTool", "--with", "actor,context"]) == 0
    for command in ("generate", "check"):
        assert run([command]) == 0
    assert {"HelloTool", "WeatherReportTool"} <= set(cardwright("list", cwd=project).stdout.split())
    assert "ask_weather_report" in cardwright("show", "WeatherReportTool", cwd=project).stdout
    checked = python("-m", "mypy", cwd=project)
    assert checked.returncode == 0, checked.stdout
    tested = python("-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=project)
    assert tested.returncode == 0, tested.stdout


def test_new_with_an_actor_and_a_context_state(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = files(project)
    capsys.readouterr()
    assert run(["new", "LedgerTool", "--with", "actors"]) == 2
    assert "give `--with actor,context`" in capsys.readouterr().err
    assert files(project) == before
    assert run(["new", "LedgerTool", "--with", "context, actor"]) == 0
    after = files(project)
    assert "class LedgerActor(Akgent[BaseConfig, LedgerState])" in after["src/acme/ledger/actor.py"]
    assert "def render_delta(self, previous" in after["src/acme/ledger/context.py"]
    assert "self.observer.proxy_ask(" in after["src/acme/ledger/logic.py"]


def test_a_new_project_is_typed(project: Path, python: Run) -> None:
    """mypy is in its `dev` group, set up, and finds a failure that no spec declares."""
    assert run(["generate"]) == 0
    assert '"mypy>=' in files(project)["pyproject.toml"]
    checked = python("-m", "mypy", cwd=project)
    assert checked.returncode == 0, checked.stdout
    logic = project / "src/acme/hello/logic.py"
    text = logic.read_text(encoding="utf-8")
    changed = text.replace("if not", 'found = "unkler"\n        if not').replace(
        '"unclear"', "found"
    )
    logic.write_text(changed, encoding="utf-8")
    checked = python("-m", "mypy", cwd=project)
    assert "logic.py" in checked.stdout


@pytest.mark.parametrize(("checkout", "prefix"), [("../cardwright", "uv run "), (None, "")])
def test_commands_fit_the_installation(checkout: str | None, prefix: str) -> None:
    made = project_files(ProjectNames.of("acme"), checkout=checkout)
    assert f"\n{prefix}cardwright check " in made["README.md"]
    assert ("[tool.uv.sources]" in made["pyproject.toml"]) == (checkout is not None)


def test_no_placeholder_reaches_an_agent(project: Path) -> None:
    assert "Say " not in files(project)["specs/hello.yaml"]


def test_new_writes_spec_logic_and_test(project: Path) -> None:
    before = files(project)
    assert run(["new", "WeatherTool"]) == 0
    after = files(project)
    assert sorted(after.keys() - before.keys()) == [
        "specs/weather.yaml",
        "src/acme/weather/__init__.py",
        "src/acme/weather/logic.py",
        "tests/weather/test_weather_logic.py",
    ]
    spec = yaml.safe_load(after["specs/weather.yaml"])
    assert spec["logic"] == "acme.weather.logic:WeatherLogic"
    logic = ast.parse(after["src/acme/weather/logic.py"])
    (made,) = [node for node in logic.body if isinstance(node, ast.ClassDef)]
    assert made.name == "WeatherLogic"
    assert "final" in [ast.unparse(decorator) for decorator in made.decorator_list]


def test_new_refuses_to_overwrite_and_then_writes_nothing(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logic = project / "src/acme/weather/logic.py"
    logic.parent.mkdir()
    logic.write_text("mine = True\n", encoding="utf-8")
    before = files(project)
    capsys.readouterr()
    assert run(["new", "WeatherTool"]) == 2
    assert "already there: src/acme/weather/logic.py" in capsys.readouterr().err
    assert files(project) == before


def test_init_refuses_to_overwrite(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = files(project)
    capsys.readouterr()
    assert run(["init", "."]) == 2
    assert "already there" in capsys.readouterr().err
    assert files(project) == before


def test_a_file_in_the_way_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "acme").touch()
    assert run(["init", str(tmp_path / "acme")]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1


def test_several_logic_packages_need_a_choice(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "src/other").mkdir()
    (project / "src/other/__init__.py").touch()
    capsys.readouterr()
    assert run(["new", "WeatherTool"]) == 2
    assert "choose with --package" in capsys.readouterr().err
    assert run(["new", "WeatherTool", "--package", "other"]) == 0
    assert (project / "src/other/weather/logic.py").is_file()


def test_no_logic_package_is_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "src/acme/__init__.py").unlink()
    capsys.readouterr()
    assert run(["new", "WeatherTool"]) == 2
    assert "no package with an __init__.py in src" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("title", "base", "package"),
    [
        ("acme-cards", "acme", "acme_cards"),
        ("My Project", "my_project", "my_project_cards"),
        ("json", "my_json", "my_json_cards"),
        ("cardwright", "my_cardwright", "my_cardwright_cards"),
        ("2024", "my_2024", "my_2024_cards"),
        ("class", "my_class", "my_class_cards"),
        ("...", "my", "my_cards"),
    ],
)
def test_names_of_a_project(title: str, base: str, package: str) -> None:
    names = ProjectNames.of(title)
    assert (names.base, names.package) == (base, package)


@given(st.text(max_size=30))
def test_any_folder_gives_importable_names(title: str) -> None:
    names = ProjectNames.of(title)
    assert names.base.isidentifier()
    assert names.package.isidentifier()
    assert names.base != names.package


@pytest.mark.parametrize(
    ("text", "proposed"),
    [
        ("weather", "WeatherTool"),
        ("weather-report", "WeatherReportTool"),
        ("9", "WeatherTool"),
    ],
)
def test_a_name_that_is_no_class_name_gets_a_proposal(text: str, proposed: str) -> None:
    with pytest.raises(ValueError, match=proposed):
        card_name(text)


def test_names_of_a_card() -> None:
    names = CardNames(card="WeatherReportTool", package="acme_cards", logic="acme")
    assert (names.stem, names.folder, names.capability) == (
        "WeatherReport",
        "weather_report",
        "ask_weather_report",
    )

"""`list` and `show`: the catalogue as a person and as a program reads it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from cardwright.cli.app import run
from cardwright.cli.catalogue import cards_of, find_card, listed_cards
from cardwright.cli.errors import CommandError
from cardwright.tools import Tool

type Run = Callable[..., CompletedProcess[str]]

FIVE = {"MCPTool", "MetadataTool", "PlanningTool", "SearchTool", "SkillTool"}


def told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert run(arguments) == 0
    return capsys.readouterr().out


def test_list_names_every_card_with_its_summary(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(told(["list", "--json"], capsys))
    assert {row["card"] for row in rows} >= FIVE
    assert all(row.get("summary") or row["deprecated"] for row in rows)
    shown = told(["list"], capsys)
    assert [row["card"] for row in rows if row["card"] not in shown] == []


def test_a_deprecated_card_is_a_pointer_that_the_catalogue_does_not_count(
    capsys: pytest.CaptureFixture[str], root: Path
) -> None:
    rows = json.loads(told(["list", "--json"], capsys))
    (pointer,) = [row for row in rows if "deprecated" in row]
    assert pointer == {
        "card": "ExecTool",
        "deprecated": "WorkspaceTool(workspace_exec=True)",
        "path": "cardwright_cards.exec.card:ExecTool",
        "catalogue": "cardwright_cards",
    }
    table, _, rest = told(["list"], capsys).partition("ExecTool")
    assert table.count("cardwright_cards") == len(rows) - 1
    assert rest == " is deprecated: use WorkspaceTool(workspace_exec=True)\n"
    index = (root / "generated/cardwright_cards/README.md").read_text()
    assert index.count("\n| [") == len(rows) - 1
    assert "\nDeprecated: [`ExecTool`](exec/README.md), use `WorkspaceTool(" in index


@pytest.mark.parametrize("card", sorted(FIVE))
def test_show_tells_what_the_model_is_sent(card: str, capsys: pytest.CaptureFixture[str]) -> None:
    portrait = json.loads(told(["show", card, "--json"], capsys))
    assert portrait["card"] == card
    if portrait["needs"]:
        assert portrait["tools"] == []
        return
    capabilities = {each["name"]: True for each in portrait["capabilities"]}
    made = find_card(card).load().model_validate(capabilities)
    sent = [Tool.from_function(function) for function in made.get_tools()]
    assert [(t["name"], t["description"], t["parameters"]) for t in portrait["tools"]] == [
        (t.name, t.description, t.parameters_schema) for t in sent
    ]


@pytest.mark.parametrize("card", sorted(FIVE))
def test_show_for_people(card: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = told(["show", card], capsys)
    portrait = json.loads(told(["show", card, "--json"], capsys))
    assert shown.startswith(card)
    names = [
        each["name"] for kind in ("fields", "capabilities", "tools") for each in portrait[kind]
    ]
    assert [name for name in names if name not in shown] == []


def test_show_says_what_must_be_configured(capsys: pytest.CaptureFixture[str]) -> None:
    assert "render_metadata.template: give a value" in told(["show", "MetadataTool"], capsys)
    config = '{"render_metadata": {"template": "Client {client}"}}'
    configured = json.loads(told(["show", "MetadataTool", "--config", config, "--json"], capsys))
    assert configured["needs"] == []
    assert configured["system_prompts"] == ["team_metadata"]
    assert [each["name"] for each in configured["commands"]] == ["team_metadata"]


def test_show_with_configuration(capsys: pytest.CaptureFixture[str]) -> None:
    config = '{"get_planning_task": false, "search_planning": {"instructions": "Search first."}}'
    tools = json.loads(told(["show", "PlanningTool", "--config", config, "--json"], capsys))[
        "tools"
    ]
    described = {tool["name"]: tool["description"] for tool in tools}
    assert "get_planning_task" not in described
    assert "Search first." in described["search_planning"]


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("{", "--config does not fit PlanningTool"),
        ("{", "PlanningTool: Invalid JSON"),
        ('{"serch_planning": true}', "did you mean search_planning?"),
        ('{"update_planning": {"expose": ["command"]}}', "tool_call"),
    ],
)
def test_a_wrong_configuration_is_refused(
    config: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["show", "PlanningTool", "--config", config]) == 2
    shown = capsys.readouterr()
    assert said in shown.err
    assert shown.err.count("\n") == 1


def test_the_name_of_a_card_may_be_given_without_tool(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "planning"]) == 2
    assert "did you mean PlanningTool?" in capsys.readouterr().err


def test_a_deprecated_card_is_no_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "ExceTool"]) == 2
    assert "there is no card ExceTool: `cardwright list` names them" in capsys.readouterr().err


def test_cards_are_listed_without_importing_them() -> None:
    assert {card.name for card in listed_cards().values()} >= FIVE


def test_show_says_how_a_configuration_sets_each_capability(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ["show", "PlanningTool", "--config", '{"get_planning": false}']
    assert "as configured" in told(arguments, capsys)
    found = json.loads(told([*arguments, "--json"], capsys))["capabilities"]
    assert {one["name"]: one["state"] for one in found}["get_planning"] == "off"
    assert {one["default"] for one in found} == {"on"}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A generated project whose card has fields of several kinds."""
    folder = tmp_path_factory.mktemp("cards") / "acme"
    assert run(["init", str(folder)]) == 0
    spec = folder / "specs/hello.yaml"
    field = "{type: string, default: You asked, description: How every answer begins.}"
    text = spec.read_text(encoding="utf-8")
    assert field in text
    more = """
  currency: {type: string, default: EUR, pattern: "^[A-Z]{3}$", description: A code.}
  number: {type: string, default: "12", description: A text of digits.}
  limit: {type: integer, minimum: 1, default: 5, description: At most so many.}
  name: {type: string, description: Must be given.}"""
    spec.write_text(text.replace(field, field + more), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert run(["generate"]) == 0
    return folder


def test_show_writes_defaults_and_limits_as_a_spec_does(project: Path, cardwright: Run) -> None:
    done = cardwright("show", "HelloTool", "--json", cwd=project)
    fields = {one["name"]: one for one in json.loads(done.stdout)["fields"]}
    assert {name: one["default"] for name, one in fields.items()} == {
        "greeting": "You asked",
        "currency": "EUR",
        "number": "12",
        "limit": 5,
        "name": None,
    }
    assert [name for name, one in fields.items() if one["required"]] == ["name"]
    assert fields["currency"]["type"] == "str, pattern ^[A-Z]{3}$"
    assert fields["limit"]["type"] == "int, at least 1"
    shown = cardwright("show", "HelloTool", cwd=project).stdout
    rows = {line.split()[0]: line for line in shown.splitlines() if line}
    assert " EUR " in rows["currency"]
    assert '"12"' in rows["number"]
    assert done.stderr == ""


def test_show_remarks_a_spec_that_is_newer(project: Path, tmp_path: Path, cardwright: Run) -> None:
    copy = tmp_path / "acme"
    shutil.copytree(project, copy)
    spec = copy / "specs/hello.yaml"
    spec.write_text(spec.read_text(encoding="utf-8") + "# more\n", encoding="utf-8")
    done = cardwright("show", "HelloTool", "--json", cwd=copy)
    assert done.returncode == 0
    assert "note: specs/hello.yaml changed since this card was generated" in done.stderr
    assert json.loads(done.stdout)["card"] == "HelloTool"


def test_a_catalogue_that_is_not_generated_is_told(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editable installation announces the catalogue even while `generated/` is not there."""
    text = (project / "pyproject.toml").read_text(encoding="utf-8")
    bare = project.parent / "bare"
    bare.mkdir()
    made = text.replace('"acme_cards"\ntests', '"bare_cards"\ntests')
    (bare / "pyproject.toml").write_text(made, encoding="utf-8")
    monkeypatch.chdir(bare)
    with pytest.raises(CommandError, match="run `cardwright generate`"):
        cards_of("bare_cards.catalogue")
    with pytest.raises(CommandError, match="cannot be read"):
        cards_of("other_cards.catalogue")

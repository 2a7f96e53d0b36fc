"""`check --dialect` and `show --dialect`: losses at the lines of specs."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from cardwright.cli.app import run
from cardwright_generator.commands import dialects
from cardwright_generator.commands.pages import page_of
from cardwright_generator.project import Project
from cardwright_generator.providers.places import check_dialects
from cardwright_generator.spec import Catalogue

type Make = Callable[..., Project]
type Load = Callable[[Project], Catalogue]
type Output = pytest.CaptureFixture[str]

SPEC = """\
card: ShopTool
summary: A shop.
logic: acme.shop.logic:ShopLogic
observer: none
types:
  Line:
    description: A line.
    type: object
    required: [article, rate, stock]
    properties:
      article: {$ref: "common.yaml#/types/Article", description: What.}
      rate: {type: number, exclusiveMinimum: 0, description: How dear.}
      stock: {type: object, additionalProperties: {type: integer}, description: Where.}
capabilities:
  order:
    param: Order
    endpoints:
      order:
        channels: [tool_call]
        doc: Order.
        arguments:
          lines: {type: array, items: {$ref: "#/types/Line"}, description: What.}
          day: {type: [string, "null"], format: date, default: null, description: When.}
          pieces: {type: integer, default: 1, description: How many.}
        returns: string
      order_again:
        channels: [tool_call]
        doc: Order again.
        arguments: {line: {$ref: "#/types/Line", description: What.}}
        returns: string
"""
COMMON = """\
types:
  Article: {type: string, maxLength: 9, description: Name of an article.}
"""


@pytest.mark.parametrize("code", ["CW931", "CW932"])
@pytest.mark.parametrize("part", ["Refused", "Accepted"])
def test_the_examples_of_the_rulebook_say_the_truth(
    code: str, part: str, make: Make, load: Load
) -> None:
    section = page_of(code).partition(f"\n## {part}\n")[2].partition("\n## ")[0]
    (spec,) = re.findall(r"^```yaml\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    loaded = load(make({"stock": spec}))
    assert not loaded.diagnostics
    found = [one.code for one in check_dialects(loaded, ["openai-strict"])]
    assert found == ([code] if part == "Refused" else [])


def test_losses_stand_at_their_lines_each_once(make: Make, load: Load) -> None:
    loaded = load(make({"shop": SPEC, "common": COMMON}))
    assert not loaded.diagnostics
    strict = check_dialects(loaded, ["openai-strict"])
    assert [(one.file, one.line, one.column, one.code) for one in strict] == [
        ("specs/common.yaml", 2, 27, "CW932"),
        ("specs/shop.yaml", 13, 29, "CW931"),
        ("specs/shop.yaml", 24, 11, "CW932"),
    ]
    gemini = check_dialects(loaded, ["gemini"])
    assert [(one.line, one.message) for one in gemini] == [
        (12, "gemini: `exclusiveMinimum: 0` is not told"),
        (23, 'gemini: `format: "date"` is told in words only'),
    ]
    assert not check_dialects(loaded, ["json-schema", "openai", "anthropic"])


def test_check_reports_them_only_when_asked(
    make: Make, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    project = make({"shop": SPEC, "common": COMMON}, {"src/acme/__init__.py": ""})
    logic = """from typing import final, override
from made_cards.shop.contract import ShopContract

@final
class ShopLogic(ShopContract):
    @override
    def order(self, *, lines, day, pieces): return ""
    @override
    def order_again(self, *, line): return ""
"""
    (project.root / "src/acme/shop").mkdir(parents=True)
    (project.root / "src/acme/shop/logic.py").write_text(logic, "utf-8")
    monkeypatch.chdir(project.root)
    assert run(["generate"]) == 0
    assert run(["check"]) == 0
    capsys.readouterr()
    assert run(["check", "--dialect", "gemini"]) == 0
    out = capsys.readouterr().out
    assert "specs/shop.yaml:12:28: CW932 gemini: `exclusiveMinimum: 0` is not told" in out
    assert "2 warnings" in out
    assert run(["check", "--dialect", "all", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    assert {one["severity"] for one in found} == {"error", "warning"}
    assert run(["check", "--dialect", "gemeni"]) == 2
    assert (
        "there is no dialect 'gemeni': choose from json-schema, openai" in capsys.readouterr().err
    )

    def found_spec(name: str) -> str | None:
        return None if name == "anthropic" else name

    monkeypatch.setattr(dialects, "find_spec", found_spec)
    assert run(["check", "--dialect", "all"]) == 2
    assert "pip install 'cardwright[anthropic,pydantic-ai]'" in capsys.readouterr().err
    assert run(["check", "--dialect", "gemini"]) == 0


def test_show_prints_what_is_sent_and_what_is_lost(capsys: Output, root: Path) -> None:
    assert run(["show", "PlanningTool", "--dialect", "openai-strict"]) == 0
    out, err = capsys.readouterr()
    tools = json.loads(out)
    assert [one["function"]["name"] for one in tools][:2] == [
        "get_planning_task",
        "update_planning",
    ]
    assert all(one["function"]["strict"] for one in tools)
    assert "specs/planning.yaml:" in err
    assert "CW932 openai-strict: " in err
    assert run(["show", "PlanningTool", "--dialect", "klingon"]) == 2


def test_show_of_an_installed_card_says_the_place_in_the_schema(
    capsys: Output, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["show", "PlanningTool", "--dialect", "openai-strict"]) == 0
    assert "update_planning: #/$defs/TaskCreate/properties/description" in capsys.readouterr().err

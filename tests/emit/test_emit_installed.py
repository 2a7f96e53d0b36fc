"""Cards and shared types of installed catalogues may be named in specs."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cardwright_generator.build import build
from cardwright_generator.installed import installed_catalogues
from cardwright_generator.project import Project, ProjectError
from cardwright_generator.writer import Report

type Make = Callable[..., Project]
type Generate = Callable[..., Report]

SPEC = """\
card: HelloTool
summary: Greets people.
logic: hello.logic:HelloLogic
depends_on: [{card: %s}]
"""
COMMON = """\
types:
  Point:
    description: A place.
    type: object
    properties: {x: {type: integer, default: 0, description: How far.}}
  Way: {description: How to go., enum: [left, right]}
"""
CARD = """\
card: WalkTool
summary: Walks.
logic: walk.logic:WalkLogic
fields:
  start: {$ref: "other_cards/common.yaml#/types/Point", default: {}, description: Where.}
types:
  Trip:
    description: A trip.
    type: object
    required: [steps]
    properties:
      steps:
        type: array
        items: {$ref: "other_cards/common.yaml#/types/Point"}
        description: The steps.
capabilities:
  walk:
    param: Walk
    endpoints:
      walk:
        channels: [tool_call]
        doc: Walk.
        arguments: {way: {$ref: "other_cards/common.yaml#/types/Way", description: Which way.}}
        returns: {$ref: "#/types/Trip"}
"""


def test_the_cards_of_this_distribution_are_known_to_other_projects(make: Make) -> None:
    project = make({"hello": SPEC % "PlanningTool"})
    known = {one.card for one in installed_catalogues(project).facts(frozenset())}
    assert {"PlanningTool", "SkillTool"} <= known
    assert not build(project).failed


def test_an_unknown_card_is_still_unknown(make: Make) -> None:
    found = build(make({"hello": SPEC % "PlaningTool"})).diagnostics
    assert [one.code for one in found] == ["CW804"]
    assert found[0].hint is not None
    assert "PlanningTool" in found[0].hint


def test_a_project_may_have_a_card_of_that_name_of_its_own(make: Make) -> None:
    own = SPEC.replace("Hello", "Search").replace("[{card: %s}]", "[]")
    assert not build(make({"search": own})).failed


def test_a_catalogue_that_is_not_there_is_named(make: Make) -> None:
    nowhere = Project(root=make().root, catalogues=("no_such_cards",))
    with pytest.raises(ProjectError, match="'no_such_cards' is not installed"):
        installed_catalogues(nowhere)


def test_the_projects_own_catalogue_is_not_foreign(make: Make) -> None:
    files = installed_catalogues(make(package="cardwright_cards")).files
    assert not any(file.path.startswith("cardwright_cards/") for file in files)


def test_specs_travel_with_the_package(make: Make, generate: Generate) -> None:
    project = make({"hello": SPEC % "PlanningTool", "common": COMMON})
    generate(project)
    for name in ("hello", "common"):
        shipped = project.root / f"generated/made_cards/specs/{name}.yaml"
        assert shipped.read_bytes() == (project.root / f"specs/{name}.yaml").read_bytes()


def test_shared_types_of_another_catalogue_are_imported_from_there(
    make: Make,
    generate: Generate,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = tmp_path_factory.mktemp("installed")
    (other / "other_cards/specs").mkdir(parents=True)
    (other / "other_cards/__init__.py").touch()
    (other / "other_cards/specs/common.yaml").write_text(COMMON, "utf-8")
    monkeypatch.setattr(sys, "path", [str(other), *sys.path])
    project = make({"walk": CARD})
    (project.root / "pyproject.toml").write_text(
        '[tool.cardwright]\npackage = "made_cards"\ncatalogues = ["other_cards"]\n', "utf-8"
    )
    named = Project(root=project.root, package="made_cards", catalogues=("other_cards",))
    generate(named)
    text = {name: read(named, name) for name in ("card", "types", "contract")}
    assert "from other_cards.common.types import Point, Way" in text["card"]
    assert "Field(default_factory=Point)" in text["card"]
    assert "from other_cards.common.types import Point" in text["types"]
    assert "class Point" not in text["types"]
    assert "def walk(self, *, way: Way) -> Trip" in text["contract"]


def read(project: Project, module: str) -> str:
    path: Path = project.root / f"generated/made_cards/walk/{module}.py"
    return path.read_text("utf-8")

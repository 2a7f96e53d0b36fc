"""Cards of installed catalogues may be named in `depends_on`."""

from collections.abc import Callable

import pytest

from cardwright_generator.build import build
from cardwright_generator.installed import installed_cards
from cardwright_generator.project import Project, ProjectError

type Make = Callable[..., Project]

SPEC = """\
card: HelloTool
summary: Greets people.
logic: hello.logic:HelloLogic
depends_on: [{card: %s}]
"""


def test_the_cards_of_this_distribution_are_known_to_other_projects(make: Make) -> None:
    project = make({"hello": SPEC % "PlanningTool"})
    assert installed_cards(project)["PlanningTool"] == "cardwright_cards.catalogue"
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
    project = make()
    nowhere = Project(root=project.root, catalogues=("no_such_cards",))
    with pytest.raises(ProjectError, match="no_such_cards is not installed"):
        installed_cards(nowhere)


def test_the_projects_own_catalogue_is_not_foreign(make: Make) -> None:
    assert "PlanningTool" not in installed_cards(make(package="cardwright_cards"))

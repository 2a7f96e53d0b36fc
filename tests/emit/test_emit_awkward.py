"""What a fresh reader broke: each fault of the emitted code stays repaired."""

import importlib
from collections.abc import Callable
from typing import Any, cast

import pytest
from pydantic import ValidationError

from cardwright.actors import BaseConfig
from cardwright.core import ToolCard
from cardwright.core.testing import bind_stub, calls_of, stub_logic
from cardwright_generator.build import build
from cardwright_generator.project import Project

type Make = Callable[..., Project]

pytestmark = pytest.mark.usefixtures("importable")


def cards() -> Any:  # noqa: ANN401 - a module that exists while the tests run
    return importlib.import_module("sample_cards.awkward")


def contract() -> Any:  # noqa: ANN401 - likewise
    return importlib.import_module("sample_cards.awkward.contract").AwkwardContract


def card(**fields: object) -> ToolCard:
    made: ToolCard = cards().AwkwardTool.model_validate(fields)
    bind_stub(made, contract(), "answer")
    return made


def tools(**fields: object) -> dict[str, Callable[..., Any]]:
    found = card(**fields).get_tools()
    return {function.__name__: function for function in found}


@pytest.mark.parametrize("value", [True, False, "#store"])
def test_a_bound_applies_to_its_own_type_only(value: object) -> None:
    assert cards().AwkwardTool(mixed=value).mixed == value
    with pytest.raises(ValidationError):
        cards().AwkwardTool(mixed="store")


def test_conditions_look_through_aliases_choices_and_alternatives() -> None:
    made = cards().AwkwardTool
    assert made().depends_on == ["ModelTool"]
    assert made(maybe="x").depends_on == ["TeamTool", "ModelTool"]
    assert "aside" not in tools()
    assert "aside" in tools(switch=False)
    assert "aside" not in tools(switch=True)
    hidden = {"hidden": {"expose": ["tool_call"]}}
    assert "hidden" not in tools(**hidden)
    assert "hidden" in tools(**hidden, deep="x")
    assert "hidden" in tools(**hidden, deep=0)


def test_a_condition_on_another_capability_never_makes_its_param() -> None:
    inner = {"must": "x", "inner": "y"}
    assert cards().AwkwardTool(other=cards().Other(**inner)).depends_on == []
    own = {"own": {"ready": True}}
    assert "owned" not in tools(**own)
    assert "owned" in tools(**own, other=inner)


def test_a_capability_may_depend_on_its_own_configuration() -> None:
    assert "idle" not in tools()
    assert "idle" in tools(own={"ready": True})


def test_a_conditional_argument_does_not_replace_a_tool_of_that_name() -> None:
    found = tools()
    assert list(found)[:2] == ["go", "go_without_a1"]
    assert found["go"].__doc__ == 'Ends in three quotes after 0: """'
    assert found["go_without_a1"].__doc__ == "Not the other one."


def test_configuration_of_another_capability_in_texts_and_defaults() -> None:
    found = tools(switch=False)["aside"]
    assert found.__doc__ == "Look aside, 4 deep."
    found = tools(switch=False, other={"must": "x", "depth": 0})["aside"]
    assert found.__doc__ == "Look aside, 0 deep."
    assert found.__defaults__ == (0,)


def test_a_state_is_rendered_with_the_configuration_of_its_capability() -> None:
    made = cards().AwkwardTool(other=cards().Other(must="x"))
    logic = bind_stub(made, contract(), None)
    assert made.get_system_prompts()[0]() == ""
    (call,) = calls_of(logic)
    assert cast("Any", call.args[0]).must == "x"


def test_a_state_that_cannot_be_read_is_a_note_and_no_error() -> None:
    module = importlib.import_module("samples.awkward")
    made = cards().AwkwardTool(other=cards().Other(must="broken"))
    logic = module.AwkwardLogic(made, None)
    made.adopt(logic, Anybody())
    assert made.get_system_prompts()[0]() == "show_seen is unavailable right now."
    assert made.get_context_states()[0]() is None


class Anybody:
    def notify_event(self, event: object) -> None: ...


def recorded(_logic: object, name: str, _actor_class: object, _config: object) -> str:
    """Stands for `tool_actor`: the name it is asked for."""
    return name


@pytest.mark.parametrize(
    ("fields", "place", "shared"),
    [
        ({}, "#Place-0-{x}", "#Shared-4-team"),
        ({"wid": "w"}, "#Place-w-{x}", "#Shared-4-team"),
        ({"wid": ""}, "#Place--{x}", "#Shared-4-team"),
        ({"number": 7, "other": {"must": "x", "depth": 2}}, "#Place-7-{x}", "#Shared-2-team"),
    ],
)
def test_names_of_actors(fields: dict[str, object], place: str, shared: str) -> None:
    class Agent(Anybody):
        team_id = "team"

    made = cards().AwkwardTool.model_validate(fields)
    agent = Agent()
    recording: Any = type("Recording", (contract(),), {"tool_actor": recorded})
    logic: Any = stub_logic(recording)(made, agent)
    assert (logic.place_actor(BaseConfig()), logic.shared_actor(BaseConfig())) == (place, shared)


def test_a_renamed_class_is_known_where_it_was_stored() -> None:
    types = importlib.import_module("sample_cards.catalogue").TYPES
    assert types["samples.awkward.OldSeen"] == "samples.awkward:Seen"
    assert types["sample_cards.awkward.types.OldSeen"] == "samples.awkward:Seen"


def test_a_fresh_map_behind_an_alias() -> None:
    first, second = cards().AwkwardTool(), cards().AwkwardTool()
    assert first.sizes == {}
    assert first.sizes is not second.sizes


SPEC = "card: {card}\nsummary: One.\nlogic: acme.logic:One\n{more}"


def test_two_specs_never_become_one_file(make: Make) -> None:
    project = make(
        {
            "new": SPEC.format(card="NewTool", more="renamed_from: OldTool\n"),
            "old": SPEC.format(card="OldTool", more=""),
        }
    )
    assert build(project).failed


def test_a_handwritten_stored_class_is_known_under_its_old_name(make: Make) -> None:
    stored = "stored: [{class: 'acme.state:Now', renamed_from: acme.old.Then}]\n"
    files = build(make({"one": SPEC.format(card="OneTool", more=stored)})).files
    [catalogue] = [text for path, text in files.items() if path.endswith("catalogue.py")]
    assert '"acme.old.Then": "acme.state:Now"' in catalogue
    assert '"acme.state.Now": "acme.state:Now"' in catalogue


def test_the_class_of_an_actor_is_known_to_a_resume(make: Make) -> None:
    actors = "actors: {state: {name: '#One', class: 'acme.actor:OneActor'}}\n"
    files = build(make({"one": SPEC.format(card="OneTool", more=actors)})).files
    [catalogue] = [text for path, text in files.items() if path.endswith("catalogue.py")]
    assert '"acme.actor.OneActor": "acme.actor:OneActor"' in catalogue

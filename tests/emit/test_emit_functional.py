"""From the text of a spec to a running card: generate, import, bind, call."""

import asyncio
import importlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from subprocess import CompletedProcess
from typing import Any, cast

import pytest

from cardwright.actors import deserialize_object, resolve_type, serialize
from cardwright.actors.registry import register_catalogue
from cardwright.core import (
    CommandRegistry,
    RetriableError,
    ToolCard,
    ToolFactory,
    ToolObserverGone,
    policy_of,
)
from cardwright_generator.project import Project

pytestmark = pytest.mark.usefixtures("importable")


@dataclass
class Agent:
    """The least an observer can be."""

    events: list[object] = field(default_factory=list[object])

    def notify_event(self, event: object) -> None:
        self.events.append(event)


def cards() -> Any:  # noqa: ANN401 - a module that exists while the tests run
    return importlib.import_module("sample_cards.everything")


def card(**fields: object) -> ToolCard:
    find = cast("dict[str, object]", fields.pop("find", {}))
    needed = {"find": {"needed": ["a", "b"], **find}}
    made: ToolCard = cards().EverythingTool.model_validate({"must": "#a", **needed, **fields})
    return made


def tool(made: ToolCard, position: int = 0) -> Callable[..., Any]:
    return made.get_tools()[position]


def bound(agent: Agent, **fields: object) -> ToolCard:
    with pytest.warns(DeprecationWarning, match="use VectorStoreTool"):
        return card(**fields).observer(agent)


def test_an_asynchronous_tool_with_defaults_from_configuration() -> None:
    agent = Agent()
    made = bound(agent, find={"top": 9})
    find = tool(made)
    found = asyncio.run(find(text="ball", after="x"))
    assert found[0].sizes == {"width": 4, "top": 9, "among": 1}
    again = asyncio.run(find(text="ball", after="x"))
    assert again[0].sizes["among"] == 1, "a default list is not shared by calls"
    assert found[0].id != again[0].id
    assert (policy_of(find).timeout, policy_of(find).parallel_safe) == (2.5, False)


def test_texts_hold_configuration_and_instructions() -> None:
    agent = Agent()
    made = bound(agent, limit=8, find={"top": 9, "instructions": "Be quick."})
    text = tool(made).__doc__
    assert text is not None
    first, instructions, second = text.partition("Additional Instructions:\nBe quick.")
    assert first.startswith('Find up to 9 things in \\ and {braces} of "8".')
    assert instructions
    assert "The second paragraph says it's True." in first + second


def test_a_declared_failure_is_what_the_model_may_correct() -> None:
    agent = Agent()
    made = bound(agent)
    with pytest.raises(RetriableError, match="nothing is called nothing") as raised:
        asyncio.run(tool(made)(text="nothing", after="x"))
    assert raised.value.failure == "missing"


def test_prompt_context_and_commands() -> None:
    agent = Agent()
    made = bound(agent, show={"expose": ["llm_context", "command"]}, limit=5)
    assert made.get_system_prompts()[0]() == "look for a, b"
    state = made.get_context_states()[0]()
    assert state is not None
    assert state.render_full() == "5 things"
    assert [function.__name__ for function in made.get_commands().values()] == [
        "find_text",
        "show_board",
        "_expand",
    ]


def test_commands_through_the_registry() -> None:
    agent = Agent()
    made = bound(agent, show=True, find={"needed": ["a", "b"]})
    registry: CommandRegistry = ToolFactory([]).get_command_registry(
        list(made.get_commands().values())
    )
    line = "/find_text mode=fast all the rest  of it"
    assert registry.dispatch(line) == "fast: all the rest  of it"
    assert "_expand" not in {one.name for one in registry.descriptors()}
    tree = cast("Any", registry.callable("_expand"))(text="t")
    assert tree.children[0].name == "t/child"


def test_a_tool_with_a_type_of_the_spec_reaches_the_observer() -> None:
    agent = Agent()
    made = bound(agent)
    bag = cards().Bag.model_validate(
        {"items": [{"name": "n", "weight": 1, "kind": 1, "sizes": {}}]}
    )
    assert tool(made, 1)(bag=bag) is None
    assert agent.events == [bag]


def test_words_of_ours_in_types() -> None:
    item: dict[str, object] = {
        "name": "n",
        "weight": 1,
        "kind": "a",
        "sizes": {},
        "note": "0123456789abc",
    }
    made = cards().Item.model_validate(item)
    assert made.note == "0123456..."
    with pytest.raises(ValueError, match="two items have the name"):
        cards().Bag.model_validate({"items": [item, item]})


def test_dependencies_follow_configuration() -> None:
    assert card().depends_on == ["TeamTool"]
    assert card().optional_dependencies == {"VectorStoreTool", "ModelTool"}
    assert card(store="#mine", frozen=True).depends_on == ["VectorStoreTool"]
    assert card(store=False).optional_dependencies == {"ModelTool"}


def test_a_fresh_object_per_card() -> None:
    first, second = cast("Any", card()), cast("Any", card())
    assert first.options == second.options
    assert first.options is not second.options


def test_stored_under_every_old_name() -> None:
    register_catalogue(importlib.import_module("sample_cards.catalogue").TYPES)
    stored = json.loads(json.dumps(serialize(card(limit=4, change=False))))
    stored["__model__"] = "sample_cards.anything.card.AnythingTool"
    stored["maximum"], stored["alter"] = stored.pop("limit"), stored.pop("change")
    stored["find"]["expose"] = ["llm_context"]
    stored["find"]["mode"] = None
    restored: Any = deserialize_object(stored)
    assert type(restored) is cards().EverythingTool
    assert (restored.limit, restored.change) == (4, False)
    assert (restored.find.mode, sorted(restored.find.expose)) == ("fast", ["tool_call"])
    assert resolve_type("sample_cards.everything.types.Bush") is cards().Tree


def test_old_import_paths_warn() -> None:
    for module in ("sample_cards", "sample_cards.anything"):
        with pytest.warns(DeprecationWarning, match="AnythingTool"):
            moved = importlib.import_module(module).AnythingTool
        assert moved is cards().EverythingTool


def test_the_package_imports_no_card_before_it_is_asked_for(
    python: Callable[..., CompletedProcess[str]], samples: Project
) -> None:
    code = (
        "import sys, sample_cards; before = 'sample_cards.team' in sys.modules; "
        "sample_cards.TeamTool; print(before, 'sample_cards.team' in sys.modules, "
        "'TeamTool' in dir(sample_cards))"
    )
    done = python("-c", code, env={"PYTHONPATH": str(samples.root / "generated")})
    assert done.stdout.split() == ["False", "True", "True"], done.stderr


def test_unbound_tools_refuse() -> None:
    with pytest.raises(ToolObserverGone, match="EverythingTool is not bound"):
        asyncio.run(tool(card())(text="x", after="y"))

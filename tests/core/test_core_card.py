"""T1-T3: channels, params and cards."""

import copy
import gc
import logging
import weakref
from typing import ClassVar

import pytest
from pydantic import ValidationError
from tests.core.core_cards import Agent, Count, Echo, EchoTool, UnboundTool

from cardwright.actors import deserialize_object, stored_context
from cardwright.core import (
    BaseToolParam,
    CardDefinitionError,
    Channels,
    ToolObserver,
    ToolObserverGone,
    served,
)
from cardwright.core.params import resolve


def test_t2_resolve_keeps_the_instance_and_maps_booleans() -> None:
    param = Echo(shout=True)
    assert resolve(param, Echo) is param
    assert resolve(True, Echo) == Echo()
    assert resolve(False, Echo) is None
    assert resolve(None, Echo) is None


def test_served_asks_for_the_channel_too() -> None:
    assert served(Echo(expose={Channels.COMMAND}), Echo, Channels.TOOL_CALL) is None
    assert served(True, Echo, Channels.TOOL_CALL) == Echo()
    assert served(Echo(expose=set()), Echo, Channels.COMMAND) is None


def test_a_channel_that_is_not_served_is_refused_with_those_that_are() -> None:
    with pytest.raises(
        ValidationError, match="Count is not served on tool_call; it is served on llm_context"
    ):
        Count(expose={Channels.TOOL_CALL})
    with pytest.raises(ValidationError):
        Echo.model_validate({"expose": ["nowhere"]})


def test_expose_dumps_sorted() -> None:
    assert Echo().model_dump()["expose"] == ["command", "tool_call"]
    assert Echo().model_dump(mode="json")["expose"] == ["command", "tool_call"]


def test_unknown_fields_are_refused_and_their_values_not_echoed() -> None:
    with pytest.raises(ValidationError) as error:
        EchoTool.model_validate({"eco": "s3cret"})
    assert "eco" in str(error.value)
    assert "EchoTool has no such field: did you mean echo?" in str(error.value)
    assert "s3cret" not in str(error.value)
    with pytest.raises(ValidationError, match="Echo has no such field: there are expose, inst"):
        Echo.model_validate({"zzz": 1})
    with pytest.raises(ValidationError) as error:
        EchoTool.model_validate_json('{"eco": 1, "echo": {"shout": "s3cret"}}')
    assert [each["loc"] for each in error.value.errors()] == [("echo", "shout"), ("eco",)]
    assert "s3cret" not in str(error.value)


def test_a_wrong_capability_gives_one_message() -> None:
    with pytest.raises(ValidationError) as error:
        EchoTool.model_validate({"echo": {"shot": True}})
    assert [(e["loc"], e["msg"]) for e in error.value.errors()] == [
        (("echo", "shot"), "Echo has no such field: did you mean shout?")
    ]
    with pytest.raises(ValidationError) as error:
        EchoTool.model_validate({"echo": None})
    assert error.value.error_count() == 1
    with pytest.raises(ValidationError) as error:
        EchoTool.model_validate({"echo": {"expose": ["llm_context"]}})
    assert "served on command, tool_call" in str(error.value)


@pytest.mark.parametrize(
    "echo", [True, False, Echo(shout=True, instructions="x", expose={Channels.COMMAND})]
)
def test_cards_round_trip(echo: Echo | bool) -> None:
    card = EchoTool(echo=echo, greeting="hi")
    assert EchoTool.model_validate(card.model_dump()) == card
    assert EchoTool.model_validate_json(card.model_dump_json()) == card
    assert deserialize_object(card.model_dump()) == card


def test_a_bound_card_dumps_its_configuration_only() -> None:
    agent = Agent()
    card = EchoTool()
    before = card.model_dump()
    card.observer(agent)
    assert card.model_dump() == before
    assert "depends_on" not in before


def test_t36_a_moved_exposure_loads_and_others_stay() -> None:
    stored = {"count": {"expose": ["system_prompt"]}}
    card = EchoTool.model_validate(stored, context=stored_context())
    assert isinstance(card.count, Count)
    assert card.count.expose == {Channels.LLM_CONTEXT}
    with pytest.raises(ValidationError):
        EchoTool.model_validate(stored)


def test_loading_drops_unserved_channels_and_unknown_keys_with_one_warning_each(
    caplog: pytest.LogCaptureFixture,
) -> None:
    stored = {
        "salute": "hi",
        "gone": 1,
        "echo": {"expose": ["tool_call", "system_prompt"], "old": 1},
    }
    with caplog.at_level(logging.WARNING):
        card = EchoTool.model_validate(stored, context=stored_context())
    assert card.greeting == "hi"
    assert isinstance(card.echo, Echo)
    assert card.echo.expose == {Channels.TOOL_CALL}
    texts = [record.getMessage() for record in caplog.records]
    assert sum("system_prompt" in text for text in texts) == 1
    assert any("EchoTool.echo" in text and "system_prompt" in text for text in texts)
    assert sum("gone" in text for text in texts) == 1
    assert sum("old" in text for text in texts) == 1


def test_loading_a_marked_nested_param_names_the_capability(
    caplog: pytest.LogCaptureFixture,
) -> None:
    dumped = EchoTool(echo=Echo()).model_dump()
    dumped["echo"]["expose"] = ["tool_call", "llm_context"]
    with caplog.at_level(logging.WARNING):
        card = deserialize_object(dumped)
    assert isinstance(card, EchoTool)
    assert isinstance(card.echo, Echo)
    assert card.echo.expose == {Channels.TOOL_CALL}
    assert sum("EchoTool.echo" in record.getMessage() for record in caplog.records) == 1


def test_binding_makes_the_logic_and_rebinding_a_new_one() -> None:
    first, second = Agent(), Agent()
    card = EchoTool()
    assert card.observer(first) is card
    logic = card.logic
    assert logic.observer is first
    assert card.observer(second).logic is not logic
    assert card.logic.observer is second


def test_a_refusing_logic_leaves_the_card_unbound() -> None:
    agent = Agent()
    card = EchoTool(greeting="refuse")
    with pytest.raises(ValueError, match="must not be refuse"):
        card.observer(agent)
    with pytest.raises(ToolObserverGone):
        card.get_tools()[0](text="x")


def test_an_observer_that_lacks_members_is_refused_naming_them() -> None:
    with pytest.raises(
        CardDefinitionError, match="EchoTool needs a ToolObserver: object lacks notify_event"
    ):
        EchoTool().observer(object())  # type: ignore[arg-type] # the fault under test


def test_an_observer_that_cannot_be_weakly_held_is_refused() -> None:
    class Slotted:
        __slots__ = ()

        def notify_event(self, event: object) -> None: ...

    with pytest.raises(TypeError):
        EchoTool().observer(Slotted())


def test_an_unbound_card_refuses_and_one_that_needs_nobody_serves() -> None:
    with pytest.raises(ToolObserverGone, match="EchoTool is not bound"):
        EchoTool().get_tools()[0](text="x")
    assert UnboundTool().get_tools()[0]() == "hello"


def test_t37_card_and_closures_do_not_pin_the_agent() -> None:
    agent = Agent()
    card = EchoTool().observer(agent)
    tool = card.get_tools()[0]
    assert tool(text="x") == "x"
    reference = weakref.ref(agent)
    del agent
    gc.collect()
    assert reference() is None
    assert card._observer_or_none() is None
    with pytest.raises(ToolObserverGone):
        _ = card.logic.observer


def test_copies_keep_the_weak_reference_and_drop_the_logic() -> None:
    agent = Agent()
    card = EchoTool().observer(agent)
    for copied in (card.model_copy(), card.model_copy(deep=True), copy.deepcopy(card)):
        assert copied._observer is agent
        with pytest.raises(ToolObserverGone):
            copied.bound_logic()
    assert card.logic.observer is agent


def test_assigning_the_observer_stores_it_weakly() -> None:
    agent, card = Agent(), EchoTool()
    card._observer = agent
    assert card._observer is agent


def test_a_subclass_replaces_the_logic_and_a_payload_never_does() -> None:
    class LoudTool(EchoTool):
        logic_path: ClassVar[str] = "tests.core.core_cards:LoudLogic"

    agent = Agent()
    assert LoudTool().observer(agent).get_tools()[0](text="x") == "x!"
    with pytest.raises(ValidationError):
        EchoTool.model_validate({"logic_path": "os:system"})


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("nowhere", "not of the form"),
        ("no.such.module:X", "no module no"),
        ("tests.core.core_cards:Missing", "has no Missing"),
        ("tests.core.core_cards:Agent", "not a subclass of CardLogic"),
    ],
)
def test_a_wrong_logic_path_says_what_to_do(path: str, message: str) -> None:
    class Lost(EchoTool):
        logic_path: ClassVar[str] = path

    agent = Agent()
    with pytest.raises(CardDefinitionError, match=message):
        Lost().observer(agent)


def test_a_deprecated_card_warns_when_bound() -> None:
    class Old(EchoTool):
        deprecated_use: ClassVar[str | None] = "NewTool"

    agent = Agent()
    with pytest.warns(DeprecationWarning, match="Old is deprecated: use NewTool"):
        Old().observer(agent)


def test_base_defaults() -> None:
    card = UnboundTool()
    assert card.get_system_prompts() == []
    assert card.get_commands() == {}
    assert card.get_context_states() == []
    assert card.get_toolsets() == []
    assert card.depends_on == []
    assert card.optional_dependencies == frozenset()
    assert BaseToolParam().expose == {Channels.TOOL_CALL}
    assert isinstance(Agent(), ToolObserver)

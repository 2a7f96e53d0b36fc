"""The skill card through the factory, unbound and bound."""

import gc
import logging

import pytest
from pydantic import ValidationError

from cardwright.actors import stored_context
from cardwright.core import Channels, RetriableError, ToolFactory
from cardwright.skill import SkillEntry, Skills, SkillTool
from cardwright.skill.logic import MENU_HEADER


class Agent:
    """The smallest observer."""

    def notify_event(self, event: object) -> None:
        """Nothing to record."""


def entry(name: str, content: str = "Do it.", description: str | None = None) -> SkillEntry:
    return SkillEntry(name=name, description=description or f"work of {name}", content=content)


def library(*names: str) -> SkillTool:
    return SkillTool(skills=Skills(skills=[entry(name) for name in names]))


def prompt(card: SkillTool) -> str:
    (skills,) = ToolFactory([card]).get_system_prompts()
    return skills()


def use(card: SkillTool, name: str) -> object:
    (use_skill,) = ToolFactory([card]).get_tools()
    return use_skill(name=name)


def names_of(factory: ToolFactory) -> tuple[list[str], list[str], list[str]]:
    return (
        [tool.__name__ for tool in factory.get_tools()],
        [prompt.__name__ for prompt in factory.get_system_prompts()],
        [command.name for command in factory.get_command_registry().descriptors()],
    )


def test_case_1_a_default_card_serves_everything_over_an_empty_library() -> None:
    card = SkillTool()
    assert names_of(ToolFactory([card])) == (["use_skill"], ["skills"], ["skills"])
    assert prompt(card) == ""
    assert ToolFactory([card]).get_command_registry().dispatch("/skills") == ""


def test_case_2_false_serves_nothing_and_round_trips() -> None:
    card = SkillTool(skills=False)
    assert names_of(ToolFactory([card])) == ([], [], [])
    assert SkillTool.model_validate(card.model_dump()).skills is False


def test_case_3_a_duplicate_name_is_refused_when_the_card_is_made() -> None:
    with pytest.raises(ValidationError, match="review"):
        library("review", "plan", "review")


@pytest.mark.parametrize("field", ["name", "description", "content"])
def test_an_empty_field_of_an_entry_is_refused(field: str) -> None:
    values = {"name": "n", "description": "d", "content": "c"} | {field: ""}
    with pytest.raises(ValidationError, match=field):
        SkillEntry.model_validate(values)


def test_case_4_the_menu_keeps_the_order_of_declaration() -> None:
    assert prompt(library("zeta", "alpha")).splitlines()[1:] == [
        "zeta — work of zeta",
        "alpha — work of alpha",
    ]


def test_case_5_the_menu_does_not_depend_on_the_length_of_bodies() -> None:
    short, long = (
        SkillTool(skills=Skills(skills=[entry("a", text)])) for text in ("x" * 20, "x" * 50_000)
    )
    assert prompt(short) == prompt(long)


def test_case_6_an_unknown_name_lists_the_names_there_are_in_order() -> None:
    with pytest.raises(RetriableError, match="Available: zeta, alpha") as refused:
        use(library("zeta", "alpha"), "beta")
    assert refused.value.failure == "unknown_skill"


def test_case_6_an_empty_library_is_retriable_too() -> None:
    with pytest.raises(RetriableError, match="no skills are configured"):
        use(SkillTool(), "any")


def test_case_7_a_repeated_call_returns_the_body_again_and_leaves_the_card_as_it_is() -> None:
    card = library("a")
    before = card.model_dump()
    assert use(card, "a") == use(card, "a") == "a\n\nDo it."
    assert card.model_dump() == before


def test_case_8_a_body_with_braces_is_returned_word_for_word() -> None:
    body = 'return {"a": {0}} # {{x}} %s'
    assert use(SkillTool(skills=Skills(skills=[entry("a", body)])), "a") == f"a\n\n{body}"


def test_case_9_instructions_stand_flush_left_before_the_arguments() -> None:
    card = SkillTool(skills=Skills(instructions="Mind the tests."))
    (tool,) = ToolFactory([card]).get_tools()
    lines = (tool.__doc__ or "").splitlines()
    assert "Additional Instructions:" in lines
    assert "Mind the tests." in lines
    assert lines[0] == "Read the guidance of one skill and follow it."


def test_case_10_exposed_as_prompt_alone_it_binds_no_tool() -> None:
    card = SkillTool(skills=Skills(expose={Channels.SYSTEM_PROMPT}))
    assert names_of(ToolFactory([card])) == ([], ["skills"], [])


def test_the_channel_it_has_no_endpoint_on_is_refused() -> None:
    with pytest.raises(ValidationError, match="llm_context"):
        Skills(expose={Channels.LLM_CONTEXT})


def test_case_11_everything_works_after_the_agent_is_gone() -> None:
    agent = Agent()
    factory = ToolFactory([library("a")], observer=agent)
    tools, prompts, registry = (
        factory.get_tools(),
        factory.get_system_prompts(),
        factory.get_command_registry(),
    )
    del factory, agent
    gc.collect()
    assert tools[0](name="a") == "a\n\nDo it."
    assert prompts[0]() == registry.dispatch("skills") == registry.callable("skills")()


def test_case_12_a_json_round_trip_keeps_entries_and_order() -> None:
    card = library("b", "a")
    again = SkillTool.model_validate_json(card.model_dump_json())
    assert again == card
    assert prompt(again) == prompt(card)


def test_the_stored_spelling_param_still_loads(caplog: pytest.LogCaptureFixture) -> None:
    stored = SkillTool.model_validate(library("a").model_dump()).model_dump()
    stored["param"] = stored.pop("skills")
    with caplog.at_level(logging.WARNING):
        card = SkillTool.model_validate(stored, context=stored_context())
    assert prompt(card).endswith("a — work of a")
    assert not caplog.records


@pytest.mark.parametrize("keyword", ["skill", "param", "library"])
def test_t24_a_misspelt_keyword_never_ends_in_an_empty_library(keyword: str) -> None:
    with pytest.raises(ValidationError, match=keyword):
        SkillTool.model_validate({keyword: Skills(skills=[entry("a")])})


def test_t25_the_menu_orders_the_model_to_read_first() -> None:
    """Softer words silently disable the feature, so what the header demands is pinned."""
    words = MENU_HEADER.lower()
    assert "must" in words
    assert "before you produce any work" in words
    assert "call use_skill(name)" in words
    assert "even if you believe you know how" in words
    assert "kind of work" in words
    assert "never its subject" in words
    assert not any(
        soft in words for soft in ("may ", "can ", "could", "if you want", "consider", "optional")
    )


def test_the_prompt_and_the_command_say_the_same() -> None:
    card = library("a", "b")
    assert ToolFactory([card]).get_command_registry().dispatch("/skills") == prompt(card)

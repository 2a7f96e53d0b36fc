# Generated from specs/knowledge_graph.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""How `KnowledgeGraphTool` is wired: what it serves when, what keeps loading, what its logic must look like."""

import json
from typing import cast

import pytest
from pydantic import ValidationError

from cardwright.actors import deserialize_object, serialize
from cardwright.core import (
    BaseToolParam,
    CardDefinitionError,
    Channels,
    Data,
    ToolCard,
    ToolObserver,
    ToolObserverGone,
)
from cardwright.core.conformity import logic_problems
from cardwright.core.testing import (
    bind_stub,
    command_names,
    prompt_names,
    provider_names,
    tool_names,
)
from cardwright_cards.knowledge_graph.card import (
    GetGraph,
    KnowledgeGraphTool,
    OpenEntity,
    SearchGraph,
    UpdateGraph,
)
from cardwright_cards.knowledge_graph.contract import KnowledgeGraphContract


def served(card: KnowledgeGraphTool) -> dict[str, list[str]]:
    """What the card serves on each channel; channels without anything are left out."""
    bind_stub(card, KnowledgeGraphContract)
    found = {
        "tools": tool_names(card),
        "prompts": prompt_names(card),
        "states": provider_names(card),
        "commands": command_names(card),
    }
    return {channel: names for channel, names in found.items() if names}


CASES = [
    pytest.param(
        KnowledgeGraphTool(),
        {
            "tools": ["update_graph", "search_graph", "open_entity"],
            "states": ["knowledge_graph_summary_state"],
            "commands": ["get_graph", "search_graph", "open_entity"],
        },
        id="as constructed",
    ),
    pytest.param(
        KnowledgeGraphTool(
            get_graph=GetGraph(expose={Channels.TOOL_CALL, Channels.LLM_CONTEXT, Channels.COMMAND})
        ),
        {
            "tools": ["get_graph", "update_graph", "search_graph", "open_entity"],
            "states": ["knowledge_graph_summary_state"],
            "commands": ["get_graph", "search_graph", "open_entity"],
        },
        id="everything on",
    ),
    pytest.param(
        KnowledgeGraphTool(get_graph=False, update_graph=False, search=False, open_entity=False),
        {},
        id="everything off",
    ),
    pytest.param(
        KnowledgeGraphTool(get_graph=False),
        {
            "tools": ["update_graph", "search_graph", "open_entity"],
            "commands": ["search_graph", "open_entity"],
        },
        id="without get_graph",
    ),
    pytest.param(
        KnowledgeGraphTool(
            get_graph=GetGraph(expose={Channels.TOOL_CALL, Channels.LLM_CONTEXT, Channels.COMMAND}),
            update_graph=False,
        ),
        {
            "tools": ["get_graph", "search_graph", "open_entity"],
            "states": ["knowledge_graph_summary_state"],
            "commands": ["get_graph", "search_graph", "open_entity"],
        },
        id="without update_graph",
    ),
    pytest.param(
        KnowledgeGraphTool(
            get_graph=GetGraph(expose={Channels.TOOL_CALL, Channels.LLM_CONTEXT, Channels.COMMAND}),
            search=False,
        ),
        {
            "tools": ["get_graph", "update_graph", "open_entity"],
            "states": ["knowledge_graph_summary_state"],
            "commands": ["get_graph", "open_entity"],
        },
        id="without search",
    ),
    pytest.param(
        KnowledgeGraphTool(
            get_graph=GetGraph(expose={Channels.TOOL_CALL, Channels.LLM_CONTEXT, Channels.COMMAND}),
            open_entity=False,
        ),
        {
            "tools": ["get_graph", "update_graph", "search_graph"],
            "states": ["knowledge_graph_summary_state"],
            "commands": ["get_graph", "search_graph"],
        },
        id="without open_entity",
    ),
    pytest.param(
        KnowledgeGraphTool(
            get_graph=GetGraph(expose={Channels.TOOL_CALL}),
            update_graph=False,
            search=False,
            open_entity=False,
        ),
        {"tools": ["get_graph"]},
        id="get_graph on tool_call alone",
    ),
    pytest.param(
        KnowledgeGraphTool(
            get_graph=GetGraph(expose={Channels.LLM_CONTEXT}),
            update_graph=False,
            search=False,
            open_entity=False,
        ),
        {"states": ["knowledge_graph_summary_state"]},
        id="get_graph on llm_context alone",
    ),
    pytest.param(
        KnowledgeGraphTool(
            get_graph=GetGraph(expose={Channels.COMMAND}),
            update_graph=False,
            search=False,
            open_entity=False,
        ),
        {"commands": ["get_graph"]},
        id="get_graph on command alone",
    ),
    pytest.param(
        KnowledgeGraphTool(get_graph=False, search=False, open_entity=False),
        {"tools": ["update_graph"]},
        id="update_graph on tool_call alone",
    ),
    pytest.param(
        KnowledgeGraphTool(
            get_graph=False,
            update_graph=False,
            search=SearchGraph(expose={Channels.TOOL_CALL}),
            open_entity=False,
        ),
        {"tools": ["search_graph"]},
        id="search on tool_call alone",
    ),
    pytest.param(
        KnowledgeGraphTool(
            get_graph=False,
            update_graph=False,
            search=SearchGraph(expose={Channels.COMMAND}),
            open_entity=False,
        ),
        {"commands": ["search_graph"]},
        id="search on command alone",
    ),
    pytest.param(
        KnowledgeGraphTool(
            get_graph=False,
            update_graph=False,
            search=False,
            open_entity=OpenEntity(expose={Channels.TOOL_CALL}),
        ),
        {"tools": ["open_entity"]},
        id="open_entity on tool_call alone",
    ),
    pytest.param(
        KnowledgeGraphTool(
            get_graph=False,
            update_graph=False,
            search=False,
            open_entity=OpenEntity(expose={Channels.COMMAND}),
        ),
        {"commands": ["open_entity"]},
        id="open_entity on command alone",
    ),
    pytest.param(
        KnowledgeGraphTool(
            read_only=True,
            get_graph=GetGraph(expose={Channels.TOOL_CALL, Channels.LLM_CONTEXT, Channels.COMMAND}),
        ),
        {
            "tools": ["get_graph", "search_graph", "open_entity"],
            "states": ["knowledge_graph_summary_state"],
            "commands": ["get_graph", "search_graph", "open_entity"],
        },
        id="read_only set",
    ),
]


@pytest.mark.parametrize(("card", "expected"), CASES)
def test_serves_exactly(card: KnowledgeGraphTool, expected: dict[str, list[str]]) -> None:
    assert served(card) == expected


@pytest.mark.parametrize(("card", "expected"), CASES)
def test_survives_storage(card: KnowledgeGraphTool, expected: dict[str, list[str]]) -> None:
    stored = serialize(card)
    restored = deserialize_object(json.loads(json.dumps(stored)))
    assert isinstance(restored, KnowledgeGraphTool)
    assert serialize(restored) == stored
    assert served(restored) == expected
    assert KnowledgeGraphTool.model_validate(card.model_dump()).model_dump() == card.model_dump()
    assert (
        KnowledgeGraphTool.model_validate_json(card.model_dump_json()).model_dump()
        == card.model_dump()
    )


@pytest.mark.parametrize(
    ("param", "channel"),
    [
        (GetGraph, Channels.SYSTEM_PROMPT),
        (UpdateGraph, Channels.SYSTEM_PROMPT),
        (UpdateGraph, Channels.LLM_CONTEXT),
        (UpdateGraph, Channels.COMMAND),
        (SearchGraph, Channels.SYSTEM_PROMPT),
        (SearchGraph, Channels.LLM_CONTEXT),
        (OpenEntity, Channels.SYSTEM_PROMPT),
        (OpenEntity, Channels.LLM_CONTEXT),
    ],
)
def test_refuses_a_channel_it_does_not_serve(param: type[BaseToolParam], channel: Channels) -> None:
    with pytest.raises(ValidationError, match=f"not served on {channel}"):
        param.model_validate({"expose": [channel]})


@pytest.mark.parametrize(
    ("owner", "stored", "present"),
    [
        (GetGraph, {"expose": ["system_prompt"]}, {"expose": ["llm_context"]}),
    ],
)
def test_loads_what_was_stored_before(
    owner: type[ToolCard | BaseToolParam | Data],
    stored: dict[str, object],
    present: dict[str, object],
) -> None:
    assert owner.upgrade_stored(stored) == present


def test_unbound_refuses() -> None:
    card = KnowledgeGraphTool()
    with pytest.raises(ToolObserverGone, match="KnowledgeGraphTool is not bound"):
        _ = card.logic


def test_refuses_an_agent_that_lacks_members() -> None:
    class Nobody: ...

    card, nobody = KnowledgeGraphTool(), cast("ToolObserver", Nobody())
    with pytest.raises(CardDefinitionError, match=r"Nobody lacks .*notify_event"):
        card.observer(nobody)


def test_the_logic_fits_its_contract() -> None:
    assert logic_problems(KnowledgeGraphTool, KnowledgeGraphContract) == []

"""How changes of the graph travel, and the graph without the vector packages."""

import subprocess
import sys
from pathlib import Path
from typing import cast
from uuid import UUID

import pytest
from tests.graph.graph_team import chain, graph_of

from cardwright import LocalTeam
from cardwright.actors import SerializableBaseModel
from cardwright.core import ToolStateEvent
from cardwright.graph import (
    EntityUpdate,
    KnowledgeGraphState,
    KnowledgeGraphStateEvent,
    ManageGraph,
)

SECTIONS = [
    "entities_added",
    "entities_modified",
    "entities_removed",
    "relations_added",
    "relations_modified",
    "relations_removed",
]
TYPES = "cardwright_cards.knowledge_graph.types"


@pytest.fixture
def dumped(bench: LocalTeam) -> dict[str, object]:
    graph_of(bench).update_graph(chain("a", "b"))
    (event,) = bench.events(ToolStateEvent)
    return event.model_dump(mode="json")


def test_case_58_the_envelope_and_the_payload_in_order(dumped: dict[str, object]) -> None:
    assert [name for name in dumped if name in {"tool_id", "seq", "payload"}] == [
        "tool_id",
        "seq",
        "payload",
    ]
    assert set(dumped) == {
        *("id", "parent_id", "team_id", "timestamp", "sender", "recipient", "display_type"),
        *("tool_id", "seq", "payload", "__model__"),
    }
    assert (dumped["tool_id"], dumped["seq"]) == ("#KnowledgeGraphTool", 1)
    assert dumped["display_type"] == "other"
    assert all(isinstance(dumped[name], str) for name in ("id", "timestamp"))
    payload = cast("dict[str, object]", dumped["payload"])
    assert list(payload) == [*SECTIONS, "__model__"]


def test_case_58_every_nested_model_carries_its_class(dumped: dict[str, object]) -> None:
    payload = cast("dict[str, object]", dumped["payload"])
    first, _ = cast("list[dict[str, str]]", payload["entities_added"])
    (relation,) = cast("list[dict[str, str]]", payload["relations_added"])
    assert payload["__model__"] == f"{TYPES}.KnowledgeGraphStateEvent"
    assert first["__model__"] == f"{TYPES}.Entity"
    assert relation["__model__"] == f"{TYPES}.Relation"
    assert list(first) == [
        *("id", "name", "entity_type", "description", "observations", "is_root"),
        "__model__",
    ]
    assert str(UUID(first["id"])) == first["id"]


def test_case_58_the_payload_comes_back_as_its_own_class(bench: LocalTeam) -> None:
    graph = graph_of(bench)
    graph.update_graph(chain("a", "b"))
    graph.update_graph(
        ManageGraph(
            update_entities=[EntityUpdate(name="a", description="x")], delete_entities=["b"]
        )
    )
    for event in bench.events(ToolStateEvent):
        loaded = ToolStateEvent.model_validate(event.model_dump(mode="json"))
        assert type(loaded.payload) is KnowledgeGraphStateEvent
        assert loaded == event


def test_case_58_the_state_round_trips(bench: LocalTeam) -> None:
    graph = graph_of(bench)
    graph.update_graph(chain("a", "b"))
    state = graph.state
    loaded = KnowledgeGraphState.model_validate_json(state.model_dump_json())
    assert loaded.knowledge_graph == state.knowledge_graph
    assert isinstance(loaded, SerializableBaseModel)


WITHOUT = """
import sys
for name in ("numpy", "usearch", "psycopg", "weaviate", "openai"):
    sys.modules[name] = None
import cardwright
from cardwright import LocalTeam, vectors
from cardwright.graph import KnowledgeGraphTool
from cardwright.vectors import VectorStoreTool

assert {"VectorStoreActor", "InMemoryBackend", "VectorIndex"} <= set(vectors.__all__)
ITEM = {"name": "Ann", "entity_type": "person", "description": "drinks tea"}
STORE = VectorStoreTool(embedding_provider="hashing")
for cards in ([KnowledgeGraphTool()], [KnowledgeGraphTool(), STORE]):
    with LocalTeam() as team:
        agent = team.agent("@Alice", cards=cards)
        agent.call("update_graph", update={"create_entities": [ITEM]})
        print(agent.dispatch("/search_graph drinks"))
        print(agent.dispatch("/search_graph mode=vector drinks"))
"""


def test_case_59_without_the_vector_packages_the_graph_is_searched_by_words(
    tmp_path: Path,
) -> None:
    """Decided (D): keyword-only instead of an error; what is missing is told where it is asked."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line for line in lines if "Ann" in line] == [
        "- [0.30] entity Ann (person): drinks tea"
    ] * 2
    assert len([line for line in lines if "keywords only" in line]) == 1
    (missing,) = [line for line in lines if "No search by meaning" in line]
    assert "cardwright[vector]" in missing
    assert "numpy" in done.stderr
    assert "cardwright[vector]" in done.stderr

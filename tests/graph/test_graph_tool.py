"""The graph card as agents of one team use it."""

from collections.abc import Iterator

import pytest

from cardwright import LocalTeam
from cardwright.bench import LocalAgent, RetryRequested
from cardwright.graph import KnowledgeGraphTool


@pytest.fixture
def alice() -> Iterator[LocalAgent]:
    with LocalTeam() as team:
        yield team.agent("@Alice", cards=[KnowledgeGraphTool(vector_store=False)])


def made(agent: LocalAgent, count: int) -> None:
    entities = [
        {
            "name": f"e{n}",
            "entity_type": "person",
            "description": f"number {n}",
            "observations": ["likes tea"],
            "is_root": n == 0,
        }
        for n in range(count)
    ]
    links = [
        {"from_entity": f"e{n}", "to_entity": f"e{n + 1}", "relation_type": "knows"}
        for n in range(count - 1)
    ]
    update = {"create_entities": entities, "create_relations": links}
    assert agent.call("update_graph", update=update) == "Done"


def answer(agent: LocalAgent, command: str) -> str:
    text = agent.dispatch(command)
    assert text is not None
    return text


def test_t11_neighbours_edges_and_paths_are_rendered(alice: LocalAgent) -> None:
    made(alice, 4)
    text = answer(
        alice,
        "/search_graph top_k=2 include_neighbors=true include_edges=true find_paths=true likes TEA",
    )
    assert "    - likes tea" in text
    assert "Neighbors:\n- e2 (person): number 2" in text
    assert "- e1 -[knows]-> e2" in text
    assert text.endswith("Paths between the hits:\n- e0 -[knows]-> e1")


def test_opening_an_entity_shows_its_relations(alice: LocalAgent) -> None:
    made(alice, 3)
    text = answer(alice, "/open_entity e1")
    assert "- e0 -[knows]-> e1" in text
    assert "- e1 -[knows]-> e2" in text
    assert "e9" in answer(alice, "/open_entity e9")


def test_a_page_holds_names_only(alice: LocalAgent) -> None:
    made(alice, 5)
    text = answer(alice, "/get_graph names_only=true offset=1 limit=2")
    assert text == "Entities 2 to 3 of 5:\n- e1 (person)\n- e2 (person)"


def test_case_55_a_read_only_card_lacks_update_only() -> None:
    with LocalTeam() as team:
        card = KnowledgeGraphTool(vector_store=False, read_only=True)
        reader = team.agent("@Reader", cards=[card])
        assert answer(reader, "/get_graph") == "The knowledge graph is empty."
        with pytest.raises(Exception, match="update_graph"):
            reader.call("update_graph", update={})


def test_case_57_an_update_of_the_context_says_what_moved(alice: LocalAgent) -> None:
    made(alice, 3)
    assert "entity types: person" in (alice.context_update() or "")
    alice.call("update_graph", update={"delete_entities": ["e2"]})
    text = alice.context_update() or ""
    assert "- entities: 2 (-1)" in text
    assert "person" not in text
    assert not alice.context_update()


def test_a_refusal_reaches_the_model_as_a_retry(alice: LocalAgent) -> None:
    with pytest.raises(RetryRequested, match="ghost"):
        alice.call("update_graph", update={"delete_entities": ["ghost"]})

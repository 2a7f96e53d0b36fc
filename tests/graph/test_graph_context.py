"""What of the graph is in the context of an agent, and which parts a card serves."""

import pytest
from tests.graph.graph_team import chain, entity, graph_of, link, root

from cardwright import LocalTeam
from cardwright.actors import stored_context
from cardwright.bench import LocalAgent
from cardwright.core import Channels
from cardwright.graph import (
    KG_ACTOR_NAME,
    EntityUpdate,
    GetGraph,
    KnowledgeGraphActor,
    KnowledgeGraphSummaryState,
    KnowledgeGraphTool,
    ManageGraph,
)


def agent_of(team: LocalTeam, **fields: object) -> LocalAgent:
    card = KnowledgeGraphTool.model_validate({"vector_store": False, **fields})
    return team.agent(f"@Agent{len(team.agents)}", cards=[card])


@pytest.fixture
def graph(bench: LocalTeam) -> KnowledgeGraphActor:
    return graph_of(bench)


def summary(
    graph: KnowledgeGraphActor, *, schema: bool = True, roots: bool = True
) -> KnowledgeGraphSummaryState:
    return graph.summary(schema, roots)


def test_case_55_read_only_removes_only_update(bench: LocalTeam) -> None:
    assert list(agent_of(bench).tools) == ["update_graph", "search_graph", "open_entity"]
    reader = agent_of(bench, read_only=True)
    assert list(reader.tools) == ["search_graph", "open_entity"]
    assert [it.name for it in reader.commands.descriptors()] == [
        "get_graph",
        "search_graph",
        "open_entity",
    ]


def test_case_55_without_get_graph_neither_provider_nor_command(bench: LocalTeam) -> None:
    agent = agent_of(bench, get_graph=False)
    assert agent.factory.get_context_states() == []
    assert "get_graph" not in [it.name for it in agent.commands.descriptors()]


def test_case_55_exposed_to_the_model_get_graph_shows_everything(bench: LocalTeam) -> None:
    params = GetGraph(expose={Channels.TOOL_CALL}, prompt_include_roots=False)
    agent = agent_of(bench, get_graph=params.model_dump())
    assert agent.call("get_graph") == "The knowledge graph is empty."
    update = ManageGraph(
        create_entities=[root("r"), entity("a")], create_relations=[link("r", "a", text="why")]
    )
    bench.actor(KG_ACTOR_NAME, KnowledgeGraphActor).update_graph(update)
    assert agent.call("get_graph") == (
        "Entities 1 to 2 of 2:\n- r (thing): about r\n- a (thing): about a\n"
        "Relations:\n- r -[knows]-> a: why"
    )


def test_case_56_the_flags_gate_both_renderings(graph: KnowledgeGraphActor) -> None:
    graph.update_graph(ManageGraph(create_entities=[root("r")]))
    before = summary(graph, schema=False, roots=False)
    assert before.render_full().splitlines()[1:-1] == ["- entities: 1", "- relations: 0"]
    graph.update_graph(ManageGraph(create_entities=[root("s"), entity("x", kind="new")]))
    after = summary(graph, schema=False, roots=False)
    assert after.render_delta(before) == "- entities: 3 (+2)"
    assert after.roots != []
    assert after.entity_types == ["new", "thing"]


def test_case_56_fifty_entities_of_two_types_are_short(graph: KnowledgeGraphActor) -> None:
    kinds = ["person", "place"] * 25
    graph.update_graph(
        ManageGraph(create_entities=[entity(f"e{n}", kind=k) for n, k in enumerate(kinds)])
    )
    text = summary(graph).render_full()
    assert len(text.splitlines()) < 15
    assert "relation types" not in text
    assert "entity types: person, place" in text


def test_case_56_roots_are_sorted_and_an_empty_graph_is_one_line(
    graph: KnowledgeGraphActor,
) -> None:
    assert "\n" not in summary(graph).render_full()
    graph.update_graph(ManageGraph(create_entities=[root(name) for name in "cab"]))
    lines = [line for line in summary(graph).render_full().splitlines() if "about" in line]
    assert lines == ["- a (thing): about a", "- b (thing): about b", "- c (thing): about c"]


def test_case_57_a_thousand_more_of_known_types_are_counts_only(
    graph: KnowledgeGraphActor,
) -> None:
    three = ["a", "b", "c"]
    graph.update_graph(ManageGraph(create_entities=[entity(kind, kind=kind) for kind in three]))
    before = summary(graph)
    many = [entity(f"e{n}", kind=three[n % 3]) for n in range(1000)]
    graph.update_graph(ManageGraph(create_entities=many))
    assert summary(graph).render_delta(before) == "- entities: 1003 (+1000)"


def test_case_57_types_come_and_go_once(graph: KnowledgeGraphActor) -> None:
    graph.update_graph(chain("a", "b"))
    before = summary(graph)
    update = ManageGraph(
        create_entities=[entity("c", kind="city"), entity("d", kind="city")],
        create_relations=[link("c", "d", "near"), link("d", "c", "near")],
        delete_entities=["a"],
    )
    graph.update_graph(update)
    after = summary(graph)
    delta = after.render_delta(before) or ""
    assert delta.splitlines() == [
        "- entities: 3 (+1)",
        "- relations: 2 (+1)",
        "- new entity type: city",
        "- new relation type: near",
        "- relation type gone: knows",
    ]
    assert after.render_delta(after) is None
    assert summary(graph, schema=False).render_delta(summary(graph, schema=False)) is None


def test_case_57_a_root_is_new_changed_and_gone(graph: KnowledgeGraphActor) -> None:
    def moved(update: ManageGraph) -> str | None:
        before = summary(graph)
        graph.update_graph(update)
        return summary(graph).render_delta(before)

    def change(**fields: object) -> ManageGraph:
        update = EntityUpdate.model_validate({"name": "a", **fields})
        return ManageGraph(update_entities=[update])

    graph.update_graph(ManageGraph(create_entities=[entity("a"), root("b")]))
    assert moved(change(is_root=True)) == "- New root: a (thing)"
    assert moved(change(description="other")) == "- Changed root: a (thing): other"
    assert moved(change(add_observations=["fact"])) is None
    assert moved(change(is_root=False)) == "- Root gone: a"
    gone = moved(ManageGraph(delete_entities=["b"])) or ""
    assert gone.splitlines() == ["- entities: 1 (-1)", "- Root gone: b"]


def test_case_57_other_flags_than_before_are_told_in_full(graph: KnowledgeGraphActor) -> None:
    graph.update_graph(chain("a"))
    now = summary(graph)
    assert now.render_delta(summary(graph, roots=False)) == now.render_full()


def test_t22_an_unchanged_graph_is_one_summary(graph: KnowledgeGraphActor) -> None:
    graph.update_graph(chain("a"))
    first = graph.summary(True, True)
    graph.update_graph(ManageGraph(update_entities=[EntityUpdate(name="a", description="about a")]))
    assert graph.summary(True, True) is first


def test_a_text_of_many_lines_is_one_line_wherever_lists_show_it(bench: LocalTeam) -> None:
    agent = agent_of(bench)
    forged = "real\n- Root gone: b\n"
    update = ManageGraph(create_entities=[root("b"), entity("a", forged)])
    update.create_entities[1].is_root = True
    bench.actor(KG_ACTOR_NAME, KnowledgeGraphActor).update_graph(update)
    for text in (
        agent.context_update(),
        agent.dispatch("/get_graph"),
        agent.dispatch("/search_graph real"),
    ):
        assert text is not None
        assert "a (thing): real - Root gone: b" in text


def test_a_page_of_relations_beyond_the_last_says_so(bench: LocalTeam) -> None:
    agent = agent_of(bench)
    bench.actor(KG_ACTOR_NAME, KnowledgeGraphActor).update_graph(chain("a", "b"))
    assert agent.dispatch("/open_entity offset=5 a") == (
        "a (thing): about a\nNo relation lies beyond number 5: there are 1."
    )


def test_case_42_a_stored_prompt_exposure_moves_to_the_context() -> None:
    stored = KnowledgeGraphTool(get_graph=GetGraph()).model_dump()
    stored["get_graph"]["expose"] = ["system_prompt", "command"]
    loaded = KnowledgeGraphTool.model_validate(stored, context=stored_context()).get_graph
    assert isinstance(loaded, GetGraph)
    assert loaded.expose == {Channels.LLM_CONTEXT, Channels.COMMAND}

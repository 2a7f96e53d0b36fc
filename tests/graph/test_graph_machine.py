"""Random batches against a simple model of the graph."""

from collections.abc import Callable
from typing import cast, override

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from tests.graph.graph_team import events_of, graph_of

from cardwright import LocalTeam
from cardwright.core import RetriableError
from cardwright.graph import (
    Entity,
    EntityCreate,
    EntityUpdate,
    KnowledgeGraphState,
    ManageGraph,
    Relation,
    RelationCreate,
    RelationDelete,
    SearchQuery,
)
from cardwright.graph.index import GraphIndex
from cardwright.graph.search import keyword_hits

NAMES = st.sampled_from("abcd")
KINDS = st.sampled_from(["person", "place"])
TEXTS = st.sampled_from(["red tea", "green", "tea tea", ""])
FACTS = st.lists(st.sampled_from(["likes tea", "red", "red"]), max_size=2)
TRIPLES = {"from_entity": NAMES, "to_entity": NAMES, "relation_type": KINDS}
CREATED = st.builds(
    EntityCreate,
    name=NAMES,
    entity_type=KINDS,
    description=TEXTS,
    observations=FACTS,
    is_root=st.booleans(),
)
CHANGED = st.builds(
    EntityUpdate,
    name=NAMES,
    description=st.none() | TEXTS,
    entity_type=st.none() | KINDS,
    add_observations=st.none() | FACTS,
    remove_observations=st.none() | FACTS,
    is_root=st.none() | st.booleans(),
)
BATCHES = st.builds(
    ManageGraph,
    create_entities=st.lists(CREATED, max_size=3),
    create_relations=st.lists(st.builds(RelationCreate, **TRIPLES, description=TEXTS), max_size=4),
    update_entities=st.lists(CHANGED, max_size=2),
    delete_relations=st.lists(st.builds(RelationDelete, **TRIPLES), max_size=1),
    delete_entities=st.lists(NAMES, max_size=1),
)
type Triple = tuple[str, str, str]
type Told = tuple[dict[str, str], set[str], set[str], set[str]]


class Model:
    """The rules of a batch, written as plainly as they are told."""

    def __init__(self) -> None:
        self.entities: dict[str, EntityCreate] = {}
        self.relations: dict[Triple, str] = {}

    def apply(self, batch: ManageGraph) -> int:
        """How many items are refused."""
        refused = 0
        for made in batch.create_entities:
            refused += made.name in self.entities
            self.entities.setdefault(made.name, made.model_copy(deep=True))
        for link in batch.create_relations:
            refused += not {link.from_entity, link.to_entity} <= self.entities.keys()
            if {link.from_entity, link.to_entity} <= self.entities.keys():
                self.relations.setdefault(triple(link), link.description)
        for change in batch.update_entities:
            refused += change.name not in self.entities
            if change.name in self.entities:
                self.entities[change.name] = self._changed(change)
        refused += sum(
            self.relations.pop(triple(it), None) is None for it in batch.delete_relations
        )
        for name in batch.delete_entities:
            refused += self.entities.pop(name, None) is None
            self.relations = {k: v for k, v in self.relations.items() if name not in k[:2]}
        return refused

    def _changed(self, change: EntityUpdate) -> EntityCreate:
        old = self.entities[change.name]
        facts = [*old.observations, *(change.add_observations or [])]
        gone = change.remove_observations or []
        return EntityCreate(
            name=old.name,
            entity_type=old.entity_type if change.entity_type is None else change.entity_type,
            description=old.description if change.description is None else change.description,
            observations=[fact for fact in facts if fact not in gone],
            is_root=old.is_root if change.is_root is None else change.is_root,
        )


def triple(link: RelationCreate | RelationDelete | Relation) -> Triple:
    return link.from_entity, link.to_entity, link.relation_type


def as_created(made: Entity) -> EntityCreate:
    return EntityCreate(
        name=made.name,
        entity_type=made.entity_type,
        description=made.description,
        observations=made.observations,
        is_root=made.is_root,
    )


class GraphMachine(RuleBasedStateMachine):
    """The actor does what the model does, and tells all of it."""

    def __init__(self) -> None:
        super().__init__()
        self.team = LocalTeam()
        self.graph = graph_of(self.team)
        self.agent = self.team.agents["@Alice"]
        self.model = Model()
        self.told: Told = ({}, set(), set(), set())

    @rule(batch=BATCHES)
    def update(self, batch: ManageGraph) -> None:
        refused = self.model.apply(batch)
        said = ""
        try:
            self.graph.update_graph(batch)
        except RetriableError as error:
            said = str(error)
        assert len(said.split("; ")) == max(refused, 1)
        assert bool(said) == bool(refused)

    @rule()
    def resume(self) -> None:
        stored = self.graph.state.serializable_copy().model_dump(mode="json")
        self.graph.init_state(KnowledgeGraphState.model_validate(stored))

    @invariant()
    def the_graph_is_that_of_the_model(self) -> None:
        view = self.graph.get_graph()
        assert [as_created(it) for it in view.entities] == list(self.model.entities.values())
        assert {triple(it): it.description for it in view.relations} == self.model.relations
        assert [triple(it) for it in view.relations] == list(self.model.relations)
        assert self.graph.state.knowledge_graph.entities == view.entities
        assert self.graph.state.knowledge_graph.relations == view.relations

    @invariant()
    def the_events_make_the_graph(self) -> None:
        made: dict[object, Entity | Relation] = {}
        events = events_of(self.team)
        assert [seq for seq, _ in events] == list(range(1, len(events) + 1))
        for _, event in events:
            for gone in (*event.entities_removed, *event.relations_removed):
                del made[gone]
            assert not made.keys() & {it.id for it in event.entities_added}
            assert {it.id for it in event.entities_modified} <= made.keys()
            for entity in (*event.entities_added, *event.entities_modified):
                made[entity.id] = entity
            made.update((relation.id, relation) for relation in event.relations_added)
        view = self.graph.get_graph()
        assert made == {
            **{entity.id: entity for entity in view.entities},
            **{relation.id: relation for relation in view.relations},
        }

    @invariant()
    def an_index_that_grew_finds_what_a_new_one_finds(self) -> None:
        state = self.graph.state
        new = GraphIndex(state.entities.values(), state.relations.values())
        for query in ("tea", "red tea", "person", "a"):
            asked = SearchQuery(query=query, mode="keyword", top_k=50)
            found = {it.ref_id: round(it.score, 9) for it in self.graph.search(asked).hits}
            assert found == {k: round(v, 9) for k, v in keyword_hits(new, query, 50).items()}

    @invariant()
    def what_was_told_adds_up_to_the_whole_text(self) -> None:
        update = self.agent.context_update() or ""
        for line in update.splitlines():
            self._hear(line)
        whole = self.graph.summary(True, True).render_full().splitlines()
        counts, kinds, links, roots = self.told
        if not self.model.entities:
            return
        entities, relations = (counts.get(what, "0") for what in "er")
        assert whole[1:3] == [f"- entities: {entities}", f"- relations: {relations}"]
        shown = "\n".join(whole)
        assert f"- entity types: {', '.join(sorted(kinds))}\n" in shown
        assert ("relation types" in shown) == bool(links)
        assert not links or f"- relation types: {', '.join(sorted(links))}\n" in shown
        assert {it.name for it in self.model.entities.values() if it.is_root} == roots

    def _hear(self, line: str) -> None:
        counts, kinds, links, roots = self.told
        what, _, rest = line.removeprefix("- ").partition(": ")
        known = {
            "entity types": (kinds.update, rest.split(", ")),
            "relation types": (links.update, rest.split(", ")),
            "new entity type": (kinds.add, rest),
            "new relation type": (links.add, rest),
            "entity type gone": (kinds.discard, rest),
            "relation type gone": (links.discard, rest),
            "New root": (roots.add, rest[:1]),
            "Root gone": (roots.discard, rest),
        }
        if what in known:
            act, argument = cast("tuple[Callable[[object], None], object]", known[what])
            act(argument)
        elif what in {"entities", "relations"}:
            counts[what[0]] = rest.split()[0]
        elif what.endswith((" (person)", " (place)")):
            roots.add(what[0])

    @override
    def teardown(self) -> None:
        self.team.stop()


TestGraphMachine = GraphMachine.TestCase
TestGraphMachine.settings = settings(max_examples=12, stateful_step_count=10, deadline=None)

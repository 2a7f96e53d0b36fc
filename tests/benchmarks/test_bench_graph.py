"""What the knowledge graph costs: at two sizes, as ratios within one run."""

import itertools
import statistics
from collections.abc import Callable, Iterator
from functools import partial
from itertools import accumulate
from random import Random
from time import process_time

import pytest
from tests.benchmarks.raw_actor import Raw

from cardwright.actors import ActorSystem, BaseConfig, Orchestrator
from cardwright.graph import (
    Entity,
    EntityCreate,
    EntityUpdate,
    KnowledgeGraphActor,
    ManageGraph,
    Relation,
    RelationCreate,
    SearchQuery,
)
from cardwright.graph.index import GraphIndex
from cardwright.graph.paths import Paths
from cardwright.graph.search import Limits, keyword_hits, paths_between, search

type Measure = Callable[..., float]
type Keep = Callable[..., None]

LARGE = 50_000
UPDATES = 200


class Team:
    """An orchestrator and graphs of several sizes."""

    def __init__(self, system: ActorSystem) -> None:
        self._system = system
        config = BaseConfig(name="@Orchestrator", role="Orchestrator")
        address = system.createActor(Orchestrator, config=config)
        self._root = system.proxy_ask(address, Orchestrator, timeout=None)

    def graph(self, size: int) -> KnowledgeGraphActor:
        address = self._root.createActor(
            KnowledgeGraphActor, config=BaseConfig(name=f"#Graph {size}", role="ToolActor")
        )
        graph = self._system.proxy_ask(address, KnowledgeGraphActor, timeout=None)
        entities = [
            EntityCreate(
                name=f"e{number}",
                entity_type=f"kind {number % 3}",
                description=f"number {number}",
                observations=["likes tea"],
                is_root=number < 5,
            )
            for number in range(size)
        ]
        graph.update_graph(ManageGraph(create_entities=entities))
        return graph


@pytest.fixture
def team() -> Iterator[Team]:
    with ActorSystem() as system:
        yield Team(system)


def updating(graph: KnowledgeGraphActor) -> Callable[[], object]:
    """Change one entity; the batches are made beforehand, they are the caller's."""
    batches = itertools.cycle(
        [
            ManageGraph(update_entities=[EntityUpdate(name="e7", description=f"version {number}")])
            for number in range(UPDATES)
        ]
    )
    return lambda: graph.update_graph(next(batches))


def used(function: Callable[[], object], *, loops: int = 100) -> float:
    """Seconds of processor time of one call, all threads: others share the machine."""
    started = process_time()
    for _ in range(loops):
        function()
    return (process_time() - started) / loops


def test_one_update_does_not_depend_on_the_size(team: Team, measure: Measure, note: Keep) -> None:
    """Publication of the state and of the event included, orchestrator too."""
    small, large = updating(team.graph(500)), updating(team.graph(LARGE))
    raw = Raw.start()
    proxy = raw.proxy()
    growth: list[float] = []
    over_raw: list[float] = []
    for _ in range(9):
        before, after = used(small), used(large)
        bare = used(lambda: proxy.put("e7", 1).get(), loops=300)
        growth.append(after / before)
        over_raw.append(after / bare)
    raw.stop()
    measure(large, loops=50)
    note(growth=statistics.median(growth), over_raw=statistics.median(over_raw))
    print(
        f"\ngrowth {statistics.median(growth):.2f}, {min(over_raw):.1f} to "
        f"{statistics.median(over_raw):.1f} times a raw ask"
    )
    assert statistics.median(growth) <= 1.5
    # Three threads wake each other, so other processes raise it: 5 is what is wanted at most.
    assert min(over_raw) < 5


def linking(graph: KnowledgeGraphActor, hub: str, relations: int) -> float:
    """Seconds of the removal of a hub with so many relations."""
    hubs = [EntityCreate(name=hub, entity_type="hub", description="")]
    links = [
        RelationCreate(from_entity=hub, to_entity=f"e{at % 500}", relation_type=f"{at}")
        for at in range(relations)
    ]
    graph.update_graph(ManageGraph(create_entities=hubs, create_relations=links))
    return used(lambda: graph.update_graph(ManageGraph(delete_entities=[hub])), loops=1)


def test_batches_and_hubs_cost_the_change(team: Team, measure: Measure, note: Keep) -> None:
    """1,000 changes among 500 entities and among 50,000; 1,000 and 10,000 relations removed."""
    took: dict[int, float] = {}
    for size in (500, LARGE):
        graph = team.graph(size)
        batches = [
            ManageGraph(
                update_entities=[
                    EntityUpdate(name=f"e{at % 500}", description=f"{number} {at}")
                    for at in range(1_000)
                ]
            )
            for number in range(5)
        ]
        took[size] = min(used(partial(graph.update_graph, it), loops=1) for it in batches)
    few = min(linking(graph, f"few {number}", 1_000) for number in range(3))
    many = min(linking(graph, f"many {number}", 10_000) for number in range(2))
    measure(updating(graph), loops=20)
    note(growth=took[LARGE] / took[500], hub_growth=many / few)
    print(
        f"\n1,000 changes {took[LARGE] * 1e3:.0f} ms, {took[LARGE] / took[500]:.2f} times those of "
        f"500; hub of 10,000 removed in {many * 1e3:.0f} ms, {many / few:.1f} times 1,000"
    )
    assert took[LARGE] <= 2 * took[500]
    assert many <= 20 * few


def summing(graph: KnowledgeGraphActor) -> Callable[[], object]:
    """The summary, made anew after a change, and its update of the context."""
    former = graph.summary(True, True)
    return lambda: graph.summary(True, True).render_delta(former)


def test_the_summary_does_not_depend_on_the_size(team: Team, measure: Measure, note: Keep) -> None:
    times: dict[int, float] = {}
    for size in (500, LARGE):
        graph = team.graph(size)
        update, look = updating(graph), summing(graph)
        rounds: list[float] = []
        for _ in range(100):
            update()
            rounds.append(used(look, loops=1))
        times[size] = statistics.median(rounds)
    measure(look, loops=20)
    note(growth=times[LARGE] / times[500], after_a_change_us=times[LARGE] * 1e6)
    assert times[LARGE] <= 2 * times[500]
    assert times[LARGE] < 1e-3


def people(size: int) -> GraphIndex:
    """Entities with descriptions in which words of all frequencies stand."""
    random = Random(5)
    words = [f"{random.choice(SYLLABLES)}{random.choice(SYLLABLES)}{n}" for n in range(5_000)]
    weights = list(accumulate(1 / (n + 1) for n in range(5_000)))
    index = GraphIndex()
    for number in range(size):
        text = " ".join(random.choices(words, cum_weights=weights, k=8))
        index.put_entity(
            Entity(name=f"e{number}", entity_type="person", description=f"number {number} {text}")
        )
    return index


SYLLABLES = ["ba", "do", "gi", "ku", "le", "stra\u00dfe", "\u0130l", "\u6771\u4eac"]
QUERIES = {
    "rare": "e31415 ",
    "absent": "no such words",
    "one letter": "e",
    "absent letter": "#",
    "two letters": "q9",
    "of all": "NUMBER",
    "last one": "number 49999",
    "of some": "many number",
    "in other case": "STRASSEBA STRASSE",
    "other scripts": "\u0130L\u6771\u4eac x",
    "300 characters": "number e31415 " * 22,
    "300 times the same": "e" * 300,
    "ten words": " ".join(f"number person {n}" for n in range(1_000, 5_000, 1_000)),
}


def test_keyword_search_of_50_000_entities(measure: Measure, note: Keep) -> None:
    times: dict[str, list[float]] = {query: [] for query in QUERIES}
    for size in (LARGE // 4, LARGE):
        index = people(size)
        for name, query in QUERIES.items():
            times[name].append(_best(partial(keyword_hits, index, query, 20)))
    measure(lambda: search(index, SearchQuery(query="e31415", mode="keyword"), {}, Limits()))
    worst = max(large for _, large in times.values())
    note(worst_ms=worst * 1e3)
    for name, (small, large) in times.items():
        print(f"\n{name}: {large * 1e3:.2f} ms, {large / small:.1f} times a quarter", end="")
    assert worst < 0.010
    assert sum(large for _, large in times.values()) < 6 * sum(small for small, _ in times.values())


def _best(function: Callable[[], object]) -> float:
    return min(used(function, loops=1) for _ in range(15))


@pytest.mark.parametrize("hubs", [0, 14])
def test_a_path_of_six_hops_among_20_000_entities(measure: Measure, note: Keep, hubs: int) -> None:
    """Steps of 1 and of 40; each of the waypoints is tied to hubs of a thousand leaves."""
    size = 20_000 - 1_000 * hubs
    names = [f"e{number}" for number in range(size)]
    more = [f"hub {hub}" for hub in range(hubs)] + [f"leaf {leaf}" for leaf in range(1_000 * hubs)]
    links = [(names[at], names[at + step]) for at in range(size - 40) for step in (1, 40)]
    links += [(names[5_000 + 40 * (hub % 7)], f"hub {hub}") for hub in range(hubs)]
    links += [(f"hub {leaf % hubs}", f"leaf {leaf}") for leaf in range(1_000 * hubs)]
    index = GraphIndex(
        [_entity(name) for name in (*names, *more)],
        [Relation(from_entity=start, to_entity=end, relation_type="t") for start, end in links],
    )
    start, end = names[5_000], names[5_000 + 240]
    path = Paths(index).between(start, end)
    assert path is not None
    assert len(path) // 2 == 6
    took = measure(lambda: Paths(index).between(start, end), rounds=20)
    note(hubs=hubs)
    print(f"\nsix hops with {hubs} hubs: {took * 1e3:.2f} ms")
    assert took < 0.010


def star(size: int) -> tuple[GraphIndex, dict[str, tuple[str, str]]]:
    """A hub of half of all entities, with chains from its leaves, beside a random graph."""
    random, names = Random(3), [f"e{number}" for number in range(size)]
    half = size // 2
    links = [(names[0], name) for name in names[10:half]]
    links += [(names[1], names[2]), (names[2], names[10]), (names[11], names[3])]
    links += [(names[3], names[4])]
    links += [(random.choice(names[half:]), random.choice(names[half:])) for _ in range(2 * size)]
    relations = [Relation(from_entity=a, to_entity=b, relation_type="t") for a, b in links]
    index = GraphIndex([_entity(name) for name in names], relations)
    return index, {
        "six hops through the hub": (names[1], names[4]),
        "leaf to leaf": (names[20], names[half - 1]),
        "none": (names[1], names[-1]),
        "itself": (names[0], names[0]),
        "in the random half": (names[half], names[-1]),
    }


def test_paths_past_a_hub_of_10_000_and_without_end(measure: Measure, note: Keep) -> None:
    index, pairs = star(20_000)
    times = {name: _best(partial(_path, index, *ends)) for name, ends in pairs.items()}
    names = dict.fromkeys(f"e{number}" for number in (1, 4, 19_999, 11_000, 30))
    ten = measure(lambda: paths_between(index, names), rounds=20)
    note(worst_ms=max(times.values()) * 1e3, ten_pairs_ms=ten * 1e3)
    print("\n" + ", ".join(f"{name}: {took * 1e3:.2f} ms" for name, took in times.items()))
    print(f"ten pairs of one search: {ten * 1e3:.2f} ms")
    assert max(*times.values(), ten) < 0.010


def _path(index: GraphIndex, start: str, end: str) -> object:
    """Looked for anew: nothing is known of an earlier search."""
    return Paths(index).between(start, end)


def _entity(name: str) -> Entity:
    return Entity(name=name, entity_type="person", description="")

"""What the knowledge graph costs: at two sizes, as ratios within one run."""

import itertools
import statistics
from collections.abc import Callable, Iterator
from time import process_time

import pykka
import pytest

from cardwright.actors import ActorSystem, BaseConfig, Orchestrator
from cardwright.graph import (
    Entity,
    EntityCreate,
    EntityUpdate,
    KnowledgeGraphActor,
    ManageGraph,
    Relation,
    SearchQuery,
)
from cardwright.graph.index import GraphIndex
from cardwright.graph.paths import Paths
from cardwright.graph.search import Limits, keyword_hits, search

type Measure = Callable[..., float]
type Keep = Callable[..., None]

LARGE = 50_000
UPDATES = 200


class Raw(pykka.ThreadingActor):
    """An actor that writes to a dictionary and does nothing else."""

    use_daemon_thread = True

    def __init__(self) -> None:
        super().__init__()
        self.written: dict[str, object] = {}

    def put(self, key: str, value: object) -> None:
        self.written[key] = value


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
    # The event costs as much as the rest of the update; 5 is what is wanted.
    assert min(over_raw) < 7


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


def test_keyword_search_of_50_000_entities(measure: Measure, note: Keep) -> None:
    index = GraphIndex(
        Entity(name=f"e{number}", entity_type="person", description=f"number {number} of many")
        for number in range(LARGE)
    )
    queries = ["number 49999", "NUMBER", "e31415", "many number", "no such words"]
    times = {query: _best(lambda text=query: keyword_hits(index, text, 20)) for query in queries}  # type: ignore[misc] # bound in the loop
    measure(lambda: search(index, SearchQuery(query="e31415", mode="keyword"), {}, Limits()))
    note(worst_ms=max(times.values()) * 1e3)
    print("\n" + ", ".join(f"{query!r}: {took * 1e3:.2f} ms" for query, took in times.items()))
    assert max(times.values()) < 0.010


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


def _entity(name: str) -> Entity:
    return Entity(name=name, entity_type="person", description="")

"""What one change of a board or a graph costs while the team is stored and somebody follows it."""

import itertools
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

import pytest
from tests.benchmarks.conftest import Measure

from cardwright.actors import BaseConfig, EventSubscriber
from cardwright.actors.messages import Message, StateChangedMessage
from cardwright.graph import EntityCreate, EntityUpdate, KnowledgeGraphActor, ManageGraph
from cardwright.planning import TaskCreate, TaskUpdate, UpdatePlan
from cardwright.planning.actor import PlanActor
from cardwright.store.teams import RunningTeam, Teams

type Keep = Callable[..., None]
type Change = Callable[[], object]

SMALL, LARGE = 500, 10_000
CHANGES = 100
ROUNDS = 7


class Follower(EventSubscriber):
    """Looks into every state that is published, as a page that shows it would."""

    def __init__(self) -> None:
        self.seen = 0

    def on_message(self, msg: Message) -> None:
        if isinstance(msg, StateChangedMessage):
            state = msg.state
            self.seen += len(getattr(state, "task_list", ()) or getattr(state, "entities", ()))


@pytest.fixture
def teams(tmp_path: Path) -> Iterator[Teams]:
    with Teams(f"sqlite:///{tmp_path}/teams.db") as teams:
        yield teams


def board(teams: Teams, team: RunningTeam, size: int) -> Change:
    config = BaseConfig(name="#Board", role="ToolActor")
    plan = teams.system.proxy_ask(team.root.createActor(PlanActor, config=config), PlanActor, None)
    tasks = [
        TaskCreate(id=number, status="pending", description=f"task {number}", owner="@A")
        for number in range(size)
    ]
    plan.update_planning(UpdatePlan(create_tasks=tasks), team.root.myAddress)
    batches = itertools.cycle(
        UpdatePlan(update_tasks=[TaskUpdate(id=size // 2, output=f"version {number}")])
        for number in range(200)
    )
    return lambda: plan.update_planning(next(batches), team.root.myAddress)


def graph(teams: Teams, team: RunningTeam, size: int) -> Change:
    config = BaseConfig(name="#Graph", role="ToolActor")
    address = team.root.createActor(KnowledgeGraphActor, config=config)
    actor = teams.system.proxy_ask(address, KnowledgeGraphActor, None)
    entities = [
        EntityCreate(name=f"e{number}", entity_type="kind", description=f"number {number}")
        for number in range(size)
    ]
    actor.update_graph(ManageGraph(create_entities=entities))
    batches = itertools.cycle(
        ManageGraph(update_entities=[EntityUpdate(name="e7", description=f"version {number}")])
        for number in range(200)
    )
    return lambda: actor.update_graph(next(batches))


def used(team: RunningTeam, change: Change) -> float:
    """Seconds of processor time of one change, all threads, until it is stored and told."""
    team.flush()
    started = process_time()
    for _ in range(CHANGES):
        change()
    team.flush()
    return (process_time() - started) / CHANGES


@pytest.mark.parametrize("make", [board, graph])
@pytest.mark.parametrize("followed", [False, True])
def test_one_change_of_a_stored_team(
    teams: Teams,
    make: Callable[[Teams, RunningTeam, int], Change],
    measure: Measure,
    note: Keep,
    followed: bool,
) -> None:
    """Storing it does not depend on the size; each look of a subscriber is a shallow copy more."""
    followers = [Follower(), Follower()]
    small, large = [teams.create(subscribers=[it] if followed else []) for it in followers]
    changes = make(teams, small, SMALL), make(teams, large, LARGE)
    growth: list[float] = []
    took: list[float] = []
    for _ in range(ROUNDS):
        before, after = used(small, changes[0]), used(large, changes[1])
        growth.append(after / before)
        took.append(after)
    measure(changes[1], loops=20)
    note(growth=statistics.median(growth), change_us=min(took) * 1e6)
    print(f"\n{min(took) * 1e6:.0f} us of {LARGE}, {statistics.median(growth):.2f} times {SMALL}")
    assert all((it.seen > 0) is followed for it in followers)
    # Twenty times the size; collecting garbage sees all of it now and then.
    assert statistics.median(growth) <= (4 if followed else 2)

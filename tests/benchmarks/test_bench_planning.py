"""What the board costs: at two sizes, as ratios within one run."""

import itertools
import statistics
from collections.abc import Callable, Iterator
from time import process_time

import pytest
from tests.benchmarks.raw_actor import Raw

from cardwright.actors import ActorAddress, ActorSystem, BaseConfig, Orchestrator
from cardwright.planning import TaskCreate, TaskUpdate, UpdatePlan
from cardwright.planning.actor import PlanActor

type Measure = Callable[..., float]
type Keep = Callable[..., None]

LARGE = 10_000
ROWS = 5_000


class Team:
    """An orchestrator and boards of several sizes."""

    def __init__(self, system: ActorSystem) -> None:
        self._system = system
        config = BaseConfig(name="@Orchestrator", role="Orchestrator")
        self.address: ActorAddress = system.createActor(Orchestrator, config=config)
        self._root = system.proxy_ask(self.address, Orchestrator, timeout=None)

    def board(self, size: int) -> PlanActor:
        address = self._root.createActor(
            PlanActor, config=BaseConfig(name=f"#Board {size}", role="ToolActor")
        )
        plan = self._system.proxy_ask(address, PlanActor, timeout=None)
        tasks = [
            TaskCreate(id=number, status="pending", description=f"task {number}", owner="@A")
            for number in range(size)
        ]
        plan.update_planning(UpdatePlan(create_tasks=tasks), self.address)
        return plan

    def updating(self, plan: PlanActor, task: int) -> Callable[[], object]:
        """Change one task; the batches are made beforehand, they are the caller's."""
        batches = itertools.cycle(
            [
                UpdatePlan(update_tasks=[TaskUpdate(id=task, output=f"version {number}")])
                for number in range(200)
            ]
        )
        return lambda: plan.update_planning(next(batches), self.address)


@pytest.fixture
def team() -> Iterator[Team]:
    with ActorSystem() as system:
        yield Team(system)


def used(function: Callable[[], object], *, loops: int = 100) -> float:
    """Seconds of processor time of one call, all threads: others share the machine."""
    started = process_time()
    for _ in range(loops):
        function()
    return (process_time() - started) / loops


def test_one_update_does_not_depend_on_the_size(team: Team, measure: Measure, note: Keep) -> None:
    """Publication of the state included, orchestrator too."""
    small = team.updating(team.board(200), 100)
    large = team.updating(team.board(LARGE), LARGE // 2)
    raw = Raw.start()
    proxy = raw.proxy()
    growth: list[float] = []
    over_raw: list[float] = []
    for _ in range(9):
        before, after = used(small), used(large)
        bare = used(lambda: proxy.put(7, 1).get(), loops=300)
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
    assert statistics.median(over_raw) < 5


@pytest.mark.parametrize("filtered", [False, True])
def test_the_context_of_one_changed_row_in_5_000(
    team: Team, measure: Measure, note: Keep, filtered: bool
) -> None:
    """The ask for the view, made anew after the change, and the text of what moved."""
    plan = team.board(ROWS)
    update, former = team.updating(plan, ROWS // 2), plan.planning_state("@A", filtered)
    rounds: list[float] = []
    for _ in range(40):
        update()
        rounds.append(
            used(lambda: plan.planning_state("@A", filtered).render_delta(former), loops=1)
        )
    measure(lambda: plan.planning_state("@A", filtered).render_delta(former), loops=10)
    note(delta_us=min(rounds) * 1e6)
    print(f"\ndelta of one row in {ROWS}: {min(rounds) * 1e6:.0f} us")
    assert min(rounds) < 1e-3

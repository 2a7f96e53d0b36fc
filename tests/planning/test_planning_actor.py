"""The plan actor among its callers: one owner, every change a turn, nothing lost."""

import threading
from concurrent.futures import ThreadPoolExecutor
from time import monotonic

import pytest

from cardwright.actors import ActorSystem, BaseConfig, EventSubscriber, Orchestrator
from cardwright.actors.messages import ErrorMessage, StateChangedMessage
from cardwright.core import CallContext, RetriableError, ToolStateEvent
from cardwright.planning import PlanManagerState, TaskCreate, TaskUpdate, UpdatePlan
from cardwright.planning.actor import PlanActor

CONFIG = BaseConfig(name="#PlanningTool", role="ToolActor")


class Recorder(EventSubscriber):
    """Keeps what the orchestrator publishes."""

    def __init__(self):
        self.messages = []
        self.arrived = threading.Condition()

    def on_message(self, msg):
        with self.arrived:
            self.messages.append(msg)
            self.arrived.notify_all()

    def boards(self, at_least):
        """The published boards, once there are as many."""
        with self.arrived:
            assert self.arrived.wait_for(lambda: len(self._boards()) >= at_least, timeout=5)
            return self._boards()

    def _boards(self):
        states = [message.state for message in self.messages if isinstance(message, StateChangedMessage)]
        return [state for state in states if isinstance(state, PlanManagerState)]


@pytest.fixture
def system():
    with ActorSystem() as system:
        yield system


@pytest.fixture
def orchestrator(system):
    return system.createActor(Orchestrator, config=BaseConfig(name="@Orchestrator", role="Orchestrator"))


@pytest.fixture
def team(system, orchestrator):
    return system.proxy_ask(orchestrator, Orchestrator)


@pytest.fixture
def recorder(team):
    recorder = Recorder()
    team.subscribe(recorder)
    return recorder


@pytest.fixture
def address(team):
    return team.getChildrenOrCreate(PlanActor, config=CONFIG)


@pytest.fixture
def plan(system, address):
    return system.proxy_ask(address, PlanActor)


def creates(*ids, owner="@A"):
    return UpdatePlan(
        create_tasks=[TaskCreate(id=i, status="pending", description=f"task {i}", owner=owner) for i in ids]
    )


def test_a_team_has_one_plan_actor(team, address):
    assert team.getChildrenOrCreate(PlanActor, config=CONFIG) == address
    assert address.name == "#PlanningTool"
    assert address.role == "ToolActor"


def test_case_27_a_good_batch_is_done(plan, orchestrator):
    assert plan.update_planning(creates(1, 2), orchestrator) == "Done"
    assert [task.creator for task in plan.get_planning()] == ["@Orchestrator"] * 2


@pytest.mark.parametrize("update", [UpdatePlan(update_tasks=[TaskUpdate(id=42)]), UpdatePlan(delete_tasks=[42])])
def test_case_27_a_single_unknown_id_is_named(plan, orchestrator, update):
    with pytest.raises(RetriableError, match="42"):
        plan.update_planning(update, orchestrator)


def test_case_27_all_refusals_come_joined_and_the_rest_stays_applied(plan, orchestrator):
    plan.update_planning(creates(1), orchestrator)
    update = UpdatePlan(
        create_tasks=creates(1, 2).create_tasks, update_tasks=[TaskUpdate(id=7)], delete_tasks=[8]
    )
    with pytest.raises(RetriableError) as refused:
        plan.update_planning(update, orchestrator)
    assert len(str(refused.value).split("; ")) == 3
    assert [task.id for task in plan.get_planning()] == [1, 2]


def test_case_28_a_task_or_none(plan, orchestrator):
    plan.update_planning(creates(1), orchestrator)
    assert plan.get_planning_task(1).description == "task 1"
    assert plan.get_planning_task(2) is None


def test_t3_answers_are_copies(plan, orchestrator):
    plan.update_planning(creates(1), orchestrator)
    plan.get_planning()[0].dependencies.append(9)
    plan.get_planning_task(1).description = "changed"
    assert plan.get_planning_task(1).description == "task 1"
    assert plan.get_planning_task(1).dependencies == []


def test_the_state_is_published_once_per_batch_also_when_items_were_refused(recorder, plan, orchestrator):
    start = len(recorder.boards(1))
    plan.update_planning(creates(1), orchestrator)
    with pytest.raises(RetriableError):
        plan.update_planning(UpdatePlan(update_tasks=[TaskUpdate(id=1, status="started"), TaskUpdate(id=9)]), orchestrator)
    boards = recorder.boards(start + 2)
    assert len(boards) == start + 2
    assert [[task.status for task in board.task_list] for board in boards[start:]] == [["pending"], ["started"]]


def test_a_refusal_is_an_answer_and_no_failure_of_the_actor(plan, orchestrator, team, caplog):
    with pytest.raises(RetriableError):
        plan.update_planning(UpdatePlan(delete_tasks=[1]), orchestrator)
    assert team.get_messages(message_type=ErrorMessage) == []
    assert not caplog.records


def test_no_tool_state_event_is_emitted(plan, orchestrator, team):
    plan.update_planning(creates(1), orchestrator)
    assert team.get_events(event_class=ToolStateEvent) == []


def test_a_restored_state_brings_the_board_back(plan, orchestrator):
    plan.update_planning(creates(3, 1), orchestrator)
    stored = PlanManagerState(task_list=plan.get_planning()).model_dump()
    plan.update_planning(UpdatePlan(delete_tasks=[1, 3]), orchestrator)
    plan.init_state(PlanManagerState.model_validate(stored))
    assert [task.id for task in plan.get_planning()] == [3, 1]
    assert plan.planning_state("@A", filter_by_agent=True).total == 2
    plan.update_planning(UpdatePlan(delete_tasks=[3]), orchestrator)
    assert [task.id for task in plan.get_planning()] == [1]


def test_a_repeated_call_is_answered_and_not_applied_again(plan, orchestrator):
    call = CallContext(run_id="run", tool_call_id="call")
    assert plan.update_planning(creates(1), orchestrator, call) == "Done"
    assert plan.update_planning(creates(1), orchestrator, call) == "Done"
    with pytest.raises(RetriableError, match="already exists"):
        plan.update_planning(creates(1), orchestrator, CallContext(run_id="run", tool_call_id="other"))


def test_a_repeated_refusal_is_repeated(plan, orchestrator):
    call = CallContext(run_id="run", tool_call_id="call")
    for _ in range(2):
        with pytest.raises(RetriableError, match="no task 5"):
            plan.update_planning(UpdatePlan(create_tasks=creates(1).create_tasks, delete_tasks=[5]), orchestrator, call)
    assert [task.id for task in plan.get_planning()] == [1]


def test_a_call_after_its_deadline_changes_nothing(plan, orchestrator):
    with pytest.raises(RetriableError, match="too long"):
        plan.update_planning(creates(1), orchestrator, CallContext(deadline=monotonic() - 1))
    assert plan.get_planning() == []


def test_the_view_of_an_unchanged_board_is_one_object(plan, orchestrator):
    plan.update_planning(creates(1), orchestrator)
    assert plan.planning_state("@A", True) is plan.planning_state("@A", True)


def test_eight_threads_lose_nothing(plan, orchestrator):
    """Each thread creates its tasks, starts them and deletes every fifth, all on one board."""
    rounds, threads = 25, 8

    def work(thread):
        for step in range(rounds):
            task_id = thread * 1000 + step
            plan.update_planning(creates(task_id, owner=f"@{thread}"), orchestrator)
            plan.update_planning(UpdatePlan(update_tasks=[TaskUpdate(id=task_id, status="started")]), orchestrator)
            if step % 5 == 0:
                plan.update_planning(UpdatePlan(delete_tasks=[task_id]), orchestrator)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, range(threads)))
    board = plan.get_planning()
    expected = {thread * 1000 + step for thread in range(threads) for step in range(rounds) if step % 5}
    assert {task.id for task in board} == expected
    assert len(board) == len(expected)
    assert {task.status for task in board} == {"started"}
    for thread in range(threads):
        own = [task.id for task in board if task.owner == f"@{thread}"]
        assert own == sorted(own)
    assert plan.planning_state("@3", True).owner_counts == {f"@{thread}": 20 for thread in range(threads)}

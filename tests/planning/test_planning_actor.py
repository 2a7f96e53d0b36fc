"""The plan actor among its callers: one owner, every change a turn, nothing lost."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from uuid import UUID

import pytest

from cardwright.actors import (
    ActorAddress,
    ActorSystem,
    BaseConfig,
    EventSubscriber,
    Orchestrator,
)
from cardwright.actors.messages import ErrorMessage, Message, StateChangedMessage
from cardwright.core import CallContext, RetriableError, ToolStateEvent
from cardwright.core.answers import Answers
from cardwright.planning import PlanManagerState, TaskCreate, TaskUpdate, UpdatePlan
from cardwright.planning.actor import PlanActor

CONFIG = BaseConfig(name="#PlanningTool", role="ToolActor")


class Recorder(EventSubscriber):
    """Keeps what the orchestrator publishes."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.arrived = threading.Condition()

    def on_message(self, msg: Message) -> None:
        with self.arrived:
            self.messages.append(msg)
            self.arrived.notify_all()

    def set_restoring(self, team_id: UUID, restoring: bool) -> None:
        """Of no interest, like the next two."""

    def on_stop_request(self, team_id: UUID) -> None:
        pass

    def on_stop(self, team_id: UUID) -> None:
        pass

    def boards(self, at_least: int) -> list[PlanManagerState]:
        """The published boards, once there are as many."""
        with self.arrived:
            assert self.arrived.wait_for(lambda: len(self._boards()) >= at_least, timeout=5)
            return self._boards()

    def _boards(self) -> list[PlanManagerState]:
        states = [
            message.state for message in self.messages if isinstance(message, StateChangedMessage)
        ]
        return [state for state in states if isinstance(state, PlanManagerState)]


@pytest.fixture
def system() -> Iterator[ActorSystem]:
    with ActorSystem() as system:
        yield system


@pytest.fixture
def orchestrator(system: ActorSystem) -> ActorAddress:
    return system.createActor(
        Orchestrator, config=BaseConfig(name="@Orchestrator", role="Orchestrator")
    )


@pytest.fixture
def team(system: ActorSystem, orchestrator: ActorAddress) -> Orchestrator:
    return system.proxy_ask(orchestrator, Orchestrator)


@pytest.fixture
def recorder(team: Orchestrator) -> Recorder:
    recorder = Recorder()
    team.subscribe(recorder)
    return recorder


@pytest.fixture
def address(team: Orchestrator) -> ActorAddress:
    return team.getChildrenOrCreate(PlanActor, config=CONFIG)


@pytest.fixture
def plan(system: ActorSystem, address: ActorAddress) -> PlanActor:
    return system.proxy_ask(address, PlanActor)


def creates(*ids: int, owner: str = "@A") -> UpdatePlan:
    return UpdatePlan(
        create_tasks=[
            TaskCreate(id=i, status="pending", description=f"task {i}", owner=owner) for i in ids
        ]
    )


def described(plan: PlanActor) -> str | None:
    task = plan.get_planning_task(1)
    return None if task is None else task.description


def test_a_team_has_one_plan_actor(team: Orchestrator, address: ActorAddress) -> None:
    assert team.getChildrenOrCreate(PlanActor, config=CONFIG) == address
    assert address.name == "#PlanningTool"
    assert address.role == "ToolActor"


def test_case_27_a_good_batch_is_done(plan: PlanActor, orchestrator: ActorAddress) -> None:
    assert plan.update_planning(creates(1, 2), orchestrator) == "Done"
    assert [task.creator for task in plan.get_planning()] == ["@Orchestrator"] * 2


@pytest.mark.parametrize(
    "update", [UpdatePlan(update_tasks=[TaskUpdate(id=42)]), UpdatePlan(delete_tasks=[42])]
)
def test_case_27_a_single_unknown_id_is_named(
    plan: PlanActor, orchestrator: ActorAddress, update: UpdatePlan
) -> None:
    with pytest.raises(RetriableError, match="42"):
        plan.update_planning(update, orchestrator)


def test_case_27_all_refusals_come_joined_and_the_rest_stays_applied(
    plan: PlanActor, orchestrator: ActorAddress
) -> None:
    plan.update_planning(creates(1), orchestrator)
    update = UpdatePlan(
        create_tasks=creates(1, 2).create_tasks, update_tasks=[TaskUpdate(id=7)], delete_tasks=[8]
    )
    with pytest.raises(RetriableError) as refused:
        plan.update_planning(update, orchestrator)
    assert len(str(refused.value).split("; ")) == 3
    assert [task.id for task in plan.get_planning()] == [1, 2]


def test_case_28_a_task_or_none(plan: PlanActor, orchestrator: ActorAddress) -> None:
    plan.update_planning(creates(1), orchestrator)
    assert described(plan) == "task 1"
    assert plan.get_planning_task(2) is None


def test_t3_answers_are_copies(plan: PlanActor, orchestrator: ActorAddress) -> None:
    plan.update_planning(creates(1), orchestrator)
    plan.get_planning()[0].dependencies.append(9)
    copy = plan.get_planning_task(1)
    assert copy is not None
    copy.description = "changed"
    assert described(plan) == "task 1"
    assert plan.get_planning()[0].dependencies == []


def test_the_state_is_published_once_per_batch_also_when_items_were_refused(
    recorder: Recorder, plan: PlanActor, orchestrator: ActorAddress
) -> None:
    start = len(recorder.boards(1))
    plan.update_planning(creates(1), orchestrator)
    with pytest.raises(RetriableError):
        plan.update_planning(
            UpdatePlan(update_tasks=[TaskUpdate(id=1, status="started"), TaskUpdate(id=9)]),
            orchestrator,
        )
    boards = recorder.boards(start + 2)
    assert len(boards) == start + 2
    assert [[task.status for task in board.task_list] for board in boards[start:]] == [
        ["pending"],
        ["started"],
    ]


def test_a_refusal_is_an_answer_and_no_failure_of_the_actor(
    plan: PlanActor,
    orchestrator: ActorAddress,
    team: Orchestrator,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with pytest.raises(RetriableError):
        plan.update_planning(UpdatePlan(delete_tasks=[1]), orchestrator)
    assert team.get_messages(message_type=ErrorMessage) == []
    assert not caplog.records


def test_no_tool_state_event_is_emitted(
    plan: PlanActor, orchestrator: ActorAddress, team: Orchestrator
) -> None:
    plan.update_planning(creates(1), orchestrator)
    assert team.get_events(event_class=ToolStateEvent) == []


def test_a_restored_state_brings_the_board_back(
    plan: PlanActor, orchestrator: ActorAddress
) -> None:
    plan.update_planning(creates(3, 1), orchestrator)
    stored = PlanManagerState(task_list=plan.get_planning()).model_dump()
    plan.update_planning(UpdatePlan(delete_tasks=[1, 3]), orchestrator)
    plan.init_state(PlanManagerState.model_validate(stored))
    assert [task.id for task in plan.get_planning()] == [3, 1]
    assert plan.planning_state("@A", filter_by_agent=True).total == 2
    plan.update_planning(UpdatePlan(delete_tasks=[3]), orchestrator)
    assert [task.id for task in plan.get_planning()] == [1]


def test_a_refusal_says_that_the_rest_was_applied_if_there_is_one(
    plan: PlanActor, orchestrator: ActorAddress
) -> None:
    call = CallContext(run_id="run", tool_call_id="call")
    plan.update_planning(creates(1), orchestrator)
    for _ in range(2):
        with pytest.raises(RetriableError, match=r"another id\. Everything else was applied\.$"):
            plan.update_planning(creates(1, 2), orchestrator, call)
    with pytest.raises(RetriableError, match=r"another id$"):
        plan.update_planning(creates(1, 2), orchestrator)


def test_a_repeated_call_is_answered_and_not_applied_again(
    plan: PlanActor, orchestrator: ActorAddress
) -> None:
    call = CallContext(run_id="run", tool_call_id="call")
    assert plan.update_planning(creates(1), orchestrator, call) == "Done"
    assert plan.update_planning(creates(1), orchestrator, call) == "Done"
    with pytest.raises(RetriableError, match="already exists"):
        plan.update_planning(
            creates(1), orchestrator, CallContext(run_id="run", tool_call_id="other")
        )


def test_a_call_that_is_repeated_after_a_resume_is_not_applied_again(
    plan: PlanActor, orchestrator: ActorAddress, team: Orchestrator, system: ActorSystem
) -> None:
    call = CallContext(run_id="run", tool_call_id="call")
    update = UpdatePlan(create_tasks=creates(1).create_tasks, delete_tasks=[5])
    with pytest.raises(RetriableError, match="no task 5"):
        plan.update_planning(update, orchestrator, call)
    plan.update_planning(UpdatePlan(delete_tasks=[1]), orchestrator)
    (stored,) = [it for it in team.get_states().values() if isinstance(it, PlanManagerState)]
    config = BaseConfig(name="#Revived", role="ToolActor")
    revived = system.proxy_ask(team.createActor(PlanActor, config=config), PlanActor)
    revived.init_state(PlanManagerState.model_validate(stored.model_dump()))
    with pytest.raises(RetriableError, match="no task 5"):
        revived.update_planning(update, orchestrator, call)
    assert revived.get_planning() == []


def test_a_repeated_refusal_is_repeated(plan: PlanActor, orchestrator: ActorAddress) -> None:
    call = CallContext(run_id="run", tool_call_id="call")
    for _ in range(2):
        with pytest.raises(RetriableError, match="no task 5"):
            plan.update_planning(
                UpdatePlan(create_tasks=creates(1).create_tasks, delete_tasks=[5]),
                orchestrator,
                call,
            )
    assert [task.id for task in plan.get_planning()] == [1]


def test_answers_are_kept_for_the_latest_calls_only() -> None:
    answers = Answers(capacity=2)
    for name in ("first", "second", "third"):
        answers.put(("run", name), (name,))
    answers.put(None, ("outside a run",))
    kept = [answers.get(("run", name)) for name in ("first", "second", "third")]
    assert kept == [None, ("second",), ("third",)]
    assert answers.get(None) is None


def test_a_call_after_its_deadline_changes_nothing(
    plan: PlanActor, orchestrator: ActorAddress
) -> None:
    with pytest.raises(RetriableError, match="too long"):
        plan.update_planning(creates(1), orchestrator, CallContext(deadline=monotonic() - 1))
    assert plan.get_planning() == []


def test_the_view_of_an_unchanged_board_is_one_object(
    plan: PlanActor, orchestrator: ActorAddress
) -> None:
    plan.update_planning(creates(1), orchestrator)
    assert plan.planning_state("@A", True) is plan.planning_state("@A", True)


def test_eight_threads_lose_nothing(plan: PlanActor, orchestrator: ActorAddress) -> None:
    """Each thread creates its tasks, starts them and deletes every fifth, all on one board."""
    rounds, threads = 25, 8

    def work(thread: int) -> None:
        for step in range(rounds):
            task_id = thread * 1000 + step
            plan.update_planning(creates(task_id, owner=f"@{thread}"), orchestrator)
            plan.update_planning(
                UpdatePlan(update_tasks=[TaskUpdate(id=task_id, status="started")]), orchestrator
            )
            if step % 5 == 0:
                plan.update_planning(UpdatePlan(delete_tasks=[task_id]), orchestrator)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, range(threads)))
    board = plan.get_planning()
    expected = {
        thread * 1000 + step for thread in range(threads) for step in range(rounds) if step % 5
    }
    assert {task.id for task in board} == expected
    assert len(board) == len(expected)
    assert {task.status for task in board} == {"started"}
    for thread in range(threads):
        own = [task.id for task in board if task.owner == f"@{thread}"]
        assert own == sorted(own)
    assert plan.planning_state("@3", True).owner_counts == {
        f"@{thread}": 20 for thread in range(threads)
    }

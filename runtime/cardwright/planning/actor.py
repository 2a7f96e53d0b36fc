"""The one owner of a team's board: every change is a turn of this actor."""

from typing import override

from cardwright.actors import ActorAddress, Akgent, BaseConfig
from cardwright.core import CallContext, RetriableError
from cardwright.core.answers import Answers, CallKey
from cardwright_cards.planning.types import TaskStatus, UpdatePlan

from .board import Board, copy_of
from .context import PlanningState
from .search import TaskFilter, find
from .state import PlanManagerState
from .tasks import Task

DONE = "Done"


class PlanActor(Akgent[BaseConfig, PlanManagerState]):
    """Holds the board, answers its readers and applies batches of changes one after the other."""

    _board: Board
    _answers: Answers

    @override
    def on_start(self) -> None:
        self._board, self._answers = Board(), Answers()
        super().on_start()
        self.state = PlanManagerState()
        self.state.observer(self)

    @override
    def init_state(self, state: PlanManagerState) -> None:
        """Install a fresh or a restored state; the indexes are built from it."""
        self._board = Board(state.task_list)
        self._answers = Answers(state.answers)
        super().init_state(state)

    def get_planning(self) -> list[Task]:
        """Copies of all tasks in board order."""
        return [copy_of(task) for task in self._board.tasks]

    def get_planning_task(self, task_id: int) -> Task | None:
        """A copy of one task, or None."""
        return self._board.task(task_id)

    def planning_state(self, agent: str, filter_by_agent: bool) -> PlanningState:
        """The board as `agent` sees it: one object until something changes. Do not mutate it."""
        return self._board.view(agent, filtered=filter_by_agent)

    def search_planning(
        self,
        status: TaskStatus | None = None,
        owner: str | None = None,
        creator: str | None = None,
        query: str | None = None,
        top_k: int = 10,
    ) -> list[str]:
        """Lines of the tasks that pass the filters and contain the query, which `top_k` bounds."""
        return find(self._board.entries, TaskFilter(status, owner, creator), query, top_k)

    def update_planning(
        self, update: UpdatePlan, actor_address: ActorAddress, call: CallContext | None = None
    ) -> str:
        """Apply a batch for the agent at `actor_address`, who becomes the creator of new tasks.

        A repeated call (same run, tool call and batch) is answered again and not applied again.

        Raises:
            RetriableError: Items were refused, all of them named; the others are applied. Or the
                deadline of the call has passed, and nothing is.
        """
        call = call or CallContext()
        refusals = self._answers.get(_key(call, update))
        if refusals is None:
            refusals = self._applied(update, actor_address.name, call)
        if refusals:
            raise RetriableError("; ".join(refusals), failure="rejected_items")
        return DONE

    def _applied(self, update: UpdatePlan, creator: str, call: CallContext) -> tuple[str, ...]:
        if call.expired:
            raise RetriableError(
                "The call took too long and nothing was changed: send it again.", failure="too_late"
            )
        refusals = tuple(self._board.apply(update, creator))
        self._answers.put(_key(call, update), refusals)
        self.state.task_list, self.state.answers = self._board.tasks, self._answers.stored
        self.state.notify_state_change()
        return refusals


def _key(call: CallContext, update: UpdatePlan) -> CallKey | None:
    """What the call is known by: not every host digests the arguments, so the batch is part."""
    return None if call.key is None else (*call.key, update.model_dump_json())

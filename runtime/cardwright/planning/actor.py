"""The one owner of a team's board: every change is a turn of this actor."""

import logging
from typing import override

from cardwright.actors import ActorAddress, Akgent, BaseConfig
from cardwright.core import CallContext, RetriableError
from cardwright.core.answers import Answers, CallKey, with_rest
from cardwright.vectors import TextEntry, VectorClient
from cardwright_cards.planning.types import TaskStatus, UpdatePlan

from .board import Board, copy_of
from .context import PlanningState
from .search import KEYWORDS, Matching, TaskFilter, find
from .state import PlanManagerState
from .tasks import Task

DONE = "Done"
_logger = logging.getLogger(__name__)


class PlanActor(Akgent[BaseConfig, PlanManagerState]):
    """Holds the board, answers its readers and applies batches of changes one after the other."""

    _board: Board
    _answers: Answers
    _client: VectorClient | None

    @override
    def on_start(self) -> None:
        self._board, self._answers, self._client = Board(), Answers(), None
        super().on_start()
        self.state = PlanManagerState()
        self.state.observer(self)

    @override
    def init_state(self, state: PlanManagerState) -> None:
        """Install a fresh or a restored state; the indexes are built from it."""
        self._board = Board(state.task_list)
        if len(self._board.entries) < len(state.task_list):
            state.task_list = self._board.tasks
        self._answers = Answers(state.answers)
        super().init_state(state)
        self._sync()

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
        matching: Matching = KEYWORDS,
    ) -> list[str]:
        """Lines of the tasks that pass the filters and, with a query, match it."""
        wanted = TaskFilter(status, owner, creator)
        return find(self._board.entries, wanted, query, top_k, matching)

    def kept_ids(
        self, status: TaskStatus | None, owner: str | None, creator: str | None
    ) -> list[str]:
        """Ids of the tasks that pass the filters: what a semantic search may find."""
        wanted = TaskFilter(status, owner, creator)
        return [str(entry.task.id) for entry in self._board.entries if wanted.keeps(entry)]

    def index_in(self, client: VectorClient) -> None:
        """Have descriptions embedded in a collection; the first one is kept."""
        if self._client is None:
            self._client = client
            self._sync()
        elif self._client.store != client.store:
            _logger.warning(
                "the board is indexed in %s already: the other card's vector_store is ignored",
                self._client.store.name,
            )

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
        refused = self._board.apply(update, creator)
        items = len(update.create_tasks) + len(update.update_tasks) + len(update.delete_tasks)
        refusals = with_rest(refused, applied=items - len(refused))
        self._answers.put(_key(call, update), refusals)
        self._write()
        self.state.notify_state_change()
        self._embed()
        return refusals

    def _write(self) -> None:
        for at, task in self._board.writes():
            if task is None:
                self.state.drop("task_list", at)
            else:
                self.state.put("task_list", at, task)
        self.state.answers = self._answers.stored

    def _embed(self) -> None:
        moved = self._board.moved_texts()
        if self._client is not None:
            self._client.remove([task_id for task_id, text in moved.items() if text is None])
            self._client.put(
                [
                    TextEntry("task", task_id, text)
                    for task_id, text in moved.items()
                    if text is not None
                ]
            )

    def _sync(self) -> None:
        self._board.moved_texts()
        if self._client is not None:
            self._client.sync(
                [TextEntry("task", str(task.id), task.description) for task in self._board.tasks]
            )


def _key(call: CallContext, update: UpdatePlan) -> CallKey | None:
    """What the call is known by: not every host digests the arguments, so the batch is part."""
    return None if call.key is None else (*call.key, update.model_dump_json())

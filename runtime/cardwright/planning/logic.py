"""PlanningTool's behaviour: each method asks the team's plan actor."""

from typing import final, override

from cardwright.actors import ActorAddress
from cardwright.core import BaseConfig, RetriableError, ToolObserverGone
from cardwright.vectors import SemanticSearch, require_vector_store
from cardwright_cards.planning.card import GetPlanning
from cardwright_cards.planning.contract import PlanningContract
from cardwright_cards.planning.types import TaskStatus, UpdatePlan

from .actor import PlanActor
from .context import PlanningState
from .search import Matching, SearchMode, TaskFilter
from .tasks import Task

COLLECTION = "planning"
PLAN_ACTOR_NAME = "#PlanningTool"
NO_TASKS = "No task matches."


@final
class PlanningLogic(PlanningContract):
    """Reads and changes the board on behalf of one agent."""

    _plan: PlanActor
    _semantic: SemanticSearch = SemanticSearch()

    @override
    def bind(self) -> None:
        card = self.card
        require_vector_store(card.collection, type(card).__name__)
        self._semantic = SemanticSearch.of(
            self.observer, card.vector_store, COLLECTION, card.collection, needed_by=PLAN_ACTOR_NAME
        )
        self._plan = self.observer.proxy_ask(self.plan_actor(BaseConfig()), PlanActor)
        if self._semantic.client is not None:
            self._plan.index_in(self._semantic.client)

    @override
    def planning_state(self, config: GetPlanning) -> PlanningState | None:
        return self._plan.planning_state(self.observer.myAddress.name, config.filter_by_agent)

    @override
    def get_planning_task(self, *, task_id: int) -> Task | str:
        return self._plan.get_planning_task(task_id) or f"No task has the id {task_id}."

    @override
    def update_planning(self, *, update: UpdatePlan) -> str:
        caller = self._caller()
        try:
            return self._plan.update_planning(update, caller, self.call)
        except RetriableError as refused:
            late = refused.failure == "too_late"
            raise self.retry("too_late" if late else "rejected_items", str(refused)) from refused

    @override
    def search_planning(
        self,
        *,
        query: str | None,
        mode: SearchMode,
        status: TaskStatus | None,
        owner: str | None,
        creator: str | None,
        top_k: int | None,
        score_threshold: float | None,
    ) -> list[str]:
        if mode == "vector" and self._semantic.refusal and (query or "").strip():
            return [self._semantic.refusal]
        wanted = TaskFilter(status, owner, creator)
        most = top_k or self.card.search_top_k
        least = self.card.search_score_threshold if score_threshold is None else score_threshold
        cosines = {} if mode == "keyword" else self._cosines(query or "", wanted, most, least)
        return self._plan.search_planning(
            status,
            owner,
            creator,
            query,
            most,
            Matching(mode, self.card.hybrid_alpha, cosines),
        )

    @override
    def search_planning_text(
        self,
        *,
        status: TaskStatus | None,
        owner: str | None,
        creator: str | None,
        top_k: int | None,
        mode: SearchMode,
        score_threshold: float | None,
        query: str,
    ) -> str:
        lines = self.search_planning(
            query=query,
            mode=mode,
            status=status,
            owner=owner,
            creator=creator,
            top_k=top_k,
            score_threshold=score_threshold,
        )
        return "\n".join(lines) or NO_TASKS

    def _cosines(
        self, query: str, wanted: TaskFilter, top_k: int, threshold: float
    ) -> dict[str, float]:
        """What is close in meaning among the tasks that the filter keeps."""
        client = self._semantic.client
        if client is None or not query.strip():
            return {}
        allowed = None
        if wanted != TaskFilter():
            allowed = self._plan.kept_ids(wanted.status, wanted.owner, wanted.creator)
        return client.semantic_scores(query, top_k, allowed=allowed, threshold=threshold)

    def _caller(self) -> ActorAddress:
        try:
            return self.observer.myAddress
        except ToolObserverGone as gone:
            raise self.retry(
                "agent_gone", "You are shutting down: the board was not changed."
            ) from gone

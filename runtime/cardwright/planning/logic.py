"""PlanningTool's behaviour: each method asks the team's plan actor."""

from typing import final, override

from cardwright.actors import ActorAddress
from cardwright.core import BaseConfig, RetriableError, ToolObserverGone
from cardwright_cards.planning.card import GetPlanning
from cardwright_cards.planning.contract import PlanningContract
from cardwright_cards.planning.types import TaskStatus, UpdatePlan

from .actor import PlanActor
from .context import PlanningState
from .tasks import Task

NO_TASKS = "No task matches."


@final
class PlanningLogic(PlanningContract):
    """Reads and changes the board on behalf of one agent."""

    _plan: PlanActor

    @override
    def bind(self) -> None:
        self._plan = self.observer.proxy_ask(self.plan_actor(BaseConfig()), PlanActor)

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
        status: TaskStatus | None,
        owner: str | None,
        creator: str | None,
        top_k: int | None,
    ) -> list[str]:
        return self._plan.search_planning(
            status=status,
            owner=owner,
            creator=creator,
            query=query,
            top_k=top_k or self.card.search_top_k,
        )

    @override
    def search_planning_text(
        self,
        *,
        status: TaskStatus | None,
        owner: str | None,
        creator: str | None,
        top_k: int | None,
        query: str,
    ) -> str:
        lines = self.search_planning(
            query=query, status=status, owner=owner, creator=creator, top_k=top_k
        )
        return "\n".join(lines) or NO_TASKS

    def _caller(self) -> ActorAddress:
        try:
            return self.observer.myAddress
        except ToolObserverGone as gone:
            raise self.retry(
                "agent_gone", "You are shutting down: the board was not changed."
            ) from gone

# Generated from specs/planning.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""What the logic of `PlanningTool` must implement."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Literal

from cardwright.core import ActorToolObserver, CardLogic

from .card import PlanningTool

if TYPE_CHECKING:
    from cardwright.core import ActorAddress, BaseConfig

    from .card import GetPlanning
    from .types import PlanningStateBase, TaskBase, TaskStatus, UpdatePlan

type PlanningFailure = Literal["rejected_items", "too_late", "agent_gone"]
"""Failures that the model can fix: `raise self.retry("rejected_items", "...")`."""


class PlanningContract(CardLogic[PlanningTool, ActorToolObserver, PlanningFailure]):
    """Base of `PlanningLogic`: one method per endpoint of the spec."""

    def plan_actor(self, config: BaseConfig) -> ActorAddress:
        """Get or create `#PlanningTool`, named and filed under this team."""
        return self.tool_actor("#PlanningTool", "cardwright.planning.actor:PlanActor", config)

    @abstractmethod
    def planning_state(self, config: GetPlanning) -> PlanningStateBase | None:
        """Snapshot for the context, or `None` while it cannot be read."""

    @abstractmethod
    def get_planning_task(self, *, task_id: int) -> TaskBase | str:
        """Look up one task of the board with all its details: dependencies, output and time of the last change included."""

    @abstractmethod
    def update_planning(self, *, update: UpdatePlan) -> str:
        """Create, update and delete tasks of the team's board, as many as you like in one call.

        Creations come first, then updates, then deletions. Every valid item is applied even if others are refused; the refusal
        names each refused item, so send only those again. A description holds at most 300 characters, an output at most 150.
        You become the creator of the tasks you create. Keep the status of your own tasks current.
        """

    @abstractmethod
    def search_planning(
        self,
        *,
        query: str | None,
        mode: Literal["hybrid", "vector", "keyword"],
        status: TaskStatus | None,
        owner: str | None,
        creator: str | None,
        top_k: int | None,
        score_threshold: float | None,
    ) -> list[str]:
        """Find tasks of the whole board, whoever owns them.

        All filters must match exactly. Without a query every task that passes the filters is listed. With one, only
        tasks whose description contains it, whatever the case, or is close to it in meaning if the team has a vector store.
        """

    @abstractmethod
    def search_planning_text(
        self,
        *,
        status: TaskStatus | None,
        owner: str | None,
        creator: str | None,
        top_k: int | None,
        mode: Literal["hybrid", "vector", "keyword"],
        score_threshold: float | None,
        query: str,
    ) -> str:
        """Find tasks by text and filters, for example "/search_planning status=started parser"."""

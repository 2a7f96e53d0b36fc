"""The planning card: a task board per team, owned by one actor, shown to agents as context updates.

Others touch the card, its params, its task models and the stored state; the rest is internal.
"""

from cardwright_cards.planning import (
    GetPlanning,
    GetPlanningTask,
    PlanningTool,
    SearchPlanning,
    TaskCreate,
    TaskRow,
    TaskStatus,
    TaskUpdate,
    UpdatePlan,
    UpdatePlanning,
)

from .context import PlanningState
from .state import PlanManagerState
from .tasks import Task

__all__ = [
    "GetPlanning",
    "GetPlanningTask",
    "PlanManagerState",
    "PlanningState",
    "PlanningTool",
    "SearchPlanning",
    "Task",
    "TaskCreate",
    "TaskRow",
    "TaskStatus",
    "TaskUpdate",
    "UpdatePlan",
    "UpdatePlanning",
]

# Generated from specs/planning.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""Shared task board of a team."""

from .card import GetPlanning, GetPlanningTask, PlanningTool, SearchPlanning, UpdatePlanning
from .types import (
    PlanningStateBase,
    TaskBase,
    TaskCreate,
    TaskRow,
    TaskStatus,
    TaskUpdate,
    UpdatePlan,
)

__all__ = [
    "GetPlanning",
    "GetPlanningTask",
    "PlanningStateBase",
    "PlanningTool",
    "SearchPlanning",
    "TaskBase",
    "TaskCreate",
    "TaskRow",
    "TaskStatus",
    "TaskUpdate",
    "UpdatePlan",
    "UpdatePlanning",
]

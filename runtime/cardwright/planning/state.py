"""What is stored of the board."""

from cardwright.actors import BaseState

from .tasks import Task


class PlanManagerState(BaseState):
    """All tasks in board order; the tasks themselves are replaced, never mutated."""

    task_list: list[Task] = []

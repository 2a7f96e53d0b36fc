"""What is stored of the board."""

from cardwright.core.written_state import WrittenState

from .tasks import Task


class PlanManagerState(WrittenState):
    """All tasks in board order.

    A change replaces the tasks that it concerns and mutates none, so a snapshot shares them, and
    publishing one change among many tasks does not look at the others.
    """

    task_list: list[Task] = []
    # What recent calls were answered: a call that is repeated after a resume changes nothing.
    answers: dict[str, list[str]] = {}

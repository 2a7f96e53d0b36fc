"""What is stored of the board."""

from typing import Self, override

from cardwright.actors import BaseState
from cardwright.actors.changes import Snapshot

from .tasks import Task


class PlanManagerState(BaseState):
    """All tasks in board order.

    A change replaces what it concerns, list, tasks and answers; nothing is ever mutated. So a
    snapshot shares them, and publishing one change among many tasks does not look at the others.
    """

    task_list: list[Task] = []
    # What recent calls were answered: a call that is repeated after a resume changes nothing.
    answers: dict[str, list[str]] = {}

    @override
    def notify_state_change(self) -> None:
        """Publish the state; the plan actor does so once for each batch."""
        if (observer := self.get_observer()) is not None:
            observer.notify_state_change(self)

    @override
    def notify_if_changed(self) -> None:
        """Nothing: every change was published when it was made."""

    @override
    def snapshot(self) -> Snapshot[Self]:
        """The same, for the record."""
        return Snapshot(self, {**vars(self)})

    @override
    def serializable_copy(self) -> Self:
        """A snapshot in constant time."""
        return self.model_copy()

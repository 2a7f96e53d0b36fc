"""The board as text in the context of one agent: everything once, then only what moved."""

from collections.abc import Iterable, Iterator
from itertools import compress, count
from operator import is_not
from typing import override

from cardwright_cards.planning.types import PlanningStateBase, TaskRow

from .rows import headline, moves, task_line
from .tasks import UNASSIGNED

EMPTY = "The team's task board is empty."
POINTER = (
    "Look up a task with get_planning_task(task_id); "
    "find others with search_planning(query, status, owner, creator)."
)


class PlanningState(PlanningStateBase):
    """One agent's view of the board; never mutated, so an unchanged view is the same object."""

    @override
    def render_full(self) -> str:
        """The whole view: total, breakdown by owner, visible tasks, and where to read more."""
        if not self.total:
            return EMPTY
        return "\n".join([f"{self._total()} ({self._breakdown()}).", *self._section(), POINTER])

    @override
    def render_delta(self, previous: PlanningStateBase) -> str | None:
        """What this view shows and `previous` did not, or None.

        Against a view of another agent or under another filter it is the full text.
        """
        if previous is self:
            return None
        if (previous.agent_name, previous.filter_by_agent) != (
            self.agent_name,
            self.filter_by_agent,
        ):
            return self.render_full()
        lines = [f"{self._total()}."] if previous.total != self.total else []
        lines.extend(_changes(previous.tasks, self.tasks))
        return "\n".join(lines) or None

    def _total(self) -> str:
        return f"Team task board: {self.total} {'task' if self.total == 1 else 'tasks'}"

    def _breakdown(self) -> str:
        named = sorted(owner for owner in self.owner_counts if owner != UNASSIGNED)
        return ", ".join(
            f"{owner}: {count}"
            for owner in [*named, UNASSIGNED]
            if (count := self.owner_counts.get(owner))
        )

    def _section(self) -> list[str]:
        if self.filter_by_agent and not self.tasks:
            return [f"No task concerns you, {self.agent_name}."]
        title = (
            f"Tasks that concern you, {self.agent_name}:" if self.filter_by_agent else "All tasks:"
        )
        return [title, *(f"- {task_line(row)}" for row in self.tasks)]


def _changes(old: list[TaskRow], new: list[TaskRow]) -> Iterator[str]:
    """Lines for new and changed rows in their present order, then for those that went."""
    old, new = _trimmed(old, new)
    before = {row.id: row for row in old}
    for row in new:
        earlier = before.pop(row.id, None)
        if earlier is None:
            yield f"- New: {task_line(row)}"
        elif earlier is not row and (found := moves(earlier, row)):
            yield f"- Changed: #{row.id} {'; '.join(found)}"
    for row in before.values():
        yield f"- Removed: {headline(row)}"


def _trimmed(old: list[TaskRow], new: list[TaskRow]) -> tuple[list[TaskRow], list[TaskRow]]:
    """Both lists without the identical rows at either end.

    Unchanged rows are the same objects, so a row that did not change costs a pointer comparison.
    """
    head = _shared(old, new, old, new)
    old, new = old[head:], new[head:]
    tail = _shared(old, new, reversed(old), reversed(new))
    return old[: len(old) - tail], new[: len(new) - tail]


def _shared(
    old: list[TaskRow], new: list[TaskRow], left: Iterable[TaskRow], right: Iterable[TaskRow]
) -> int:
    """How many rows are the same objects when `old` and `new` are read as `left` and `right`."""
    return next(compress(count(), map(is_not, left, right)), min(len(old), len(new)))

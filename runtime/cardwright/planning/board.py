"""The tasks of a team with the indexes that make one change cost one change."""

import logging
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from cardwright.core import now
from cardwright_cards.planning.types import TaskCreate, TaskRow, TaskUpdate, UpdatePlan

from .context import PlanningState
from .places import Places
from .tasks import Task, owner_label

_logger = logging.getLogger(__name__)

type Write = tuple[int, Task | None]
"""A position in the list of tasks, and what came there: None if a task went."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A task with what is derived from it once, when it changes."""

    task: Task
    row: TaskRow
    place: int
    folded: str


class Board:
    """Tasks by id in order of creation. Tasks, rows and views are replaced, never mutated."""

    def __init__(self, tasks: Iterable[Task] = ()) -> None:
        self._entries: dict[int, Entry] = {}
        self._rows: Places[TaskRow] = Places()
        self._owners: Counter[str] = Counter()
        self._visible: dict[str, Places[TaskRow]] = {}
        self._views: dict[tuple[str, bool], PlanningState] = {}
        self._next_place = 0
        self._texts: dict[str, str | None] = {}
        self._writes: list[Write] = []
        for task in tasks:
            self._load(task)
        self._writes.clear()

    @property
    def entries(self) -> Collection[Entry]:
        """All tasks in board order."""
        return self._entries.values()

    @property
    def tasks(self) -> list[Task]:
        """A new list of the tasks themselves: for readers that do not mutate them."""
        return [entry.task for entry in self.entries]

    def moved_texts(self) -> dict[str, str | None]:
        """New descriptions by id since the last call; None for tasks that went."""
        moved, self._texts = self._texts, {}
        return moved

    def writes(self) -> list[Write]:
        """What happened to the list of tasks since the last call, in order."""
        done, self._writes = self._writes, []
        return done

    def task(self, task_id: int) -> Task | None:
        """A copy of one task."""
        entry = self._entries.get(task_id)
        return None if entry is None else copy_of(entry.task)

    def view(self, agent: str, *, filtered: bool) -> PlanningState:
        """The board as `agent` sees it: the same object until something on the board changes.

        Filtered, an agent sees the tasks it owns and those it created for another owner.
        """
        key = (agent, filtered)
        if (view := self._views.get(key)) is None:
            view = self._views[key] = PlanningState.model_construct(
                total=len(self._entries),
                owner_counts=dict(self._owners),
                tasks=self._rows_of(agent) if filtered else self._rows.entries.copy(),
                agent_name=agent,
                filter_by_agent=filtered,
            )
        return view

    def apply(self, update: UpdatePlan, creator: str) -> list[str]:
        """Apply all creations, then updates, then deletions; say why items were refused."""
        refusals = [
            *[self._create(item, creator) for item in update.create_tasks],
            *[self._update(item) for item in update.update_tasks],
            *[self._delete(task_id) for task_id in update.delete_tasks],
        ]
        return [refusal for refusal in refusals if refusal]

    def _create(self, item: TaskCreate, creator: str) -> str | None:
        if item.id in self._entries:
            return f"task {item.id} already exists: update it, or choose another id"
        self._append(
            Task(
                id=item.id,
                status=item.status,
                description=item.description,
                owner=item.owner,
                dependencies=list(item.dependencies),
                creator=creator,
            )
        )
        return None

    def _update(self, item: TaskUpdate) -> str | None:
        entry = self._entries.get(item.id)
        if entry is None:
            return f"no task {item.id} to update"
        task = changed(entry.task, item)
        self._disown(entry.task)
        self._hide(entry, viewers(entry.task) - viewers(task))
        self._remember(task, entry.place)
        if task.description != entry.task.description:
            self._texts[str(task.id)] = task.description
        return None

    def _delete(self, task_id: int) -> str | None:
        entry = self._entries.pop(task_id, None)
        if entry is None:
            return f"no task {task_id} to delete"
        self._texts[str(task_id)] = None
        self._disown(entry.task)
        self._hide(entry, viewers(entry.task))
        self._writes.append((self._rows.drop(entry.place), None))
        self._views.clear()
        return None

    def _load(self, task: Task) -> None:
        if task.id in self._entries:
            _logger.warning("the stored board holds task %d twice; the first is kept", task.id)
            return
        self._append(task)

    def _append(self, task: Task) -> None:
        self._texts[str(task.id)] = task.description
        self._remember(task, self._next_place)
        self._next_place += 1

    def _remember(self, task: Task, place: int) -> None:
        row = row_of(task)
        self._entries[task.id] = Entry(task, row, place, task.description.casefold())
        self._owners[owner_label(task.owner)] += 1
        self._writes.append((self._rows.put(place, row), task))
        for agent in viewers(task):
            if (visible := self._visible.get(agent)) is None:
                visible = self._visible[agent] = Places()
            visible.put(place, row)
        self._views.clear()

    def _disown(self, task: Task) -> None:
        label = owner_label(task.owner)
        self._owners[label] -= 1
        if not self._owners[label]:
            del self._owners[label]

    def _hide(self, entry: Entry, agents: Iterable[str]) -> None:
        for agent in agents:
            visible = self._visible[agent]
            visible.drop(entry.place)
            if not visible.entries:
                del self._visible[agent]

    def _rows_of(self, agent: str) -> list[TaskRow]:
        visible = self._visible.get(agent)
        return [] if visible is None else visible.entries.copy()


def viewers(task: Task) -> set[str]:
    """The agents that see the task filtered: owner and creator, nobody while it is unassigned."""
    return {task.owner, task.creator} - {""} if task.owner else set()


def row_of(task: Task) -> TaskRow:
    """The task as views show it."""
    return TaskRow(
        id=task.id,
        status=task.status,
        description=task.description,
        owner=task.owner,
        creator=task.creator,
        output=task.output,
    )


def copy_of(task: Task) -> Task:
    """A copy that shares nothing mutable."""
    return task.model_copy(update={"dependencies": list(task.dependencies)})


def changed(task: Task, item: TaskUpdate) -> Task:
    """The task with the fields that the update gives, and the time of the change."""
    given = {
        "status": item.status,
        "description": item.description,
        "output": item.output,
        "owner": item.owner,
        "dependencies": None if item.dependencies is None else list(item.dependencies),
    }
    fresh: dict[str, object] = {name: value for name, value in given.items() if value is not None}
    return task.model_copy(update={**fresh, "updated_at": now()})

# Generated from specs/planning.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""Types of `PlanningTool`."""

from typing import Annotated, Literal

from pydantic import AwareDatetime, Field

from cardwright.core import ContextState, Data, Truncate, now

type TaskStatus = Annotated[
    Literal["pending", "started", "completed", "abort"], Field(description="Progress of a task.")
]


class TaskCreate(Data):
    """A task to put on the board."""

    id: Annotated[
        int, Field(description="Number of the task. Choose one that is not on the board yet.")
    ]
    status: Annotated[
        TaskStatus,
        Field(
            description="Progress: pending (not begun), started (in work), completed (done) or abort (given up)."
        ),
    ]
    description: Annotated[
        str, Field(description="What is to be done. At most 300 characters.", max_length=300)
    ]
    owner: Annotated[
        str,
        Field(
            description="Name of the agent who does it, such as @Developer. An empty string leaves it unassigned.",
            max_length=300,
        ),
    ]
    dependencies: Annotated[
        list[int],
        Field(
            description="Ids of the tasks to finish first. A note to readers; nothing enforces it."
        ),
    ] = []


class TaskUpdate(Data):
    """Changes to one task. Fields left out stay as they are."""

    id: Annotated[int, Field(description="Number of the task to change.")]
    status: Annotated[
        TaskStatus | None,
        Field(
            description="New progress: pending (not begun), started (in work), completed (done) or abort (given up)."
        ),
    ] = None
    description: Annotated[
        str | None, Field(description="New wording. At most 300 characters.", max_length=300)
    ] = None
    output: Annotated[
        Annotated[str, Truncate(150)] | None,
        Field(
            description="Result of the work, or where to find it. At most 150 characters; a longer text is cut. An empty string clears it."
        ),
    ] = None
    owner: Annotated[
        str | None,
        Field(description="New owner. An empty string unassigns the task.", max_length=300),
    ] = None
    dependencies: Annotated[
        list[int] | None,
        Field(description="New list of tasks to finish first. An empty list clears it."),
    ] = None


class UpdatePlan(Data):
    """One batch of changes to the board."""

    create_tasks: Annotated[list[TaskCreate], Field(description="Tasks to add.")] = []
    update_tasks: Annotated[list[TaskUpdate], Field(description="Tasks to change.")] = []
    delete_tasks: Annotated[list[int], Field(description="Ids of the tasks to remove.")] = []


class TaskBase(Data):
    """A task on the board."""

    id: Annotated[int, Field(description="Number of the task.")]
    status: Annotated[TaskStatus, Field(description="Progress.")]
    description: Annotated[str, Field(description="What is to be done.", max_length=300)]
    owner: Annotated[
        str, Field(description="Name of the agent who does it; empty when unassigned.")
    ]
    dependencies: Annotated[list[int], Field(description="Ids of the tasks to finish first.")] = []
    output: Annotated[str, Field(description="Result of the work, or where to find it.")] = ""
    creator: Annotated[str, Field(description="Name of the agent who created it.")] = ""
    updated_at: Annotated[AwareDatetime, Field(description="When it last changed.")] = Field(
        default_factory=now
    )


class TaskRow(Data):
    """What a context update shows of a task."""

    id: int
    status: str
    description: str
    owner: str
    creator: str
    output: str


class PlanningStateBase(ContextState["PlanningStateBase"]):
    """The board as one agent sees it."""

    total: Annotated[int, Field(description="Tasks on the whole board.")]
    owner_counts: Annotated[
        dict[str, int], Field(description="Tasks of each owner on the whole board.")
    ]
    tasks: Annotated[list[TaskRow], Field(description="Visible tasks, in board order.")]
    agent_name: Annotated[str, Field(description="Who looks at the board.")]
    filter_by_agent: Annotated[
        bool, Field(description="Whether only tasks of that agent are visible.")
    ]

# Generated from specs/planning.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""`PlanningTool` and the params of its capabilities."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, cast, override

from pydantic import Field, StrictBool

from cardwright.core import (
    ActorToolObserver,
    AnyContextState,
    BaseToolParam,
    Channels,
    RestOfLine,
    ToolCard,
    ToolPolicy,
    policy,
    provider,
    rendered,
    served,
)
from cardwright_cards.common.types import CollectionConfig

from .types import PlanningStateBase, TaskBase, TaskStatus, UpdatePlan

if TYPE_CHECKING:
    from .contract import PlanningContract


class GetPlanning(BaseToolParam):
    """Keep the agent informed about the board."""

    serves: ClassVar[frozenset[Channels]] = frozenset(
        {Channels.TOOL_CALL, Channels.LLM_CONTEXT, Channels.COMMAND}
    )
    migrations: ClassVar[Mapping[str, Mapping[object, object]]] = {
        "expose": {"system_prompt": "llm_context"}
    }
    expose: set[Channels] = {Channels.LLM_CONTEXT, Channels.COMMAND}

    filter_by_agent: Annotated[
        bool,
        Field(
            description="List only the tasks that the agent owns or handed to somebody. The totals always cover the whole board."
        ),
    ] = True


class GetPlanningTask(BaseToolParam):
    """Look up one task."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.TOOL_CALL, Channels.COMMAND})
    expose: set[Channels] = {Channels.TOOL_CALL, Channels.COMMAND}


class UpdatePlanning(BaseToolParam):
    """Change the board. Turn it off for a read-only board."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.TOOL_CALL})
    expose: set[Channels] = {Channels.TOOL_CALL}


class SearchPlanning(BaseToolParam):
    """Find tasks by text, status, owner and creator."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.TOOL_CALL, Channels.COMMAND})
    expose: set[Channels] = {Channels.TOOL_CALL, Channels.COMMAND}


class PlanningTool(ToolCard):
    """Shared task board of a team.

    One board per team, owned by one actor. Every agent reads and changes it through tools; what moved on the board reaches each agent as a context update at the tail of the conversation, so the cached prefix never changes.
    """

    logic_path: ClassVar[str] = "cardwright.planning.logic:PlanningLogic"
    observer_type: ClassVar[type[object] | None] = ActorToolObserver

    vector_store: Annotated[
        StrictBool | Annotated[str, Field(pattern="^#.+$")],
        Field(
            description="Store for semantic search: true takes #VectorStore if the team has it, a name insists on that store, false searches by keywords only."
        ),
    ] = True
    collection: Annotated[
        CollectionConfig, Field(description="Where the vectors of the tasks are kept.")
    ] = Field(default_factory=CollectionConfig)
    search_top_k: Annotated[
        int,
        Field(
            description="Most lines that a search for a text returns when the caller names no top_k.",
            ge=1,
        ),
    ] = 10
    search_score_threshold: Annotated[
        float, Field(description="Lowest cosine that counts as a semantic hit.", ge=-1, le=1)
    ] = 0.5
    hybrid_alpha: Annotated[
        float,
        Field(
            description="Weight of meaning in a hybrid search; the rest is the weight of words.",
            ge=0,
            le=1,
        ),
    ] = 0.7

    get_planning: Annotated[
        GetPlanning | bool, Field(description="Keep the agent informed about the board.")
    ] = True
    get_planning_task: Annotated[GetPlanningTask | bool, Field(description="Look up one task.")] = (
        True
    )
    update_planning: Annotated[
        UpdatePlanning | bool,
        Field(description="Change the board. Turn it off for a read-only board."),
    ] = True
    search_planning: Annotated[
        SearchPlanning | bool, Field(description="Find tasks by text, status, owner and creator.")
    ] = True

    @property
    def logic(self) -> "PlanningContract":
        """The bound logic; raises `ToolObserverGone` when the card is not bound."""
        return cast("PlanningContract", self.bound_logic())

    @property
    @override
    def depends_on(self) -> list[str]:
        found: list[str] = []
        if isinstance(self.vector_store, str):
            found.append("VectorStoreTool")
        return found

    @property
    @override
    def optional_dependencies(self) -> frozenset[str]:
        found: set[str] = set()
        if self.vector_store is True:
            found.add("VectorStoreTool")
        return frozenset(found)

    @override
    def get_tools(self) -> list[Callable[..., object]]:
        found: list[Callable[..., object]] = []
        if get_planning := served(self.get_planning, GetPlanning, Channels.TOOL_CALL):
            found.append(self._planning_summary(get_planning))
        if get_planning_task := served(self.get_planning_task, GetPlanningTask, Channels.TOOL_CALL):
            found.append(self._get_planning_task(get_planning_task))
        if update_planning := served(self.update_planning, UpdatePlanning, Channels.TOOL_CALL):
            found.append(self._update_planning(update_planning))
        if search_planning := served(self.search_planning, SearchPlanning, Channels.TOOL_CALL):
            found.append(self._search_planning(search_planning))
        return found

    @override
    def get_context_states(self) -> list[Callable[[], AnyContextState | None]]:
        found: list[Callable[[], AnyContextState | None]] = []
        if get_planning := served(self.get_planning, GetPlanning, Channels.LLM_CONTEXT):
            found.append(self._planning_state(get_planning))
        return found

    @override
    def get_commands(self) -> dict[type[BaseToolParam], Callable[..., object]]:
        found: dict[type[BaseToolParam], Callable[..., object]] = {}
        if get_planning := served(self.get_planning, GetPlanning, Channels.COMMAND):
            found[GetPlanning] = self._planning_summary(get_planning)
        if get_planning_task := served(self.get_planning_task, GetPlanningTask, Channels.COMMAND):
            found[GetPlanningTask] = self._get_planning_task(get_planning_task)
        if search_planning := served(self.search_planning, SearchPlanning, Channels.COMMAND):
            found[SearchPlanning] = self._search_planning_text(search_planning)
        return found

    def _planning_state(self, config: GetPlanning) -> Callable[[], AnyContextState | None]:
        @provider
        def planning_state() -> PlanningStateBase | None:
            """Snapshot for the context, or `None` while it cannot be read."""
            return self.logic.planning_state(config)

        return planning_state

    def _planning_summary(self, config: GetPlanning) -> Callable[..., str]:
        @policy(ToolPolicy(idempotency="read_only"))
        def planning_summary() -> str:
            """Show the team's task board: how many tasks there are, who owns them, and the tasks that concern you."""
            return rendered("planning_summary", lambda: self.logic.planning_state(config))

        return config.describe(planning_summary)

    def _get_planning_task(self, config: GetPlanningTask) -> Callable[..., TaskBase | str]:
        @policy(ToolPolicy(idempotency="read_only"))
        def get_planning_task(
            task_id: Annotated[int, Field(description="Number of the task.")],
        ) -> TaskBase | str:
            """Look up one task of the board with all its details: dependencies, output and time of the last change included."""
            return self.logic.get_planning_task(task_id=task_id)

        return config.describe(get_planning_task)

    def _update_planning(self, config: UpdatePlanning) -> Callable[..., str]:
        @policy(ToolPolicy(idempotency="effectful"))
        def update_planning(
            update: Annotated[UpdatePlan, Field(description="The changes.")],
        ) -> str:
            """Create, update and delete tasks of the team's board, as many as you like in one call.

            Creations come first, then updates, then deletions. Every valid item is applied even if others are refused; the refusal
            names each refused item, so send only those again. A description holds at most 300 characters, an output at most 150.
            You become the creator of the tasks you create. Keep the status of your own tasks current.
            """
            return self.logic.update_planning(update=update)

        return config.describe(update_planning)

    def _search_planning(self, config: SearchPlanning) -> Callable[..., list[str]]:
        @policy(ToolPolicy(idempotency="read_only"))
        def search_planning(
            query: Annotated[
                str | None,
                Field(
                    description="Text to find in descriptions. Leave it out to list by filters alone."
                ),
            ] = None,
            mode: Annotated[
                Literal["hybrid", "vector", "keyword"],
                Field(
                    description="How to match a query: by meaning (vector), by its text (keyword) or both (hybrid)."
                ),
            ] = "hybrid",
            status: Annotated[
                TaskStatus | None,
                Field(
                    description="Only tasks with this status: pending, started, completed or abort."
                ),
            ] = None,
            owner: Annotated[
                str | None,
                Field(description="Only tasks of this owner. An empty string means unassigned."),
            ] = None,
            creator: Annotated[
                str | None, Field(description="Only tasks created by this agent.")
            ] = None,
            top_k: Annotated[
                int | None,
                Field(
                    description=f"Most lines to return for a query, {self.search_top_k} when left out. Without a query there is no limit.",
                    ge=1,
                ),
            ] = None,
            score_threshold: Annotated[
                float | None,
                Field(
                    description=f"Lowest cosine that counts, {self.search_score_threshold} when left out.",
                    ge=-1,
                    le=1,
                ),
            ] = None,
        ) -> list[str]:
            """Find tasks of the whole board, whoever owns them.

            All filters must match exactly. Without a query every task that passes the filters is listed. With one, only
            tasks whose description contains it, whatever the case, or is close to it in meaning if the team has a vector store.
            """
            return self.logic.search_planning(
                query=query,
                mode=mode,
                status=status,
                owner=owner,
                creator=creator,
                top_k=top_k,
                score_threshold=score_threshold,
            )

        return config.describe(search_planning)

    def _search_planning_text(self, config: SearchPlanning) -> Callable[..., str]:
        def search_planning(
            status: Annotated[
                TaskStatus | None, Field(description="Only tasks with this status.")
            ] = None,
            owner: Annotated[
                str | None,
                Field(description='Only tasks of this owner; "owner=" means unassigned.'),
            ] = None,
            creator: Annotated[
                str | None, Field(description="Only tasks created by this agent.")
            ] = None,
            top_k: Annotated[
                int | None,
                Field(
                    description=f"Most lines for a text, {self.search_top_k} when left out.", ge=1
                ),
            ] = None,
            mode: Annotated[
                Literal["hybrid", "vector", "keyword"],
                Field(description="How to match a text: by meaning, by its wording or both."),
            ] = "hybrid",
            score_threshold: Annotated[
                float | None,
                Field(
                    description=f"Lowest cosine that counts, {self.search_score_threshold} when left out.",
                    ge=-1,
                    le=1,
                ),
            ] = None,
            query: Annotated[
                str,
                Field(description="Text to find in descriptions; nothing lists by filters alone."),
                RestOfLine,
            ] = "",
        ) -> str:
            """Find tasks by text and filters, for example "/search_planning status=started parser"."""
            return self.logic.search_planning_text(
                status=status,
                owner=owner,
                creator=creator,
                top_k=top_k,
                mode=mode,
                score_threshold=score_threshold,
                query=query,
            )

        return config.describe(search_planning)

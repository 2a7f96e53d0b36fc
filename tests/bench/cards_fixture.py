"""Handwritten cards in the shape that the generator emits, small enough to read at once."""

import asyncio
from collections.abc import Callable
from threading import Event, current_thread
from typing import Annotated, ClassVar, cast, override

from pydantic import Field

from cardwright.actors import Akgent, BaseConfig, BaseState
from cardwright.core import (
    ActorToolObserver,
    AnyContextState,
    BaseToolParam,
    CallContext,
    CardLogic,
    Channels,
    ContextState,
    Data,
    MediaContent,
    ToolCard,
    ToolPolicy,
    ToolStateEvent,
    current_call,
    policy,
    provider,
    served,
)


class Note(Data):
    """One note of the board."""

    title: Annotated[str, Field(description="What it is about.")]
    stars: Annotated[int, Field(description="How much it matters.", ge=0)] = 0


class NoteAdded(Data):
    """A note was added."""

    note: Note


class BoardState(ContextState["BoardState"]):
    """All notes of the board."""

    titles: list[str]

    @override
    def render_full(self) -> str:
        return "Notes: " + (", ".join(self.titles) or "none")

    @override
    def render_delta(self, previous: "BoardState") -> str | None:
        added = [title for title in self.titles if title not in previous.titles]
        return "New notes: " + ", ".join(added) if added else None


class BoardActorState(BaseState):
    notes: list[Note] = Field(default_factory=list[Note])


class BoardActor(Akgent[BaseConfig, BoardActorState]):
    """Owns the notes."""

    @override
    def on_start(self) -> None:
        super().on_start()
        self.state = BoardActorState()
        self.state.observer(self)
        self._seq = 0

    def add(self, note: Note) -> str:
        self.state.notes.append(note)
        self.state.notify_state_change()
        self._seq += 1
        self.notify_event(
            ToolStateEvent(tool_id=self.config.name, seq=self._seq, payload=NoteAdded(note=note))
        )
        return f"added {note.title}"

    def titles(self) -> list[str]:
        return [note.title for note in self.state.notes]


class AddNote(BaseToolParam):
    """Configures `add_note`."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.TOOL_CALL, Channels.COMMAND})
    expose: set[Channels] = Field(default={Channels.TOOL_CALL, Channels.COMMAND})


class ShowBoard(BaseToolParam):
    """Configures `board`."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.LLM_CONTEXT, Channels.COMMAND})
    expose: set[Channels] = Field(default={Channels.LLM_CONTEXT, Channels.COMMAND})


class BoardTool(ToolCard):
    """A board of notes that a team shares."""

    logic_path: ClassVar[str] = f"{__name__}:BoardLogic"
    observer_type: ClassVar[type[object] | None] = ActorToolObserver
    add_note: AddNote | bool = True
    board: ShowBoard | bool = True

    @property
    def logic(self) -> "BoardLogic":
        return cast("BoardLogic", self.bound_logic())

    @override
    def get_tools(self) -> list[Callable[..., object]]:
        found: list[Callable[..., object]] = []
        if config := served(self.add_note, AddNote, Channels.TOOL_CALL):
            found.append(self._add_note(config))
        return found

    @override
    def get_context_states(self) -> list[Callable[[], AnyContextState | None]]:
        found: list[Callable[[], AnyContextState | None]] = []
        if served(self.board, ShowBoard, Channels.LLM_CONTEXT):
            found.append(self._board_state())
        return found

    @override
    def get_commands(self) -> dict[type[BaseToolParam], Callable[..., object]]:
        found: dict[type[BaseToolParam], Callable[..., object]] = {}
        if served(self.add_note, AddNote, Channels.COMMAND):
            found[AddNote] = self._note()
        if served(self.board, ShowBoard, Channels.COMMAND):
            found[ShowBoard] = self._board()
        return found

    def _add_note(self, config: AddNote) -> Callable[..., str]:
        def add_note(
            note: Annotated[Note, Field(description="The note.")],
            pinned: Annotated[bool, Field(description="Keep it on top.")] = False,
        ) -> str:
            """Add a note to the board of the team."""
            return self.logic.add_note(note=note, pinned=pinned)

        return config.describe(add_note)

    def _note(self) -> Callable[..., str]:
        def note(title: Annotated[str, Field(description="What it is about.")]) -> str:
            """Add a note."""
            return self.logic.add_note(note=Note(title=title), pinned=False)

        return note

    def _board(self) -> Callable[[], str]:
        def board() -> str:
            """Show the board."""
            return self.logic.board_state().render_full()

        return board

    def _board_state(self) -> Callable[[], AnyContextState | None]:
        def board_state() -> AnyContextState | None:
            return self.logic.board_state()

        return provider(board_state)


class BoardLogic(CardLogic[BoardTool, ActorToolObserver, str]):
    """Behaviour of `BoardTool`."""

    @override
    def bind(self) -> None:
        address = self.tool_actor("#Board", BoardActor, BaseConfig())
        self._board = self.observer.proxy_ask(address, BoardActor)

    def add_note(self, *, note: Note, pinned: bool) -> str:
        if note.title in self._board.titles():
            raise self.retry("taken", f"there is a note {note.title!r}: choose another title")
        return self._board.add(note)

    def board_state(self) -> BoardState:
        return BoardState(titles=self._board.titles())


class ProbeTool(ToolCard):
    """What a host passes to a body: its call, its thread; and the kinds of bodies and results."""

    observer_type: ClassVar[type[object] | None] = None
    greeting: str = "You are probed."
    calls: ClassVar[list[CallContext]] = []
    release: ClassVar[Event] = Event()
    """Lets `stubborn` go on."""
    ended: ClassVar[Event] = Event()

    @override
    def get_tools(self) -> list[Callable[..., object]]:
        return [probe, probe_later, picture, divide, careful, hasty, stubborn]

    @override
    def get_system_prompts(self) -> list[Callable[[], str]]:
        def probe_prompt() -> str:
            return self.greeting

        return [probe_prompt]


def probe() -> str:
    """Tell the thread of the call."""
    ProbeTool.calls.append(current_call())
    return current_thread().name


async def probe_later(delay: Annotated[float, Field(description="Seconds to wait.")] = 0.0) -> str:
    """Tell the thread of the call, asynchronously."""
    await asyncio.sleep(delay)
    ProbeTool.calls.append(current_call())
    return current_thread().name


def picture() -> list[object]:
    """Show a picture."""
    return [MediaContent(data=b"png", media_type="image/png"), Note(title="caption")]


def divide(by: Annotated[int, Field(description="The divisor.")]) -> float:
    """Divide one by a number."""
    return 1 / by


@policy(ToolPolicy(approval=True))
def careful() -> str:
    """Do what a person must agree to."""
    return "done"


@policy(ToolPolicy(timeout=0.05, parallel_safe=False, idempotency="effectful"))
async def hasty() -> str:
    """Wait for longer than is allowed."""
    ProbeTool.calls.append(current_call())
    await asyncio.sleep(30)
    return "late"


@policy(ToolPolicy(timeout=0.05))
def stubborn() -> str:
    """Hold a thread for longer than is allowed, and look at the clock before committing."""
    ProbeTool.release.wait(30)
    ProbeTool.calls.append(current_call())
    ProbeTool.ended.set()
    return "late"

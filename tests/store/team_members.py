"""Members of the teams in the tests of their life."""

import threading
from typing import Annotated, ClassVar, override

from pydantic import Field

from cardwright.actors import (
    ActorAddress,
    Akgent,
    BaseConfig,
    BaseState,
    Orchestrator,
    SerializableBaseModel,
)
from cardwright.actors.messages import EventMessage, Message
from cardwright.core import Data, ToolActorState, emit_tool_event
from cardwright.store import StoreError
from cardwright.store.teams import RunningTeam, Teams


class Note(Message):
    """Something to remember."""

    text: str


class Purpose(SerializableBaseModel):
    """Metadata of a team."""

    goal: str


class Memory(BaseState):
    notes: Annotated[list[str], Field(description="What was noted.")] = []
    friend: ActorAddress | None = None


class Keeper(Akgent[BaseConfig, Memory]):
    """Keeps notes; waits before each of them while its gate is closed."""

    gate: ClassVar[threading.Event] = threading.Event()
    entered: ClassVar[threading.Event] = threading.Event()

    @override
    def on_start(self) -> None:
        super().on_start()
        self.state = Memory()
        self.state.observer(self)
        self.recalled: list[object] = []

    @override
    def init_llm_context(self, events: list[EventMessage]) -> None:
        self.recalled = [event.event for event in events]

    def receiveMsg_Note(self, note: Note) -> None:
        self.entered.set()
        self.gate.wait()
        self.state.notes.append(note.text)

    def notes(self) -> list[str]:
        return [*self.state.notes]

    def befriend(self, friend: ActorAddress) -> None:
        self.state.friend = friend
        self.state.notify_state_change()

    def tell_friend(self, text: str) -> None:
        assert self.state.friend is not None
        self.send(self.state.friend, Note(text=text))

    def hire(self, name: str) -> ActorAddress:
        return self.createActor(Keeper, config=BaseConfig(name=name, role="Keeper"))

    def say(self, event: object) -> None:
        self.notify_event(event)


class Parent(Keeper):
    """Creates children whenever it starts, without asking whether they are there."""

    @override
    def on_start(self) -> None:
        super().on_start()
        self.createActor(Keeper, config=BaseConfig(name="@Child"))
        self.createActor(Keeper)
        self.createActor(Parentless, config=BaseConfig(name="@Child"))


class Parentless(Keeper):
    """A child of another class."""


class Fleeting(Keeper):
    """Lives for one piece of work."""

    ephemeral: ClassVar[bool] = True


class Counted(Data):
    """The counter went up."""

    total: int


class CounterState(ToolActorState):
    total: int = 0


class Counter(Akgent[BaseConfig, CounterState]):
    """A tool actor that publishes numbered events."""

    @override
    def on_start(self) -> None:
        super().on_start()
        self.state = CounterState()
        self.state.observer(self)

    def count(self) -> int:
        self.state.total += 1
        self.state.notify_state_change()
        return emit_tool_event(self, Counted(total=self.state.total)).seq


class SlowMemory(Memory):
    """Its publication can be held up."""

    hold: ClassVar[threading.Event] = threading.Event()

    @override
    def notify_if_changed(self) -> None:
        if self.notes:
            self.hold.wait()
        super().notify_if_changed()


class SlowKeeper(Keeper):
    """Says that a turn has ended long before it tells what came of it."""

    @override
    def on_start(self) -> None:
        super().on_start()
        self.init_state(SlowMemory())


def hired(
    team: RunningTeam, kind: type[Keeper] | type[Counter], name: str, role: str = "R"
) -> ActorAddress:
    return team.root.createActor(kind, config=BaseConfig(name=name, role=role))


def asked[A](teams: Teams, team: RunningTeam, name: str, kind: type[A]) -> A:
    address = team.member(name)
    assert address is not None
    return teams.system.proxy_ask(address, kind)


def _nothing(team: RunningTeam, failure: StoreError | None) -> None:
    pass


def abandon(teams: Teams, team: RunningTeam) -> None:
    """Let go of a team as a killed process does: nothing is stored or said any more."""
    team.flush()
    team.persister._abandoned.set()
    team.persister._intake.close()
    team.persister._book.rest = dict  # type: ignore[method-assign] # no last snapshot
    team._on_end = _nothing
    team.persister._thread.join()
    teams._running.clear()
    teams.system.proxy_ask(team.orchestrator, Orchestrator).stop(5).wait()

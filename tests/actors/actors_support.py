"""Actors and messages that the tests of this folder share."""

from threading import Event
from uuid import UUID

from cardwright.actors import (
    ActorAddress,
    ActorAddressImpl,
    ActorSystem,
    Akgent,
    BaseConfig,
    BaseState,
    EventSubscriber,
    ExpectedError,
    Orchestrator,
    SerializableBaseModel,
    WarningError,
)
from cardwright.actors.messages import Message, UserMessage
from cardwright.actors.refs import AkgentRef

WAIT = 5.0


def ref_of(address: ActorAddress) -> AkgentRef:
    """What a live address delivers through."""
    assert isinstance(address, ActorAddressImpl)
    return address.ref


def wait_for_end(*addresses: ActorAddress) -> None:
    """Wait until these actors have said everything."""
    for address in addresses:
        assert ref_of(address).finished.wait(WAIT)


class Note(Message):
    text: str = ""


class UrgentNote(Note):
    """Has no handler of its own anywhere."""


class Item(SerializableBaseModel):
    name: str
    tags: list[str] = []


class BoardState(BaseState):
    count: int = 0
    items: list[Item] = []
    by_name: dict[str, Item] = {}
    anything: object = None
    friend: ActorAddress | None = None


class Worker(Akgent[BaseConfig, BoardState]):
    """Does what the text of a note says."""

    def on_start(self) -> None:
        self.state = BoardState()
        self.state.observer(self)

    def receiveMsg_Note(self, message: Note, sender: ActorAddress | None) -> str:
        match message.text:
            case "count":
                self.state.count += 1
            case "mutate":
                self.state.items.append(Item(name="new"))
            case "mutate and fail":
                self.state.count += 1
                raise KeyError("broken")
            case "warn":
                raise WarningError("mind this")
            case "expected":
                raise ExpectedError("your turn")
            case "exit":
                raise SystemExit(3)
            case "unserializable":
                self.state.anything = object()
            case "unserializable and fail":
                self.state.anything = object()
                raise KeyError("broken")
            case _:
                pass
        return f"{message.text} from {sender.name if sender else None}"

    def receiveMsg_str(self, message: str) -> str:
        self.state.count += 1
        return message.upper()

    def bump(self) -> int:
        self.state.count += 1
        return self.state.count

    def fail(self, kind: type[BaseException] = ValueError) -> None:
        raise kind("broken")

    def ask_self(self) -> object:
        return self.proxy_ask(self.myAddress, Worker).bump()

    def relay(self, to: ActorAddress, text: str) -> UUID:
        message = Note(text=text)
        self.send(to, message)
        return message.id

    def hire(self, name: str, squad: UUID | None = None) -> ActorAddress:
        return self.createActor(Worker, config=BaseConfig(name=name, squad_id=squad))

    def publish(self) -> None:
        self.state.notify_state_change()

    def count_of(self, field: str) -> object:
        return getattr(self.state, field)

    def unobserve(self) -> None:
        self.state.observer(None)

    def install(self, state: BoardState) -> None:
        self.init_state(state)

    def checkpoint(self) -> None:
        self.state.notify_if_changed()


class Gate(Akgent):
    """Is busy until the test lets it go on."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)  # type: ignore[arg-type] # the keywords of the base
        self.busy = Event()
        self.release = Event()
        self.seen: object = None

    def receiveMsg_UserMessage(self, message: UserMessage) -> None:
        self.busy.set()
        self.release.wait(WAIT)
        if message.content == "look around":
            self.seen = [member.name for member in self.get_team()]

    def events(self) -> tuple[Event, Event]:
        return self.busy, self.release


class Recorder(EventSubscriber):
    """Keeps what it is told, in order."""

    def __init__(self, team: "Team | None" = None) -> None:
        self.team = team
        self.told: list[Message] = []
        self.hooks: list[str] = []

    @property
    def messages(self) -> list[Message]:
        """What happened in the team until now, once all of it was delivered."""
        if self.team is not None:
            self.team.settle()
        return self.told

    def on_message(self, msg: Message) -> None:
        self.told.append(msg)

    def on_stop_request(self, team_id: UUID) -> None:
        self.hooks.append("on_stop_request")

    def on_stop(self, team_id: UUID) -> None:
        self.hooks.append("on_stop")

    def kinds(self) -> list[str]:
        return [type(message).__name__ for message in self.messages]


class Team:
    """A running team, seen from outside."""

    def __init__(self, system: ActorSystem) -> None:
        self.system = system
        self.address = system.createActor(
            Orchestrator, config=BaseConfig(name="@Orchestrator", role="Orchestrator")
        )
        self.root = system.proxy_ask(self.address, Orchestrator)

    def worker(self, name: str = "@Worker") -> tuple[ActorAddress, Worker]:
        address = self.root.createActor(Worker, config=BaseConfig(name=name))
        return address, self.system.proxy_ask(address, Worker)

    def gate(self, name: str = "@Gate") -> tuple[ActorAddress, Event, Event]:
        address = self.root.createActor(Gate, config=BaseConfig(name=name))
        busy, release = self.system.proxy_ask(address, Gate).events()
        return address, busy, release

    def settle(self) -> None:
        """Wait until subscribers know all that was recorded until now."""
        if self.address.is_alive():
            assert self.root.delivered().wait(WAIT)

    def kinds(self, sender: ActorAddress | None = None) -> list[str]:
        return [type(message).__name__ for message in self.root.get_messages(sender)]

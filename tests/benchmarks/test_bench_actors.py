"""What actors cost, as ratios within one run: other processes slow both sides."""

import gc
import itertools
import statistics
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter, process_time
from typing import override

import pykka
import pytest

from cardwright.actors import (
    ActorAddress,
    ActorSystem,
    Akgent,
    BaseConfig,
    BaseState,
    EventSubscriber,
    Orchestrator,
    SerializableBaseModel,
)
from cardwright.actors.messages import Message, SentMessage

type Measure = Callable[..., float]
type Keep = Callable[..., None]


class Note(Message):
    """A short text, and the number that its sender gave it."""

    text: str = ""
    number: int = 0


class Entry(SerializableBaseModel):
    """One entry of a large state."""

    title: str
    tags: list[str] = []


class Shelf(SerializableBaseModel):
    """A part of a state that is large itself."""

    rows: list[Entry] = []


class Board(BaseState):
    """A large state; `counts` is what writers add up."""

    entries: dict[int, Entry] = {}
    rows: list[Entry] = []
    names: list[str] = []
    shelf: Shelf = Shelf()
    groups: dict[str, list[int]] = {}
    counts: dict[str, int] = {}


numbers = itertools.count()


def _new() -> Entry:
    return Entry(title=f"new {next(numbers)}")


def _come_and_go(entries: dict[int, Entry]) -> None:
    if entries.pop(11, None) is None:
        entries[11] = _new()


def _in_the_middle(entries: list[Entry]) -> None:
    middle = len(entries) // 2
    if len(entries) % 2:
        del entries[middle]
    else:
        entries.insert(middle, _new())


def _at_the_end(entries: list[Entry]) -> None:
    if len(entries) % 2:
        entries.pop()
    else:
        entries.append(_new())


def _name(names: list[str]) -> None:
    names[len(names) // 2] = f"name {next(numbers)}"


CHANGES: dict[str, Callable[[Board], object]] = {
    "nothing": lambda _board: None,
    "edit": lambda board: setattr(board.entries[7], "title", f"title {next(numbers)}"),
    "edit deep": lambda board: board.rows[8].tags.append("b"),
    "set": lambda board: board.entries.__setitem__(9, _new()),
    "add": lambda board: board.entries.__setitem__(1_000_000 + next(numbers), _new()),
    "pop": lambda board: _come_and_go(board.entries),
    "list set": lambda board: _name(board.names),
    "list end": lambda board: _at_the_end(board.rows),
    "list middle": lambda board: _in_the_middle(board.rows),
    "slice": lambda board: board.rows.__setitem__(slice(50, 52), [_new(), _new()]),
    "nested model": lambda board: _in_the_middle(board.shelf.rows),
    "nested list": lambda board: board.groups["even"].append(next(numbers)),
}


class Tap(EventSubscriber):
    """Counts what it is told."""

    def __init__(self) -> None:
        self.told = 0

    @override
    def on_message(self, msg: Message) -> None:
        self.told += 1


class Member(Akgent[BaseConfig, Board]):
    """Sends, counts and keeps a board."""

    def on_start(self) -> None:
        self.state = Board()
        self.state.observer(self)
        self.received = 0
        self.out_of_order = 0
        self.last: dict[str, int] = {}

    def receiveMsg_Note(self, message: Note, sender: ActorAddress | None) -> None:
        self.received += 1
        match message.text:
            case change if change in CHANGES:
                CHANGES[change](self.state)
            case "count" if sender is not None:
                name = sender.name
                self.out_of_order += message.number != self.last.get(name, -1) + 1
                self.last[name] = message.number
                self.state.counts[name] = self.state.counts.get(name, 0) + 1
            case _:
                pass

    def talk(self, to: ActorAddress, count: int, text: str = "") -> None:
        for number in range(count):
            self.send(to, Note(text=text, number=number))

    def fill(self, size: int) -> None:
        for at in range(size):
            self.state.entries[at] = Entry(title=f"entry {at}", tags=["a"])
            self.state.rows.append(Entry(title=f"row {at}", tags=["a"]))
            self.state.names.append(f"name {at}")
            self.state.shelf.rows.append(Entry(title=f"row {at}", tags=["a"]))
            self.state.groups.setdefault("odd" if at % 2 else "even", []).append(at)

    def nothing(self) -> int:
        return 1

    def counted(self) -> int:
        return self.received

    def outcome(self) -> tuple[dict[str, int], int]:
        return dict(self.state.counts), self.out_of_order


class Raw(pykka.ThreadingActor):
    """An actor of the library underneath."""

    use_daemon_thread = True

    def nothing(self) -> int:
        return 1


class Bench:
    """A team, and ways to wait for it."""

    def __init__(self, system: ActorSystem) -> None:
        self.system = system
        config = BaseConfig(name="@Orchestrator", role="Orchestrator")
        self.address = system.createActor(Orchestrator, config=config)
        self.root = system.proxy_ask(self.address, Orchestrator, timeout=None)

    def member(self, name: str = "@Member") -> tuple[ActorAddress, Member]:
        address = self.root.createActor(Member, config=BaseConfig(name=name))
        return address, self.system.proxy_ask(address, Member, timeout=None)

    def settle(self, member: Member) -> None:
        """Wait until a member has read its mail, and the log and the subscribers have all of it."""
        member.counted()
        # Subscribers are told behind the back of the orchestrator: its answer says nothing of them.
        assert self.root.delivered().wait(60)


@pytest.fixture
def bench() -> Iterator[Bench]:
    with ActorSystem() as system:
        yield Bench(system)


def best(function: Callable[[], object], *, rounds: int = 15, loops: int = 1) -> float:
    """Seconds of one call, of the quickest round."""
    times: list[float] = []
    for _ in range(rounds):
        started = perf_counter()
        for _ in range(loops):
            function()
        times.append((perf_counter() - started) / loops)
    return min(times)


def test_an_ask_costs_little_more_than_a_raw_one(
    bench: Bench, measure: Measure, note: Keep
) -> None:
    raw = Raw.start()
    try:
        proxy, (_, member) = raw.proxy(), bench.member()
        ratios: list[float] = []
        for _ in range(7):
            # In turns, so that the load of the machine meets both.
            ours = best(member.nothing, rounds=5, loops=200)
            theirs = best(lambda: proxy.nothing().get(), rounds=5, loops=200)
            ratios.append(ours / theirs)
        measure(member.nothing, loops=500)
        note(ratio=min(ratios), median_ratio=statistics.median(ratios))
        assert min(ratios) <= 1.3
    finally:
        raw.stop()


def test_a_proxy_is_made_in_no_time(bench: Bench, measure: Measure) -> None:
    address, _ = bench.member()
    assert measure(lambda: bench.system.proxy_ask(address, Member), loops=500) < 50e-6


@pytest.mark.parametrize("subscribers", [0, 1])
def test_messages_per_second(bench: Bench, measure: Measure, note: Keep, subscribers: int) -> None:
    """From one actor to another, each with three entries in the log and told to subscribers."""
    sink, member = bench.member("@Sink")
    _, source = bench.member("@Source")
    count, tap = 10_000, Tap()
    for _ in range(subscribers):
        bench.root.subscribe(tap)
    told = tap.told

    def run() -> None:
        source.talk(sink, count)
        bench.settle(member)

    wall = measure(run, rounds=7)
    own = used(run, rounds=7, loops=1)
    note(messages_per_second=count / wall, messages_per_own_second=count / own)
    sent = bench.root.count_messages(message_type=SentMessage)
    assert sent == member.counted() == 14 * count
    assert tap.told - told == 3 * 14 * count * subscribers
    # Others share the machine and only add to the wall; actors run one at a time.
    assert count / own >= 15_000


def test_memory_is_flat_over_200_000_messages(bench: Bench, measure: Measure, note: Keep) -> None:
    sink, member = bench.member("@Sink")
    _, source = bench.member("@Source")

    def traced() -> int:
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    def run(messages: int) -> None:
        for _ in range(messages // 1_000):
            source.talk(sink, 1_000)
            bench.settle(member)

    run(2_000)
    tracemalloc.start()
    before = traced()
    # What fits into the window of the log is kept as it is.
    run(1_000)
    per_message = (traced() - before) / 1_000
    tracemalloc.stop()
    run(10_000)
    resident = _resident()
    measure(lambda: run(200_000), rounds=1)
    grown = (_resident() - resident) / 200_000
    note(bytes_per_message=per_message, resident_bytes_per_message=grown)
    # For a sent message, with its three entries.
    assert per_message <= 700
    assert grown < 40
    assert bench.root.count_messages(message_type=SentMessage) == 213_000


def _resident() -> int:
    """Bytes of memory that the process has."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4_096


def test_hiring(bench: Bench, measure: Measure) -> None:
    numbers = iter(range(100_000))
    hire = measure(lambda: bench.member(f"@Member {next(numbers)}"), rounds=50)
    assert hire < 3e-3


@pytest.mark.parametrize("change", CHANGES)
def test_a_turn_does_not_depend_on_the_size_of_the_state(
    bench: Bench, measure: Measure, note: Keep, change: str
) -> None:
    """Whether nothing changed or one entry; in processor time, as other processes only add."""
    turns: dict[int, Callable[[], object]] = {}
    for size in (100, 20_000):
        address, member = bench.member(f"#Board {size}")
        member.fill(size)
        turns[size] = _turn(bench, address, change)
        for _ in range(8):
            turns[size]()
    ratios: list[float] = []
    for _ in range(7):
        small, large = (used(turns[size], rounds=5, loops=20) for size in (100, 20_000))
        ratios.append(large / small)
    measure(turns[20_000], loops=50)
    note(ratio=min(ratios), median_ratio=statistics.median(ratios))
    assert statistics.median(ratios) <= 1.5


def used(function: Callable[[], object], *, rounds: int, loops: int) -> float:
    """Seconds of processor time of one call, of the quickest round."""
    times: list[float] = []
    for _ in range(rounds):
        started = process_time()
        for _ in range(loops):
            function()
        times.append((process_time() - started) / loops)
    return min(times)


def _turn(bench: Bench, address: ActorAddress, text: str) -> Callable[[], object]:
    return lambda: bench.system.ask(address, Note(text=text))


def test_looking_somebody_up_does_not_depend_on_the_log(
    bench: Bench, measure: Measure, note: Keep
) -> None:
    sink, member = bench.member("@Sink")
    _, source = bench.member("@Source")

    def look() -> object:
        return bench.root.get_team_member("@Sink")

    def logged(count: int) -> float:
        while bench.root.count_messages() < count:
            source.talk(sink, 300)
            bench.settle(member)
        return best(look, rounds=30, loops=50)

    few, many = logged(1_000), logged(100_000)
    measure(look, loops=200)
    note(ratio=many / few)
    assert many / few < 1.5


def test_many_agents_start_and_stop(measure: Measure) -> None:
    def live() -> None:
        with ActorSystem() as system:
            team = Bench(system)
            for number in range(200):
                team.member(f"@Member {number}")
            assert len(team.root.get_team()) == 200
            assert team.root.stop().wait(30)

    assert measure(live, rounds=3) < 3


def test_memory_of_an_idle_agent(bench: Bench, measure: Measure, note: Keep) -> None:
    def hire(count: int) -> None:
        for number in range(count):
            bench.member(f"@Idle {number}")
        bench.root.get_team()

    hire(20)
    before, count = _resident(), 300
    measure(lambda: hire(count), rounds=1)
    per_agent = (_resident() - before) / count
    note(bytes_per_agent=per_agent)
    assert per_agent < 200_000


def test_many_writers_lose_nothing(bench: Bench, measure: Measure) -> None:
    """Eight writers, 10,000 updates of one tool actor: none lost, each writer's in order."""
    tool, member = bench.member("#Tool")
    writers = [bench.member(f"@Writer {number}")[1] for number in range(8)]

    def write() -> None:
        threads = [
            threading.Thread(target=writer.talk, args=(tool, 1_250, "count")) for writer in writers
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        bench.settle(member)

    measure(write, rounds=1)
    counts, out_of_order = member.outcome()
    assert counts == {f"@Writer {number}": 1_250 for number in range(8)}
    assert out_of_order == 0
    state = bench.root.get_states()[tool.agent_id]
    assert isinstance(state, Board)
    assert state.counts == counts

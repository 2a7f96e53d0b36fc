"""The log pages, subscribers have their own thread, and who tells too much has to wait."""

import gc
import os
import subprocess
import sys
import tempfile
import tracemalloc
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from threading import Event, Thread
from uuid import UUID, uuid4

import pytest
from tests.actors.actors_support import (
    WAIT,
    Item,
    Note,
    Recorder,
    Team,
    Worker,
    ref_of,
)

from cardwright.actors import ActorAddress, ActorSystem, BaseConfig, EventSubscriber
from cardwright.actors import pressure as pressure_module
from cardwright.actors.event_log import EventLog
from cardwright.actors.identifiers import fresh_uuid
from cardwright.actors.messages import (
    EventMessage,
    HandledMessage,
    Message,
    ProcessedMessage,
    ReceivedMessage,
    SentMessage,
    StartMessage,
)
from cardwright.actors.records import Frozen, Record, live_message


class Talker(Worker):
    """Sends many notes."""

    def talk(self, to: ActorAddress, count: int) -> None:
        for number in range(count):
            self.send(to, Note(text=str(number)))

    def tell_of(self, count: int) -> None:
        for number in range(count):
            self.notify_event(Item(name=str(number)))


@pytest.fixture
def talker(team: Team) -> Talker:
    address = team.root.createActor(Talker, config=BaseConfig(name="@Talker"))
    return team.system.proxy_ask(address, Talker)


@pytest.fixture
def address(system: ActorSystem) -> ActorAddress:
    return system.createActor(Worker)


def filled(log: EventLog, address: ActorAddress, count: int) -> list[UUID]:
    """Let a log have `count` turns of notes and one event for each ten of them."""
    notes = [Note(text=str(number)) for number in range(count)]
    for number, note in enumerate(notes):
        log.append(Record(SentMessage, address, None, Frozen.of(note), address))
        log.append(Record(ReceivedMessage, address, note.id, note.id))
        if number % 10 == 0:
            log.append(EventMessage(event=Item(name=note.text)).init(address))
        log.append(Record(ProcessedMessage, address, note.id, note.id))
    return [note.id for note in notes]


@pytest.mark.parametrize("window", [10_000, 50, 7, 0])
def test_the_log_answers_alike_whatever_left_the_memory(address: ActorAddress, window: int) -> None:
    log = EventLog(window, page=10)
    ids = filled(log, address, 100)
    messages = log.messages()
    assert len(log) == log.count() == len(messages) == 310
    sent = [item.message for item in messages if isinstance(item, SentMessage)]
    assert [item.id for item in sent] == ids
    assert [item.text for item in sent if isinstance(item, Note)] == list(map(str, range(100)))
    for kind in (ReceivedMessage, ProcessedMessage):
        assert [item.message_id for item in log.messages(None, kind)] == ids  # type: ignore[attr-defined] # ends of turns
        assert log.count(address.agent_id, kind) == 100
    assert log.messages(uuid4()) == []
    assert log.messages() == messages
    assert all(item.sender is address for item in messages)
    assert [item.event for item in log.events(address.agent_id, Item)] == [
        Item(name=str(number)) for number in range(0, 100, 10)
    ]
    assert log.events(None, int) == []
    moments = [item.timestamp for item in messages if not isinstance(item, EventMessage)]
    assert all(
        one is not None and other is not None and one <= other for one, other in pairwise(moments)
    )


class Unwritable:
    """Cannot be pickled, so no file takes it."""

    def __reduce__(self) -> str:
        raise TypeError("stays here")


def test_what_no_file_takes_stays_in_memory(address: ActorAddress) -> None:
    class Local(Note):
        """Its class cannot be imported."""

    log = EventLog(0, page=4)
    events = [Unwritable(), 1, Unwritable(), "two"]
    for event in events:
        log.append(EventMessage(event=event).init(address))
    log.append(Record(SentMessage, address, None, Frozen.of(Local(text="x")), address))
    for number in range(8):
        log.append(EventMessage(event=number).init(address))
    assert [item.event for item in log.events()][:4] == events
    (sent,) = log.messages(None, SentMessage)
    assert isinstance(sent, SentMessage)
    assert sent.message == Local(**sent.message.__dict__)


def test_a_full_disk_costs_memory_not_messages(
    address: ActorAddress, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("cardwright.actors.spill.TemporaryFile", full)
    log = EventLog(0, page=10)
    ids = filled(log, address, 20)
    assert [item.message_id for item in log.messages(None, ProcessedMessage)] == ids  # type: ignore[attr-defined] # ends of turns
    assert "stays in memory" in caplog.text


class Shelf:
    """An archive as a store would have one."""

    def __init__(self) -> None:
        self.pages: list[Sequence[Message | Record]] = []
        self.reads = 0

    def write(self, page: Sequence[Message | Record]) -> None:
        self.pages.append([live_message(entry) for entry in page])

    def read(self, number: int) -> Sequence[Message | Record]:
        self.reads += 1
        return self.pages[number]


def test_a_store_can_keep_the_pages(address: ActorAddress) -> None:
    log, shelf = EventLog(0, page=10), Shelf()
    log.use(shelf)
    log.append(StartMessage(config=BaseConfig(name="x")).init(address))
    ids = filled(log, address, 30)
    assert [item.message_id for item in log.messages(None, ProcessedMessage)] == ids  # type: ignore[attr-defined] # ends of turns
    shelf.reads = 0
    assert len(log.messages(None, StartMessage)) == 1
    assert log.count(None, HandledMessage) == 0
    assert shelf.reads == 1
    with pytest.raises(RuntimeError, match="before the team works"):
        log.use(Shelf())


def test_the_team_pages_through_its_archive(team: Team, talker: Talker) -> None:
    shelf = Shelf()
    team.root.archive_log(shelf)
    sink, _ = team.worker("@Sink")
    talker.talk(sink, 2_000)
    team.system.proxy_ask(sink, Worker).bump()
    assert shelf.pages
    sent = team.root.get_messages(message_type=SentMessage)
    assert len(sent) == team.root.count_messages(message_type=SentMessage) == 2_000


def test_a_forwarded_message_does_not_rewrite_history(team: Team) -> None:
    (first, _), (second, _), (sink, worker) = map(team.worker, ("@First", "@Second", "@Sink"))
    note = Note(text="x")
    first.send(sink, note)
    second.send(sink, note)
    worker.bump()
    sent = team.root.get_messages(message_type=SentMessage)
    assert [item.message.sender for item in sent if isinstance(item, SentMessage)] == [
        first,
        second,
    ]


def test_memory_is_flat_over_many_messages(team: Team, talker: Talker) -> None:
    """A short form of what the benchmarks show over 200,000 messages."""
    sink, worker = team.worker("@Sink")

    def talk(count: int) -> int:
        for _ in range(count // 500):
            talker.talk(sink, 500)
            worker.bump()
            team.root.get_metadata()
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        before = talk(3_000)
        assert talk(6_000) - before < 6_000 * 40
    finally:
        tracemalloc.stop()


class Slow(EventSubscriber):
    """Takes its time until it is let go."""

    def __init__(self) -> None:
        self.release = Event()
        self.kinds: Counter[type[Message]] = Counter()
        self.stopped = False

    @property
    def count(self) -> int:
        return self.kinds.total()

    def on_message(self, msg: Message) -> None:
        assert self.release.wait(WAIT)
        self.kinds[type(msg)] += 1

    def on_stop(self, team_id: UUID) -> None:
        self.stopped = True


def test_a_slow_subscriber_never_holds_up_the_orchestrator(team: Team) -> None:
    slow, recorder = Slow(), Recorder()
    team.root.subscribe(slow)
    team.root.subscribe(recorder)
    _, worker = team.worker()
    worker.bump()
    assert [member.name for member in team.root.get_team()] == ["@Worker"]
    assert not team.root.delivered().is_set()
    assert slow.count == 0
    stopped = team.root.stop()
    slow.release.set()
    assert stopped.wait(WAIT)
    assert slow.count == len(recorder.told) > 0
    assert slow.stopped
    assert recorder.hooks == ["on_stop_request", "on_stop"]


def test_on_stop_comes_after_everything_was_delivered(team: Team, talker: Talker) -> None:
    class Ordered(Recorder):
        def on_stop(self, team_id: UUID) -> None:
            self.seen = len(self.told)

    ordered = Ordered()
    team.root.subscribe(ordered)
    talker.tell_of(3_000)
    assert team.root.stop().wait(WAIT)
    events = [item.event for item in ordered.told if isinstance(item, EventMessage)]
    assert [item.name for item in events if isinstance(item, Item)] == list(map(str, range(3_000)))
    assert ordered.seen == len(ordered.told)


def test_who_tells_too_much_waits(
    team: Team, talker: Talker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pressure_module, "BACKLOG", 100)
    slow = Slow()
    team.root.subscribe(slow)
    done = Event()

    def talk() -> None:
        talker.tell_of(1_000)
        done.set()

    Thread(target=talk, daemon=True).start()
    ref = ref_of(team.address)
    assert ref.pressure is not None
    while not ref.pressure.waiting:
        pass
    # The orchestrator answers, and it creates actors: only those who add to the backlog wait.
    assert team.root.get_team_member("@Talker") is not None
    assert not done.is_set()
    slow.release.set()
    assert done.wait(WAIT)
    team.settle()
    assert slow.count >= 1_000


def test_a_stopped_team_holds_nobody_back(
    team: Team, talker: Talker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pressure_module, "BACKLOG", 100)
    monkeypatch.setattr("cardwright.actors.orchestrator.DELIVERY_GRACE", 0.05)
    slow = Slow()
    team.root.subscribe(slow)
    team.system.proxy_tell(talker.myAddress, Talker).tell_of(1_000)
    ref = ref_of(team.address)
    assert ref.pressure is not None
    while not ref.pressure.waiting:
        pass
    assert team.root.stop(0.1).wait(WAIT)
    while ref.pressure.waiting:
        pass
    slow.release.set()


def test_an_inline_subscriber_knows_before_the_orchestrator_answers(team: Team) -> None:
    class Inline(Recorder):
        inline = True

    inline, slow = Inline(), Slow()
    team.root.subscribe(slow)
    team.root.subscribe(inline)
    team.worker()
    team.root.get_team()
    assert "StartMessage" in [type(item).__name__ for item in inline.told]
    slow.release.set()
    assert team.root.stop().wait(WAIT)
    assert inline.hooks == ["on_stop_request", "on_stop"]


def test_restoring_ends_when_subscribers_know_what_was_restored(team: Team) -> None:
    slow = Slow()
    team.root.subscribe(slow)
    for number in range(100):
        team.root.restore_message(Note(text=str(number)))
    thread = Thread(target=team.root.end_restoration)
    thread.start()
    assert slow.count == 0
    slow.release.set()
    thread.join(WAIT)
    assert slow.count == 100


def test_identifiers_are_random_and_well_formed() -> None:
    made = {fresh_uuid() for _ in range(2_000)}
    assert len(made) == 2_000
    assert {(one.version, one.variant) for one in made} == {(4, uuid4().variant)}
    one = made.pop()
    assert UUID(str(one)) == one
    assert hash(UUID(bytes=one.bytes)) == hash(one)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="children are made by fork")
def test_a_child_process_makes_identifiers_of_its_own() -> None:
    program = (
        "import os\n"
        "from cardwright.actors.identifiers import fresh_uuid\n"
        "fresh_uuid()\n"
        "reading, writing = os.pipe()\n"
        "if os.fork() == 0:\n"
        "    os.write(writing, str(fresh_uuid()).encode())\n"
        "    os._exit(0)\n"
        "assert os.read(reading, 99).decode() != str(fresh_uuid())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_file_of_pages_has_no_name(
    address: ActorAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    log = EventLog(0, page=10)
    ids = filled(log, address, 20)
    assert not list(tmp_path.iterdir())
    assert len(log.messages(None, SentMessage)) == len(ids)


def test_the_root_counts_without_reading(team: Team) -> None:
    assert team.root.count_messages(team.address, StartMessage) == 1
    assert team.root.count_messages(team.address.agent_id) == 1
    assert isinstance(team.root.get_messages()[0], StartMessage)


def test_the_answer_of_the_orchestrator_says_nothing_of_subscribers(
    team: Team, talker: Talker
) -> None:
    """What it has recorded is delivered behind its back: `delivered` tells when, and loses none."""
    slow = Slow()
    team.root.subscribe(slow)
    sink, worker = team.worker("@Sink")
    team.root.get_metadata()
    talker.talk(sink, 500)
    worker.bump()
    assert team.root.count_messages(message_type=ProcessedMessage) == 500
    delivered = team.root.delivered()
    # All of it is recorded, and nothing is delivered.
    assert slow.count == 0
    assert not delivered.is_set()
    slow.release.set()
    assert delivered.wait(WAIT)
    notes: list[type[Message]] = [SentMessage, ReceivedMessage, ProcessedMessage]
    assert sum(slow.kinds[kind] for kind in notes) == 3 * 500


@pytest.mark.parametrize("kind", [ValueError, SystemExit, KeyboardInterrupt])
def test_a_subscriber_that_fails_or_exits_costs_the_others_nothing(
    team: Team, talker: Talker, kind: type[BaseException]
) -> None:
    class Failing(Recorder):
        def on_message(self, msg: Message) -> None:
            super().on_message(msg)
            raise kind("broken")

    failing, recorder = Failing(), Recorder()
    team.root.subscribe(failing)
    team.root.subscribe(recorder)
    talker.tell_of(700)
    assert team.root.delivered().wait(WAIT)
    assert len(failing.told) == len(recorder.told) >= 700


def test_what_cannot_be_told_does_not_end_the_telling(
    team: Team, talker: Talker, caplog: pytest.LogCaptureFixture
) -> None:
    class Closed(list[object]):
        """A container that cannot be made anew, as is needed for the address in it."""

        def __init__(self, *items: object) -> None:
            if items and not isinstance(items[0], ActorAddress):
                raise TypeError("not that way")
            super().__init__(items)

    slow = Slow()
    team.root.subscribe(slow)
    team.root.emitMessage(EventMessage(event=Item(name="first")))
    team.root.emitMessage(EventMessage(event=Closed(team.address)))
    talker.tell_of(300)
    slow.release.set()
    assert team.root.delivered().wait(WAIT)
    assert slow.kinds[EventMessage] == 301
    assert "EventMessage cannot be told to subscribers" in caplog.text


def test_nothing_is_lost_while_the_telling_falls_asleep_and_wakes(
    team: Team, talker: Talker
) -> None:
    """Each event comes when nothing waits: whoever sleeps then has to be woken."""
    recorder = Recorder()
    team.root.subscribe(recorder)
    for number in range(1, 301):
        talker.tell_of(1)
        assert team.root.delivered().wait(WAIT)
        assert sum(isinstance(it, EventMessage) for it in recorder.told) == number

"""What durability costs: `pytest -n0 tests/benchmarks/test_bench_store.py`, on both databases."""

import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest
from tests.store.store_server import NO_SERVER, can_be_had, running_server

from cardwright.store import EventStore, NewEvent, open_store

type Measure = Callable[..., float]
type Note = Callable[..., None]

PAYLOAD = f'{{"__model__": "cardwright.actors.messages.SentMessage", "content": "{"x" * 400}"}}'
BATCH = 100
MANY = 100_000
WRITERS = 8


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    """A server on the disk: what counts here is how long a sync takes."""
    if not can_be_had():
        pytest.skip(NO_SERVER)
    with running_server(None) as server:
        yield server.create_database()


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EventStore]:
    sqlite = request.param == "sqlite"
    url = f"sqlite:///{tmp_path}/team.db" if sqlite else request.getfixturevalue("database")
    with open_store(url) as opened:
        yield opened


class Log:
    """A stream that grows."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self.stream = str(uuid4())
        self.last = 0

    def append(self, count: int) -> None:
        events = [NewEvent(PAYLOAD) for _ in range(count)]
        self.last = self.store.append(self.stream, events, expected_sequence=self.last)


def seconds(function: Callable[[], object]) -> float:
    started = time.perf_counter()
    function()
    return time.perf_counter() - started


def bare_commits(folder: Path) -> Callable[[], object]:
    """Commits of one row by sqlite3 itself, with the settings of the store."""
    connection = sqlite3.connect(folder / "bare.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE rows (payload TEXT)")
    return lambda: connection.execute("INSERT INTO rows VALUES (?)", (PAYLOAD,))


def test_durable_events_per_second(measure: Measure, note: Note, store: EventStore) -> None:
    log = Log(store)

    def append_often() -> None:
        for _ in range(10):
            log.append(BATCH)

    rate = 10 * BATCH / measure(append_often, rounds=10)
    note(events_per_second=round(rate))
    assert rate > 5_000


def test_latency_of_a_single_append(
    measure: Measure, note: Note, store: EventStore, tmp_path: Path
) -> None:
    """In turns with bare commits, so that both meet the same disk."""
    log, commit = Log(store), bare_commits(tmp_path)
    pairs = [(seconds(lambda: log.append(1)), seconds(commit)) for _ in range(300)]
    ours, bare = (statistics.median(times) for times in zip(*pairs, strict=True))
    measure(lambda: log.append(1), rounds=100)
    note(median_ms=round(ours * 1e3, 3), bare_sqlite_commit_ms=round(bare * 1e3, 3))
    assert ours < 20 * bare


def test_eight_writers_share_a_sync(measure: Measure, note: Note, store: EventStore) -> None:
    logs = [Log(store) for _ in range(WRITERS)]

    def append_often(log: Log) -> None:
        for _ in range(50):
            log.append(1)

    with ThreadPoolExecutor(WRITERS) as pool:
        together = measure(lambda: list(pool.map(append_often, logs)))
    note(appends_per_second=round(WRITERS * 50 / together))


def test_read_of_many_events(measure: Measure, note: Note, store: EventStore) -> None:
    log = Log(store)
    for _ in range(MANY // 5_000):
        log.append(5_000)
    took = measure(lambda: list(store.read(log.stream)), rounds=3)
    note(seconds=round(took, 3), events_per_second=round(MANY / took))
    assert took < 4


def test_append_and_hear_of_it(
    measure: Measure, note: Note, store: EventStore, tmp_path: Path
) -> None:
    """A subscriber of the same process."""
    log = Log(store)
    with closing(store.subscribe(log.stream)) as subscription:

        def append_and_hear() -> None:
            log.append(1)
            assert subscription.next(10) is not None

        note(ms=round(measure(append_and_hear, rounds=50) * 1e3, 3))

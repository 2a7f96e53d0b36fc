"""Many writers at once: none lost, none twice, no gap."""

import contextlib
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import batched

import pytest

from cardwright.store import ConcurrencyError, EventStore, NewEvent, StoreClosedError, open_store

WRITERS = 8
EVENTS = 10_000
BATCH = 50


def write_all(store: EventStore, stream: str, payloads: list[str], batch: int) -> None:
    """Append optimistically: on a conflict, go on from where the stream is now."""
    last = 0
    for texts in batched(payloads, batch):
        events = [NewEvent(text) for text in texts]
        while True:
            try:
                last = store.append(stream, events, expected_sequence=last)
            except ConcurrencyError as conflict:
                last = conflict.actual
            else:
                break


def assert_complete(store: EventStore, stream: str, writers: int, each: int) -> None:
    """Everything is there once, and the order of each writer was kept."""
    events = list(store.read(stream))
    assert [event.sequence for event in events] == list(range(1, writers * each + 1))
    seen: Counter[str] = Counter()
    for event in events:
        writer, number = event.payload.split(":")
        assert int(number) == seen[writer]
        seen[writer] += 1
    assert set(seen.values()) == {each}


def test_eight_threads_on_one_stream(store: EventStore, stream: str) -> None:
    each = EVENTS // WRITERS

    def write(writer: int) -> None:
        write_all(store, stream, [f"{writer}:{n}" for n in range(each)], BATCH)

    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(write, range(WRITERS)))
    assert_complete(store, stream, WRITERS, each)


def test_eight_threads_on_eight_streams(store: EventStore, stream: str) -> None:
    """They share syncs of the disk, but neither events nor failures."""

    def write(writer: int) -> None:
        name = f"{stream}-{writer}"
        for number in range(50):
            store.append(name, [NewEvent(f"0:{number}")], expected_sequence=number)
            with pytest.raises(ConcurrencyError):
                store.append(name, [NewEvent("lost")], expected_sequence=number)

    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(write, range(WRITERS)))
    for writer in range(WRITERS):
        assert_complete(store, f"{stream}-{writer}", 1, 50)


SCRIPT = """
import sys
from cardwright.store import ConcurrencyError, NewEvent, open_store
url, stream, writer = sys.argv[1:]
with open_store(url) as store:
    last = 0
    for number in range(80):
        event = NewEvent(f"{writer}:{number}")
        while True:
            try:
                last = store.append(stream, [event], expected_sequence=last)
                break
            except ConcurrencyError as conflict:
                last = conflict.actual
"""


def test_processes_on_one_stream(url: str, stream: str) -> None:
    """They even open a store that does not exist yet at the same time."""
    writers = [
        subprocess.Popen([sys.executable, "-c", SCRIPT, url, stream, str(n)]) for n in range(3)
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    with open_store(url) as store:
        assert_complete(store, stream, 3, 80)


def test_threads_open_a_new_store_at_once(sqlite_url: str, stream: str) -> None:
    barrier = threading.Barrier(WRITERS)

    def open_and_write(writer: int) -> int:
        barrier.wait()
        with open_store(sqlite_url) as store:
            return store.append(f"{stream}-{writer}", [NewEvent("{}")], expected_sequence=0)

    with ThreadPoolExecutor(WRITERS) as pool:
        assert list(pool.map(open_and_write, range(WRITERS))) == [1] * WRITERS


def test_closing_finishes_what_was_begun(
    store: EventStore, open_again: Callable[[], EventStore], stream: str
) -> None:
    """A call under way when the store closes is stored or refused, never acknowledged and lost."""
    acknowledged = 0
    started = threading.Event()

    def write() -> None:
        nonlocal acknowledged
        with contextlib.suppress(StoreClosedError):
            while True:
                acknowledged = store.append(
                    stream, [NewEvent("{}")], expected_sequence=acknowledged
                )
                started.set()

    thread = threading.Thread(target=write)
    thread.start()
    started.wait(10)
    store.close()
    thread.join(10)
    assert not thread.is_alive()
    assert open_again().get_max_sequence(stream) == acknowledged

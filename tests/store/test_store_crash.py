"""A writer is killed amid its work: all it was told is stored is there, and nothing half there."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import IO

import pytest

from cardwright.store import EventStore, NewEvent, open_store

KILLS = int(os.environ.get("CARDWRIGHT_TEST_KILLS", "10"))
"""Thirty are for a change of what is stored."""

# Loads the store once and forks a writer per line, which is much faster than starting Python.
NURSERY = """
import json, os, sys
import cardwright.store.postgres, cardwright.store.sqlite
from cardwright.store import NewEvent, open_store

def write(url, stream, kill):
    store = open_store(url)
    last = store.get_max_sequence(stream)
    while True:
        count = 1 + (last * 7) % 19
        texts = [json.dumps({"kill": kill, "n": last + 1 + n, "fill": "x" * (last * 31 % 3000)})
                 for n in range(count)]
        end = store.append(stream, [NewEvent(text) for text in texts], expected_sequence=last,
                           snapshots={"board": json.dumps({"upto": last + count})})
        os.write(1, f"{end}\\n".encode())
        last = end

for line in sys.stdin:
    pid = os.fork()
    if pid == 0:
        write(*line.split())
    os.write(1, f"pid {pid}\\n".encode())
    os.waitpid(pid, 0)
    os.write(1, b"dead\\n")
"""


@pytest.fixture
def nursery() -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", NURSERY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        process.kill()


def pipes(process: subprocess.Popen[str]) -> tuple[IO[str], IO[str]]:
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout


def kill_amid_work(process: subprocess.Popen[str], command: str, chance: random.Random) -> int:
    """Let a writer acknowledge a few appends, kill it, return the last it acknowledged."""
    orders, answers = pipes(process)
    orders.write(f"{command}\n")
    orders.flush()
    lines: list[str] = []
    wanted = chance.randint(0, 12)
    while not (any("pid" in line for line in lines) and len(lines) > wanted):
        lines.append(answers.readline())
    time.sleep(chance.random() / 100)
    pid = next(int(line.split()[1]) for line in lines if "pid" in line)
    os.kill(pid, signal.SIGKILL)
    while lines[-1] != "dead\n":
        lines.append(answers.readline())
    return max((int(line) for line in lines if line.strip().isdigit()), default=0)


def assert_sound(store: EventStore, stream: str, acknowledged: int) -> int:
    """Everything acknowledged is there, once, in order; the snapshot belongs to the last append."""
    events = list(store.read(stream))
    assert len(events) >= acknowledged
    assert [event.sequence for event in events] == list(range(1, len(events) + 1))
    assert [json.loads(event.payload)["n"] for event in events] == list(range(1, len(events) + 1))
    assert len({event.event_id for event in events}) == len(events)
    for snapshot in store.load_snapshots(stream):
        assert snapshot.sequence == len(events)
        assert json.loads(snapshot.payload) == {"upto": len(events)}
    return len(events)


def test_kill_9_at_many_points(url: str, stream: str, nursery: subprocess.Popen[str]) -> None:
    chance = random.Random(stream)
    total = 0
    for number in range(KILLS):
        acknowledged = kill_amid_work(nursery, f"{url} {stream} {number}", chance)
        with open_store(url) as store:
            total = assert_sound(store, stream, max(total, acknowledged))
            assert store.append(stream, [], expected_sequence=total) == total
    assert total > KILLS


def test_a_survivor_goes_on_beside_the_killed(
    store: EventStore, url: str, stream: str, nursery: subprocess.Popen[str]
) -> None:
    """A store that stays open reads, follows and writes on while writers die beside it."""
    chance = random.Random(stream)
    acknowledged = 0
    with store.subscribe(stream) as subscription:
        for number in range(5):
            acknowledged = kill_amid_work(nursery, f"{url} {stream} {number}", chance)
            total = assert_sound(store, stream, acknowledged)
            while subscription.position < total:
                assert subscription.next(10) is not None
            own = NewEvent(json.dumps({"n": total + 1}))
            store.append(
                stream,
                [own],
                expected_sequence=total,
                snapshots={"board": f'{{"upto": {total + 1}}}'},
            )

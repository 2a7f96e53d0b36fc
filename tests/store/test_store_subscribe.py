"""Following a stream: nothing lost, nothing twice, from any position and across processes."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import cast

import pytest

from cardwright.store import (
    EventStore,
    NewEvent,
    StaleCursorError,
    StoreClosedError,
    StreamGone,
    Subscription,
)
from cardwright.store.sql_store import SqlStore

PATIENCE = 20


def new(count: int) -> list[NewEvent]:
    return [NewEvent("{}") for _ in range(count)]


def take(subscription: Subscription, count: int) -> list[int]:
    """The next sequences; fails instead of waiting for ever."""
    found: list[int] = []
    for _ in range(count):
        event = subscription.next(PATIENCE)
        assert event is not None, f"only {found} came"
        found.append(event.sequence)
    return found


def test_first_what_is_there_then_what_comes(store: EventStore, stream: str) -> None:
    store.append(stream, new(3), expected_sequence=0)
    with store.subscribe(stream) as subscription:
        assert take(subscription, 3) == [1, 2, 3]
        assert subscription.next(0) is None
        store.append(stream, new(2), expected_sequence=3)
        assert take(subscription, 2) == [4, 5]
        assert subscription.position == 5


def test_from_the_middle(store: EventStore, stream: str) -> None:
    store.append(stream, new(5), expected_sequence=0)
    with store.subscribe(stream, after=3) as subscription:
        assert take(subscription, 2) == [4, 5]


def test_a_stream_that_does_not_exist_yet(store: EventStore, stream: str) -> None:
    with store.subscribe(stream) as subscription:
        assert subscription.next(0.01) is None
        store.append(stream, new(1), expected_sequence=0)
        assert take(subscription, 1) == [1]


def test_subscribers_while_others_write(
    store: EventStore, open_again: Callable[[], EventStore], stream: str
) -> None:
    """Two stores, each with a follower from the start and one from the middle."""
    stores = [store, open_again()]
    subscriptions = [s.subscribe(stream, after=after) for s in stores for after in (0, 250)]
    store.append(stream, new(250), expected_sequence=0)
    found: dict[int, list[int]] = {}

    def follow(number: int) -> None:
        count = 750 if number % 2 else 1000
        found[number] = take(subscriptions[number], count)

    followers = [threading.Thread(target=follow, args=(n,)) for n in range(4)]
    for follower in followers:
        follower.start()
    for last in range(250, 1000, 10):
        stores[last % 20 // 10].append(stream, new(10), expected_sequence=last)
    for follower in followers:
        follower.join(60)
    for number in range(4):
        assert found[number] == list(range(251 if number % 2 else 1, 1001))


def test_a_waiting_subscriber_is_woken_at_once(store: EventStore, stream: str) -> None:
    with store.subscribe(stream) as subscription:
        timer = threading.Timer(0.2, store.append, [stream, new(1)], {"expected_sequence": 0})
        timer.start()
        assert take(subscription, 1) == [1]
        timer.join()


SCRIPT = """
import sys
from cardwright.store import NewEvent, open_store
with open_store(sys.argv[1]) as store:
    for number in range(20):
        store.append(sys.argv[2], [NewEvent("{}")], expected_sequence=number)
"""


def test_another_process_writes(store: EventStore, url: str, stream: str) -> None:
    with store.subscribe(stream) as subscription:
        writer = subprocess.Popen([sys.executable, "-c", SCRIPT, url, stream])
        assert take(subscription, 20) == list(range(1, 21))
        assert writer.wait(PATIENCE) == 0


def test_notice_between_stores_is_quick(
    store: EventStore, open_again: Callable[[], EventStore], stream: str
) -> None:
    """By notification, or by looking often: half a second is far more than either takes."""
    other = open_again()
    waits: list[float] = []
    with other.subscribe(stream) as subscription:
        assert subscription.next(1.0) is None
        for number in range(5):
            started = time.monotonic()
            store.append(stream, new(1), expected_sequence=number)
            take(subscription, 1)
            waits.append(time.monotonic() - started)
    assert min(waits) < 0.5


def test_closing_ends_the_iteration(store: EventStore, stream: str) -> None:
    store.append(stream, new(2), expected_sequence=0)
    subscription = store.subscribe(stream)
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.extend(e.sequence for e in subscription))
    thread.start()
    while subscription.position < 2:
        time.sleep(0.001)
    subscription.close()
    thread.join(PATIENCE)
    assert found == [1, 2]
    subscription.close()


def test_closing_the_store_tells_the_subscriber(store: EventStore, stream: str) -> None:
    subscription = store.subscribe(stream)
    threading.Timer(0.1, store.close).start()
    with pytest.raises(StoreClosedError):
        next(subscription)


def test_deleting_the_stream_tells_the_subscriber(store: EventStore, stream: str) -> None:
    store.append(stream, new(1), expected_sequence=0)
    with store.subscribe(stream) as subscription:
        take(subscription, 1)
        threading.Timer(0.1, store.delete_stream, [stream]).start()
        with pytest.raises(StreamGone):
            next(subscription)


def test_a_position_that_was_never_reached(store: EventStore, stream: str) -> None:
    store.append(stream, new(1), expected_sequence=0)
    with store.subscribe(stream, after=2) as subscription, pytest.raises(StaleCursorError):
        next(subscription)


def test_a_subscription_that_nobody_closed_leaves_nothing_behind(
    store: EventStore, stream: str
) -> None:
    pulse = cast("SqlStore", store)._engine.pulse
    for event in range(3):
        store.append(stream, [NewEvent(str(event))], expected_sequence=event)
        assert next(store.subscribe(stream, after=event)).payload == str(event)
    with store.subscribe("another"):
        assert sum(map(len, pulse._waiting.values())) == 1
        assert len(pulse._waiting) == 1

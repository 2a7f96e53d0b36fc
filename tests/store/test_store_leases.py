"""One live owner per stream: leases, epochs, and the fence that holds back whoever was replaced."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from cardwright.store import (
    EventStore,
    FencedError,
    Lease,
    LeaseHeldError,
    NewEvent,
    StreamGone,
)

SHORT = 0.05


def event() -> list[NewEvent]:
    return [NewEvent("{}")]


def test_one_owner_at_a_time(store: EventStore, stream: str) -> None:
    lease = store.acquire_lease(stream, "first", ttl=60)
    assert (lease.stream, lease.owner, lease.epoch) == (stream, "first", 1)
    assert store.current_lease(stream) == lease
    with pytest.raises(LeaseHeldError, match="'first' for another") as caught:
        store.acquire_lease(stream, "second", ttl=60)
    assert 50 < caught.value.seconds <= 60
    assert store.append(stream, event(), expected_sequence=0, epoch=1) == 1


def test_release_lets_the_next_owner_in_at_once(store: EventStore, stream: str) -> None:
    first = store.acquire_lease(stream, "first", ttl=60)
    store.release_lease(first)
    assert store.current_lease(stream) is None
    with pytest.raises(FencedError):
        store.append(stream, event(), expected_sequence=0, epoch=first.epoch)
    assert store.acquire_lease(stream, "second", ttl=60).epoch == 2
    store.release_lease(first)
    assert store.current_lease(stream) is not None


def test_an_expired_lease_can_be_taken_over(store: EventStore, stream: str) -> None:
    store.acquire_lease(stream, "first", ttl=SHORT)
    time.sleep(2 * SHORT)
    assert store.current_lease(stream) is None
    assert store.acquire_lease(stream, "second", ttl=60).epoch == 2


def fenced_calls(store: EventStore, stream: str, epoch: int) -> list[Callable[[], object]]:
    """Everything that writes to a stream."""
    return [
        lambda: store.append(stream, [], expected_sequence=1, epoch=epoch),
        lambda: store.append(stream, event(), expected_sequence=1, epoch=epoch),
        lambda: store.save_snapshot(stream, "board", 1, "{}", epoch=epoch),
        lambda: store.delete_stream(stream, epoch=epoch),
    ]


@pytest.mark.parametrize("wrong", [0, 1, 3])
def test_only_the_newest_epoch_writes(store: EventStore, stream: str, wrong: int) -> None:
    old = store.acquire_lease(stream, "first", ttl=SHORT)
    store.append(stream, event(), expected_sequence=0, epoch=old.epoch)
    time.sleep(2 * SHORT)
    store.acquire_lease(stream, "second", ttl=60)
    for call in fenced_calls(store, stream, wrong):
        with pytest.raises(FencedError, match=f"refuses epoch {wrong}: its epoch is 2") as caught:
            call()
        assert (caught.value.epoch, caught.value.current) == (wrong, 2)
    for call in fenced_calls(store, stream, 2):
        call()


def test_a_fence_holds_across_stores(
    store: EventStore, open_again: Callable[[], EventStore], stream: str
) -> None:
    old = store.acquire_lease(stream, "first", ttl=SHORT)
    time.sleep(2 * SHORT)
    new = open_again().acquire_lease(stream, "second", ttl=60)
    with pytest.raises(FencedError):
        store.append(stream, event(), expected_sequence=0, epoch=old.epoch)
    with pytest.raises(FencedError):
        store.renew_lease(old, ttl=60)
    store.release_lease(old)
    assert store.current_lease(stream) == new


def test_an_expired_lease_counts_until_somebody_takes_over(store: EventStore, stream: str) -> None:
    """Nobody else wrote meanwhile, so that a slow owner need not die."""
    lease = store.acquire_lease(stream, "slow", ttl=SHORT)
    time.sleep(2 * SHORT)
    assert store.append(stream, event(), expected_sequence=0, epoch=lease.epoch) == 1
    renewed = store.renew_lease(lease, ttl=60)
    assert renewed.epoch == lease.epoch
    assert renewed.expires_at > lease.expires_at
    with pytest.raises(LeaseHeldError):
        store.acquire_lease(stream, "second", ttl=60)


def test_the_same_owner_may_take_its_lease_again(store: EventStore, stream: str) -> None:
    """The answer to the first request was lost."""
    assert store.acquire_lease(stream, "me", ttl=60).epoch == 1
    assert store.acquire_lease(stream, "me", ttl=60).epoch == 2


def test_a_released_lease_cannot_be_renewed(store: EventStore, stream: str) -> None:
    lease = store.acquire_lease(stream, "me", ttl=60)
    store.release_lease(lease)
    with pytest.raises(FencedError, match="released"):
        store.renew_lease(lease, ttl=60)


def test_a_lease_of_another_store_is_worth_nothing(store: EventStore, stream: str) -> None:
    with pytest.raises(FencedError):
        store.renew_lease(Lease(stream, "me", 5, datetime.now(UTC)), ttl=60)


def test_a_deleted_stream_has_no_lease(store: EventStore, stream: str) -> None:
    lease = store.acquire_lease(stream, "me", ttl=60)
    store.delete_stream(stream, epoch=lease.epoch)
    with pytest.raises(StreamGone):
        store.renew_lease(lease, ttl=60)
    store.release_lease(lease)
    assert store.current_lease(stream) is None


def test_the_clock_of_the_database_decides(
    store: EventStore, stream: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process whose clock runs a day ahead takes over nothing and writes no other times."""
    lease = store.acquire_lease(stream, "first", ttl=60)
    ahead = time.time() + 86_400
    monkeypatch.setattr(time, "time", lambda: ahead)
    with pytest.raises(LeaseHeldError):
        store.acquire_lease(stream, "second", ttl=60)
    store.append(stream, event(), expected_sequence=0, epoch=lease.epoch)
    (stored,) = store.read(stream)
    assert stored.recorded_at < lease.expires_at


@pytest.mark.parametrize("ttl", [0, -1, 86_401])
def test_a_lease_lasts_some_time(store: EventStore, stream: str, ttl: float) -> None:
    with pytest.raises(ValueError, match="ttl"):
        store.acquire_lease(stream, "me", ttl=ttl)


def test_of_many_only_one_gets_the_lease(open_again: Callable[[], EventStore], stream: str) -> None:
    stores = [open_again() for _ in range(3)]

    def acquire(number: int) -> int:
        try:
            return stores[number % 3].acquire_lease(stream, f"owner-{number}", ttl=60).epoch
        except LeaseHeldError:
            return 0

    with ThreadPoolExecutor(12) as pool:
        assert sorted(pool.map(acquire, range(12))) == [0] * 11 + [1]


def test_owners_that_take_turns_write_one_after_the_other(
    open_again: Callable[[], EventStore], stream: str
) -> None:
    """Each takes over when the other's lease has expired; no write of an old epoch gets in."""
    stores = [open_again(), open_again()]
    epochs: list[int] = []
    leases: list[Lease] = []
    for turn in range(4):
        store = stores[turn % 2]
        leases.append(store.acquire_lease(stream, f"owner-{turn}", ttl=SHORT))
        for old in leases[:-1]:
            with pytest.raises(FencedError):
                store.append(stream, event(), expected_sequence=turn, epoch=old.epoch)
        store.append(stream, event(), expected_sequence=turn, epoch=leases[-1].epoch)
        epochs.append(leases[-1].epoch)
        time.sleep(2 * SHORT)
    assert epochs == [1, 2, 3, 4]
    assert stores[0].get_max_sequence(stream) == 4

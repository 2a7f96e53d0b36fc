"""Appending and reading: what every store promises, on both databases."""

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from cardwright.store import (
    ConcurrencyError,
    EventStore,
    NewEvent,
    StaleCursorError,
    StoreClosedError,
    StoredEvent,
    StreamGone,
    arguments,
)

MEGABYTE = 1024 * 1024


def new(*numbers: int) -> list[NewEvent]:
    return [NewEvent(json.dumps({"number": number})) for number in numbers]


def payloads(events: list[StoredEvent]) -> list[str]:
    return [event.payload for event in events]


def test_events_come_back_in_order(store: EventStore, stream: str) -> None:
    first, rest = new(1), new(2, 3)
    assert store.append(stream, first, expected_sequence=0) == 1
    assert store.append(stream, rest, expected_sequence=1) == 3
    events = list(store.read(stream))
    assert [(e.stream, e.sequence) for e in events] == [(stream, n) for n in (1, 2, 3)]
    assert payloads(events) == [e.payload for e in [*first, *rest]]
    assert [e.event_id for e in events] == [e.event_id for e in [*first, *rest]]


def test_a_stream_never_written_to_is_empty(store: EventStore, stream: str) -> None:
    assert list(store.read(stream)) == []
    assert store.get_max_sequence(stream) == 0


def test_streams_are_apart(store: EventStore, stream: str) -> None:
    other = f"{stream}-other"
    store.append(stream, new(1, 2), expected_sequence=0)
    store.append(other, new(9), expected_sequence=0)
    assert store.get_max_sequence(stream) == 2
    assert payloads(list(store.read(other))) == ['{"number": 9}']


def test_another_opening_sees_what_was_acknowledged(
    store: EventStore, open_again: Callable[[], EventStore], stream: str
) -> None:
    store.append(stream, new(1), expected_sequence=0)
    assert len(list(open_again().read(stream))) == 1


def test_times_are_the_database_s(store: EventStore, stream: str) -> None:
    store.append(stream, new(1), expected_sequence=0)
    (event,) = store.read(stream)
    assert abs(event.recorded_at - datetime.now(UTC)) < timedelta(seconds=60)


@pytest.mark.parametrize("expected", [0, 1, 3, 99])
def test_a_wrong_expectation_names_both_numbers(
    store: EventStore, stream: str, expected: int
) -> None:
    store.append(stream, new(1, 2), expected_sequence=0)
    with pytest.raises(ConcurrencyError) as caught:
        store.append(stream, new(3), expected_sequence=expected)
    assert (caught.value.expected, caught.value.actual) == (expected, 2)
    assert f"at 2, not at {expected}" in str(caught.value)
    assert store.get_max_sequence(stream) == 2


def test_a_refused_append_leaves_nothing_behind(store: EventStore, stream: str) -> None:
    with pytest.raises(ConcurrencyError):
        store.append(stream, new(1, 2), expected_sequence=7, snapshots={"board": "{}"})
    assert list(store.read(stream)) == []
    assert store.load_snapshots(stream) == []


def test_a_repeated_append_is_recognised(store: EventStore, stream: str) -> None:
    """The answer of the first was lost: the caller repeats the same call."""
    events = new(1, 2)
    store.append(stream, events, expected_sequence=0)
    assert store.append(stream, events, expected_sequence=0) == 2
    store.append(stream, new(3), expected_sequence=2)
    assert store.append(stream, events, expected_sequence=0) == 2
    assert store.get_max_sequence(stream) == 3


def test_part_of_an_append_is_no_repetition(store: EventStore, stream: str) -> None:
    one, two, three = new(1, 2, 3)
    store.append(stream, [one, two], expected_sequence=0)
    for other in ([one], [two, one], [one, two, three], [one, three]):
        if other == [one]:
            assert store.append(stream, other, expected_sequence=0) == 1
            continue
        with pytest.raises(ConcurrencyError):
            store.append(stream, other, expected_sequence=0)
    assert store.get_max_sequence(stream) == 2


def test_an_append_of_nothing_is_a_check(store: EventStore, stream: str) -> None:
    assert store.append(stream, [], expected_sequence=0) == 0
    store.append(stream, new(1), expected_sequence=0)
    with pytest.raises(ConcurrencyError):
        store.append(stream, [], expected_sequence=0)


@pytest.mark.parametrize(("after", "limit"), [(0, None), (0, 3), (4, 3), (4, None), (9, 5), (0, 0)])
def test_read_takes_a_part(store: EventStore, stream: str, after: int, limit: int | None) -> None:
    store.append(stream, new(*range(1, 11)), expected_sequence=0)
    end = 10 if limit is None else min(10, after + limit)
    read = [event.sequence for event in store.read(stream, after=after, limit=limit)]
    assert read == list(range(after + 1, end + 1))


def test_reading_pages_through_many_events(store: EventStore, stream: str) -> None:
    store.append(stream, new(*range(1, 2502)), expected_sequence=0)
    assert [event.sequence for event in store.read(stream)] == list(range(1, 2502))
    assert len(list(store.read(stream, after=500, limit=1500))) == 1500


def test_reading_ends_where_the_stream_ended(store: EventStore, stream: str) -> None:
    store.append(stream, new(*range(1, 1500)), expected_sequence=0)
    reading = store.read(stream)
    next(reading)
    store.append(stream, new(1500), expected_sequence=1499)
    assert len(list(reading)) == 1498


def test_a_cursor_beyond_the_end_is_stale(store: EventStore, stream: str) -> None:
    store.append(stream, new(1), expected_sequence=0)
    assert list(store.read(stream, after=1)) == []
    with pytest.raises(StaleCursorError, match="ends at 1; position 2") as caught:
        list(store.read(stream, after=2))
    assert isinstance(caught.value, LookupError)


@pytest.mark.parametrize(
    "text", ["", "日本語 🦊", "\\u0000", "a\nb\r\n\tc", "'; DROP TABLE events; --", "%s ? $now {x}"]
)
def test_any_text_comes_back_unchanged(store: EventStore, stream: str, text: str) -> None:
    store.append(stream, [NewEvent(text)], expected_sequence=0, snapshots={text or "-": text})
    assert payloads(list(store.read(stream))) == [text]
    assert store.load_snapshots(stream)[0].payload == text


def test_large_payloads(store: EventStore, stream: str) -> None:
    """Ten events of a megabyte take several pages; what is larger than a page is one of its own."""
    texts = [os.urandom(MEGABYTE // 2).hex() for _ in range(10)] + ["é" * 5 * MEGABYTE, "small"]
    store.append(stream, [NewEvent(text) for text in texts], expected_sequence=0)
    assert payloads(list(store.read(stream))) == texts


@pytest.mark.parametrize("name", ["", "x" * 201, "nul\x00", "half \ud800"])
def test_unusable_names_are_refused(store: EventStore, name: str) -> None:
    with pytest.raises(ValueError, match="stream"):
        store.append(name, new(1), expected_sequence=0)
    with pytest.raises(ValueError, match="stream"):
        store.read(name)


def test_unusable_events_are_refused(store: EventStore, stream: str) -> None:
    with pytest.raises(ValueError, match="NUL"):
        store.append(stream, [NewEvent("secret\x00")], expected_sequence=0)
    with pytest.raises(ValueError, match="surrogate") as caught:
        store.append(stream, [NewEvent("secret\ud800")], expected_sequence=0)
    assert "secret" not in str(caught.value)
    with pytest.raises(ValueError, match="twice"):
        store.append(stream, [NewEvent("1", "a"), NewEvent("2", "a")], expected_sequence=0)
    with pytest.raises(ValueError, match="expected_sequence"):
        store.append(stream, new(1), expected_sequence=-1)
    with pytest.raises(ValueError, match="limit"):
        store.read(stream, limit=-1)
    assert store.get_max_sequence(stream) == 0


def test_a_payload_that_no_database_takes(
    store: EventStore, stream: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arguments, "MAX_TEXT", 100)
    store.append(stream, [NewEvent("x" * 100)], expected_sequence=0)
    with pytest.raises(ValueError, match="at most 100"):
        store.append(stream, [NewEvent("x" * 101)], expected_sequence=1)


def test_deleting_a_stream_is_for_good(store: EventStore, stream: str) -> None:
    store.append(stream, new(1), expected_sequence=0, snapshots={"board": "{}"})
    store.delete_stream(stream)
    store.delete_stream(stream)
    for call in (
        lambda: list(store.read(stream)),
        lambda: store.get_max_sequence(stream),
        lambda: store.load_snapshots(stream),
        lambda: store.load_snapshot(stream, "board"),
        lambda: store.append(stream, new(1), expected_sequence=0),
        lambda: store.append(stream, new(2), expected_sequence=1),
        lambda: store.create_team(stream, "{}"),
        lambda: store.acquire_lease(stream, "me", ttl=1),
    ):
        with pytest.raises(StreamGone, match="new id"):
            call()


def test_deleting_while_somebody_reads(store: EventStore, stream: str) -> None:
    store.append(stream, new(*range(1500)), expected_sequence=0)
    reading = store.read(stream)
    next(reading)
    store.delete_stream(stream)
    with pytest.raises(StreamGone):
        list(reading)


def test_deleting_what_never_was_uses_the_name_up(store: EventStore, stream: str) -> None:
    store.delete_stream(stream)
    with pytest.raises(StreamGone):
        store.append(stream, new(1), expected_sequence=0)


def test_a_closed_store_says_so(store: EventStore, stream: str) -> None:
    store.close()
    store.close()
    with pytest.raises(StoreClosedError, match="open_store"):
        store.append(stream, new(1), expected_sequence=0)
    with pytest.raises(StoreClosedError):
        store.get_max_sequence(stream)

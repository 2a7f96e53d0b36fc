"""Snapshots, team records and agent cards."""

import hashlib
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from cardwright.store import (
    CardNotFoundError,
    ConcurrencyError,
    EventStore,
    NewEvent,
    TeamExistsError,
    TeamNotFoundError,
)


def new(count: int) -> list[NewEvent]:
    return [NewEvent("{}") for _ in range(count)]


def test_the_latest_snapshot_per_key(store: EventStore, stream: str) -> None:
    store.append(stream, new(3), expected_sequence=0)
    assert store.save_snapshot(stream, "b", 1, "old")
    assert store.save_snapshot(stream, "b", 3, "new")
    assert store.save_snapshot(stream, "a", 2, "other")
    found = [(s.key, s.sequence, s.payload) for s in store.load_snapshots(stream)]
    assert found == [("a", 2, "other"), ("b", 3, "new")]
    snapshot = store.load_snapshot(stream, "b")
    assert snapshot is not None
    assert (snapshot.stream, snapshot.payload) == (stream, "new")
    assert abs(snapshot.saved_at - datetime.now(UTC)) < timedelta(seconds=60)
    assert store.load_snapshot(stream, "c") is None
    assert store.load_snapshot(f"{stream}-other", "b") is None


def test_a_snapshot_of_the_same_event_replaces(store: EventStore, stream: str) -> None:
    """States change between two events, too."""
    assert store.save_snapshot(stream, "a", 0, "one")
    assert store.save_snapshot(stream, "a", 0, "two")
    assert store.load_snapshots(stream)[0].payload == "two"


def test_an_older_snapshot_does_not_replace(store: EventStore, stream: str) -> None:
    store.append(stream, new(2), expected_sequence=0, snapshots={"a": "late"})
    assert not store.save_snapshot(stream, "a", 1, "early")
    assert store.load_snapshots(stream)[0].payload == "late"


def test_a_snapshot_is_never_newer_than_the_log(store: EventStore, stream: str) -> None:
    store.append(stream, new(2), expected_sequence=0)
    with pytest.raises(ConcurrencyError, match="is at 2, not at 3"):
        store.save_snapshot(stream, "a", 3, "{}")
    assert store.load_snapshots(stream) == []


def test_events_and_snapshots_of_one_append_belong_together(store: EventStore, stream: str) -> None:
    states = {"a": "1", "b": "2"}
    store.append(stream, new(2), expected_sequence=0, snapshots=states)
    assert {s.key: s.payload for s in store.load_snapshots(stream)} == states
    assert {s.sequence for s in store.load_snapshots(stream)} == {2}
    with pytest.raises(ConcurrencyError):
        store.append(stream, new(2), expected_sequence=0, snapshots={"a": "lost"})
    with pytest.raises(ValueError, match="snapshots"):
        store.append(stream, new(2), expected_sequence=2, snapshots={"a": "\x00"})
    assert store.load_snapshots(stream)[0].payload == "1"
    assert store.append(stream, [], expected_sequence=2, snapshots={"a": "later"}) == 2
    assert store.load_snapshots(stream)[0].payload == "later"


def test_a_team_record_and_its_versions(store: EventStore, stream: str) -> None:
    created = store.create_team(stream, "{}", labels={"status": "running"})
    assert (created.team_id, created.version, created.payload) == (stream, 1, "{}")
    assert store.load_team(stream) == created
    updated = store.update_team(stream, "[1]", expected_version=1)
    assert (updated.version, updated.payload) == (2, "[1]")
    assert updated.labels == {"status": "running"}
    assert updated.created_at == created.created_at <= updated.updated_at
    relabelled = store.update_team(stream, "[1]", expected_version=2, labels={"status": "stopped"})
    assert store.load_team(stream) == relabelled
    assert relabelled.labels == {"status": "stopped"}


def test_a_team_exists_once(store: EventStore, stream: str) -> None:
    store.create_team(stream, "first")
    with pytest.raises(TeamExistsError, match=stream):
        store.create_team(stream, "second")
    assert store.load_team(stream).payload == "first"


def test_the_version_guards_a_record(store: EventStore, stream: str) -> None:
    store.create_team(stream, "{}")
    store.update_team(stream, "new", expected_version=1)
    with pytest.raises(ConcurrencyError, match="is at 2, not at 1"):
        store.update_team(stream, "lost", expected_version=1)
    with pytest.raises(ConcurrencyError):
        store.delete_team(stream, expected_version=1)
    assert store.load_team(stream).payload == "new"


def test_of_many_updates_of_one_version_one_wins(store: EventStore, stream: str) -> None:
    store.create_team(stream, "{}")

    def update(number: int) -> bool:
        try:
            store.update_team(stream, str(number), expected_version=1)
        except ConcurrencyError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(update, range(8))) == 1
    assert store.load_team(stream).version == 2


def test_unknown_teams(store: EventStore, stream: str) -> None:
    calls: list[Callable[[], object]] = [
        lambda: store.load_team(stream),
        lambda: store.update_team(stream, "{}", expected_version=1),
        lambda: store.delete_team(stream, expected_version=1),
    ]
    for call in calls:
        with pytest.raises(TeamNotFoundError, match=stream):
            call()


def test_teams_are_listed_by_label_oldest_first(store: EventStore) -> None:
    user = str(uuid4())
    for number in range(250):
        status = "running" if number % 2 else "stopped"
        store.create_team(f"{user}-{number}", "{}", labels={"user": user, "status": status})
    assert [t.team_id for t in store.list_teams(labels={"user": user})] == [
        f"{user}-{n}" for n in range(250)
    ]
    running = list(store.list_teams(labels={"user": user, "status": "running"}))
    assert [t.team_id for t in running] == [f"{user}-{n}" for n in range(1, 250, 2)]
    assert list(store.list_teams(labels={"user": user, "status": "deleted"})) == []
    store.update_team(running[0].team_id, "{}", expected_version=1, labels={"user": user})
    assert len(list(store.list_teams(labels={"user": user, "status": "running"}))) == 124
    assert len(list(store.list_teams())) >= 250


def test_deleting_a_record_alone(store: EventStore, stream: str) -> None:
    store.append(stream, new(1), expected_sequence=0)
    store.create_team(stream, "{}", labels={"team": stream})
    store.delete_team(stream, expected_version=1)
    assert list(store.list_teams(labels={"team": stream})) == []
    assert store.get_max_sequence(stream) == 1
    assert store.create_team(stream, "again").version == 1


def test_deleting_a_stream_takes_the_record_and_leaves_cards(
    store: EventStore, stream: str
) -> None:
    (card,) = store.save_cards([json.dumps({"description": stream})])
    store.create_team(stream, "{}", labels={"team": stream})
    store.append(stream, new(1), expected_sequence=0, snapshots={"a": "{}"})
    store.delete_stream(stream)
    with pytest.raises(TeamNotFoundError):
        store.load_team(stream)
    assert list(store.list_teams(labels={"team": stream})) == []
    assert card in store.load_cards([card])


def test_cards_are_stored_by_content(store: EventStore, stream: str) -> None:
    one = json.dumps({"description": stream, "config": {"role": "Ünï"}, "can_be_hired": True})
    same = json.dumps({"config": {"role": "Ünï"}, "can_be_hired": False, "description": stream})
    other = json.dumps({"description": f"{stream}2", "config": {"can_be_hired": True}})
    hashes = store.save_cards([one, same, other])
    assert hashes[0] == hashes[1] != hashes[2]
    assert store.save_cards([one]) == hashes[:1]
    cards = store.load_cards(hashes)
    assert set(cards) == set(hashes)
    assert json.loads(cards[hashes[0]]) == {"description": stream, "config": {"role": "Ünï"}}
    assert json.loads(cards[hashes[2]])["config"] == {"can_be_hired": True}
    assert hashlib.sha256(cards[hashes[0]].encode()).hexdigest() == hashes[0]
    assert store.load_cards([]) == {}
    assert store.save_cards([]) == []


def test_missing_cards_are_named(store: EventStore) -> None:
    (known,) = store.save_cards(["{}"])
    with pytest.raises(CardNotFoundError) as caught:
        store.load_cards([known, "feed", "beef"])
    assert caught.value.hashes == ("beef", "feed")


@pytest.mark.parametrize("text", ["[]", "7", "not json"])
def test_a_card_is_a_json_object(store: EventStore, text: str) -> None:
    with pytest.raises(ValueError, match=r"JSON object|Expecting value"):
        store.save_cards([text])

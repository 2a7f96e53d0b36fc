"""Any sequence of calls does to a store what it does to a few dictionaries."""

import dataclasses
from dataclasses import dataclass, field
from typing import ClassVar, override
from uuid import uuid4

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    invariant,
    rule,
    run_state_machine_as_test,
)

from cardwright.store import (
    ConcurrencyError,
    EventStore,
    FencedError,
    LeaseHeldError,
    NewEvent,
    StreamGone,
    Subscription,
    TeamExistsError,
    TeamNotFoundError,
    open_store,
)

STREAMS = st.sampled_from(["one", "two"])
KEYS = st.sampled_from(["a", "b"])
TEXTS = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=20)
OWNERS = st.sampled_from(["me", "you"])
OFF = st.sampled_from([0, 0, 0, 0, -1, 1])


@dataclass
class Model:
    """What the store should know of one stream."""

    events: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    snapshots: dict[str, tuple[int, str]] = field(default_factory=dict[str, tuple[int, str]])
    epoch: int = 0
    owner: str | None = None
    record: tuple[int, str] | None = None
    deleted: bool = False

    def writer(self, epoch: int) -> type[Exception] | None:
        """Which error a write with this epoch meets."""
        if self.deleted:
            return StreamGone
        if epoch != self.epoch or (self.epoch and self.owner is None):
            return FencedError
        return None


class StoreMachine(RuleBasedStateMachine):
    """Two openings of one store, used at random."""

    appended = Bundle[tuple[str, int, list[NewEvent]]]("appended")

    stores: ClassVar[list[EventStore]]

    def __init__(self) -> None:
        super().__init__()
        self.turn = 0
        self.run = uuid4().hex
        self.models = {name: Model() for name in ("one", "two")}
        self.following: dict[str, tuple[Subscription, int]] = {}

    @property
    def store(self) -> EventStore:
        self.turn += 1
        return self.stores[self.turn % len(self.stores)]

    def name(self, stream: str) -> str:
        return f"{self.run}-{stream}"

    @rule(target=appended, stream=STREAMS, texts=st.lists(TEXTS, max_size=4), off=OFF, fence=OFF)
    def append(
        self, stream: str, texts: list[str], off: int, fence: int
    ) -> tuple[str, int, list[NewEvent]]:
        model, events = self.models[stream], [NewEvent(text) for text in texts]
        expected = max(0, len(model.events) + off)
        epoch = model.epoch + fence
        error = model.writer(epoch)
        if error is None and expected != len(model.events):
            error = ConcurrencyError
        call = (self.name(stream), events, expected, epoch, {"a": f"at {len(texts)}"})
        if error is not None:
            with pytest.raises(error):
                self._append(*call)
            return stream, expected, []
        model.events += [(event.event_id, event.payload) for event in events]
        assert self._append(*call) == len(model.events)
        model.snapshots["a"] = len(model.events), f"at {len(texts)}"
        return stream, expected, events

    def _append(
        self,
        name: str,
        events: list[NewEvent],
        expected: int,
        epoch: int,
        snapshots: dict[str, str],
    ) -> int:
        return self.store.append(
            name, events, expected_sequence=expected, epoch=epoch, snapshots=snapshots
        )

    @rule(past=consumes(appended))
    def repeat(self, past: tuple[str, int, list[NewEvent]]) -> None:
        """The caller never got the answer; whatever happened since, nothing is stored twice."""
        stream, expected, events = past
        model = self.models[stream]
        if events and model.writer(model.epoch) is None:
            call = (self.name(stream), events, expected, model.epoch, {"a": "not saved"})
            assert self._append(*call) == expected + len(events)

    @rule(stream=STREAMS, key=KEYS, text=TEXTS, back=st.integers(-1, 3))
    def save_snapshot(self, stream: str, key: str, text: str, back: int) -> None:
        model = self.models[stream]
        sequence = max(0, len(model.events) - back)
        error = model.writer(model.epoch)
        if error is None and sequence > len(model.events):
            error = ConcurrencyError
        call = (self.name(stream), key, sequence, text)
        if error is not None:
            with pytest.raises(error):
                self.store.save_snapshot(*call, epoch=model.epoch)
            return
        kept = sequence >= model.snapshots.get(key, (0, ""))[0]
        assert self.store.save_snapshot(*call, epoch=model.epoch) == kept
        if kept:
            model.snapshots[key] = sequence, text

    @rule(stream=STREAMS, owner=OWNERS)
    def acquire(self, stream: str, owner: str) -> None:
        model = self.models[stream]
        if model.deleted or model.owner not in {None, owner}:
            with pytest.raises(StreamGone if model.deleted else LeaseHeldError):
                self.store.acquire_lease(self.name(stream), owner, ttl=600)
            return
        lease = self.store.acquire_lease(self.name(stream), owner, ttl=600)
        model.epoch += 1
        model.owner = owner
        assert (lease.epoch, lease.owner) == (model.epoch, owner)

    @rule(stream=STREAMS, old=st.booleans())
    def release(self, stream: str, old: bool) -> None:
        model = self.models[stream]
        lease = self.store.current_lease(self.name(stream))
        assert (lease.owner if lease else None) == model.owner
        if lease is not None:
            epoch = lease.epoch - 1 if old else lease.epoch
            self.store.release_lease(dataclasses.replace(lease, epoch=epoch))
            model.owner = model.owner if old else None

    @rule(stream=STREAMS, text=TEXTS)
    def create_team(self, stream: str, text: str) -> None:
        model = self.models[stream]
        if model.deleted or model.record:
            with pytest.raises(StreamGone if model.deleted else TeamExistsError):
                self.store.create_team(self.name(stream), text)
            return
        self.store.create_team(self.name(stream), text, labels={"run": self.run})
        model.record = 1, text

    @rule(stream=STREAMS, text=TEXTS, off=OFF, delete=st.sampled_from([False, False, True]))
    def change_team(self, stream: str, text: str, off: int, delete: bool) -> None:
        model = self.models[stream]
        version = (model.record[0] if model.record else 1) + off
        error: type[Exception] | None = None if model.record else TeamNotFoundError
        error = error or (ConcurrencyError if off else None)
        name = self.name(stream)
        if error is not None:
            with pytest.raises(error):
                self.store.update_team(name, text, expected_version=version)
        elif delete:
            self.store.delete_team(name, expected_version=version)
            model.record = None
        else:
            self.store.update_team(name, text, expected_version=version)
            model.record = version + 1, text

    @rule(stream=STREAMS, often=st.sampled_from([False, False, False, True]))
    def delete(self, stream: str, often: bool) -> None:
        model = self.models[stream]
        if not often:
            return
        if model.writer(model.epoch) is FencedError:
            with pytest.raises(FencedError):
                self.store.delete_stream(self.name(stream), epoch=model.epoch)
            return
        self.store.delete_stream(self.name(stream), epoch=model.epoch)
        self.models[stream] = Model(deleted=True, epoch=model.epoch)

    @rule(stream=STREAMS, back=st.integers(0, 5))
    def follow(self, stream: str, back: int) -> None:
        model = self.models[stream]
        after = max(0, len(model.events) - back)
        if not model.deleted and stream not in self.following:
            subscription = self.store.subscribe(self.name(stream), after=after)
            self.following[stream] = subscription, after

    @rule(stream=STREAMS)
    def catch_up(self, stream: str) -> None:
        if stream not in self.following:
            return
        model, (subscription, after) = self.models[stream], self.following[stream]
        if model.deleted:
            del self.following[stream]
            with subscription, pytest.raises(StreamGone):
                list(subscription)
            return
        for sequence, expected in enumerate(model.events[after:], after + 1):
            event = subscription.next(10)
            assert event is not None
            assert (event.sequence, event.event_id, event.payload) == (sequence, *expected)
        assert subscription.next(0) is None
        self.following[stream] = subscription, len(model.events)

    @invariant()
    def the_store_agrees(self) -> None:
        store = self.store
        records = {t.team_id: t for t in store.list_teams(labels={"run": self.run})}
        for stream, model in self.models.items():
            name = self.name(stream)
            if model.deleted:
                with pytest.raises(StreamGone):
                    store.get_max_sequence(name)
                continue
            events = list(store.read(name))
            assert [(e.event_id, e.payload) for e in events] == model.events
            assert store.get_max_sequence(name) == len(model.events)
            snapshots = {s.key: (s.sequence, s.payload) for s in store.load_snapshots(name)}
            assert snapshots == model.snapshots
            record = records.get(name)
            assert (record and (record.version, record.payload)) == model.record

    @override
    def teardown(self) -> None:
        for subscription, _ in self.following.values():
            subscription.close()


def test_a_store_behaves_like_its_model(url: str) -> None:
    with open_store(url) as one, open_store(url) as two:

        class Machine(StoreMachine):
            stores: ClassVar[list[EventStore]] = [one, two]

        slow = settings(max_examples=12, stateful_step_count=25, deadline=None)
        run_state_machine_as_test(Machine, settings=slow)

"""State: change detection and immutable snapshots (C5)."""

from collections.abc import Callable
from copy import copy, deepcopy
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from pydantic import AwareDatetime, Field
from tests.actors.actors_support import (
    BoardState,
    Item,
    Note,
    Recorder,
    Team,
    Worker,
    ref_of,
    wait_for_end,
)

from cardwright.actors import (
    ActorAddress,
    ActorSystem,
    AkgentStateObserver,
    BaseConfig,
    BaseState,
    Orchestrator,
    SerializableBaseModel,
    deserialize_object,
    register_type,
)
from cardwright.actors.messages import ErrorMessage, StateChangedMessage
from cardwright.actors.shapes import has_no_address, is_flat


class Watcher:
    """Keeps a snapshot of every publication."""

    def __init__(self) -> None:
        self.snapshots: list[BaseState] = []

    def notify_state_change(self, state: BaseState) -> None:
        self.snapshots.append(state.serializable_copy())


class Mood(Enum):
    GOOD = "good"
    BAD = "bad"


@register_type
@dataclass
class Remark:
    text: str
    tags: list[str] = field(default_factory=list[str])


class Task(SerializableBaseModel):
    title: str
    tags: list[str] = []
    mood: Mood = Mood.GOOD
    kind: Literal["a", "b"] | None = None
    owner: ActorAddress | None = None


class Nested(SerializableBaseModel):
    tasks: dict[str, Task] = {}
    anything: Any = None
    handle: object = Field(default=None, exclude=True)


class Rich(BaseState):
    number: int = 0
    flag: bool = False
    names: set[str] = set()
    rows: list[list[int]] = []
    tasks: list[Task] = []
    by_id: dict[int, Task] = {}
    nested: Nested = Nested()
    remark: Remark = Field(default_factory=lambda: Remark("x"))
    pair: tuple[int, list[int]] = (0, [])
    secret: object = Field(default=None, exclude=True)


def watched(state: BaseState) -> Watcher:
    watcher = Watcher()
    state.observer(watcher)
    return watcher


def rich() -> Rich:
    return Rich(
        tasks=[Task(title=f"t{at}") for at in range(5)],
        by_id={at: Task(title=f"d{at}") for at in range(5)},
        nested=Nested(tasks={"a": Task(title="a")}, anything={"x": [1, {"y": Item(name="i")}]}),
        rows=[[1, 2], [3]],
        remark=Remark("hm", ["a"]),
    )


MUTATIONS: dict[str, Callable[[Rich], object]] = {
    "scalar": lambda s: setattr(s, "number", 1),
    "bool": lambda s: setattr(s, "flag", True),
    "set": lambda s: s.names.add("x"),
    "inner list": lambda s: s.rows[1].append(4),
    "list of models": lambda s: s.tasks.append(Task(title="new")),
    "removed": lambda s: s.tasks.pop(),
    "swapped": lambda s: s.tasks.reverse(),
    "field of a model": lambda s: setattr(s.tasks[3], "title", "other"),
    "list in a model": lambda s: s.tasks[3].tags.append("urgent"),
    "enum in a model": lambda s: setattr(s.tasks[0], "mood", Mood.BAD),
    "model in a dict": lambda s: setattr(s.by_id[2], "kind", "b"),
    "key": lambda s: s.by_id.pop(0),
    "order of keys": lambda s: s.by_id.update({0: s.by_id.pop(0)}),
    "renamed key": lambda s: s.by_id.update({9: s.by_id.pop(4)}),
    "deep in a model": lambda s: s.nested.tasks["a"].tags.append("x"),
    "deep in anything": lambda s: s.nested.anything["x"][1]["y"].tags.append("x"),
    "kind of a value": lambda s: s.nested.anything["x"].__setitem__(0, True),
    "dataclass": lambda s: s.remark.tags.append("b"),
    "list in a tuple": lambda s: s.pair[1].append(1),
    "other class": lambda s: setattr(s, "nested", SubNested(**s.nested.__dict__)),
    "None": lambda s: setattr(s.nested, "anything", None),
}


class SubNested(Nested):
    """Equal in all fields, yet another type."""


@pytest.mark.parametrize("name", MUTATIONS)
def test_t49_any_mutation_in_place_is_noticed_once(name: str) -> None:
    state = rich()
    watcher = watched(state)
    before = state.model_dump()
    state.notify_if_changed()
    assert len(watcher.snapshots) == 1
    MUTATIONS[name](state)
    assert state.model_dump() != before or name in {"kind of a value", "order of keys"}
    state.notify_if_changed()
    state.notify_if_changed()
    assert len(watcher.snapshots) == 2
    # What was published stays as it was.
    assert watcher.snapshots[0].model_dump() == before
    assert watcher.snapshots[1].model_dump() == state.model_dump()


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_published_snapshot_never_changes(name: str) -> None:
    state = rich()
    watcher = watched(state)
    for mutation in MUTATIONS.values():
        mutation(state)
        state.notify_if_changed()
        break
    dumps = [snapshot.model_dump() for snapshot in watcher.snapshots]
    MUTATIONS[name](state)
    state.notify_state_change()
    assert [snapshot.model_dump() for snapshot in watcher.snapshots[: len(dumps)]] == dumps


def test_excluded_fields_are_no_change_and_not_copied() -> None:
    state = rich()
    watcher = watched(state)
    state.secret = object()
    state.nested.handle = object()
    state.notify_if_changed()
    assert len(watcher.snapshots) == 1
    snapshot = state.serializable_copy()
    assert snapshot.secret is None


def test_snapshots_share_what_did_not_change() -> None:
    state = rich()
    watcher = watched(state)
    state.tasks[1].title = "changed"
    state.notify_if_changed()
    first, second = watcher.snapshots
    assert isinstance(first, Rich)
    assert isinstance(second, Rich)
    assert first.by_id is second.by_id
    assert first.tasks[0] is second.tasks[0]
    assert first.tasks[1] is not second.tasks[1]
    assert second.tasks[0] is not state.tasks[0]


def test_addresses_in_state_are_published(system: ActorSystem) -> None:
    address = system.createActor(Worker)
    state = rich()
    watcher = watched(state)
    state.tasks[0].owner = address
    state.notify_if_changed()
    published = watcher.snapshots[-1]
    assert isinstance(published, Rich)
    assert published.tasks[0].owner is address


def test_unobserved_states_cost_nothing_and_attaching_publishes_once() -> None:
    state = rich()
    state.nested.anything = object()  # would raise if anybody looked
    state.notify_if_changed()
    state.nested.anything = 1
    watcher = Watcher()
    assert isinstance(watcher, AkgentStateObserver)
    assert state.observer(watcher) is state
    assert len(watcher.snapshots) == 1
    state.observer(None)
    state.number = 7
    state.notify_if_changed()
    assert len(watcher.snapshots) == 1


def test_explicit_notification_is_the_baseline_even_unobserved() -> None:
    state = rich()
    state.notify_state_change()
    watcher = watched(state)
    state.notify_if_changed()
    assert len(watcher.snapshots) == 1


COPIES: dict[str, Callable[[Rich], Rich]] = {
    "copy": copy,
    "deepcopy": deepcopy,
    "model_copy": lambda state: state.model_copy(),
    "deep model_copy": lambda state: state.model_copy(deep=True),
    "serializable_copy": lambda state: state.serializable_copy(),
}


@pytest.mark.parametrize("how", COPIES.values(), ids=COPIES)
def test_copies_have_no_observer_and_equal_the_original(how: Callable[[Rich], Rich]) -> None:
    state = rich()
    watcher = watched(state)
    twin = how(state)
    assert twin == state
    assert twin.get_observer() is None
    twin.number = 99
    twin.notify_if_changed()
    twin.notify_state_change()
    state.notify_if_changed()
    assert len(watcher.snapshots) == 1
    assert "observer" not in state.model_dump()
    assert deserialize_object(state.model_dump()) == state


def test_a_serializable_copy_does_not_move_the_baseline() -> None:
    state = rich()
    watcher = watched(state)
    state.number = 5
    assert state.serializable_copy().number == 5
    state.notify_if_changed()
    assert len(watcher.snapshots) == 2


def test_what_cannot_be_stored_is_refused_when_published() -> None:
    state = rich()
    watcher = watched(state)
    state.nested.anything = {"deep": [object()]}
    with pytest.raises(Exception, match="serialize"):
        state.notify_if_changed()
    assert len(watcher.snapshots) == 1


class Mutations(RuleBasedStateMachine):
    """Whatever happens: published exactly when the dump differs, and history stands."""

    def __init__(self) -> None:
        super().__init__()
        self.state = rich()
        self.watcher = watched(self.state)
        self.history = [self.state.model_dump()]

    @rule(name=st.sampled_from(sorted(set(MUTATIONS) - {"kind of a value", "order of keys"})))
    def mutate(self, name: str) -> None:
        try:
            MUTATIONS[name](self.state)
        except (KeyError, IndexError, TypeError, AttributeError):
            return

    @rule()
    def checkpoint(self) -> None:
        now = self.state.model_dump()
        self.state.notify_if_changed()
        if now != self.history[-1]:
            self.history.append(now)

    @invariant()
    def history_stands(self) -> None:
        assert [snapshot.model_dump() for snapshot in self.watcher.snapshots] == self.history


TestMutations = Mutations.TestCase
TestMutations.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)


@given(st.lists(st.integers(0, 4), max_size=6), st.lists(st.integers(0, 4), max_size=6))
def test_any_two_lists(before: list[int], after: list[int]) -> None:
    state = Rich(rows=[before])
    watcher = watched(state)
    state.rows[0][:] = after
    state.notify_if_changed()
    assert len(watcher.snapshots) == (1 if before == after else 2)


def test_one_change_in_a_large_state_is_noticed() -> None:
    state = Rich(by_id={at: Task(title=f"d{at}") for at in range(5000)})
    watcher = watched(state)
    state.notify_if_changed()
    state.by_id[7].tags.append("x")
    state.notify_if_changed()
    assert len(watcher.snapshots) == 2


def states_told(recorder: Recorder) -> list[StateChangedMessage]:
    return [item for item in recorder.messages if isinstance(item, StateChangedMessage)]


def test_t52_stop_publishes_what_changed_outside_a_turn(team: Team, recorder: Recorder) -> None:
    address, worker = team.worker()
    worker.bump()
    worker.stop()
    wait_for_end(address)
    team.root.get_team()
    assert recorder.kinds()[-2:] == ["StateChangedMessage", "StopMessage"]
    assert [item.state.count for item in states_told(recorder)] == [0, 1]  # type: ignore[attr-defined] # a board


class Reluctant(Worker):
    def stop_children(self, blocking: bool = True) -> None:
        raise RuntimeError("children do not stop")


def test_t52_a_failing_stop_has_published_and_says_no_stop(team: Team, recorder: Recorder) -> None:
    address = team.root.createActor(Reluctant, config=BaseConfig(name="@Reluctant"))
    worker = team.system.proxy_ask(address, Reluctant)
    worker.bump()
    with pytest.raises(RuntimeError, match="do not stop"):
        worker.stop()
    team.root.get_team()
    assert "StopMessage" not in recorder.kinds()
    assert len(states_told(recorder)) == 2
    ref_of(address).stop()


def test_t53_init_state_publishes_once_even_an_equal_state(team: Team, recorder: Recorder) -> None:
    _, worker = team.worker()
    worker.install(BoardState())
    assert len(states_told(recorder)) == 2
    worker.checkpoint()
    assert len(states_told(recorder)) == 2


def test_t53_unobserved_it_stays_silent_but_known(team: Team, recorder: Recorder) -> None:
    _, worker = team.worker()
    worker.unobserve()
    worker.install(BoardState(count=4))
    worker.checkpoint()
    team.root.get_team()
    assert len(states_told(recorder)) == 1
    assert worker.count_of("count") == 4


def test_update_state_merges_and_publishes(team: Team, recorder: Recorder) -> None:
    address, worker = team.worker()
    worker.bump()
    worker.update_state({"items": [{"name": "x", "tags": ["a"]}]})
    team.root.get_team()
    (last,) = states_told(recorder)[1:]
    assert last.state == BoardState(count=1, items=[Item(name="x", tags=["a"])])
    assert recorder.kinds().count("ErrorMessage") == 0
    del address


def test_update_state_brings_addresses_to_life(team: Team) -> None:
    friend, _ = team.worker("@Friend")
    _, worker = team.worker()
    gone = friend.serialize() | {"agent_id": "0d2a2a7e-1111-4222-8333-444455556666"}
    worker.update_state({"friend": friend.serialize()})
    live = worker.count_of("friend")
    assert isinstance(live, ActorAddress)
    assert live.ask("hello") == "HELLO"
    worker.update_state({"count": 2})
    assert worker.count_of("friend") == friend
    worker.update_state({"friend": dict(gone)})
    dead = worker.count_of("friend")
    assert isinstance(dead, ActorAddress)
    assert not dead.is_alive()


@pytest.mark.parametrize(
    ("updates", "kind"),
    [
        ({"__model__": "gone.Class"}, "UnresolvableClassError"),
        ({"__model__": "tests.actors.actors_support.Item", "name": "x"}, "ValueError"),
        ({"count": "many"}, "ValidationError"),
    ],
)
def test_t54_a_wrong_update_is_reported_not_raised(
    team: Team, recorder: Recorder, updates: dict[str, object], kind: str
) -> None:
    _, worker = team.worker()
    worker.update_state(updates)
    team.root.get_team()
    errors = [item for item in recorder.messages if isinstance(item, ErrorMessage)]
    assert [error.content_type for error in errors] == [kind]
    assert worker.count_of("count") == 0


def test_recorded_states_are_copies(team: Team) -> None:
    address, worker = team.worker()
    team.system.ask(address, Note(text="mutate"))
    worker.bump()
    states = team.root.get_states()
    state = states[address.agent_id]
    assert isinstance(state, BoardState)
    state.count = 100
    states.clear()
    again = team.system.proxy_ask(team.address, Orchestrator).get_states()[address.agent_id]
    assert isinstance(again, BoardState)
    assert again.count == 0
    assert again.items == [Item(name="new")]


class Flat(SerializableBaseModel):
    title: str
    mood: Mood = Mood.GOOD
    kind: Literal["a"] | None = None
    tags: dict[str, list[int]] = {}
    moment: AwareDatetime | None = None
    short: Annotated[str, Field(max_length=3)] = ""


class Mixed(SerializableBaseModel):
    inner: Flat


class Addressed(SerializableBaseModel):
    owners: list[ActorAddress] = []


def test_shapes_of_models() -> None:
    assert is_flat(Flat)
    assert has_no_address(Flat)
    assert is_flat(Addressed)
    assert not has_no_address(Addressed)
    for kind in (Mixed, Nested):
        assert not is_flat(kind)
        assert not has_no_address(kind)

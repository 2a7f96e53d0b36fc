"""The life of a stored team: create, stop, resume, delete, list; on both databases."""

import json
from collections.abc import Callable, Iterator
from typing import cast
from uuid import UUID, uuid4

import pytest
from tests.store.team_members import (
    Counter,
    Fleeting,
    Keeper,
    Note,
    Parentless,
    Purpose,
    SlowKeeper,
    SlowMemory,
    abandon,
    asked,
    hired,
)

from cardwright.actors import (
    ActorAddress,
    ActorSystem,
    AgentCard,
    BaseConfig,
    EventSubscriber,
    Orchestrator,
)
from cardwright.actors.addresses import ActorAddressImpl
from cardwright.actors.messages import (
    ClosedNotification,
    EventMessage,
    Message,
    ProcessedMessage,
    ReceivedMessage,
    StateChangedMessage,
    TeamStoppingEvent,
    WarningMessage,
)
from cardwright.core import ToolStateEvent
from cardwright.store import (
    EventStore,
    LeaseHeldError,
    StreamGone,
    TeamExistsError,
    TeamNotFoundError,
    open_store,
)
from cardwright.store.teams import (
    RunningTeam,
    TeamResumedEvent,
    Teams,
    TeamStateError,
    read_history,
)
from cardwright.store.teams import history as histories
from cardwright.store.teams.history import History


@pytest.fixture(autouse=True)
def _open_gates() -> Iterator[None]:
    Keeper.gate.set()
    Keeper.entered.clear()
    SlowMemory.hold.set()
    yield
    Keeper.gate.set()
    SlowMemory.hold.set()


@pytest.fixture
def teams(url: str) -> Iterator[Teams]:
    with Teams(url) as opened:
        yield opened


@pytest.fixture
def elsewhere(url: str) -> Callable[[], Teams]:
    """Another process's view of the store."""
    return lambda: Teams(url)


def test_stop_and_resume_restore_members_states_and_metadata(teams: Teams) -> None:
    team = teams.create(name="Writers", metadata=Purpose(goal="write"), user_id="u1")
    hired(team, Keeper, "@A")
    asked(teams, team, "@A", Keeper).hire("@B")
    hired(team, Counter, "#Counter", "ToolActor")
    friend = team.member("@B")
    assert friend is not None
    asked(teams, team, "@A", Keeper).befriend(friend)
    asked(teams, team, "@A", Keeper).tell_friend("hello")
    ids = {it.name: it.agent_id for it in team.root.get_team()}
    before = len(team.root.get_messages())
    team.stop()
    assert teams.show(team.team_id).state == "stopped"

    again = teams.resume(team.team_id)
    assert {it.name: it.agent_id for it in again.root.get_team()} == ids
    assert all(isinstance(it, ActorAddressImpl) for it in again.root.get_team())
    assert asked(teams, again, "@B", Keeper).notes() == ["hello"]
    assert again.root.get_metadata() == Purpose(goal="write")
    # The address in a state is that of the living actor: telling through it works.
    asked(teams, again, "@A", Keeper).tell_friend("again")
    assert asked(teams, again, "@B", Keeper).notes() == ["hello", "again"]
    parent = next(
        m for m in read_history(teams.store, str(team.team_id)).members.values() if m.name == "@B"
    )
    assert parent.parent_id == str(ids["@A"])
    assert len(again.root.get_messages()) >= before
    info = teams.show(team.team_id)
    assert (info.state, info.process.name, info.process.user_id) == ("running", "Writers", "u1")


def test_a_second_resume_repeats_nothing(teams: Teams) -> None:
    team = teams.create()
    hired(team, Keeper, "@A")
    hired(team, Keeper, "@B")
    asked(teams, team, "@A", Keeper).befriend(cast("ActorAddress", team.member("@B")))
    asked(teams, team, "@A", Keeper).tell_friend("once")
    asked(teams, team, "@B", Keeper).notes()
    for _ in range(3):
        team.stop()
        stored = teams.store.get_max_sequence(str(team.team_id))
        team = teams.resume(team.team_id)
        # One event: that it goes on.
        assert teams.store.get_max_sequence(str(team.team_id)) == stored + 1
        assert asked(teams, team, "@B", Keeper).notes() == ["once"]


def test_unprocessed_mail_is_delivered_after_a_stop(teams: Teams) -> None:
    """Mail behind the stop is not handled in this life, and once in the next."""
    team = teams.create()
    hired(team, Keeper, "@A")
    hired(team, Keeper, "@B")
    sender = asked(teams, team, "@A", Keeper)
    sender.befriend(cast("ActorAddress", team.member("@B")))
    Keeper.gate.clear()
    sender.tell_friend("1")
    assert Keeper.entered.wait(10)
    stopped = team.root.stop(20)
    sender_sends = [sender_text for sender_text in ("2", "3") if _still_sends(sender, sender_text)]
    Keeper.gate.set()
    assert stopped.wait(20)
    team.stop()
    again = teams.resume(team.team_id)
    assert asked(teams, again, "@B", Keeper).notes() == ["1", *sender_sends]


def _still_sends(sender: Keeper, text: str) -> bool:
    try:
        sender.tell_friend(text)
    except Exception:  # noqa: BLE001 - it may have stopped already
        return False
    return True


def test_mail_and_an_interrupted_turn_after_a_crash(
    url: str, elsewhere: Callable[[], Teams]
) -> None:
    """What was begun is reported and not repeated; what waited is delivered once."""
    first = elsewhere()
    team = first.create()
    hired(team, Keeper, "@A")
    hired(team, Keeper, "@B")
    sender = asked(first, team, "@A", Keeper)
    sender.befriend(cast("ActorAddress", team.member("@B")))
    Keeper.gate.clear()
    for text in ("begun", "waiting 1", "waiting 2"):
        sender.tell_friend(text)
    assert Keeper.entered.wait(10)
    team.flush()
    with open_store(url) as store:
        lease = store.current_lease(str(team.team_id))
        assert lease is not None
        store.release_lease(lease)  # as if it had run out
    with Teams(url) as second:
        Keeper.gate.set()
        again = second.resume(team.team_id)
        assert asked(second, again, "@B", Keeper).notes() == ["waiting 1", "waiting 2"]
        (warning,) = again.root.get_messages(message_type=WarningMessage)
        assert isinstance(warning, WarningMessage)
        assert warning.content_type == "TurnInterrupted"
        assert cast("Note", warning.current_message).text == "begun"
        (notice,) = again.root.get_events(event_class=TeamResumedEvent)
        assert notice.event == TeamResumedEvent(redelivered=2, interrupted=1)
        again.flush()
        history = read_history(second.store, str(team.team_id))
        assert not history.mail
        # The first copy is refused, stops, and has written nothing since.
        first.system.shutdown()
    first.close()


def test_the_end_of_a_turn_waits_for_the_state_it_left(teams: Teams) -> None:
    """No log says that a message was dealt with, and lacks what came of it."""
    team = teams.create()
    hired(team, Keeper, "@A")
    hired(team, SlowKeeper, "@B")
    sender = asked(teams, team, "@A", Keeper)
    sender.befriend(cast("ActorAddress", team.member("@B")))
    SlowMemory.hold.clear()
    sender.tell_friend("x")
    assert Keeper.entered.wait(10)
    sender.say(ClosedNotification(message_id=uuid4()))
    _until(lambda: _kinds(teams, team).count("EventMessage") == 1)
    _until(lambda: "ReceivedMessage" in _kinds(teams, team))
    assert "ProcessedMessage" not in _kinds(teams, team)
    SlowMemory.hold.set()
    team.flush()
    assert "ProcessedMessage" in _kinds(teams, team)
    history = read_history(teams.store, str(team.team_id), from_log_alone=True)
    (keeper,) = (it for it in history.members.values() if it.name == "@B")
    assert cast("dict[str, object]", history.states[keeper.agent_id])["notes"] == ["x"]


def _kinds(teams: Teams, team: RunningTeam) -> list[str]:
    history = read_history(teams.store, str(team.team_id))
    return [str(it["__model__"]).rpartition(".")[2] for it in history.messages]


def _until(condition: Callable[[], bool]) -> None:
    for _ in range(2_000):
        if condition():
            return
    raise AssertionError("it never came")


def test_p_t10_event_numbers_go_on_after_a_resume(url: str, elsewhere: Callable[[], Teams]) -> None:
    with elsewhere() as teams:
        team = teams.create()
        hired(team, Counter, "#Counter", "ToolActor")
        assert [asked(teams, team, "#Counter", Counter).count() for _ in range(3)] == [1, 2, 3]
    with elsewhere() as teams:
        team = teams.resume(team.team_id)
        assert asked(teams, team, "#Counter", Counter).count() == 4
        told = [
            cast("ToolStateEvent", it.event).seq
            for it in team.root.get_events(event_class=ToolStateEvent)
        ]
        assert told == [1, 2, 3, 4]


def test_p_t10_a_number_in_the_log_is_not_given_out_again(teams: Teams) -> None:
    """The state is published before the number is: a crash in between leaves the older number."""
    team = teams.create()
    hired(team, Counter, "#Counter", "ToolActor")
    assert asked(teams, team, "#Counter", Counter).count() == 1
    team.flush()
    history = read_history(teams.store, str(team.team_id))
    (key,) = history.states
    assert cast("dict[str, object]", history.states[key])["event_seq"] == 0
    abandon(teams, team)
    again = teams.resume(team.team_id)
    assert asked(teams, again, "#Counter", Counter).count() == 2


def test_case_73_who_has_become_ephemeral_is_not_revived(
    teams: Teams, monkeypatch: pytest.MonkeyPatch
) -> None:
    team = teams.create()
    hired(team, Parentless, "@A")
    team.stop()
    monkeypatch.setattr(Parentless, "ephemeral", True)
    again = teams.resume(team.team_id)
    assert again.root.get_team() == []


def test_case_73_ephemeral_workers_are_not_revived(teams: Teams) -> None:
    team = teams.create()
    hired(team, Keeper, "#defer-abc", "ToolActor")
    hired(team, Fleeting, "@Fleeting")
    hired(team, Keeper, "@A")
    team.flush()
    abandon(teams, team)
    again = teams.resume(team.team_id)
    assert [it.name for it in again.root.get_team()] == ["@A"]
    again.stop(5)
    again = teams.resume(team.team_id)
    assert [it.name for it in read_history(teams.store, str(team.team_id)).members.values()] == [
        "@Orchestrator",
        "@A",
    ]
    again.stop(5)


def test_case_62_a_stop_log_is_restored_but_for_its_announcement(teams: Teams) -> None:
    team = teams.create()
    hired(team, Keeper, "@A")
    closed = ClosedNotification(message_id=uuid4())
    asked(teams, team, "@A", Keeper).say(closed)
    team.stop()
    again = teams.resume(team.team_id)
    restored = [it.event for it in again.root.get_events()]
    assert restored[0] == closed
    assert not any(isinstance(it, TeamStoppingEvent) for it in restored)
    # Conversations are handed to the agents that had them.
    address = cast("ActorAddressImpl", again.member("@A"))
    assert cast("Keeper", address.ref.actor).recalled == [closed]


class Recorder(EventSubscriber):
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def set_restoring(self, team_id: UUID, restoring: bool) -> None:
        self.told.append(restoring)

    def on_message(self, msg: Message) -> None:
        self.told.append(msg)


def test_trap_9_nothing_is_stored_or_told_during_the_restore(teams: Teams) -> None:
    team = teams.create()
    hired(team, Keeper, "@A")
    team.stop()
    recorder = Recorder()
    again = teams.resume(team.team_id, subscribers=[recorder])
    assert recorder.told[:2] == [True, False]
    again.stop()
    messages = [it for it in recorder.told if isinstance(it, Message)]
    assert isinstance(cast("EventMessage", messages[0]).event, TeamResumedEvent)
    assert sum(isinstance(it, StateChangedMessage) for it in messages) == 0


def test_trap_10_tool_actors_come_first(teams: Teams) -> None:
    team = teams.create()
    hired(team, Keeper, "@A")
    hired(team, Counter, "#Counter", "ToolActor")
    team.stop()
    again = teams.resume(team.team_id)
    # `getChildrenOrCreate` finds the restored one.
    config = BaseConfig(name="#Counter", role="ToolActor")
    before = cast("ActorAddress", again.member("#Counter"))
    assert again.root.getChildrenOrCreate(Counter, config) == before
    numbers = [cast("ActorAddressImpl", again.member(n)).ref.thread_id for n in ("#Counter", "@A")]
    assert None not in numbers


def test_profiles_come_from_the_card_store(teams: Teams) -> None:
    card = AgentCard(
        agent_class=Keeper,
        description="Keeps notes.",
        config=BaseConfig(role="Keeper"),
        can_be_hired=True,
    )
    team = teams.create(cards=[card])
    team.stop()
    teams.set_cards(team.team_id, [card.model_copy(update={"description": "Keeps all notes."})])
    again = teams.resume(team.team_id)
    (found,) = again.root.get_agent_catalog()
    assert (found.description, found.can_be_hired) == ("Keeps all notes.", True)


def test_metadata_is_replaced_in_the_record_and_the_team(teams: Teams) -> None:
    team = teams.create(metadata=Purpose(goal="old"))
    teams.set_metadata(team.team_id, Purpose(goal="new"))
    assert team.root.get_metadata() == Purpose(goal="new")
    team.stop()
    assert teams.resume(team.team_id).root.get_metadata() == Purpose(goal="new")


def test_a_log_that_is_too_long_to_keep_is_read_in_two_parts(
    teams: Teams, monkeypatch: pytest.MonkeyPatch
) -> None:
    team = teams.create()
    hired(team, Keeper, "@A")
    for number in range(20):
        teams.system.tell(cast("ActorAddress", team.member("@A")), Note(text=str(number)))
        asked(teams, team, "@A", Keeper).say({"number": number})
    team.stop()
    told = [{"number": number} for number in range(20)]
    for room in (0, 3_000, 10**9):
        monkeypatch.setattr(histories, "ROOM", room)
        again = teams.resume(team.team_id)
        assert [it.event for it in again.root.get_events()][:20] == told
        begun = again.root.count_messages(message_type=ReceivedMessage)
        assert begun == again.root.count_messages(message_type=ProcessedMessage) == 20
        assert asked(teams, again, "@A", Keeper).notes() == [str(it) for it in range(20)]
        again.stop()


def test_delete_is_for_good(teams: Teams) -> None:
    team = teams.create()
    with pytest.raises(TeamStateError, match="Stop it first"):
        teams.delete(team.team_id)
    team.stop()
    team.stop()
    teams.delete(team.team_id)
    with pytest.raises(TeamNotFoundError):
        teams.resume(team.team_id)
    with pytest.raises(StreamGone):
        teams.create(team_id=team.team_id)


def test_a_team_runs_in_one_place(teams: Teams, elsewhere: Callable[[], Teams]) -> None:
    team = teams.create()
    with elsewhere() as others:
        with pytest.raises(LeaseHeldError):
            others.resume(team.team_id)
        with pytest.raises(TeamExistsError):
            others.create(team_id=team.team_id)
        with pytest.raises(TeamStateError, match="elsewhere"):
            others.stop(team.team_id)
        assert [it.state for it in others.list() if it.process.team_id == team.team_id] == [
            "running"
        ]
        team.stop()
        moved = others.resume(team.team_id)
        with pytest.raises(LeaseHeldError):
            teams.resume(team.team_id)
        moved.stop()
    assert teams.show(team.team_id).state == "stopped"


def test_a_shut_down_system_leaves_a_stopped_team(url: str) -> None:
    system = ActorSystem()
    teams = Teams(url, system)
    team = teams.create()
    hired(team, Keeper, "@A")
    system.shutdown()
    team.persister.join(10)
    assert teams.show(team.team_id).state == "stopped"
    teams.close()


class Unborn(Orchestrator):
    """Cannot be constructed."""

    def __init__(self, **kwargs: object) -> None:
        raise RuntimeError("not today")


def test_a_team_that_cannot_be_created_leaves_nothing(teams: Teams) -> None:
    team_id = uuid4()
    with pytest.raises(RuntimeError, match="not today"):
        teams.create(team_id=team_id, orchestrator=Unborn)
    with pytest.raises(TeamNotFoundError):
        teams.show(team_id)
    assert teams.store.current_lease(str(team_id)) is None
    assert teams.create(team_id=team_id).member("@A") is None


def test_the_log_alone_tells_the_states(teams: Teams, store: EventStore) -> None:
    team = teams.create()
    hired(team, Keeper, "@A")
    hired(team, Keeper, "@B")
    sender = asked(teams, team, "@A", Keeper)
    sender.befriend(cast("ActorAddress", team.member("@B")))
    for number in range(50):
        sender.tell_friend(f"note {number}")
    asked(teams, team, "@B", Keeper).notes()
    team.stop()
    whole: History = read_history(store, str(team.team_id))
    alone: History = read_history(store, str(team.team_id), from_log_alone=True)
    assert whole.states == alone.states
    snapshot = next(s for s in store.load_snapshots(str(team.team_id)) if "note 49" in s.payload)
    assert len(json.loads(snapshot.payload)["state"]["notes"]) == 50

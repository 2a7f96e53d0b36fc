"""Receiving, dispatch and failure (C3, C4)."""

import logging
from uuid import UUID, uuid4

import pytest
from tests.actors.actors_support import (
    Note,
    Recorder,
    Team,
    UrgentNote,
    Worker,
    ref_of,
    wait_for_end,
)

from cardwright.actors import (
    ActorDeadError,
    ActorSystem,
    Akgent,
    BaseConfig,
    ExpectedError,
    WarningError,
)
from cardwright.actors.messages import (
    ErrorMessage,
    EventMessage,
    HandledMessage,
    Message,
    NotificationMessage,
    ProcessedMessage,
    ReceivedMessage,
    SentMessage,
    StateChangedMessage,
    WarningMessage,
)


class Parent(Akgent):
    """Handles notes, and knows what came by."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)  # type: ignore[arg-type] # the keywords of the base
        self.calls: list[str] = []

    def receiveMsg_Note(self, message: Note) -> object:
        self.calls.append(f"note {message.text}")
        return "note"

    def receiveMsg_Message(self, message: Message) -> object:
        self.calls.append("message")
        return None

    def seen(self) -> list[str]:
        return self.calls


class Child(Parent):
    def receiveMsg_UrgentNote(self, message: UrgentNote) -> object:
        self.calls.append("urgent")
        return Akgent.SUPER


class Grandchild(Child):
    """Inherits a handler that returns SUPER: it is called once all the same."""


def test_t46_defaults_fill_name_and_role(system: ActorSystem) -> None:
    address = system.createActor(Worker)
    assert address.name
    assert address.role == "Worker"


def test_t46_the_given_configuration_is_copied_not_changed(system: ActorSystem) -> None:
    config = BaseConfig(name="@A")
    address = system.createActor(Worker, config=config)
    assert config == BaseConfig(name="@A")
    assert system.proxy_ask(address, Worker).config.role == "Worker"


def test_t47_the_handler_of_the_parent_type_runs(system: ActorSystem) -> None:
    address = system.createActor(Parent)
    assert system.ask(address, UrgentNote(text="x")) == "note"


def test_t47_super_falls_through_to_the_next_base(system: ActorSystem) -> None:
    address = system.createActor(Grandchild)
    assert system.ask(address, UrgentNote(text="x")) == "note"
    assert system.proxy_ask(address, Child).seen() == ["urgent", "note x"]


def test_none_ends_the_search(system: ActorSystem) -> None:
    address = system.createActor(Parent)
    assert system.ask(address, EventMessage(event=1)) is None
    assert system.proxy_ask(address, Parent).seen() == ["message"]


def test_a_message_nobody_handles_is_logged(
    system: ActorSystem, caplog: pytest.LogCaptureFixture
) -> None:
    address = system.createActor(Akgent, config=BaseConfig(name="@Deaf"))
    assert system.ask(address, Note()) is None
    assert "has no handler for Note" in caplog.text


def test_t48_squad_is_inherited_and_team_shared(team: Team) -> None:
    address, worker = team.worker()
    child = worker.hire("@Child")
    own = uuid4()
    other = worker.hire("@Other", own)
    grandchild = team.system.proxy_ask(child, Worker).hire("@Grandchild")
    assert child.squad_id == address.squad_id == team.address.squad_id is not None
    assert other.squad_id == own
    assert {child.team_id, grandchild.team_id} == {team.address.team_id}


def test_t48_user_is_inherited(system: ActorSystem) -> None:
    address = system.createActor(Worker, user_id="u-1", user_email="u@example.org")
    child = system.proxy_ask(system.proxy_ask(address, Worker).hire("@Child"), Worker)
    assert (child.user_id, child.user_email) == ("u-1", "u@example.org")


def test_t49_a_mutating_turn_publishes_once_with_its_cause(team: Team, recorder: Recorder) -> None:
    address, worker = team.worker()
    worker.bump()
    message = Note(text="mutate")
    team.system.ask(address, message)
    team.system.ask(address, Note(text="nothing"))
    team.root.get_team()
    changes = [item for item in recorder.messages if isinstance(item, StateChangedMessage)]
    assert [change.parent_id for change in changes] == [None, message.id]  # start, then the turn
    order = recorder.kinds()[-5:]
    assert order[:3] == ["ReceivedMessage", "ProcessedMessage", "StateChangedMessage"]
    assert order[3:] == ["ReceivedMessage", "ProcessedMessage"]


def test_t49_what_is_no_message_publishes_nothing(team: Team, recorder: Recorder) -> None:
    address, worker = team.worker()
    before = recorder.kinds().count("StateChangedMessage")
    assert team.system.ask(address, "hello") == "HELLO"
    worker.bump()
    team.root.get_team()
    assert recorder.kinds().count("StateChangedMessage") - before <= 1  # the one of the start


def test_t50_told_failure_closes_the_ledger_and_the_actor_survives(
    team: Team, recorder: Recorder, caplog: pytest.LogCaptureFixture
) -> None:
    address, worker = team.worker()
    worker.bump()
    message = Note(text="mutate and fail")
    team.system.tell(address, message)
    assert worker.count_of("count") == 2
    team.root.get_team()
    assert recorder.kinds()[-4:] == [
        "ReceivedMessage",
        "StateChangedMessage",
        "ProcessedMessage",
        "ErrorMessage",
    ]
    error = recorder.messages[-1]
    assert isinstance(error, ErrorMessage)
    assert error.content_type == "KeyError"
    assert "broken" in error.content
    assert error.current_message is not None
    assert error.current_message.id == message.id
    assert "receiveMsg_Note" in (error.traceback or "")
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


def test_t50_a_warning_error_is_a_warning_without_traceback(team: Team, recorder: Recorder) -> None:
    address, worker = team.worker()
    team.system.tell(address, Note(text="warn"))
    worker.bump()
    team.root.get_team()
    (warning,) = [item for item in recorder.messages if isinstance(item, NotificationMessage)]
    assert type(warning) is WarningMessage
    assert (warning.content_type, warning.content) == ("WarningError", "mind this")
    assert not hasattr(warning, "traceback")


def test_asked_failure_closes_the_ledger_too(team: Team, recorder: Recorder) -> None:
    address, _ = team.worker()
    message = Note(text="mutate and fail")
    with pytest.raises(KeyError, match="broken"):
        team.system.ask(address, message)
    team.root.get_team()
    kinds = recorder.kinds()
    assert kinds[-3:] == ["StateChangedMessage", "ProcessedMessage", "ErrorMessage"]
    assert team.system.ask(address, "still there") == "STILL THERE"


def test_asked_warning_reaches_both(team: Team, recorder: Recorder) -> None:
    address, _ = team.worker()
    with pytest.raises(WarningError):
        team.system.ask(address, Note(text="warn"))
    team.root.get_team()
    assert recorder.kinds()[-2:] == ["ProcessedMessage", "WarningMessage"]


def test_an_expected_failure_is_an_answer(team: Team, recorder: Recorder) -> None:
    address, _ = team.worker()
    with pytest.raises(ExpectedError):
        team.system.ask(address, Note(text="expected"))
    team.root.get_team()
    assert recorder.kinds()[-1] == "ProcessedMessage"


def test_an_expected_failure_of_a_told_message_is_reported(team: Team, recorder: Recorder) -> None:
    address, worker = team.worker()
    team.system.tell(address, Note(text="expected"))
    worker.bump()
    team.root.get_team()
    assert recorder.kinds()[-1] == "ErrorMessage"


@pytest.mark.parametrize("asked", [True, False])
def test_trap1_failures_of_proxied_calls_are_reported(
    team: Team, recorder: Recorder, *, asked: bool
) -> None:
    address, worker = team.worker()
    if asked:
        with pytest.raises(ValueError, match="broken"):
            worker.fail()
    else:
        team.system.proxy_tell(address, Worker).fail()
        worker.bump()
    team.root.get_team()
    (error,) = [item for item in recorder.messages if isinstance(item, ErrorMessage)]
    assert error.content_type == "ValueError"
    assert error.current_message is None
    assert "ProcessedMessage" not in recorder.kinds()


def test_every_ledger_entry_is_closed_once(team: Team, recorder: Recorder) -> None:
    sender, worker = team.worker("@Sender")
    receiver, other = team.worker("@Receiver")
    for text in ["count", "mutate and fail", "warn", "expected", "unserializable", "nothing"]:
        worker.relay(receiver, text)
    other.bump()
    with pytest.raises(KeyError):
        team.system.ask(receiver, Note(text="mutate and fail"))
    team.root.get_team()
    opened = [item.message.id for item in recorder.messages if isinstance(item, SentMessage)]
    closed = [
        item.message_id
        for item in recorder.messages
        if isinstance(item, ProcessedMessage | HandledMessage)
    ]
    assert len(opened) == 6
    assert [closed.count(one) for one in opened] == [1] * 6
    assert len(closed) == 7
    del sender


def test_t51_unserializable_state_raises_after_processed(team: Team, recorder: Recorder) -> None:
    address, worker = team.worker()
    worker.bump()
    worker.publish()
    team.root.get_team()
    before = len(recorder.messages)
    with pytest.raises(Exception, match="serialize"):
        team.system.ask(address, Note(text="unserializable"))
    team.root.get_team()
    assert recorder.kinds()[before:] == ["ReceivedMessage", "ProcessedMessage", "ErrorMessage"]


def test_t51_a_failing_turn_still_reports_its_own_error(
    team: Team, recorder: Recorder, caplog: pytest.LogCaptureFixture
) -> None:
    address, worker = team.worker()
    team.system.tell(address, Note(text="unserializable and fail"))
    worker.bump()
    team.root.get_team()
    (error,) = [item for item in recorder.messages if isinstance(item, ErrorMessage)]
    assert error.content_type == "KeyError"
    warnings = [record for record in caplog.records if record.levelno == logging.WARNING]
    assert len(warnings) == 1
    assert "cannot publish its state" in warnings[0].message


def test_send_stamps_sender_team_and_cause(team: Team, recorder: Recorder) -> None:
    sender, worker = team.worker("@Sender")
    receiver, other = team.worker("@Receiver")
    identifier = worker.relay(receiver, "count")
    other.bump()
    team.root.get_team()
    (sent,) = [item for item in recorder.messages if isinstance(item, SentMessage)]
    assert sent.message.id == identifier
    assert sent.message.sender == sender
    assert sent.message.team_id == team.address.team_id
    assert sent.message.recipient is None
    assert sent.recipient == receiver
    received = [item for item in recorder.messages if isinstance(item, ReceivedMessage)]
    assert [item.parent_id for item in received] == [identifier]


def test_sending_to_a_dead_actor_opens_no_entry(team: Team, recorder: Recorder) -> None:
    receiver, other = team.worker("@Receiver")
    _, worker = team.worker("@Sender")
    other.stop()
    wait_for_end(receiver)
    with pytest.raises(ActorDeadError):
        worker.relay(receiver, "count")
    team.root.get_team()
    assert "SentMessage" not in recorder.kinds()


def test_messages_behind_the_stop_are_closed_as_handled(team: Team, recorder: Recorder) -> None:
    gate, busy, release = team.gate()
    _, worker = team.worker("@Sender")
    from cardwright.actors.messages import UserMessage

    team.system.tell(gate, UserMessage(content="wait"))
    busy.wait(5)
    gate_ref = ref_of(gate)
    gate_ref.stop(block=False)
    identifier = worker.relay(gate, "too late")
    release.set()
    wait_for_end(gate)
    team.root.get_team()
    handled = [item.message_id for item in recorder.messages if isinstance(item, HandledMessage)]
    assert handled == [identifier]


def test_a_fatal_exception_stops_one_actor_only(team: Team, recorder: Recorder) -> None:
    with ActorSystem() as other_system:
        other = Team(other_system)
        address, worker = team.worker("@Doomed")
        child = worker.hire("@ChildOfDoomed")
        neighbour, _ = team.worker("@Neighbour")
        team.system.tell(address, Note(text="exit"))
        wait_for_end(address)
        wait_for_end(child)
        assert neighbour.is_alive()
        assert team.address.is_alive()
        assert other.address.is_alive()
        assert [member.name for member in team.root.get_team()] == ["@Neighbour"]
        assert "ErrorMessage" in recorder.kinds()
        with pytest.raises(ActorDeadError, match="was ended by SystemExit"):
            team.system.ask(address, "hello")


class Broken(Akgent):
    """Cannot start."""

    def on_start(self) -> None:
        self.createActor(Worker, config=BaseConfig(name="@Orphan"))
        raise RuntimeError("no start today")


def test_a_failing_on_start_leaves_no_zombie(team: Team, recorder: Recorder) -> None:
    address = team.root.createActor(Broken, config=BaseConfig(name="@Broken"))
    wait_for_end(address)
    assert not address.is_alive()
    with pytest.raises(ActorDeadError, match="could not start"):
        team.system.ask(address, "hello")
    assert team.root.get_team_member("@Broken") is None
    error = next(item for item in recorder.messages if isinstance(item, ErrorMessage))
    assert error.content == "no start today"
    assert team.root.stop().wait(5)


class Ghost(Akgent):
    """Cannot be constructed, after the base constructor ran."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)  # type: ignore[arg-type] # the keywords of the base
        raise RuntimeError("half built")


def test_t67_a_failing_constructor_leaves_no_ghost(team: Team, recorder: Recorder) -> None:
    with pytest.raises(RuntimeError, match="half built"):
        team.root.createActor(Ghost, config=BaseConfig(name="@Ghost"))
    assert team.root.get_team() == []
    assert "StartMessage" not in recorder.kinds()
    assert team.root.stop().wait(2)


def test_start_is_announced_before_on_start_runs(team: Team, recorder: Recorder) -> None:
    _, worker = team.worker()
    worker.bump()
    team.root.get_team()
    assert recorder.kinds()[:2] == ["StartMessage", "StateChangedMessage"]


def test_an_actor_can_send_as_itself_from_outside(team: Team, recorder: Recorder) -> None:
    sender, _ = team.worker("@Sender")
    receiver, other = team.worker("@Receiver")
    sender.send(receiver, Note(text="count"))
    other.bump()
    team.root.get_team()
    (sent,) = [item for item in recorder.messages if isinstance(item, SentMessage)]
    assert sent.sender == sender
    assert isinstance(sent.id, UUID)

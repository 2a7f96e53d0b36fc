"""The orchestrator: roster, singletons, log, profiles, metadata, subscribers (C11)."""

import gc
from threading import Thread
from typing import cast
from uuid import UUID, uuid4

import pytest
from pydantic import BaseModel, PrivateAttr
from tests.actors.actors_support import Gate, Note, Recorder, Team, Worker, ref_of, wait_for_end

from cardwright.actors import (
    ActorAddress,
    ActorAddressProxy,
    ActorConflictError,
    ActorSystem,
    AgentCard,
    Akgent,
    BaseConfig,
    Orchestrator,
    SerializableBaseModel,
    TeamStoppingError,
    WarningError,
    deserialize_object,
    serialize,
)
from cardwright.actors.messages import (
    ClosedNotification,
    EventMessage,
    Message,
    StartMessage,
    StateChangedMessage,
    StopMessage,
    TeamStoppingEvent,
    UserMessage,
)


class ToolConfig(BaseConfig):
    size: int = 1
    parts: list[str] = []


class Tool(Akgent[ToolConfig]):
    pass


class OtherTool(Akgent[ToolConfig]):
    pass


def tool(**changes: object) -> ToolConfig:
    return ToolConfig.model_validate({"name": "#Tool", "role": "ToolActor", **changes})


def test_get_or_create_finds_the_child(team: Team) -> None:
    first = team.root.getChildrenOrCreate(Tool, tool())
    assert team.root.getChildrenOrCreate(Tool, tool()) == first
    assert team.root.getChildrenOrCreate(f"{__name__}.Tool", tool(squad_id=uuid4())) == first
    assert team.kinds(first).count("StartMessage") == 1


@pytest.mark.parametrize(
    ("actor_class", "config", "named"),
    [
        (OtherTool, tool(), "Tool, not OtherTool"),
        (Tool, tool(size=2), "config.size"),
        (Tool, tool(size=2, parts=["x"]), "config.size, config.parts"),
        (Tool, tool(role="Else"), "config.role"),
        (Tool, BaseConfig(name="#Tool", role="ToolActor"), "configuration class"),
    ],
)
def test_get_or_create_refuses_what_differs(
    team: Team, actor_class: type[Akgent[ToolConfig]], config: BaseConfig, named: str
) -> None:
    team.root.getChildrenOrCreate(Tool, tool())
    with pytest.raises(ActorConflictError, match="#Tool") as caught:
        team.root.getChildrenOrCreate(actor_class, config)
    assert named in str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert "ErrorMessage" not in team.kinds()


def test_get_or_create_compares_what_was_asked_for(team: Team) -> None:
    class Changing(Akgent[ToolConfig]):
        def on_start(self) -> None:
            self.config.size = 99

    config = ToolConfig(name="#Changing")
    first = team.root.getChildrenOrCreate(Changing, config)
    config.parts.append("later")
    config.parts.clear()
    assert team.root.getChildrenOrCreate(Changing, config) == first


def test_get_or_create_needs_a_name(team: Team) -> None:
    with pytest.raises(ValueError, match="name"):
        team.root.getChildrenOrCreate(Tool, ToolConfig())


def test_get_or_create_is_atomic(team: Team) -> None:
    found: list[ActorAddress] = []

    def ask() -> None:
        root = team.system.proxy_ask(team.address, Orchestrator)
        found.append(root.getChildrenOrCreate(Tool, tool()))

    threads = [Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len(found) == 8
    assert len(set(found)) == 1


def test_t64_a_dead_child_is_replaced(team: Team) -> None:
    first = team.root.getChildrenOrCreate(Tool, tool())
    team.system.proxy_ask(first, Tool).stop()
    wait_for_end(first)
    second = team.root.getChildrenOrCreate(Tool, tool(size=2))
    assert second != first
    assert second.is_alive()
    assert team.kinds(second) == ["StartMessage"]


def test_grandchildren_are_no_children(team: Team) -> None:
    _, worker = team.worker()
    inner = worker.hire("#Tool")
    assert team.root.getChildrenOrCreate(Tool, tool()) != inner


def test_the_roster_is_the_whole_tree_without_the_orchestrator(team: Team) -> None:
    first, worker = team.worker("@A")
    child = worker.hire("@B")
    assert team.root.get_team() == [first, child]
    assert team.root.get_team_member("@B") == child
    assert team.root.get_team_member("@Orchestrator") is None
    assert worker.get_team() == [first, child]
    assert worker.get_team_member("@A") == first
    assert worker.get_team_member("@Nobody") is None


def test_dead_members_are_gone_at_once(team: Team) -> None:
    first, worker = team.worker("@A")
    second, _ = team.worker("@A")
    worker.stop()
    wait_for_end(first)
    assert team.root.get_team() == [second]
    assert team.root.get_team_member("@A") == second


def test_without_an_orchestrator(system: ActorSystem) -> None:
    lonely = system.proxy_ask(system.createActor(Worker), Worker)
    for look_up in (lonely.get_team, lambda: lonely.get_team_member("@A")):
        with pytest.raises(WarningError, match="no orchestrator"):
            look_up()
    assert lonely.discover_catalog() == []
    assert lonely.get_agent_card("R") is None
    assert lonely.find_agents_with_skill("s") == []
    assert lonely.get_available_roles() == []


def test_t55_a_busy_agent_may_look_around_while_the_team_stops(team: Team) -> None:
    gate, busy, release = team.gate()
    team.system.tell(gate, UserMessage(content="look around"))
    assert busy.wait(5)
    stopped = team.root.stop()
    release.set()
    assert stopped.wait(5)


def test_its_own_start_comes_first_in_the_log(team: Team) -> None:
    (first,) = team.root.get_messages()
    assert isinstance(first, StartMessage)
    assert first.sender == team.address
    assert first.config.name == "@Orchestrator"


def test_the_log_has_all_but_states_and_gives_copies(team: Team) -> None:
    address, worker = team.worker()
    team.system.ask(address, Note(text="count"))
    worker.notify_event({"what": 1})
    assert team.kinds(address) == [
        "StartMessage",
        "ReceivedMessage",
        "ProcessedMessage",
        "EventMessage",
    ]
    everything = team.root.get_messages()
    everything.clear()
    assert len(team.root.get_messages()) == 5
    assert [type(item) for item in team.root.get_messages(None, StartMessage)] == [StartMessage] * 2
    assert team.root.get_messages(str(address.agent_id), StopMessage) == []


def test_events_can_be_filtered(team: Team) -> None:
    first, one = team.worker("@A")
    _, two = team.worker("@B")
    one.notify_event(ClosedNotification(uuid4()))
    one.notify_event("text")
    two.notify_event("more")
    assert [item.event for item in team.root.get_events(None, str)] == ["text", "more"]
    assert [item.event for item in team.root.get_events(first, str)] == ["text"]
    assert len(team.root.get_events(str(first.agent_id))) == 2
    team.root.get_events().clear()
    assert len(team.root.get_events()) == 3


def test_t63_emitted_messages_are_the_teams_own(team: Team, recorder: Recorder) -> None:
    before = len(team.root.get_messages())
    message = UserMessage(content="hi", team_id=uuid4())
    team.system.proxy_tell(team.address, Orchestrator).emitMessage(message)
    log = team.root.get_messages()
    assert len(log) == before + 1
    assert log[-1].team_id == team.address.team_id
    assert log[-1].sender == team.address
    assert recorder.messages == [message]


class Metadata(SerializableBaseModel):
    title: str
    topics: list[str] = []


def test_t65_metadata_is_replaced_and_told_nobody(team: Team, recorder: Recorder) -> None:
    root, tell = team.root, team.system.proxy_tell(team.address, Orchestrator)
    assert root.get_metadata() is None
    first = Metadata(title="one", topics=["a"])
    tell.set_metadata(first)
    assert root.get_metadata() is first
    tell.set_metadata(Metadata(title="two"))
    second = root.get_metadata()
    assert second == Metadata(title="two")
    assert isinstance(second, BaseModel)
    root.set_metadata(None)
    assert root.get_metadata() is None
    assert recorder.messages == []
    assert root.get_states() == {}


def test_profiles(team: Team) -> None:
    root = team.root
    dev = AgentCard(
        agent_class=Worker,
        description="Builds.",
        config=BaseConfig(role="Developer"),
        skills=["code", "test"],
    )
    root.register_agent_profiles(
        [
            AgentCard(agent_class=Worker, description="Old.", config=BaseConfig(role="Developer")),
            AgentCard(
                agent_class=Worker,
                description="Checks.",
                config=BaseConfig(role="Tester"),
                skills=["test"],
            ),
        ]
    )
    root.register_agent_profile(dev)
    assert [card.role for card in root.get_agent_catalog()] == ["Developer", "Tester"]
    assert root.get_agent_profile("Developer") == dev
    assert root.get_agent_profile("Nobody") is None
    assert [card.role for card in root.get_profiles_by_skill("test")] == ["Developer", "Tester"]
    assert root.get_available_roles() == ["Developer", "Tester"]
    assert root.get_available_skills() == ["code", "test"]
    _, worker = team.worker()
    assert worker.get_agent_card("Developer") == dev
    assert [card.role for card in worker.find_agents_with_skill("code")] == ["Developer"]
    assert worker.get_available_roles() == ["Developer", "Tester"]
    assert len(worker.discover_catalog()) == 2


class Bad:
    """Has only what it needs, and fails at it."""

    def on_message(self, msg: Message) -> None:
        raise LookupError("full disk")

    def on_stop_request(self, team_id: UUID) -> None:
        raise LookupError("full disk")


class Minimal:
    def __init__(self) -> None:
        self.count = 0

    def on_message(self, msg: Message) -> None:
        self.count += 1


def test_t61_one_subscriber_never_stops_the_others(
    team: Team, caplog: pytest.LogCaptureFixture
) -> None:
    minimal, recorder = Minimal(), Recorder()
    for subscriber in (Bad(), minimal, recorder):
        team.root.subscribe(subscriber)  # type: ignore[arg-type] # hooks are optional
    team.worker()
    team.settle()
    assert minimal.count == len(recorder.messages) >= 1
    assert "Bad.on_message failed" in caplog.text
    caplog.clear()
    orchestrator = ref_of(team.address).actor
    assert isinstance(orchestrator, Orchestrator)
    assert team.root.stop().wait(5)
    # Nobody is told anything any more.
    told = len(recorder.told)
    orchestrator.emitMessage(EventMessage(event="late"))
    assert not len(orchestrator._subscribers.delivery)
    assert len(recorder.told) == told
    failed = {record.message.split(" ")[0] for record in caplog.records}
    assert failed == {"Bad.on_message", "Bad.on_stop_request"}
    assert recorder.hooks == ["on_stop_request", "on_stop"]


def test_unsubscribing(team: Team, recorder: Recorder) -> None:
    team.root.unsubscribe(recorder)
    team.root.unsubscribe(recorder)
    team.worker()
    team.root.get_team()
    assert recorder.messages == []


def test_subscribers_see_inert_addresses_the_log_keeps_live_ones(
    team: Team, recorder: Recorder
) -> None:
    address, worker = team.worker()
    worker.relay(address, "count")
    worker.bump()
    log = team.root.get_messages(address)
    assert [one.sender for one in recorder.messages] == [address] * len(recorder.messages)
    assert all(isinstance(one.sender, ActorAddressProxy) for one in recorder.messages)
    assert all(one.sender is not None and one.sender.ask("x") == "X" for one in log)
    assert [one.id for one in recorder.messages if not isinstance(one, StateChangedMessage)] == [
        one.id for one in log
    ]
    assert deserialize_object(serialize(recorder.messages)) == recorder.messages


def test_t62_replay_restores_all_but_the_stop(team: Team, recorder: Recorder) -> None:
    address, worker = team.worker()
    team.system.ask(address, Note(text="count"))
    closed = ClosedNotification(uuid4())
    worker.notify_event(closed)
    assert team.root.stop().wait(5)
    recorded = [item for item in recorder.messages if not isinstance(item, StateChangedMessage)]
    stored = cast("list[Message]", deserialize_object(serialize(recorded)))

    with ActorSystem() as second:
        again = Team(second)
        told = Recorder()
        again.root.subscribe(told)
        for message in stored:
            again.root.restore_message(message)
        again.root.end_restoration()
        expected = [item for item in recorded if not is_stop_announcement(item)]
        assert len(expected) == len(recorded) - 1
        assert again.root.get_messages()[1:] == expected
        assert told.messages == expected
        assert again.root.get_events(None, ClosedNotification)[0].event == closed


def is_stop_announcement(message: Message) -> bool:
    return isinstance(message, EventMessage) and isinstance(message.event, TeamStoppingEvent)


def test_t60_the_end_of_a_turn_is_recorded_though_the_actor_is_collected(team: Team) -> None:
    recorder = Recorder(team)
    team.root.subscribe(recorder)
    for _ in range(25):
        address = team.root.createActor(Worker)
        team.system.tell(address, Note(text="count"))
        team.system.proxy_tell(address, Worker).stop()
        ref = ref_of(address)
        assert ref.finished.wait(5)
        gc.collect()
        assert "ProcessedMessage" in team.kinds(address)
        del address, ref
    team.settle()
    assert recorder.kinds().count("ProcessedMessage") == 25
    assert recorder.kinds().count("StopMessage") == 25


def test_t68_the_stopping_team_takes_no_more_members(team: Team) -> None:
    gate, busy, release = team.gate()
    team.system.tell(gate, UserMessage(content="wait"))
    assert busy.wait(5)
    stopped = team.root.stop()
    with pytest.raises(TeamStoppingError):
        team.root.createActor(Worker)
    with pytest.raises(TeamStoppingError):
        team.root.getChildrenOrCreate(Tool, tool())
    release.set()
    assert stopped.wait(5)


class Hirer(Gate):
    """Creates an agent and a tool actor while its team stops."""

    def receiveMsg_UserMessage(self, message: UserMessage) -> None:
        super().receiveMsg_UserMessage(message)
        self.createActor(Worker, config=BaseConfig(name="@Late"))
        self.createActor(Worker, config=BaseConfig(name="#late"))


def test_t68_who_is_created_while_the_team_stops_stops_too(team: Team) -> None:
    address = team.root.createActor(Hirer, config=BaseConfig(name="@Hirer"))
    busy, release = team.system.proxy_ask(address, Hirer).events()
    team.system.tell(address, UserMessage(content="hire"))
    assert busy.wait(5)
    stopped = team.root.stop()
    release.set()
    assert stopped.wait(5)
    assert team.system.stat()[0].agent_count == 1


def test_t68_a_tool_actor_may_create_an_agent_while_the_team_stops(team: Team) -> None:
    """Nobody else would tell it to stop: the tool actor waits until no agent is left."""
    address = team.root.createActor(Hirer, config=BaseConfig(name="#Hirer"))
    _, release = team.system.proxy_ask(address, Hirer).events()
    release.set()
    gate, busy, go_on = team.gate()
    team.system.tell(gate, UserMessage(content="wait"))
    assert busy.wait(5)
    stopped = team.root.stop()
    team.system.ask(address, UserMessage(content="hire"))
    go_on.set()
    assert stopped.wait(5)
    assert team.system.stat()[0].agent_count == 1


def test_messages_for_the_orchestrator_itself_are_no_telemetry(
    team: Team, caplog: pytest.LogCaptureFixture
) -> None:
    assert team.system.ask(team.address, UserMessage(content="hello")) is None
    assert "no handler for UserMessage" in caplog.text
    assert team.kinds() == ["StartMessage"]


def test_an_orchestrator_in_another_team_is_no_member(team: Team) -> None:
    inner = team.root.createActor(Orchestrator, config=BaseConfig(name="@Inner"))
    assert team.root.get_team() == []
    team.system.proxy_ask(inner, Orchestrator).stop().wait(5)


class Part(SerializableBaseModel):
    sizes: dict[str, list[int]] = {}
    _bound: object = PrivateAttr(default_factory=object)


class PartsConfig(BaseConfig):
    parts: list[Part] = []


def test_get_or_create_ignores_what_models_keep_for_themselves(team: Team) -> None:
    def config(size: int) -> PartsConfig:
        return PartsConfig(name="#Parts", parts=[Part(sizes={"b": [1], "a": [size]})])

    assert config(1) != config(1)
    first = team.root.getChildrenOrCreate(Akgent, config(1))
    assert team.root.getChildrenOrCreate(Akgent, config(1)) == first
    with pytest.raises(ActorConflictError, match=r"config\.parts"):
        team.root.getChildrenOrCreate(Akgent, config(2))

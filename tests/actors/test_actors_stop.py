"""How teams and systems stop (C2, C11)."""

import logging
from threading import Event
from time import monotonic

import pytest
from tests.actors.actors_support import Recorder, Team, Worker, ref_of, wait_for_end

from cardwright.actors import ActorDeadError, ActorSystem, Akgent, BaseConfig, EventSubscriber
from cardwright.actors.messages import EventMessage, StopRecursively, TeamStoppingEvent, UserMessage


class Keeper(Akgent):
    """A tool actor that tells whether it is still there."""

    def here(self) -> bool:
        return True


def keeper(team: Team, name: str = "#Keeper") -> Keeper:
    address = team.root.getChildrenOrCreate(Keeper, BaseConfig(name=name))
    return team.system.proxy_ask(address, Keeper)


def announcements(team_messages: list[object]) -> int:
    return sum(
        isinstance(item, EventMessage) and isinstance(item.event, TeamStoppingEvent)
        for item in team_messages
    )


def test_t56_stopping_twice_is_stopping_once(team: Team, recorder: Recorder) -> None:
    gate, busy, release = team.gate()
    team.system.tell(gate, UserMessage(content="wait"))
    assert busy.wait(5)
    first = team.root.stop()
    assert team.root.stop() is first
    assert not first.is_set()
    release.set()
    assert first.wait(5)
    assert announcements(list(recorder.messages)) == 1
    assert recorder.hooks == ["on_stop_request", "on_stop"]
    assert isinstance(recorder.messages[-1], object)


def test_the_announcement_comes_before_the_request_and_stops_are_not_dispatched(
    team: Team,
) -> None:
    order: list[str] = []

    class Watcher(EventSubscriber):
        def on_message(self, msg: object) -> None:
            order.append(type(msg).__name__)

        def on_stop_request(self, team_id: object) -> None:
            order.append("request")

        def on_stop(self, team_id: object) -> None:
            order.append("stop")

    team.worker()
    team.root.subscribe(Watcher())
    assert team.root.stop().wait(5)
    assert [item for item in order if item != "StateChangedMessage"] == [
        "EventMessage",
        "request",
        "stop",
    ]


def test_t57_tool_actors_wait_for_the_agents(team: Team) -> None:
    tool = keeper(team)
    gate, busy, release = team.gate()
    team.system.tell(gate, UserMessage(content="look around"))
    assert busy.wait(5)
    stopped = team.root.stop()
    assert tool.here()
    assert not stopped.wait(0.1)
    assert tool.here()
    release.set()
    assert stopped.wait(5)
    with pytest.raises(ActorDeadError):
        tool.here()


def test_t58_tool_actors_alone_stop_at_once(team: Team) -> None:
    keeper(team, "#One")
    keeper(team, "#Two")
    assert team.root.stop().wait(2)


def test_t58_an_empty_team_stops_at_once(team: Team) -> None:
    assert team.root.stop().wait(1)
    assert not team.address.is_alive()


def test_tool_actors_of_an_agent_stop_with_it(team: Team) -> None:
    _, worker = team.worker()
    worker.hire("#inner")
    assert team.root.stop().wait(5)


def test_t59_a_wedged_agent_is_left_behind_after_the_grace(
    team: Team, caplog: pytest.LogCaptureFixture
) -> None:
    tool = keeper(team)
    tool_address = tool.myAddress
    gate, busy, release = team.gate("@Wedged")
    team.system.tell(gate, UserMessage(content="wait"))
    assert busy.wait(5)
    started = monotonic()
    stopped = team.root.stop(0.4)
    assert not stopped.wait(0.2)
    assert tool.here()
    assert stopped.wait(2)
    assert 0.35 < monotonic() - started < 1.5
    warnings = [item for item in caplog.records if item.levelno == logging.WARNING]
    assert any("@Wedged" in item.getMessage() for item in warnings)
    wait_for_end(tool_address)
    release.set()


def test_a_stopped_event_never_needs_a_timeout(team: Team) -> None:
    class Failing(EventSubscriber):
        def on_stop(self, team_id: object) -> None:
            raise OSError("no disk")

    team.root.subscribe(Failing())
    stopped = team.root.stop()
    stopped.wait()
    assert not team.address.is_alive()


def test_a_raw_stop_fires_on_stop_only(team: Team, recorder: Recorder) -> None:
    ref_of(team.address).stop()
    wait_for_end(team.address)
    assert recorder.hooks == ["on_stop"]
    assert announcements(list(recorder.messages)) == 0


def test_agents_stop_newest_first_and_with_their_children(team: Team) -> None:
    _, first = team.worker("@First")
    team.worker("@Second")
    first.hire("@ChildOfFirst")
    recorder = Recorder()
    team.root.subscribe(recorder)
    messages: list[str] = []

    class Keep(EventSubscriber):
        def on_stop_request(self, team_id: object) -> None:
            messages.append("request")

    team.root.subscribe(Keep())
    assert team.root.stop().wait(5)
    assert messages == ["request"]


def test_stop_recursively_by_message(team: Team) -> None:
    address, worker = team.worker()
    child = worker.hire("@Child")
    team.system.tell(address, StopRecursively())
    for one in (address, child):
        wait_for_end(one)
    assert team.root.get_team() == []
    team.system.tell(team.address, StopRecursively())
    wait_for_end(team.address)


def test_children_are_gone_when_stop_returns(team: Team) -> None:
    _, worker = team.worker()
    children = [worker.hire(f"@{at}") for at in range(3)]
    worker.stop_children()
    assert not any(child.is_alive() for child in children)
    children = [worker.hire(f"@{at}") for at in range(3)]
    worker.stop_children(blocking=False)
    for child in children:
        wait_for_end(child)
    assert worker.bump() == 1


class Careless(Worker):
    """Overrides `on_stop` and forgets the base, or fails in it."""

    def on_stop(self) -> None:
        raise OSError("cannot clean up")


def test_a_failing_on_stop_still_says_stop(team: Team, recorder: Recorder) -> None:
    address = team.root.createActor(Careless, config=BaseConfig(name="@Careless"))
    team.system.proxy_ask(address, Careless).stop()
    wait_for_end(address)
    team.root.get_team()
    assert recorder.kinds()[-2:] == ["ErrorMessage", "StopMessage"]
    assert team.root.stop().wait(2)


def test_t74_the_orchestrator_has_no_clock_of_idleness(
    system: ActorSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDWRIGHT_ORCHESTRATOR_TIMEOUT_DELAY", "0")
    monkeypatch.setenv("ORCHESTRATOR_TIMEOUT_DELAY", "0")
    team = Team(system)
    recorder = Recorder()
    team.root.subscribe(recorder)
    Event().wait(0.3)
    assert team.address.is_alive()
    assert recorder.messages == []
    assert recorder.hooks == []

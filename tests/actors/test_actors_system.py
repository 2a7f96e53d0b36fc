"""Systems: create, address, ask, tell, shut down (C2)."""

from collections.abc import Callable
from subprocess import CompletedProcess
from uuid import uuid4

import pytest
from tests.actors.actors_support import Gate, Note, Team, Worker, wait_for_end

from cardwright.actors import (
    ActorDeadError,
    ActorRegistry,
    ActorSystem,
    Akgent,
    BaseConfig,
    Orchestrator,
    Timeout,
)
from cardwright.actors.messages import ResultMessage, UserMessage

type Run = Callable[..., CompletedProcess[str]]


class Echo(Akgent):
    def receiveMsg_UserMessage(self, message: UserMessage) -> None:
        assert message.sender is not None
        self.send(message.sender, ResultMessage(content=message.content.upper()))


def test_create_with_identifiers_as_text(system: ActorSystem) -> None:
    agent, team = uuid4(), uuid4()
    address = system.createActor(
        "tests.actors.actors_support.Worker", agent_id=str(agent), team_id=str(team)
    )
    assert (address.agent_id, address.team_id) == (agent, team)
    assert address.squad_id is not None
    with pytest.raises(ValueError, match="actor_class"):
        system.createActor("nowhere.Worker")


def test_tell_and_ask_stamp_the_message(system: ActorSystem) -> None:
    address = system.createActor(Worker)
    message = Note(text="hi")
    assert system.ask(address, message) == "hi from @ActorSystem"
    assert message.sender == system.myAddress
    assert message.team_id == address.team_id
    assert (system.myAddress.name, system.myAddress.role) == ("@ActorSystem", "ActorSystem")
    assert system.myAddress.serialize()["name"] == "@ActorSystem"


def test_listen_in_order(system: ActorSystem) -> None:
    address = system.createActor(Echo)
    for text in ("a", "b"):
        system.tell(address, UserMessage(content=text))
    heard = [system.listen(timeout=5), system.listen(timeout=5)]
    assert [item.content for item in heard if isinstance(item, ResultMessage)] == ["A", "B"]
    with pytest.raises(Timeout):
        system.listen(timeout=0.01)


def test_private_context(system: ActorSystem) -> None:
    address = system.createActor(Echo)
    with system.private() as context:
        mine = context.myAddress
        context.tell(address, UserMessage(content="a"))
        answer = context.listen(timeout=5)
        assert isinstance(answer, ResultMessage)
        assert mine != system.myAddress
    assert not mine.is_alive()
    assert system.myAddress.is_alive()


def test_get_actor_and_statistics(system: ActorSystem) -> None:
    class Special(Orchestrator):
        pass

    address = system.createActor(Worker)
    root = system.createActor(Special, config=BaseConfig(name="@Orchestrator"))
    assert system.get_actor(address) == address
    assert system.orchestrators == [root]
    (numbers,) = system.stat()
    assert (numbers.orchestrator_count, numbers.agent_count) == (1, 3)
    system.proxy_ask(address, Worker).stop()
    wait_for_end(address)
    assert system.get_actor(address) is None


def test_shutdown_never_touches_another_system() -> None:
    with ActorSystem() as one, ActorSystem() as other:
        mine, theirs = Team(one), Team(other)
        member, worker = theirs.worker()
        stray = other.createActor(Worker)
        mine.worker()
        one.shutdown()
        assert not mine.address.is_alive()
        assert theirs.address.is_alive()
        assert stray.is_alive()
        assert worker.bump() == 1
        assert theirs.root.get_team() == [member]
        assert one.get_actor(member) is None


def test_shutdown_stops_teams_and_strays(caplog: pytest.LogCaptureFixture) -> None:
    before = len(ActorRegistry.get_all())
    system = ActorSystem()
    team = Team(system)
    member, _ = team.worker()
    stray = system.createActor(Worker, config=BaseConfig(name="@Stray"))
    system.shutdown()
    system.shutdown()
    for address in (team.address, member, stray, system.myAddress):
        assert not address.is_alive()
    assert "@Stray" in caplog.text
    assert len(ActorRegistry.get_all()) == before


def test_shutdown_leaves_the_wedged_behind() -> None:
    system = ActorSystem()
    address = system.createActor(Gate, config=BaseConfig(name="@Wedged"))
    busy, release = system.proxy_ask(address, Gate).events()
    system.tell(address, UserMessage(content="wait"))
    assert busy.wait(5)
    system.shutdown(1)
    release.set()
    wait_for_end(address)
    with pytest.raises(ActorDeadError):
        system.ask(address, Note())


def test_a_forgotten_team_never_keeps_the_interpreter(python: Run) -> None:
    done = python(
        "-c",
        "from cardwright.actors import *\n"
        "system = ActorSystem()\n"
        "root = system.createActor(Orchestrator)\n"
        "system.proxy_ask(root, Orchestrator).createActor(Akgent)\n"
        "print('left')\n",
        timeout=30,
    )
    assert (done.returncode, done.stdout.strip()) == (0, "left"), done.stderr


def test_importing_is_light(python: Run) -> None:
    done = python(
        "-c",
        "import sys, pydantic, pykka\n"
        "before = set(sys.modules)\n"
        "import cardwright.actors\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "new = {name for name in new if not name.startswith('_sysconfigdata')}\n"
        "print(*sorted(new - set(sys.stdlib_module_names)))\n",
    )
    # Pydantic and what it needs itself, nothing else.
    assert set(done.stdout.split()) <= {
        "annotated_types",
        "cardwright",
        "pydantic",
        "pydantic_core",
        "typing_extensions",
        "typing_inspection",
    }, done

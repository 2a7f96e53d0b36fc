"""The store is in trouble: the team pauses instead of lying, and goes on when the cause is gone."""

import contextlib
import logging
import time
from pathlib import Path
from threading import Thread
from typing import cast
from uuid import uuid4

import pytest
from tests.store.sqlite_faults import PAGE, locked, overwrite
from tests.store.store_server import Server
from tests.store.team_members import Keeper

from cardwright.actors import ActorAddress, ActorDeadError, BaseConfig
from cardwright.bench import LocalTeam
from cardwright.store import CorruptStoreError, EventStore, FencedError, open_store
from cardwright.store.teams import (
    RunningTeam,
    TeamNotStoredError,
    TeamPausedError,
    Teams,
    read_history,
)
from cardwright.store.teams.intake import Intake
from cardwright_cards import PlanningTool


@pytest.fixture(autouse=True)
def _open_gate() -> None:
    Keeper.gate.set()


class Work:
    """A team of two that can be made to do something that has to be stored."""

    def __init__(self, store: EventStore) -> None:
        self.teams = Teams(store)
        self.team: RunningTeam = self.teams.create()
        for name in ("@A", "@B"):
            self.team.root.createActor(Keeper, config=BaseConfig(name=name))
        self.sender().befriend(cast("ActorAddress", self.team.member("@B")))
        self.said: list[str] = []
        self.say("before")
        self.team.flush()

    def sender(self) -> Keeper:
        return self.teams.system.proxy_ask(cast("ActorAddress", self.team.member("@A")), Keeper)

    def say(self, text: str) -> None:
        self.said.append(text)
        self.sender().tell_friend(text)

    def sent_until_paused(self) -> int:
        """Send until a page is needed that is not at hand any more; what was stored is stored."""
        for number in range(100):
            self.say(f"{number} " + "x" * 500)
            try:
                self.team.flush(1)
            except TeamPausedError:
                return self.team.sequence
        raise AssertionError("no page was needed")

    def assert_pauses(self, why: str, caplog: pytest.LogCaptureFixture) -> None:
        """Nothing is acknowledged; people are told once, clearly."""
        stored = self.team.sequence
        for text, wait in (("during 1", 1.5), ("during 2", 0.2)):
            self.say(text)
            with pytest.raises(TeamPausedError, match=why):
                self.team.flush(wait)
        assert self.team.paused is not None
        assert self.team.sequence == stored
        errors = [it.message for it in caplog.records if it.levelno == logging.ERROR]
        assert len(errors) == 1
        assert "pauses" in errors[0]

    def assert_went_on(self) -> None:
        """All is stored, once, in order."""
        self.say("after")
        self.team.flush(30)
        assert self.team.paused is None
        self.team.stop()
        stored = read_history(self.teams.store, str(self.team.team_id))
        states = cast("list[dict[str, object]]", [*stored.states.values()])
        assert self.said in [state["notes"] for state in states]
        assert not stored.mail
        again = self.teams.resume(self.team.team_id)
        address = cast("ActorAddress", again.member("@B"))
        assert self.teams.system.proxy_ask(address, Keeper).notes() == self.said
        self.teams.close()


def test_a_locked_database(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "team.db"
    with open_store(f"sqlite:///{path}", timeout=0.3) as store:
        work = Work(store)
        with locked(path):
            work.assert_pauses("locked by another process", caplog)
        work.assert_went_on()


def fill_up(ballast: Path) -> None:
    with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"x" * PAGE)


def test_a_full_disk(small_disk: Path, caplog: pytest.LogCaptureFixture) -> None:
    with open_store(f"sqlite:///{small_disk / 'team.db'}", timeout=0.3) as store:
        work = Work(store)
        ballast = small_disk / "ballast"
        fill_up(ballast)
        for _ in range(40):
            work.say("x" * 3000)
        work.assert_pauses("Free space", caplog)
        ballast.unlink()
        work.assert_went_on()


def test_pages_destroyed_under_a_running_team(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "team.db"
    url = f"sqlite:///{path}"
    with open_store(url, timeout=0.3) as store:
        work = Work(store)
        work.team.stop()
    whole = path.read_bytes()
    with open_store(url, timeout=0.3) as store:
        work.teams = Teams(store)
        work.team = work.teams.resume(work.team.team_id)
        work.team.flush()
        overwrite(path, PAGE, b"\xff" * (len(whole) - PAGE))
        stored = work.sent_until_paused()
        work.assert_pauses("damaged", caplog)
        assert work.team.sequence == stored
        overwrite(path, 0, whole)
        work.assert_went_on()


def test_a_corrupt_last_page_stops_a_resume_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "team.db"
    with open_store(f"sqlite:///{path}") as store:
        work = Work(store)
        for number in range(100):
            work.say(f"{number} " + "x" * 200)
        work.team.stop()
        work.teams.close()
    whole = path.read_bytes()
    with Teams(f"sqlite:///{path}") as teams:
        for page in range(1, len(whole) // PAGE):
            overwrite(path, page * PAGE, b"\xff" * PAGE)
        with pytest.raises(CorruptStoreError, match="Restore it from a backup"):
            teams.resume(work.team.team_id)
        assert teams.running(work.team.team_id) is None
        overwrite(path, 0, whole)
        again = teams.resume(work.team.team_id)
        address = cast("ActorAddress", again.member("@B"))
        assert teams.system.proxy_ask(address, Keeper).notes() == work.said


def test_a_team_waits_when_too_much_is_not_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Memory stays bounded: first the orchestrator waits for the store, then whoever tells it."""
    monkeypatch.setattr(Intake.__init__, "__defaults__", (50,))
    path = tmp_path / "team.db"
    with open_store(f"sqlite:///{path}", timeout=0.3) as store:
        work = Work(store)

        def say_much() -> None:
            for number in range(300):
                work.say(str(number))

        sender = Thread(target=say_much)
        with locked(path):
            sender.start()
            while work.team.paused is None:
                time.sleep(0.01)
            with pytest.raises(TeamPausedError, match="locked by another process"):
                work.team.flush(1.5)
            assert work.team.paused is not None
        sender.join(30)
        caplog.clear()
        work.assert_went_on()


def test_a_lost_postgres_server(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    with open_store(server.create_database(), timeout=0.5) as store:
        work = Work(store)
        server.stop()
        try:
            work.assert_pauses("server|connect", caplog)
        finally:
            server.start()
        work.assert_went_on()


def test_a_call_answers_when_what_it_did_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "team.db"
    answers: list[object] = []
    task = {"id": 1, "status": "pending", "description": "x", "owner": "@A"}
    with (
        open_store(f"sqlite:///{path}", timeout=0.2) as store,
        LocalTeam(store=store, team_id=uuid4()) as team,
    ):
        agent = team.agent("@A", [PlanningTool()])
        team.flush()

        def call() -> None:
            answers.append(agent.call("update_planning", update={"create_tasks": [task]}))

        caller = Thread(target=call)
        with locked(path):
            caller.start()
            caller.join(0.5)
            assert not answers
        caller.join(20)
        assert answers == ["Done"]
        board = read_history(store, str(team.team_id), from_log_alone=True).states
        assert '"id": 1' in str(board).replace("'", '"')


def test_a_team_that_stops_while_its_store_is_away_says_so(tmp_path: Path) -> None:
    path = tmp_path / "team.db"
    with open_store(f"sqlite:///{path}", timeout=0.2) as store:
        work = Work(store)
        with locked(path):
            work.say("lost")
            with pytest.raises(TeamNotStoredError, match="locked by another process"):
                work.team.stop(store_timeout=0.5)
        assert work.teams.show(work.team.team_id).state in {"running", "interrupted"}


def test_a_copy_that_was_replaced_stops_at_once(sqlite_url: str) -> None:
    with open_store(sqlite_url) as store:
        work = Work(store)
        held = store.current_lease(str(work.team.team_id))
        assert held is not None
        store.release_lease(held)
        with Teams(sqlite_url) as others:
            others.resume(work.team.team_id)
            with contextlib.suppress(ActorDeadError):  # it may have seen its lease go by itself
                work.say("too late")
            with pytest.raises(FencedError):
                work.team.flush()
            assert work.team.orchestrator.is_alive() is False or _stops(work.team)
            moved = others.running(work.team.team_id)
            assert moved is not None
            address = cast("ActorAddress", moved.member("@B"))
            assert others.system.proxy_ask(address, Keeper).notes() == ["before"]


def _stops(team: RunningTeam) -> bool:
    from cardwright.actors.addresses import ActorAddressImpl

    return cast("ActorAddressImpl", team.orchestrator).ref.finished.wait(10)

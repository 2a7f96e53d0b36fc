"""What it costs that a team is stored: `pytest tests/benchmarks/test_bench_team.py`."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import override
from uuid import uuid4

import pytest

from cardwright.actors import ActorAddress, Akgent, BaseConfig, BaseState
from cardwright.actors.messages import UserMessage
from cardwright.bench import LocalTeam
from cardwright.store.teams import Teams, read_history
from cardwright_cards import PlanningTool

type Measure = Callable[..., float]
type Note = Callable[..., None]

MANY = 100_000
MESSAGES = 10_000


class TallyState(BaseState):
    count: int = 0


class Tally(Akgent[BaseConfig, TallyState]):
    """Counts what it is told."""

    @override
    def on_start(self) -> None:
        super().on_start()
        self.state = TallyState()
        self.state.observer(self)

    def send_many(self, recipient: ActorAddress, count: int) -> None:
        for _ in range(count):
            self.send(recipient, UserMessage(content="Please look into this, and tell the others."))

    def receiveMsg_UserMessage(self, message: UserMessage) -> None:
        self.state.count += 1

    def counted(self) -> int:
        return self.state.count


@pytest.fixture
def teams(tmp_path: Path) -> Iterator[Teams]:
    with Teams(f"sqlite:///{tmp_path}/team.db") as opened:
        yield opened


def send_stored(teams: Teams, count: int) -> tuple[float, int]:
    """Send, handle and store messages; seconds, and the number of events."""
    team = teams.create()
    one, other = (
        team.root.createActor(Tally, config=BaseConfig(name=name)) for name in ("@A", "@B")
    )
    team.flush()
    before, started = team.sequence, time.perf_counter()
    teams.system.proxy_ask(one, Tally, None).send_many(other, count)
    assert teams.system.proxy_ask(other, Tally, None).counted() == count
    team.flush(100)
    took = time.perf_counter() - started
    events = team.sequence - before
    team.stop(store_timeout=100)
    return took, events


def test_messages_of_a_stored_team(measure: Measure, note: Note, teams: Teams) -> None:
    """At least 5,000 durable events per second, three of them per message."""
    found: list[tuple[float, int]] = []
    measure(lambda: found.append(send_stored(teams, MESSAGES)), rounds=3)
    took, events = min(found, key=lambda it: it[0] / it[1])
    note(messages_per_second=round(MESSAGES / took), events_per_second=round(events / took))
    assert events / took > 5_000


def test_resume_of_many_events(measure: Measure, note: Note, teams: Teams) -> None:
    send_stored(teams, MANY // 3 + 1)
    (info,) = teams.list()
    team_id = info.process.team_id
    assert teams.store.get_max_sequence(str(team_id)) >= MANY

    def resume() -> None:
        assert teams.resume(team_id).member("@B") is not None

    seconds: list[float] = []
    for _ in range(3):
        started = time.perf_counter()
        resume()
        seconds.append(time.perf_counter() - started)
        teams.stop(team_id)
    reading = measure(lambda: read_history(teams.store, str(team_id)), rounds=2)
    note(seconds=round(min(seconds), 3), of_that_reading=round(reading, 3))
    assert min(seconds) < 4


def test_a_call_that_answers_when_it_is_stored(
    measure: Measure, note: Note, tmp_path: Path
) -> None:
    """Against the same call of a team that is not stored."""

    def median_call(team: LocalTeam) -> float:
        agent = team.agent("@A", [PlanningTool()])
        times: list[float] = []
        for number in range(100):
            task = {"id": number, "status": "pending", "description": "x", "owner": "@A"}
            started = time.perf_counter()
            agent.call("update_planning", update={"create_tasks": [task]})
            times.append(time.perf_counter() - started)
        return sorted(times)[len(times) // 2]

    with (
        LocalTeam() as plain,
        LocalTeam(store=f"sqlite:///{tmp_path}/a.db", team_id=uuid4()) as kept,
    ):
        note(
            in_memory_ms=round(median_call(plain) * 1e3, 3),
            stored_ms=round(median_call(kept) * 1e3, 3),
        )
        stored = kept.agents["@A"]
        measure(lambda: stored.call("search_planning", query="x"), rounds=20)

"""What it costs that a team is stored: `pytest -n0 tests/benchmarks/test_bench_team.py`."""

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


class Clock:
    """Seconds on the wall and of this process: others share the machine, and only add to walls."""

    def __init__(self) -> None:
        self._wall, self._own = time.perf_counter(), time.process_time()

    def read(self) -> tuple[float, float]:
        return time.perf_counter() - self._wall, time.process_time() - self._own


def send_stored(teams: Teams, count: int) -> tuple[float, float, int]:
    """Send, handle and store messages; seconds, and the number of events."""
    team = teams.create()
    one, other = (
        team.root.createActor(Tally, config=BaseConfig(name=name)) for name in ("@A", "@B")
    )
    team.flush()
    before, clock = team.sequence, Clock()
    teams.system.proxy_ask(one, Tally, None).send_many(other, count)
    assert teams.system.proxy_ask(other, Tally, None).counted() == count
    team.flush(100)
    wall, own = clock.read()
    events = team.sequence - before
    team.stop(store_timeout=100)
    return wall, own, events


def test_messages_of_a_stored_team(measure: Measure, note: Note, teams: Teams) -> None:
    """At least 5,000 durable events per second, three of them per message."""
    found: list[tuple[float, float, int]] = []
    measure(lambda: found.append(send_stored(teams, MESSAGES)), rounds=3)
    wall, own, events = (min(values) for values in zip(*found, strict=True))
    note(
        messages_per_second=round(MESSAGES / wall),
        events_per_second=round(events / wall),
        events_per_own_second=round(events / own),
    )
    assert events / own > 5_000


def test_resume_of_many_events(measure: Measure, note: Note, teams: Teams) -> None:
    send_stored(teams, MANY // 3 + 1)
    (info,) = teams.list()
    team_id = info.process.team_id
    assert teams.store.get_max_sequence(str(team_id)) >= MANY

    def resume() -> None:
        assert teams.resume(team_id).member("@B") is not None

    found: list[tuple[float, float]] = []
    for _ in range(3):
        clock = Clock()
        resume()
        found.append(clock.read())
        teams.stop(team_id)
    wall, own = (min(values) for values in zip(*found, strict=True))
    reading = measure(lambda: read_history(teams.store, str(team_id)), rounds=2)
    note(seconds=round(wall, 3), own_seconds=round(own, 3), reading_seconds=round(reading, 3))
    assert own < 4


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

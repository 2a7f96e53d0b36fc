"""A busy team is killed at random points: nothing acknowledged is lost, nothing is done twice."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast
from uuid import UUID, uuid4

import pytest
from tests.store.plan_team import BOARD, WORKERS, Worker, WorkOrder

from cardwright.actors import ActorAddress
from cardwright.actors.messages import WarningMessage
from cardwright.planning.actor import PlanActor
from cardwright.store import EventStore, open_store
from cardwright.store.teams import History, Teams, read_history
from cardwright.store.teams.payloads import Data, as_data

KILLS = int(os.environ.get("CARDWRIGHT_TEST_KILLS", "10"))
"""Fifty are for a change of what is stored."""
GIVEN = (".SentMessage", ".OutsideMessage")
ROOT = Path(__file__).resolve().parents[2]

# Loads everything once and forks a team per line, which is much faster than starting Python.
NURSERY = """
import os, sys
from uuid import UUID
import cardwright.planning.logic, cardwright.planning.actor
from tests.store.plan_team import work

for line in sys.stdin:
    url, team, life = line.split()
    pid = os.fork()
    if pid == 0:
        try:
            work(url, UUID(team), int(life))
        finally:
            os._exit(1)
    os.write(1, f"pid {pid}\\n".encode())
    os.waitpid(pid, 0)
    os.write(1, b"dead\\n")
"""


@pytest.fixture
def nursery() -> Iterator[subprocess.Popen[str]]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    with subprocess.Popen(
        [sys.executable, "-c", NURSERY],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment,
    ) as process:
        yield process
        process.kill()


def live_and_die(
    process: subprocess.Popen[str], order: str, until: str, seconds: float
) -> set[int]:
    """Kill a team some time after it said `until`; return the orders that it said are stored."""
    orders, answers = cast("IO[str]", process.stdin), cast("IO[str]", process.stdout)
    orders.write(f"{order}\n")
    orders.flush()
    lines = [answers.readline()]
    while not any("pid" in line for line in lines) or not any(until in it for it in lines):
        lines.append(answers.readline())
    time.sleep(seconds)
    os.kill(next(int(line.split()[1]) for line in lines if "pid" in line), signal.SIGKILL)
    while lines[-1] != "dead\n":
        lines.append(answers.readline())
    return {int(line.split()[1]) for line in lines if line.startswith("stored")}


def orders_of(store: EventStore, team_id: UUID) -> dict[str, int]:
    """The orders that were given, by members and from outside: number by message id."""
    told = (as_data(event.payload) for event in store.read(str(team_id)))
    given = (it["message"] for it in told if str(it.get("__model__")).endswith(GIVEN))
    return {str(cast("Data", it)["id"]): cast("int", cast("Data", it)["number"]) for it in given}


def ids_of(messages: list[Data], kind: str) -> Counter[str]:
    found = (m for m in messages if str(m["__model__"]).endswith(f".{kind}"))
    return Counter(str(m["message_id"]) for m in found)


def state_of(history: History, name: str) -> Data:
    """The state of a member; nothing if it was not born yet."""
    ids = [it.agent_id for it in history.members.values() if it.name == name]
    assert len(ids) <= 1
    return cast("Data", history.states.get(ids[0], {}) if ids else {})


def assert_sound(url: str, team_id: UUID, acknowledged: set[int]) -> None:
    with open_store(url) as store:
        whole = read_history(store, str(team_id))
        log_alone = read_history(store, str(team_id), from_log_alone=True)
        orders = orders_of(store, team_id)
    assert whole.states == log_alone.states
    assert acknowledged <= set(orders.values())
    received, processed = (
        ids_of(whole.messages, f"{it}Message") for it in ("Received", "Processed")
    )
    # No order was begun twice.
    assert max(received.values(), default=0) <= 1
    assert max(processed.values(), default=0) <= 1
    done = [n for name in WORKERS for n in cast("list[int]", state_of(whole, name).get("done", []))]
    assert len(done) == len(set(done))
    finished = {orders[it] for it in processed}
    assert set(done) == finished
    board = [task["id"] for task in cast("list[Data]", state_of(whole, BOARD).get("task_list", []))]
    assert len(board) == len(set(board))
    begun = {orders[it] for it in received}
    assert finished <= set(cast("list[int]", board)) <= begun


def assert_goes_on(url: str, team_id: UUID, acknowledged: set[int]) -> None:
    """Resume here: all stored orders are carried out, unless they were interrupted and say so."""
    with Teams(url) as teams:
        team = teams.resume(team_id)
        workers = [cast("ActorAddress", team.member(name)) for name in WORKERS]
        # Answered after the mail that was delivered again.
        done = {n for it in workers for n in teams.system.proxy_ask(it, Worker).state.done}
        team.flush()
        found = team.root.get_messages(message_type=WarningMessage)
        warnings = [it for it in found if isinstance(it, WarningMessage)]
        interrupted = {cast("WorkOrder", w.current_message).number for w in warnings}
        assert acknowledged <= done | interrupted
        board = cast("ActorAddress", team.member(BOARD))
        tasks = teams.system.proxy_ask(board, PlanActor).get_planning()
        rebuilt = read_history(teams.store, str(team_id), from_log_alone=True)
        stored = cast("list[Data]", state_of(rebuilt, BOARD)["task_list"])
        assert [task.id for task in tasks] == [task["id"] for task in stored]
        assert done <= {task.id for task in tasks}
    assert_sound(url, team_id, acknowledged)


@pytest.mark.timeout(240)
def test_case_kill_9_of_a_busy_team_at_many_points(
    url: str, nursery: subprocess.Popen[str]
) -> None:
    kills = KILLS if url.startswith("sqlite") else KILLS // 2
    team_id = uuid4()
    chance = random.Random(team_id.int)
    acknowledged: set[int] = set()
    for life in range(kills):
        order = f"{url} {team_id} {life}"
        # One in four while it is being created or resumed.
        until, most = ("pid", 0.2) if life % 4 == 3 else ("going", 0.15)
        acknowledged |= live_and_die(nursery, order, until, chance.random() * most)
        if life % 5 == 4:
            assert_goes_on(url, team_id, acknowledged)
        elif acknowledged:
            assert_sound(url, team_id, acknowledged)
    assert len(acknowledged) > kills

"""Eight writers are killed in the middle of batches: nothing is lost, nothing is done twice."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast
from uuid import UUID, uuid4

import pytest
from tests.graph.busy_team import CARDS, KEPT, LIFE, WRITERS, batch
from tests.graph.graph_team import events_of, settle, store_of

from cardwright import LocalTeam
from cardwright.graph import KG_ACTOR_NAME, GraphView, KnowledgeGraphActor
from cardwright.planning.actor import PlanActor
from cardwright.vectors import VectorClient, embedding_service

LIVES = int(os.environ.get("CARDWRIGHT_TEST_KILLS", "3"))
ROOT = Path(__file__).resolve().parents[2]
type Done = dict[tuple[int, int], int]
"""The last acknowledged number by writer and life."""


@pytest.fixture
def nursery() -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.graph.busy_team"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        yield process
        process.kill()


def live_and_die(process: subprocess.Popen[str], order: str, seconds: float) -> list[str]:
    """Kill a team some time after its writers began; what it said until then."""
    orders, answers = cast("IO[str]", process.stdin), cast("IO[str]", process.stdout)
    orders.write(f"{order}\n")
    orders.flush()
    lines = [answers.readline()]
    while not {"going\n"} <= set(lines) or not any("pid" in line for line in lines):
        lines.append(answers.readline())
    time.sleep(seconds)
    os.kill(next(int(line.split()[1]) for line in lines if "pid" in line), signal.SIGKILL)
    while lines[-1] != "dead\n":
        lines.append(answers.readline())
    return lines


def acknowledged(lines: list[str]) -> Done:
    found: Done = {}
    for line in lines:
        if line.startswith("done"):
            writer, number = map(int, line.split()[1:])
            found[writer, number // LIFE] = number
    return found


def numbers_of(team: LocalTeam, done: Done) -> dict[tuple[int, int], list[int]]:
    """What the logs say by writer and life; each life has every number once, from its first."""
    graph = team.actor(KG_ACTOR_NAME, KnowledgeGraphActor)
    logs = {it.name: it.observations for it in graph.get_graph().entities if it.name[:3] == "log"}
    found: dict[tuple[int, int], list[int]] = {}
    for writer in range(WRITERS):
        for line in logs[f"log{writer}"]:
            found.setdefault((writer, int(line) // LIFE), []).append(int(line))
    for (_, life), numbers in found.items():
        assert numbers == list(range(life * LIFE, life * LIFE + len(numbers)))
    assert all(found[key][-1] >= last for key, last in done.items())
    return found


def assert_batches_are_whole(view: GraphView, numbers: dict[tuple[int, int], list[int]]) -> None:
    kept = {
        f"e{writer}-{number}" for (writer, _), done in numbers.items() for number in done[-KEPT:]
    }
    assert {it.name for it in view.entities if it.name[0] == "e"} == kept
    links = {(it.from_entity, it.to_entity) for it in view.relations}
    assert len(links) == len(view.relations)
    assert links == {
        (f"e{writer}-{number}", f"e{writer}-{number - 1}")
        for (writer, _), done in numbers.items()
        for number in done[-KEPT:][1:]
    }


def assert_events_make_the_graph(team: LocalTeam, view: GraphView) -> None:
    entities, relations = dict[UUID, object](), dict[UUID, object]()
    events = events_of(team)
    assert [seq for seq, _ in events] == list(range(1, len(events) + 1))
    for _, event in events:
        entities.update((it.id, it) for it in (*event.entities_added, *event.entities_modified))
        relations.update((it.id, it) for it in event.relations_added)
        for gone in event.entities_removed:
            del entities[gone]
        for gone in event.relations_removed:
            del relations[gone]
    assert entities == {it.id: it for it in view.entities}
    assert relations == {it.id: it for it in view.relations}


def assert_board(
    team: LocalTeam, done: Done, numbers: dict[tuple[int, int], list[int]]
) -> list[int]:
    """Every acknowledged task once, and none of a batch that did not happen."""
    tasks = [it.id for it in team.actor("#PlanningTool", PlanActor).get_planning()]
    assert len(tasks) == len(set(tasks))
    begun = {number * WRITERS + writer for (writer, _), all_ in numbers.items() for number in all_}
    sure = {
        number * WRITERS + writer
        for (writer, life), last in done.items()
        for number in range(life * LIFE, last + 1)
    }
    assert sure <= set(tasks) <= begun
    return tasks


def embedded(team: LocalTeam, collection: str) -> set[str]:
    store = store_of(team)
    client = VectorClient(store.myAddress, collection, embedding_service(*store.embedding()))
    return set(client.semantic_scores("number", 50_000, threshold=-1))


def assert_sound(url: str, team_id: UUID, done: Done, life: int) -> None:
    """Resume here, look, and write one batch more."""
    with LocalTeam(store=url, team_id=team_id) as team:
        agent = team.agent("@Writer0", cards=CARDS)
        graph = team.actor(KG_ACTOR_NAME, KnowledgeGraphActor)
        view = graph.get_graph()
        numbers = numbers_of(team, done)
        assert_batches_are_whole(view, numbers)
        assert_events_make_the_graph(team, view)
        tasks = assert_board(team, done, numbers)
        settle(team)
        described = [it for it in view.relations if it.description]
        assert embedded(team, "knowledge_graph") == {
            *(str(it.id) for it in view.entities),
            *(str(it.id) for it in described),
        }
        assert embedded(team, "planning") == {str(it) for it in tasks}
        agent.call("update_graph", update=batch(0, life * LIFE))
        assert_events_make_the_graph(team, graph.get_graph())


@pytest.mark.timeout(120)
def test_kill_9_of_eight_writers_in_the_middle_of_batches(
    tmp_path: Path, nursery: subprocess.Popen[str]
) -> None:
    url, team_id = f"sqlite:///{tmp_path}/team.db", uuid4()
    chance = random.Random(team_id.int)
    done: Done = {}
    for life in range(LIVES):
        lines = live_and_die(nursery, f"{url} {team_id} {2 * life}", 0.05 + chance.random() / 4)
        done |= acknowledged(lines)
        assert_sound(url, team_id, done, 2 * life + 1)
    assert len(done) > LIVES

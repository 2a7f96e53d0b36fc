"""Eight agents who change graph and board of one stored team until somebody kills them."""

import os
import sys
import threading
from itertools import count
from uuid import UUID

from tests.graph.graph_team import HASHING

from cardwright import LocalTeam
from cardwright.bench import LocalAgent, RetryRequested
from cardwright.core import ToolCard
from cardwright.graph import KnowledgeGraphTool
from cardwright.planning import PlanningTool

WRITERS = 8
KEPT = 3
"""Entities of a writer that stay; a batch removes the one before."""
LIFE = 10_000
"""Numbers of one life."""
CARDS: list[ToolCard] = [HASHING, KnowledgeGraphTool(), PlanningTool()]


def batch(writer: int, number: int) -> dict[str, object]:
    """One entity more with a relation to the last one, one less, and one line in the log."""
    first = number // LIFE * LIFE
    made, last, old = (f"e{writer}-{number - back}" for back in (0, 1, KEPT))
    update: dict[str, object] = {
        "create_entities": [
            {"name": made, "entity_type": f"of {writer}", "description": f"number {number}"}
        ],
        "update_entities": [{"name": f"log{writer}", "add_observations": [str(number)]}],
    }
    if number > first:
        link = {"from_entity": made, "to_entity": last, "relation_type": "follows"}
        update["create_relations"] = [link | {"description": f"after {number - 1}"}]
    if number >= first + KEPT:
        update["delete_entities"] = [old]
    return update


def write(agent: LocalAgent, writer: int, life: int) -> None:
    for number in count(life * LIFE):
        agent.call("update_graph", update=batch(writer, number))
        task = {"status": "pending", "description": f"task {number}", "owner": agent.name}
        agent.call(
            "update_planning", update={"create_tasks": [task | {"id": number * WRITERS + writer}]}
        )
        os.write(1, f"done {writer} {number}\n".encode())


def work(url: str, team_id: UUID, life: int) -> None:
    """Change graph and board for ever; tell every batch once it is stored."""
    team = LocalTeam(store=url, team_id=team_id)
    agents = [team.agent(f"@Writer{writer}", cards=CARDS) for writer in range(WRITERS)]
    for writer, agent in enumerate(agents):
        log = {"name": f"log{writer}", "entity_type": "log", "description": "what was done"}
        try:
            agent.call("update_graph", update={"create_entities": [log]})
        except RetryRequested:
            assert life
    os.write(1, b"going\n")
    threads = [
        threading.Thread(target=write, args=(agent, writer, life))
        for writer, agent in enumerate(agents)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def nurse() -> None:
    """Fork a team for each line; loading everything once is much faster."""
    for line in sys.stdin:
        url, team, life = line.split()
        pid = os.fork()
        if not pid:
            try:
                work(url, UUID(team), int(life))
            finally:
                os._exit(1)
        os.write(1, f"pid {pid}\n".encode())
        os.waitpid(pid, 0)
        os.write(1, b"dead\n")


if __name__ == "__main__":
    nurse()

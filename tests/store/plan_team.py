"""A busy team: a boss sends orders to workers, who put tasks on the board that they share."""

import os
import threading
import time
from typing import Annotated, override
from uuid import UUID

from pydantic import Field

from cardwright.actors import ActorAddress, Akgent, BaseConfig, BaseState
from cardwright.actors.messages import Message
from cardwright.core import ToolFactory, ToolState
from cardwright.store import TeamNotFoundError
from cardwright.store.teams import RunningTeam, Teams
from cardwright_cards import PlanningTool
from cardwright_cards.planning import TaskCreate, UpdatePlan

WORKERS = ("@Ann", "@Bob", "@Cid")
BOSSES = ("@Una", "@Duo")
BOARD = "#PlanningTool"


class WorkOrder(Message):
    """Put a task of this number on the board."""

    number: int


class WorkerState(BaseState):
    """What a worker knows."""

    tool_state: ToolState = Field(default_factory=ToolState)
    done: Annotated[list[int], Field(description="Orders, in the order of their turns.")] = []


class Worker(Akgent[BaseConfig, WorkerState]):
    """Carries the planning card."""

    @override
    def on_start(self) -> None:
        super().on_start()
        self.state = WorkerState()
        self.state.observer(self)
        self._factory = ToolFactory([PlanningTool()], self)

    def receiveMsg_WorkOrder(self, order: WorkOrder) -> None:
        update = next(tool for tool in self._factory.get_tools() if "update" in tool.__name__)
        task = TaskCreate(
            id=order.number,
            status="pending",
            description=f"order {order.number}",
            owner=self.config.name,
        )
        update(update=UpdatePlan(create_tasks=[task]))
        self.state.done.append(order.number)


class Boss(Akgent):
    """Sends orders."""

    def order(self, worker: ActorAddress, number: int) -> None:
        self.send(worker, WorkOrder(number=number))


def started(teams: Teams, team_id: UUID) -> RunningTeam:
    """The team, resumed or new; it may have died before it was complete."""
    try:
        team = teams.resume(team_id)
    except TeamNotFoundError:
        team = teams.create(team_id=team_id)
    for name in WORKERS:
        team.root.getChildrenOrCreate(Worker, BaseConfig(name=name, role="Worker"))
    for name in BOSSES:
        team.root.getChildrenOrCreate(Boss, BaseConfig(name=name, role="Boss"))
    return team


def work(url: str, team_id: UUID, life: int) -> None:
    """Let both bosses give orders until somebody kills us; tell the order once it is stored."""
    teams = Teams(url)
    team = started(teams, team_id)
    os.write(1, b"going\n")

    def give_orders(index: int) -> None:
        boss = team.member(BOSSES[index])
        assert boss is not None
        for count in range(2_000):
            number = life * 10_000 + index * 2_000 + count
            worker = team.member(WORKERS[number % len(WORKERS)])
            assert worker is not None
            if count % 5 == 0:
                # Nobody of the team sent it.
                teams.system.tell(worker, WorkOrder(number=number))
            else:
                teams.system.proxy_ask(boss, Boss).order(worker, number)
            if count % 3 == index:
                team.flush()
                os.write(1, f"stored {number}\n".encode())

    threads = [threading.Thread(target=give_orders, args=(at,)) for at in range(len(BOSSES))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    time.sleep(60)

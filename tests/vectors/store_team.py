"""A team with a store, and a program that is killed in the middle of embedding."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from cardwright import LocalTeam
from cardwright.actors import ActorAddress, Orchestrator
from cardwright.actors.proxies import ask_proxy
from cardwright.vectors import (
    CollectionRecord,
    CollectionStatus,
    TextEntry,
    VectorClient,
    VectorStoreActor,
    VectorStoreTool,
)

COLLECTION = "things"


def until(reached: Callable[[], bool], seconds: float = 10) -> None:
    """Wait for something that other threads bring about."""
    deadline = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.005)


@dataclass
class StoreTeam:
    """The store of a running team."""

    team: LocalTeam

    @property
    def address(self) -> ActorAddress:
        found = ask_proxy(self.team.orchestrator, Orchestrator).get_team_member("#VectorStore")
        assert found is not None
        return found

    @property
    def store(self) -> VectorStoreActor:
        return ask_proxy(self.address, VectorStoreActor)

    def client(self, record: CollectionRecord) -> VectorClient:
        opened = VectorClient.open(self.address, COLLECTION, record)
        assert opened is not None
        return opened

    def pending(self) -> int:
        return len(self.store.state.pending_entries)

    def wait(self) -> CollectionStatus:
        """Until all that was told before has its vector."""
        if COLLECTION in self.store.state.collection_configs:
            self.store.put_texts(COLLECTION, [])  # behind what waits for a server
        until(lambda: self.pending() == 0)
        return CollectionStatus.READY


def entries(count: int, word: str = "text") -> list[TextEntry]:
    return [TextEntry("thing", str(n), f"{word} number {n}") for n in range(count)]


def killed_in_the_middle(url: str, team_id: str, count: int, backend: str) -> None:
    """Put texts, say how many are embedded, and go on until somebody kills this process."""
    team = StoreTeam(LocalTeam(store=url, team_id=UUID(team_id)))
    team.team.agent("@A", [VectorStoreTool()])
    client = team.client(CollectionRecord(dimension=1536, backend=backend))
    client.put(entries(count))
    team.store.put_texts(COLLECTION, [])  # behind what waits for a server
    while True:
        sys.stdout.write(f"{count - team.pending()}\n")
        sys.stdout.flush()
        time.sleep(0.05)


if __name__ == "__main__":
    killed_in_the_middle(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4])

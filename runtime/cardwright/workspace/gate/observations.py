"""What each agent has seen of each file, and who wrote it last."""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace

from cardwright.workspace.files import Identity


@dataclass(frozen=True, slots=True)
class Observation:
    """What one agent has seen of a file.

    `sha` is the digest of the whole file at that moment. `full` says that nothing of it was left
    out; otherwise `shown` are the line ranges that were, of `total` lines. `over` is the agent
    whose change the seeing one has not looked at, although it has changed a part of the file since.
    """

    sha: str
    full: bool
    identity: Identity | None = None
    shown: tuple[tuple[int, int], ...] = ()
    total: int = 0
    over: str | None = None

    def after(self, earlier: "Observation | None") -> "Observation":
        """Together with what was seen of the same content before: pages add up."""
        if earlier is None or earlier.sha != self.sha:
            return self
        shown = _joined((*earlier.shown, *self.shown))
        whole = self.full or earlier.full or (self.total > 0 and shown == ((1, self.total),))
        return replace(self, full=whole, shown=shown)


def _joined(ranges: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    joined: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return tuple(joined)


class Observations:
    """Bounded for each agent, least recently recorded first; forgetting only means refusing."""

    def __init__(self, per_agent: int) -> None:
        self._per_agent = per_agent
        self._agents: dict[str, OrderedDict[str, Observation]] = {}

    def record(self, agent_id: str, path: str, observation: Observation) -> None:
        """Keep what an agent saw, joined with what it saw of the same content before."""
        mine = self._agents.setdefault(agent_id, OrderedDict())
        mine[path] = observation.after(mine.get(path))
        mine.move_to_end(path)
        while len(mine) > self._per_agent:
            mine.popitem(last=False)

    def replace(self, agent_id: str, path: str, observation: Observation) -> None:
        """Keep what an agent knows of a file that it has just written."""
        self.drop(agent_id, path)
        self.record(agent_id, path, observation)

    def drop(self, agent_id: str, path: str) -> None:
        """Forget what an agent saw of a file."""
        self._agents.get(agent_id, OrderedDict()).pop(path, None)

    def get(self, agent_id: str, path: str) -> Observation | None:
        """What an agent saw under this path; its recency stays."""
        return self._agents.get(agent_id, OrderedDict()).get(path)

    def moved(self, agent_id: str, identity: Identity, sha: str) -> Observation | None:
        """What an agent saw of this very file and content under another path."""
        for observation in self._of(agent_id):
            if observation.identity == identity and observation.sha == sha:
                return observation
        return None

    def _of(self, agent_id: str) -> Iterator[Observation]:
        return iter(self._agents.get(agent_id, OrderedDict()).values())


@dataclass(frozen=True, slots=True)
class LastWrite:
    """Who wrote a file last, and what."""

    agent_id: str
    sha: str


class Bounded[K, V](OrderedDict[K, V]):
    """Forgets what was set longest ago."""

    def __init__(self, capacity: int) -> None:
        super().__init__()
        self._capacity = capacity

    def put(self, key: K, value: V) -> None:
        """Set a value as the newest."""
        self[key] = value
        self.move_to_end(key)
        while len(self) > self._capacity:
            self.popitem(last=False)

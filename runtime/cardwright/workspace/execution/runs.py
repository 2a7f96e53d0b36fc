"""What is remembered of runs: whose they are and how they ended, within bounds."""

from collections import OrderedDict, deque
from dataclasses import dataclass, field
from typing import Final
from uuid import uuid4

from cardwright.core import CallContext

from .models import ExecOutcome

__all__ = ["IDS_PER_AGENT", "Run", "Runs", "new_run_id"]

IDS_PER_AGENT: Final = 32
_RUNS: Final = 128
_AGENTS: Final = 512

type CallKey = tuple[object, ...]


def new_run_id() -> str:
    """Return a fresh id: 8 hexadecimal digits, short enough for a model to repeat."""
    return uuid4().hex[:8]


@dataclass(slots=True)
class Run:
    """One run and its end, as far as that is known."""

    run_id: str
    agent_id: str
    key: CallKey | None = None
    outcome: ExecOutcome | None = None
    reason: str = ""

    @property
    def settled(self) -> bool:
        """Whether its end is known."""
        return self.outcome is not None or bool(self.reason)


@dataclass(slots=True)
class Runs:
    """The latest runs; the oldest that are settled are forgotten first."""

    _runs: OrderedDict[str, Run] = field(default_factory=OrderedDict[str, Run])
    _recent: OrderedDict[str, deque[str]] = field(default_factory=OrderedDict[str, deque[str]])

    def add(self, agent_id: str, call: CallContext | None) -> Run:
        """Open a run for an agent."""
        run_id = new_run_id()
        while run_id in self._runs:
            run_id = new_run_id()
        run = self._runs[run_id] = Run(run_id, agent_id, _key(agent_id, call))
        recent = self._recent.setdefault(agent_id, deque(maxlen=IDS_PER_AGENT))
        recent.append(run_id)
        self._recent.move_to_end(agent_id)
        self._forget()
        return run

    def get(self, run_id: str) -> Run | None:
        """Return the run of that id, if it is remembered."""
        return self._runs.get(run_id)

    def of_call(self, agent_id: str, call: CallContext | None) -> Run | None:
        """Return the run that this very call began: it was sent twice."""
        key = _key(agent_id, call)
        if key is None:
            return None
        return next((run for run in self._runs.values() if run.key == key), None)

    def recent(self, agent_id: str) -> list[str]:
        """Return ids of that agent's runs, oldest first."""
        return list(self._recent.get(agent_id, ()))

    def _forget(self) -> None:
        settled = [run_id for run_id, run in self._runs.items() if run.settled]
        for run_id in settled[: max(len(self._runs) - _RUNS, 0)]:
            del self._runs[run_id]
        while len(self._recent) > _AGENTS:
            self._recent.popitem(last=False)


def _key(agent_id: str, call: CallContext | None) -> CallKey | None:
    return None if call is None or call.key is None else (agent_id, *call.key)

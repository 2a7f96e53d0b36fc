"""The precondition of every change: the agent has seen what it replaces, in its present form."""

import errno
import os
from dataclasses import dataclass

from cardwright.workspace.files import Blob, Kind, Tree, refusing
from cardwright.workspace.files.steps import link_data
from cardwright.workspace.files.tree import read_at
from cardwright.workspace.refusals import Refusal

from .evidence import stale
from .observations import Bounded, LastWrite, Observation, Observations
from .verdicts import Verdict, judge

LARGEST = 128 * 1024 * 1024
"""Bytes of a file above which nobody can have read it, so that nobody changes it."""


@dataclass(frozen=True, slots=True)
class Target:
    """A file that an agent wants to change, as it is at this moment."""

    path: str
    live: Blob | None
    seen: Observation | None
    verdict: Verdict

    @property
    def known_in_full(self) -> bool:
        """Whether the agent has seen everything of the file in its present form."""
        return self.live is None or (
            self.seen is not None and self.seen.full and self.seen.sha == self.live.sha
        )


class Gate:
    """Judges changes of one tree; the file is read anew for each of them."""

    def __init__(self, tree: Tree, observations: Observations, writers: int) -> None:
        """`writers` bounds how many last writers and names are remembered."""
        self.tree = tree
        self.observations = observations
        self.writers = Bounded[str, LastWrite](writers)
        self.names = Bounded[str, str](writers)

    def look(self, agent_id: str, path: str, *, whole: bool, follow: bool = True) -> Target:
        """Read and judge the file at `path`.

        Args:
            agent_id: Who wants to change it.
            path: As the agent spells it.
            whole: Whether all of it is replaced or deleted.
            follow: Whether a link at the end is followed.

        Raises:
            Refusal: The path is outside, no file, or the system refuses. Staleness is a verdict.
        """
        live, canonical = self._live(path, follow=follow)
        seen = self.observations.get(agent_id, canonical)
        if seen is None and live is not None:
            seen = self.observations.moved(agent_id, live.facts.identity, live.sha)
        return Target(canonical, live, seen, judge(seen, live, whole=whole))

    def _live(self, path: str, *, follow: bool) -> tuple[Blob | None, str]:
        with refusing(path), self.tree.place(path, follow=follow) as place:
            facts = place.facts()
            if place.name == ".":
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if facts is None:
                return None, place.path
            if facts.kind is Kind.LINK and not follow:
                return Blob(place.path, link_data(place.parent, place.name), facts), place.path
            blob = read_at(place, LARGEST + 1)
            if blob is None:
                raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))
            if len(blob.data) > LARGEST:
                raise _too_large(path)
            return blob, place.path

    def refusal(self, agent_id: str, target: Target, proposed: str | None = None) -> Refusal:
        """The refusal of a change to `target`; what was deleted is forgotten with it."""
        if target.verdict is Verdict.DELETED:
            self.observations.drop(agent_id, target.path)
        return stale(
            target.verdict,
            target.path,
            target.live,
            writer=self._writer(target),
            proposed=proposed,
        )

    def _writer(self, target: Target) -> str | None:
        last = self.writers.get(target.path)
        if last is None or target.live is None or last.sha != target.live.sha:
            return None
        return self.name_of(last.agent_id)

    def name_of(self, agent_id: str) -> str:
        """Display name of an agent; its id if it was never told."""
        return self.names.get(agent_id, agent_id)

    def written(self, agent_id: str, path: str, seen: Observation) -> None:
        """An agent's bytes are at `path` now, of which it knows what `seen` says."""
        self.observations.replace(agent_id, path, seen)
        self.writers.put(path, LastWrite(agent_id, seen.sha))

    def deleted(self, agent_id: str, path: str) -> None:
        """An agent has deleted `path`; others who saw it will be told once."""
        self.observations.drop(agent_id, path)
        self.writers.pop(path, None)


def _too_large(path: str) -> Refusal:
    return Refusal(
        "unsuitable",
        f"{path} is larger than {LARGEST} bytes: it cannot be read here, and so not be changed.",
    )

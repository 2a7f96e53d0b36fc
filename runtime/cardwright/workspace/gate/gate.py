"""The precondition of every change: the agent has seen what it replaces, in its present form."""

import errno
import os
from collections.abc import Collection
from dataclasses import dataclass, replace

from cardwright.workspace.files import Blob, Kind, Tree, refusing
from cardwright.workspace.files.steps import link_data
from cardwright.workspace.files.tree import read_at
from cardwright.workspace.refusals import Refusal

from .contents import SeenContents
from .evidence import stale
from .observations import Bounded, LastWrite, Observation, Observations
from .verdicts import Precondition, Verdict

LARGEST = 128 * 1024 * 1024
"""Bytes of a file above which nobody can have read it, so that nobody changes it."""


@dataclass(frozen=True, slots=True)
class Target:
    """A file that an agent wants to change, as it is at this moment."""

    path: str
    live: Blob | None
    seen: Observation | None
    verdict: Verdict
    emptied: bool = False
    """A directory is there, of whose files the same call deletes every one."""

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
        self.contents = SeenContents()

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
        if seen is not None and live is not None and live.data == self.contents.get(seen.sha):
            live = replace(live, known_sha=seen.sha)  # comparing is quicker than a digest
        if seen is None and live is not None:
            seen = self.observations.moved(agent_id, live.facts.identity, live.sha)
        return Target(canonical, live, seen, Precondition(seen, whole).judge(live))

    def freed(self, agent_id: str, path: str, deleted: Collection[str]) -> Target | None:
        """The place at `path` if it becomes free once the files `deleted` are gone.

        That is: below one of them, or in place of a directory that holds no others.

        Raises:
            Refusal: As for `look`.
        """
        canonical = self._below(path, deleted) or self._in_place_of(path, deleted)
        if canonical is None:
            return None
        seen = self.observations.get(agent_id, canonical)
        emptied = not any(canonical.startswith(f"{each}/") for each in deleted)
        return Target(canonical, None, seen, Precondition(seen, whole=True).judge(None), emptied)

    def _below(self, path: str, deleted: Collection[str]) -> str | None:
        parts = path.split("/")
        for count in range(1, len(parts)):
            if not any(parts[:count]):
                continue
            above = self.tree.locate("/".join(parts[:count]))
            if above in deleted:
                rest = [part for part in parts[count:] if part not in {"", "."}]
                return None if ".." in rest or not rest else "/".join([above, *rest])
        return None

    def _in_place_of(self, path: str, deleted: Collection[str]) -> str | None:
        facts = self.tree.facts(path)
        if facts is None or facts.kind is not Kind.DIRECTORY:
            return None
        canonical = self.tree.locate(path)
        closed: list[str] = []
        entries = self.tree.walk(canonical, skipped=closed)
        others = (e for e in entries if e.kind is not Kind.DIRECTORY and e.path not in deleted)
        return None if not canonical or any(others) or closed else canonical

    def _live(self, path: str, *, follow: bool) -> tuple[Blob | None, str]:
        with refusing(path), self.tree.place(path, follow=follow) as place:
            facts = place.facts()
            if place.name == ".":
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if facts is None:
                return None, place.path
            if facts.kind is Kind.LINK and not follow:
                return Blob(place.path, link_data(place.parent, place.name), facts), place.path
            blob = read_at(place, LARGEST + 1, facts)
            if blob is None:
                raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))
            if len(blob.data) > LARGEST:
                raise _too_large(path)
            return blob, place.path

    def refusal(self, agent_id: str, target: Target, proposed: str | None = None) -> Refusal:
        """The refusal of a change to `target`; what was deleted is forgotten with it."""
        if target.verdict is Verdict.DELETED:
            self.observations.drop(agent_id, target.path)
        over = None if target.seen is None else target.seen.over
        return stale(
            target.verdict,
            target.path,
            target.live,
            writer=self._named(agent_id, self.writer(target)) or self._named(agent_id, over),
            paged=target.seen is not None and bool(target.seen.shown),
            seen=None if target.seen is None else self.contents.get(target.seen.sha),
            proposed=proposed,
        )

    def writer(self, target: Target) -> str | None:
        """The agent whose bytes are there; `None` if they are of none."""
        last = self.writers.get(target.path)
        if last is None or target.live is None or last.sha != target.live.sha:
            return None
        return last.agent_id

    def _named(self, agent_id: str, other: str | None) -> str | None:
        """Display name of somebody else: that it was itself explains no refusal to an agent."""
        return None if other is None or other == agent_id else self.name_of(other)

    def built_on(self, target: Target) -> str | None:
        """The agent whose content one changes a part of without having seen all of it."""
        if target.live is None or target.seen is None or target.known_in_full:
            return None
        return target.seen.over if target.seen.sha == target.live.sha else self.writer(target)

    def name_of(self, agent_id: str) -> str:
        """Display name of an agent; its id if it was never told."""
        return self.names.get(agent_id, agent_id)

    def written(self, agent_id: str, path: str, data: bytes, seen: Observation) -> None:
        """An agent's `data` are at `path` now, of which it knows what `seen` says."""
        self.contents.keep(seen.sha, data)
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

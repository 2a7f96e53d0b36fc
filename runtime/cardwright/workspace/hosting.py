"""Changes by code of the host as turns of the tree's actor: ordered, heeding leases, journaled."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from cardwright.workspace.files import TreeLock, content_sha
from cardwright.workspace.gate import Gate, Observation
from cardwright.workspace.journal import GitJournal, Identity

from .filesystem import Workspace, WorkspaceBusyError


@dataclass(frozen=True, slots=True)
class HostChange:
    """What code of the host wants to be done; `data` is what is to be written."""

    action: Literal["write", "remove", "mkdir"]
    path: str
    data: bytes = b""


class HostTurns:
    """Makes such changes on the thread of the tree's actor; no agent's view is asked for them."""

    def __init__(
        self,
        files: Workspace,
        lock: TreeLock,
        journal: GitJournal,
        gate: Gate,
        busy: Callable[[], str | None],
    ) -> None:
        """`files` writes under `lock`; `busy` tells why nothing may change now, if so."""
        self._files = files
        self._lock = lock
        self._busy = busy
        self._journal = journal
        self._gate = gate

    def take(self, agent_id: str, by: Identity, change: HostChange) -> OSError | ValueError | None:
        """Make one change.

        Args:
            agent_id: For whom; agents that are refused because of it are told the name.
            by: As whom it is journaled.
            change: What to do.

        Returns:
            Why nothing was changed, in the words of the system; `None` if it was.
        """
        try:
            with self._lock():
                # Before anything else: what a command has half done is not from outside.
                if (busy := self._busy()) is not None:
                    raise WorkspaceBusyError(busy)
                self._journal.commit_outside()
                self._made(agent_id, by, change)
        except (OSError, ValueError) as error:
            return error
        return None

    def _made(self, agent_id: str, by: Identity, change: HostChange) -> None:
        match change.action:
            case "write":
                self._files.write(change.path, change.data)
                with self._files.tree.place(change.path) as place:
                    path = place.path
                # Agents that know other content are told whose this is.
                seen = Observation(content_sha(change.data), full=True)
                self._gate.written(agent_id, path, change.data, seen)
                self._journal.commit("write", by, [path])
            case "remove":
                self._files.remove(change.path)
                self._journal.commit_all("delete", by)
            case "mkdir":
                self._files.mkdir(change.path)

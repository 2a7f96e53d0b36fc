"""A tree in memory for tests that write much, and helpers shared by the workspace tests."""

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from uuid import UUID

from cardwright.actors import ActorSystem, BaseConfig, Orchestrator
from cardwright.workspace.actor import WorkspaceActor, workspace_actor_name
from cardwright.workspace.files import Publisher, Tree
from cardwright.workspace.gate import Edit, Gate, Mutations, Observation, Observations
from cardwright.workspace.state import WorkspaceConfig

_SHARED = Path("/dev/shm")


@contextmanager
def quick_folder() -> Generator[Path]:
    """A folder where fsync costs nothing, if the machine has one."""
    base = _SHARED if _SHARED.is_dir() and os.access(_SHARED, os.W_OK) else None
    folder = Path(mkdtemp(prefix="cardwright-test-", dir=base))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def files_below(folder: Path) -> dict[str, bytes]:
    """Every regular file below a folder, by relative path."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


class Desk:
    """Agents at one tree without a team: what they read is observed, what they change is judged."""

    def __init__(self, tree: Tree, observations: int = 256) -> None:
        self.tree = tree
        self.publisher = Publisher(tree)
        self.gate = Gate(tree, Observations(observations), 512)
        self.mutations = Mutations(self.gate, self.publisher)

    def close(self) -> None:
        self.publisher.close()

    def sees(
        self,
        agent: str,
        path: str,
        first: int = 1,
        last: int | None = None,
        total: int | None = None,
    ) -> bytes:
        """The agent reads lines `first` to `last` (all of them when left out)."""
        blob = self.tree.read(path)
        total = len(blob.data.splitlines()) if total is None else total
        shown = (first, total if last is None else min(last, total))
        full = shown == (1, total) or total == 0
        observation = Observation(blob.sha, full, blob.facts.identity, (shown,), total)
        self.gate.observations.record(agent, blob.path, observation)
        return blob.data

    def write(self, agent: str, path: str, content: str) -> str:
        return self.mutations.write(agent, path, content).message

    def delete(self, agent: str, path: str) -> str:
        return self.mutations.delete(agent, path).message

    def edit(self, agent: str, *edits: Edit) -> str:
        return self.mutations.edit(agent, edits, "(no changes applied)").message

    def patch(self, agent: str, text: str) -> str:
        return self.mutations.patch(agent, text).message

    def outside(self, path: str, data: bytes) -> None:
        """Somebody else writes, not through the gate."""
        file = self.tree.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


class Team:
    """The actors of trees, without agents."""

    def __init__(self, system: ActorSystem) -> None:
        self._system = system
        self._root = system.createActor(Orchestrator, config=BaseConfig(name="orchestrator"))

    def tree(self, name: str = "box", *, journal: bool = True) -> WorkspaceActor:
        config = WorkspaceConfig(
            name=workspace_actor_name(name), workspace_name=name, git_journal=journal
        )
        address = self._system.proxy_ask(self._root, Orchestrator).getChildrenOrCreate(
            WorkspaceActor, config=config
        )
        tree = self._system.proxy_ask(address, WorkspaceActor)
        tree.register_agent("id-a", "@Anna")
        tree.register_agent("id-b", "Bob <b@x>\n")
        return tree


class Loner:
    """An agent without a team."""

    orchestrator = None
    team_id = UUID(int=0)
    myAddress = state = None  # noqa: N815 - name of the protocol

    def notify_event(self, event: object) -> None: ...

    def proxy_ask(self, actor: object, actor_type: object = None, timeout: object = 30.0) -> None:
        raise AssertionError

    proxy_tell = proxy_ask

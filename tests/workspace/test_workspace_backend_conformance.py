"""The tree as a workspace of pydantic-ai passes the suite that upstream ships for backends.

`TreeBackend` serves files alone. `TeamTreeBackend` runs commands in the team's sandbox as well, so
that upstream's rules about commands, links, pipes and modes are checked on it.
"""

import re
import shutil
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import override

import anyio
import pytest
from pydantic_ai.workspaces import WorkspaceBackend, WorkspaceRef
from pydantic_ai.workspaces.conformance import WorkspaceBackendSuite

from cardwright.actors import ActorAddress, ActorSystem, BaseConfig, Orchestrator
from cardwright.sandbox import BwrapSandboxActor
from cardwright.sandbox.roots import tree_root
from cardwright.workspace import TeamTreeBackend, TreeBackend


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.usefixtures("trees")
class TestTreeBackend(WorkspaceBackendSuite):
    @pytest.fixture
    @override
    def backend(self, trees: Path) -> WorkspaceBackend:
        return TreeBackend("upstream")

    @pytest.fixture
    @override
    def can_detect_exit_with_inherited_output_pipes(self) -> bool:
        return False  # it runs no commands, and the test would wait half a minute to find out

    @pytest.fixture
    @override
    def fresh_backend(self) -> Callable[[], WorkspaceBackend]:
        return lambda: TreeBackend("fresh")

    @pytest.fixture
    @override
    def attach_backend(self) -> Callable[[WorkspaceRef], WorkspaceBackend]:
        return lambda ref: TreeBackend(ref=ref)

    @pytest.fixture
    @override
    def destroy_environment(self) -> Callable[[WorkspaceBackend], Awaitable[None]]:
        async def destroy(backend: WorkspaceBackend) -> None:
            assert backend.ref is not None
            shutil.rmtree(tree_root(backend.ref.id))

        return destroy


class TeamTreeRules(WorkspaceBackendSuite):
    """What holds of a team's tree, with files and commands, in whichever sandbox."""

    mode: str

    @pytest.fixture
    def system(self) -> Iterator[ActorSystem]:
        with ActorSystem() as system:
            yield system

    @pytest.fixture
    def orchestrator(self, system: ActorSystem) -> ActorAddress:
        return system.createActor(Orchestrator, config=BaseConfig(name="@Orchestrator"))

    @pytest.fixture
    def backend(self, trees: Path, orchestrator: ActorAddress) -> WorkspaceBackend:
        return TeamTreeBackend(orchestrator, "upstream", mode=self.mode)

    @pytest.fixture
    @override
    def can_detect_exit_with_inherited_output_pipes(self) -> bool:
        return False  # a run ends with all its processes: the child would be waited for in vain

    @pytest.fixture
    def fresh_backend(self, orchestrator: ActorAddress) -> Callable[[], WorkspaceBackend]:
        return lambda: TeamTreeBackend(orchestrator, "fresh", mode=self.mode)

    @pytest.fixture
    def attach_backend(
        self, orchestrator: ActorAddress
    ) -> Callable[[WorkspaceRef], WorkspaceBackend]:
        return lambda ref: TeamTreeBackend(orchestrator, ref=ref, mode=self.mode)

    @pytest.fixture
    def destructive_backend(self, orchestrator: ActorAddress) -> Callable[[], WorkspaceBackend]:
        return lambda: TeamTreeBackend(orchestrator, "doomed", mode=self.mode)

    @pytest.fixture
    @override
    def destroy_environment(self) -> Callable[[WorkspaceBackend], Awaitable[None]]:
        async def destroy(backend: WorkspaceBackend) -> None:
            assert backend.ref is not None
            shutil.rmtree(tree_root(backend.ref.id))

        return destroy

    @override
    async def test_a_backend_attached_by_ref_reaches_a_detached_process(
        self, backend: WorkspaceBackend, attach_backend: object, has_real_posix_shell: bool
    ) -> None:
        """Here the opposite holds: a command gives the tree back with nothing left that writes."""
        assert isinstance(backend, TeamTreeBackend)
        detached = "setsid sh -c ': > begun; sleep 0.3; : > late' < /dev/null > /dev/null 2>&1 &"
        waiting = "while [ ! -f begun ]; do sleep 0.02; done"
        assert (await backend.run(f"{detached} {waiting}", shell=True)).exit_code == 0
        await anyio.sleep(0.5)
        root = await backend.working_dir()
        assert [entry.name for entry in await backend.list_dir(root)] == ["begun"]


class TestTeamTreeBackend(TeamTreeRules):
    mode = "local"


@pytest.mark.skipif(bool(BwrapSandboxActor.obstacle()), reason="bubblewrap does not work here")
class TestTeamTreeBackendInBubblewrap(TeamTreeRules):
    """Commands see the tree as `/workspace`, as nobody, and never the processes of others."""

    mode = "bwrap"

    @pytest.fixture
    def filesystem_honors_shell_permissions(self) -> bool:
        return False

    @override
    async def test_cancellation_stops_foreground_work(
        self, backend: WorkspaceBackend, has_real_posix_shell: bool
    ) -> None:
        """The id of a process means nothing to the next command: that one finds the tree free."""
        assert isinstance(backend, TeamTreeBackend)
        root = await backend.working_dir()
        async with anyio.create_task_group() as group:
            group.start_soon(backend.run, ["sh", "-c", ": > begun; sleep 15; : > late"])
            while not await backend.exists(f"{root}/begun"):  # noqa: ASYNC110 - a process tells
                await anyio.sleep(0.02)
            group.cancel_scope.cancel()
        assert (await backend.run(["ls"])).stdout == "begun\n"


FILES_ALONE = re.compile(
    r"large_file|round_trip|missing_paths|a_directory|tree|destroy|detached|timeout"
)
for rule in [name for name in vars(WorkspaceBackendSuite) if name.startswith("test_")]:
    if FILES_ALONE.search(rule):
        setattr(TestTeamTreeBackendInBubblewrap, rule, None)

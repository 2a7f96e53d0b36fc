"""The tree as a workspace of pydantic-ai passes the suite that upstream ships for backends.

It serves files and runs no commands. Upstream needs a shell to make links and pipes, so the rules
about these run a second time on a backend that borrows upstream's own, for the test only.
"""

import re
import shutil
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import override

import pytest
from pydantic_ai.workspaces import (
    CommandResult,
    LocalWorkspaceBackend,
    WorkspaceBackend,
    WorkspaceCommand,
    WorkspaceRef,
)
from pydantic_ai.workspaces.conformance import WorkspaceBackendSuite

from cardwright.sandbox.roots import tree_root
from cardwright.workspace.backend import TreeBackend


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


class TreeBesideAShell(TreeBackend):
    """Files of a tree, and a shell that is not ours."""

    async def run(
        self,
        command: WorkspaceCommand,
        *,
        shell: bool = False,
        env: Mapping[str, str] | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - the protocol's
    ) -> CommandResult:
        local = LocalWorkspaceBackend(await self.working_dir())
        return await local.run(command, shell=shell, env=env, timeout=timeout)


@pytest.mark.usefixtures("trees")
class TestTreeBesideAShell(WorkspaceBackendSuite):
    @pytest.fixture
    @override
    def backend(self, trees: Path) -> WorkspaceBackend:
        return TreeBesideAShell("upstream")


for rule in [name for name in vars(WorkspaceBackendSuite) if name.startswith("test_")]:
    if not re.search(r"links?(_|$)|fifo|share_one|permission|working_dir|cwd|realpath", rule):
        setattr(TestTreeBesideAShell, rule, None)

"""The tree as a workspace of pydantic-ai passes the suite that upstream ships for backends."""

import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import override

import pytest
from pydantic_ai.workspaces import WorkspaceBackend, WorkspaceRef
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

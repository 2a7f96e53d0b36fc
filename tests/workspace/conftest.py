"""Trees in memory where possible."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.workspace.workspace_support import Desk, Team, quick_folder

from cardwright.actors import ActorSystem
from cardwright.workspace.files import Publisher, Tree


@pytest.fixture
def trees(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The root of all trees."""
    with quick_folder() as folder:
        monkeypatch.setenv("CARDWRIGHT_WORKSPACES_ROOT", str(folder / "workspaces"))
        (folder / "workspaces").mkdir()
        yield folder / "workspaces"


@pytest.fixture
def tree(trees: Path) -> Tree:
    """An empty tree; `outside/secret.txt` beside it must never be seen."""
    (trees / "outside").mkdir()
    (trees / "outside" / "secret.txt").write_text("secret")
    (trees / "box").mkdir()
    return Tree(trees / "box")


@pytest.fixture
def publisher(tree: Tree) -> Iterator[Publisher]:
    publisher = Publisher(tree)
    yield publisher
    publisher.close()


@pytest.fixture
def desk(tree: Tree) -> Iterator[Desk]:
    desk = Desk(tree)
    yield desk
    desk.close()


@pytest.fixture
def team(trees: Path) -> Iterator[Team]:
    system = ActorSystem()
    yield Team(system)
    system.shutdown()

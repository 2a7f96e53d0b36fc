"""A project of sample specs, generated once, and small projects to change at will."""

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cardwright_generator.build import Build, build
from cardwright_generator.project import Project, find_project
from cardwright_generator.spec import Catalogue, load_specs
from cardwright_generator.writer import Report, reconcile

DATA = Path(__file__).parent / "data"
PYPROJECT = '[tool.cardwright]\npackage = "{package}"\nlogic = ["src"]\n'

type Make = Callable[..., Project]
type Write = Callable[[Path, dict[str, str]], None]


def _write(root: Path, files: dict[str, str]) -> None:
    """Write files below a folder."""
    for name, text in files.items():
        target = root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def _load(project: Project) -> Catalogue:
    """The specs of a project, loaded and checked."""
    return load_specs(
        {project.relative(path): path.read_bytes() for path in project.spec_files()}, project
    )


def _generate(project: Project, *, force: bool = False) -> Report:
    """Build and write; the specs must be right."""
    made: Build = build(project)
    assert not made.failed, made.diagnostics
    return reconcile(project, made, force=force)


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The sample specs with their generated tree; not to be changed."""
    root = tmp_path_factory.mktemp("samples")
    shutil.copytree(DATA / "specs", root / "specs")
    _write(root, {"pyproject.toml": PYPROJECT.format(package="sample_cards")})
    _write(root, {"src/samples/__init__.py": '"""Handwritten."""\n'})
    for path in (DATA / "src").glob("*.py.txt"):
        _write(root, {f"src/samples/{path.name.removesuffix('.txt')}": path.read_text("utf-8")})
    project = find_project(root)
    _generate(project)
    return project


@pytest.fixture(scope="session")
def catalogue(samples: Project) -> Catalogue:
    """The sample specs."""
    return _load(samples)


@pytest.fixture(scope="session")
def importable(samples: Project) -> Iterator[Project]:
    """The sample project, its packages importable."""
    added = [str(samples.root / "generated"), str(samples.root / "src")]
    sys.path[:0] = added
    yield samples
    for entry in added:
        sys.path.remove(entry)


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Make a project from texts: `make({"hello": "card: ..."}, package="hello_cards")`."""

    def project(
        specs: dict[str, str] | None = None,
        files: dict[str, str] | None = None,
        package: str = "made_cards",
    ) -> Project:
        _write(tmp_path, {"pyproject.toml": PYPROJECT.format(package=package)})
        _write(tmp_path, {f"specs/{name}.yaml": text for name, text in (specs or {}).items()})
        _write(tmp_path, files or {})
        return find_project(tmp_path)

    return project


@pytest.fixture
def generate() -> Callable[..., Report]:
    """Build and write a project whose specs are right: `generate(project, force=True)`."""
    return _generate


@pytest.fixture(scope="session")
def generate_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Project], None]:
    """Generate a new project, or copy what the same specs became in an earlier test."""
    known: dict[bytes, Path] = {}

    def run(project: Project) -> None:
        sources = [project.root / "pyproject.toml", *project.spec_files()]
        key = b"\0".join(path.read_bytes() for path in sources)
        made = project.root / "generated"
        if key in known:
            shutil.copytree(known[key], made)
            return
        _generate(project)
        known[key] = tmp_path_factory.mktemp("once") / "generated"
        shutil.copytree(made, known[key])

    return run


@pytest.fixture
def load() -> Callable[[Project], Catalogue]:
    """Load and check the specs of a project."""
    return _load


@pytest.fixture
def write() -> Write:
    """Write files below a folder: `write(root, {"a/b.py": "..."})`."""
    return _write

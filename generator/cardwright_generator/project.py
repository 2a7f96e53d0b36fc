"""Which files a project's specs, generated code and handwritten code live in."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, cast

from cardwright_generator.settings import ProjectError, check_together, value_of

if TYPE_CHECKING:
    from cardwright_generator.waivers import Waiver

MANIFEST = ".cardwright.json"
PENDING = ".cardwright.pending.json"
STAGING = ".cardwright-staging"
SCHEMA = "card.schema.json"
_ENDINGS = frozenset({".yaml", ".yml"})

__all__ = [
    "MANIFEST",
    "PENDING",
    "SCHEMA",
    "STAGING",
    "Project",
    "ProjectError",
    "find_project",
    "is_spec",
    "project_from",
]


@dataclass(frozen=True, slots=True)
class Project:
    """One project: where its specs are, and where what they become goes.

    All folders are relative to `root`, the folder of the `pyproject.toml`.
    """

    root: Path
    specs: str = "specs"
    output: str = "generated"
    package: str = "cardwright_cards"
    tests: str = "generated/tests"
    logic: tuple[str, ...] = ("runtime",)
    """Source roots in which `logic:` and `class:` paths are looked up."""
    python_modules: tuple[str, ...] = ()
    """Modules that a `python:` type may name, beside the standard ones."""
    catalogues: tuple[str, ...] = ()
    """Import packages of other catalogues whose cards and types specs may name."""
    waivers: "tuple[Waiver, ...]" = ()
    """Findings of `cardwright breaking` that may stay."""

    @property
    def specs_dir(self) -> Path:
        """The folder of the specs."""
        return self.root / self.specs

    @property
    def package_path(self) -> str:
        """The emitted package's folder, relative to the root."""
        return f"{self.output}/{self.package}"

    @property
    def manifest(self) -> Path:
        """The record of what was generated from what."""
        return self.root / self.output / MANIFEST

    @property
    def staging(self) -> Path:
        """Where a run gathers what it is about to put in place."""
        return self.root / self.output / STAGING

    @property
    def pending(self) -> Path:
        """The manifest of a run that was interrupted while putting files in place."""
        return self.root / self.output / PENDING

    @property
    def below_repository(self) -> str:
        """The project's folder as seen from the top of its repository: empty, or `folder/`."""
        tops = (one for one in (self.root, *self.root.parents) if (one / ".git").exists())
        path = self.root.relative_to(next(tops, self.root)).as_posix()
        return "" if path == "." else f"{path}/"

    def is_called(self, distribution: str) -> bool:
        """Whether a distribution of that name is this project, installed."""
        try:
            content = tomllib.loads((self.root / "pyproject.toml").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return False
        name = content.get("project", {}).get("name", "")
        return _normal(str(name)) == _normal(distribution)

    def spec_files(self) -> tuple[Path, ...]:
        """Every spec, sorted by its path below the root."""
        folder = self.specs_dir
        found = (path for path in folder.rglob("*") if is_spec(path.relative_to(folder)))
        return tuple(sorted(found, key=lambda path: path.relative_to(self.root).as_posix()))

    def relative(self, path: Path) -> str:
        """`path` below the root, with `/` between folders."""
        if not path.is_relative_to(self.root):
            return path.resolve().relative_to(self.root.resolve()).as_posix()
        return path.relative_to(self.root).as_posix()


def is_spec(path: PurePath) -> bool:
    """Whether a path below a folder of specs is one of a spec; editors and systems hide others."""
    return path.suffix in _ENDINGS and not any(part.startswith(".") for part in path.parts)


def find_project(start: Path | None = None) -> Project:
    """The project of the nearest `pyproject.toml` with a `[tool.cardwright]` table.

    Raises `ProjectError` when there is none, or when its table cannot be used.
    """
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        file = folder / "pyproject.toml"
        if file.is_file() and (table := _table(file)) is not None:
            return project_from(table, folder)
    message = f"no [tool.cardwright] in a pyproject.toml of {here} or above: run `cardwright init`"
    raise ProjectError(message)


def project_from(table: dict[str, object], root: Path) -> Project:
    """The project that a `[tool.cardwright]` table describes; raises `ProjectError`."""
    values = {key.replace("-", "_"): value_of(key, table[key]) for key in table}
    project = Project(root=root, **values)  # type: ignore[arg-type]  # value_of checked each by its key
    check_together(project)
    return project


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _table(file: Path) -> dict[str, object] | None:
    try:
        content: dict[str, object] = tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:  # no TOML, or no UTF-8
        message = f"{file}: {error}"
        raise ProjectError(message) from error
    tool = content.get("tool")
    table = cast("dict[str, object]", tool).get("cardwright") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        message = f"{file}: [tool.cardwright] must be a table"
        raise ProjectError(message)
    return cast("dict[str, object] | None", table)

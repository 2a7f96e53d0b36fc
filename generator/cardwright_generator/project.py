"""Which files a project's specs, generated code and handwritten code live in."""

import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import cast

MANIFEST = ".cardwright.json"
PENDING = ".cardwright.pending.json"
STAGING = ".cardwright-staging"


class ProjectError(ValueError):
    """The project's configuration cannot be used; the text says what to change."""


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

    def spec_files(self) -> tuple[Path, ...]:
        """Every spec, sorted by its path below the root."""
        found = (path for ending in ("*.yaml", "*.yml") for path in self.specs_dir.rglob(ending))
        return tuple(sorted(found, key=lambda path: path.relative_to(self.root).as_posix()))

    def relative(self, path: Path) -> str:
        """`path` below the root, with `/` between folders."""
        if not path.is_relative_to(self.root):
            return path.resolve().relative_to(self.root.resolve()).as_posix()
        return path.relative_to(self.root).as_posix()


_KEYS = {
    "specs": str,
    "output": str,
    "package": str,
    "tests": str,
    "logic": tuple,
    "python-modules": tuple,
    "catalogues": tuple,
}


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
    values = {key.replace("-", "_"): _value(key, table[key]) for key in table}
    project = Project(root=root, **values)  # type: ignore[arg-type]  # _value checked each by its key
    if not project.package.isidentifier():
        message = f"[tool.cardwright] package: {project.package!r} is no Python package name"
        raise ProjectError(message)
    return project


def _table(file: Path) -> dict[str, object] | None:
    try:
        content: dict[str, object] = tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        message = f"{file}: {error}"
        raise ProjectError(message) from error
    tool = content.get("tool")
    table = cast("dict[str, object]", tool).get("cardwright") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        message = f"{file}: [tool.cardwright] must be a table"
        raise ProjectError(message)
    return cast("dict[str, object] | None", table)


def _value(key: str, value: object) -> str | tuple[str, ...]:
    kind = _KEYS.get(key)
    if kind is None:
        close = get_close_matches(key, _KEYS, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"known keys: {', '.join(_KEYS)}"
        message = f"[tool.cardwright] has no key {key!r}; {hint}"
        raise ProjectError(message)
    if kind is str:
        return _folder(key, value)
    entries = [value] if isinstance(value, str) else value
    if not _is_strings(entries):
        message = f"[tool.cardwright] {key}: give a list of strings"
        raise ProjectError(message)
    return tuple(cast("list[str]", entries))


def _is_strings(value: object) -> bool:
    if not isinstance(value, list):
        return False
    return all(isinstance(entry, str) for entry in cast("list[object]", value))


def _folder(key: str, value: object) -> str:
    if not isinstance(value, str) or not value:
        message = f"[tool.cardwright] {key}: give a string"
        raise ProjectError(message)
    if Path(value).is_absolute() or ".." in Path(value).parts:
        message = f"[tool.cardwright] {key}: {value!r} must lie below the pyproject.toml"
        raise ProjectError(message)
    return Path(value).as_posix()

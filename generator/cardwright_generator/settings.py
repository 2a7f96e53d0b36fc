"""What `[tool.cardwright]` may say: each value by itself, and all of them together."""

import keyword
import sys
from difflib import get_close_matches
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from cardwright_generator.project import Project
    from cardwright_generator.waivers import Waiver

_KEYS = {
    "specs": str,
    "output": str,
    "package": str,
    "tests": str,
    "logic": tuple,
    "python-modules": tuple,
    "catalogues": tuple,
    "waivers": list,
}
_RESERVED = frozenset({"cardwright", "cardwright_generator"})


class ProjectError(ValueError):
    """The project cannot be used as it is; the text says what to change."""


def wrong(key: str, problem: str) -> ProjectError:
    """The error for one key of the table."""
    return ProjectError(f"[tool.cardwright] {key}: {problem}")


def value_of(key: str, value: object) -> "str | tuple[str, ...] | tuple[Waiver, ...]":
    """The value of one key, folders normalised; raises `ProjectError`."""
    kind = _KEYS.get(key)
    if kind is None:
        close = get_close_matches(key, _KEYS, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"known keys: {', '.join(_KEYS)}"
        message = f"[tool.cardwright] has no key {key!r}; {hint}"
        raise ProjectError(message)
    if kind is str:
        return _folder(key, value)
    if kind is list:
        return _waivers(key, value)
    entries = [value] if isinstance(value, str) else value
    if not _is_strings(entries):
        raise wrong(key, "give a list of strings")
    check = _folder if key == "logic" else _module
    return tuple(check(key, entry) for entry in cast("list[str]", entries))


def _waivers(key: str, value: object) -> "tuple[Waiver, ...]":
    from cardwright_generator.waivers import waivers_of

    try:
        return waivers_of(value)
    except ValueError as error:
        raise wrong(key, str(error)) from error


def _is_strings(value: object) -> bool:
    if not isinstance(value, list):
        return False
    return all(isinstance(entry, str) for entry in cast("list[object]", value))


def _folder(key: str, value: object) -> str:
    if not isinstance(value, str) or not value:
        raise wrong(key, "give a string")
    if not value.isprintable() or "\\" in value:
        raise wrong(key, f"{value!r} holds a backslash or a character that cannot be printed")
    if Path(value).is_absolute() or ".." in Path(value).parts:
        raise wrong(key, f"{value!r} must lie below the pyproject.toml")
    return Path(value).as_posix()


def _module(key: str, value: str) -> str:
    if not all(_is_name(part) for part in value.split(".")):
        raise wrong(key, f"{value!r} is no Python package name")
    return value


def _is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text)


def check_together(project: "Project") -> None:
    """Refuse settings by which generated files would meet specs or code; raises `ProjectError`."""
    _check_package(project)
    if _touch(project.specs, project.output):
        raise wrong(
            "output", f"{project.output!r} and the specs in {project.specs!r} must be apart"
        )
    if _touch(project.specs, project.tests):
        raise wrong("tests", f"{project.tests!r} and the specs in {project.specs!r} must be apart")
    for root in project.logic:
        if _holds(project.tests, root):
            raise wrong("tests", f"{project.tests!r} would hold the handwritten code of {root!r}")
        if _holds(project.package_path, root):
            raise wrong("logic", f"{root!r} lies in the generated package")


def _check_package(project: "Project") -> None:
    name = project.package
    if not _is_name(name):
        raise wrong("package", f"{name!r} is no Python package name")
    if name in sys.stdlib_module_names or name in _RESERVED:
        raise wrong("package", f"{name!r} would hide the module of that name: choose another")
    if (owner := _owner(name, project)) is not None:
        raise wrong("package", f"{name!r} would hide the one of {owner}: choose another")


def _owner(package: str, project: "Project") -> str | None:
    """The installed distribution, other than the project's own, that has this package."""
    if not any(_is_in(Path(entry), package) for entry in sys.path):
        return None
    # Costs more than a whole run without work, hence only when there is something to ask about.
    from importlib.metadata import packages_distributions

    owners = packages_distributions().get(package, [])
    return next((owner for owner in owners if not project.is_called(owner)), None)


def _is_in(folder: Path, package: str) -> bool:
    if folder.name not in ("site-packages", "dist-packages"):
        return False
    return (folder / package).is_dir() or (folder / f"{package}.py").is_file()


def _touch(one: str, other: str) -> bool:
    return _holds(one, other) or _holds(other, one)


def _holds(outer: str, inner: str) -> bool:
    return PurePosixPath(inner).is_relative_to(outer)

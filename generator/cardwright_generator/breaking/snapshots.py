"""What a version of a project's specs holds, before anything of it is parsed."""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha1
from pathlib import Path, PurePath
from typing import cast

from cardwright_generator.project import (
    Project,
    ProjectError,
    find_project,
    is_spec,
    project_from,
)
from cardwright_generator.unchanged import read_specs

from .git_objects import GitTree, git_tree, is_reference


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The spec files of one version: what tells them apart is known, content is read on demand."""

    name: str
    """How messages call the version."""
    project: Project
    """Its settings; the root is where today's project is."""
    digests: Mapping[str, str]
    """Path below the project -> git's id of the content."""
    reader: Callable[[Iterable[str]], dict[str, bytes]] = field(compare=False)

    def read(self, paths: Iterable[str]) -> dict[str, bytes]:
        """The content of some of the files."""
        return self.reader(paths)


def present(project: Project) -> Snapshot:
    """The project as it lies there; raises `ProjectError` for a spec that is no file."""
    return _of_content("the project as it is", project, read_specs(project))


def base(project: Project, against: str) -> Snapshot:
    """The version to compare with: a folder or, if there is none, a git reference.

    Raises:
        ProjectError: It is neither, or nothing but the project itself; the text says so.
    """
    if not against.strip():
        message = "nothing to compare with is named: give a commit, branch, tag or folder"
        raise ProjectError(message)
    folder = Path(against)
    if not folder.is_dir():
        return _of_tree(project, against, git_tree(project.root, against))
    if is_reference(project.root, against):
        message = (
            f"{against!r} is a folder and a reference of git: write './{against}' for the folder,"
            f" 'refs/heads/{against}' or 'refs/tags/{against}' for the other"
        )
        raise ProjectError(message)
    return _of_folder(project, folder)


def _of_folder(project: Project, folder: Path) -> Snapshot:
    """A copy of a project, or a folder that holds nothing but specs."""
    _refuse_itself(project, folder)
    if (folder / "pyproject.toml").is_file():
        there = find_project(folder)
        content = read_specs(there)
        settings = there
    else:
        paths = sorted(path.relative_to(folder) for path in folder.rglob("*"))
        content = {
            f"{project.specs}/{path.as_posix()}": (folder / path).read_bytes()
            for path in paths
            if is_spec(path)
        }
        settings = project
    if not content:
        message = f"the folder {folder} holds no specs, neither itself nor by a pyproject.toml"
        raise ProjectError(message)
    return _of_content(str(folder), settings, content)


def _refuse_itself(project: Project, folder: Path) -> None:
    """What is compared with itself never changed, which would hide everything."""
    itself = {project.root.resolve(), project.specs_dir.resolve()}
    there = find_project(folder).root if (folder / "pyproject.toml").is_file() else folder
    if {folder.resolve(), there.resolve()} & itself:
        message = (
            f"the folder {folder} is the project itself: give an older copy, or a commit of git"
        )
        raise ProjectError(message)


def _of_content(name: str, project: Project, content: Mapping[str, bytes]) -> Snapshot:
    digests = {path: _git_id(data) for path, data in content.items()}
    return Snapshot(name, project, digests, lambda paths: {path: content[path] for path in paths})


def _git_id(content: bytes) -> str:
    """The id that git gives a file's content, line ends made those of a repository."""
    plain = content.replace(b"\r\n", b"\n")
    return sha1(b"blob %d\0" % len(plain) + plain, usedforsecurity=False).hexdigest()


def _of_tree(project: Project, against: str, tree: GitTree) -> Snapshot:
    settings = _settings(project, tree.file("pyproject.toml"))
    found = tree.blobs(settings.specs)
    below = f"{settings.specs}/"
    blobs = {path: b for path, b in found.items() if is_spec(PurePath(path.removeprefix(below)))}

    def read(paths: Iterable[str]) -> dict[str, bytes]:
        return tree.read({path: blobs[path] for path in paths})

    return Snapshot(against, settings, blobs, read)


def _settings(project: Project, pyproject: bytes | None) -> Project:
    """The settings of that version; today's where it had none that can be used."""
    try:
        content: dict[str, object] = tomllib.loads((pyproject or b"").decode())
        tool = cast("dict[str, dict[str, object]]", content.get("tool", {}))
        return project_from(tool["cardwright"], project.root)
    except (KeyError, TypeError, ValueError):  # ProjectError and TOMLDecodeError are ValueErrors
        return project

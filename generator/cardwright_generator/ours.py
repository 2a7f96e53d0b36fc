"""Which files a project can have generated, and whether the way to them is its own."""

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from cardwright_generator.project import SCHEMA, Project, ProjectError


def is_ours(path: str, project: Project) -> bool:
    """Whether a run may ever write or delete `path`, whoever says that it did."""
    parts = path.split("/")
    if not path.isprintable() or "\\" in path or any(part in ("", ".", "..") for part in parts):
        return False
    place = PurePosixPath(path)
    if place.is_absolute() or ":" in parts[0]:
        return False
    if path == f"{project.output}/{SCHEMA}":
        return True
    tops = (project.package_path, project.tests)
    return any(_within(place, top) for top in tops) or _was_ours(place, project)


def _was_ours(place: PurePosixPath, project: Project) -> bool:
    """Whether a package of another name can have been there: the output holds no other code."""
    if not _within(place, project.output) or any(
        PurePosixPath(root).is_relative_to(project.output) for root in project.logic
    ):
        return False
    return not any(part.startswith(".") for part in place.relative_to(project.output).parts)


def _within(place: PurePosixPath, top: str) -> bool:
    return place.is_relative_to(top) and place != PurePosixPath(top)


def check_way(project: Project, paths: Iterable[str]) -> None:
    """Raise `ProjectError` when a file cannot be put in its place, or not without leaving it."""
    folders = set[PurePosixPath]()
    for path in paths:
        place = PurePosixPath(path)
        folders.update(place.parents)
        if (there := project.root / path).exists() and not there.is_file():
            message = f"{path} is no file, and a generated one must go there: move it away"
            raise ProjectError(message)
    for folder in sorted(folders - {PurePosixPath()}):
        _check_folder(project.root / folder, folder.as_posix())


def _check_folder(folder: Path, name: str) -> None:
    if folder.is_symlink():
        message = (
            f"{name} is a symbolic link, and generated files are not written through links: "
            "put a folder in its place"
        )
        raise ProjectError(message)
    if folder.exists() and not folder.is_dir():
        message = f"{name} is no folder, and generated files must go there: move it away"
        raise ProjectError(message)

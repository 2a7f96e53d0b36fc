"""The one place that changes files: brings a generated tree to what a build says.

Everything is staged first, so that a run that dies before the end leaves the old tree whole. Only
then are files moved into place, one atomic replacement after another; the manifest of what
they are going to be lies beside them meanwhile, and lets the next run finish the job.
"""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cardwright_generator.build import Build
from cardwright_generator.manifest import Manifest
from cardwright_generator.project import Project
from cardwright_generator.system import one_line
from cardwright_generator.tree import Tree, survey


@dataclass(frozen=True, slots=True)
class Report:
    """What a run did, or refused to do."""

    written: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    unchanged: int = 0
    kept_edits: tuple[str, ...] = ()
    """Where edited text was put before it was overwritten."""
    edited: tuple[str, ...] = ()
    """Hand-edited files: nothing was written because of them."""
    foreign: tuple[str, ...] = ()
    """Files that are not ours where ours must go: nothing was written because of them."""
    diffs: Mapping[str, str] = field(default_factory=dict[str, str])
    """Hand-edited file -> unified diff from what was generated to what is there."""

    strays: tuple[str, ...] = ()
    """Files that the manifest named though they cannot be ours: left alone."""

    @property
    def refused(self) -> bool:
        """Whether nothing was written."""
        return bool(self.edited or self.foreign)


def reconcile(project: Project, build: Build, *, force: bool = False) -> Report:
    """Write what changed, delete what is stale, and record it.

    Hand-edited files and files of others stop the run before anything is written. With `force`
    they are overwritten, their text kept beside them as `<name>.orig`.

    Call it within `lock.exclusive`, on a build that has not failed.

    Raises:
        ProjectError: The system refuses a file, or something is in its way; the text names it.
    """
    with one_line(project):
        tree = survey(project, build)
        if tree.blocked and not force:
            return Report(edited=tree.edited, foreign=tree.foreign, diffs=tree.diffs())
        return _write_out(project, build, tree)


def _write_out(project: Project, build: Build, tree: Tree) -> Report:
    kept = tuple(_keep(project.root / path) for path in (*tree.edited, *tree.foreign))
    _stage(project, tree)
    _commit(project, tree, build.manifest)
    return Report(
        written=tree.changed,
        deleted=tree.stale,
        unchanged=len(build.manifest.files) - len(tree.changed),
        kept_edits=tuple(project.relative(path) for path in kept),
        strays=tree.recorded.strays,
    )


def _keep(path: Path) -> Path:
    """Copy a file beside itself under a name that is free."""
    target, number = path.with_name(f"{path.name}.orig"), 1
    while target.is_symlink() or target.exists():
        number += 1
        target = path.with_name(f"{path.name}.orig{number}")
    shutil.copyfile(path, target)
    return target


def _stage(project: Project, tree: Tree) -> None:
    """Write every new text into the staging folder."""
    shutil.rmtree(project.staging, ignore_errors=True)
    try:
        for path in tree.changed:
            _write(project.staging / path, tree.texts[path])
    except OSError:
        shutil.rmtree(project.staging, ignore_errors=True)
        raise


def _commit(project: Project, tree: Tree, manifest: Manifest) -> None:
    """Move the staged files into place, delete stale ones, record the result."""
    if not tree.changed and not tree.stale and tree.recorded == manifest:
        project.pending.unlink(missing_ok=True)
        return
    if project.pending.exists():
        # What an earlier, interrupted run put in place must stay known as ours.
        _replace(project.manifest, tree.recorded.dump())
    _replace(project.pending, manifest.dump())
    for path in tree.changed:
        target = project.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        (project.staging / path).replace(target)
    for path in tree.stale:
        _delete(project.root / path, project.root)
    _replace(project.manifest, manifest.dump())
    project.pending.unlink()
    shutil.rmtree(project.staging, ignore_errors=True)


def _replace(path: Path, text: str) -> None:
    """Write a file so that it is either the old or the new one."""
    beside = path.with_name(f"{path.name}.new")
    beside.unlink(missing_ok=True)  # it may be a link to somewhere else
    _write(beside, text)
    beside.replace(path)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def _delete(path: Path, root: Path) -> None:
    """Delete a file and the folders that are empty then, caches of Python aside."""
    path.unlink(missing_ok=True)
    folder = path.parent
    while folder != root and _is_empty(folder):
        shutil.rmtree(folder)
        folder = folder.parent


def _is_empty(folder: Path) -> bool:
    return folder.is_dir() and all(entry.name == "__pycache__" for entry in folder.iterdir())

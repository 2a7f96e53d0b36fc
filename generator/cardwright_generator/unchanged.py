"""Answers for a project in which nothing changed, from its manifest alone.

Only the standard library is imported here: this is what a run without work costs.
"""

from pathlib import Path

from cardwright_generator.digests import generator_digest, settings_digest, text_digest
from cardwright_generator.manifest import Manifest
from cardwright_generator.project import Project, ProjectError, find_project
from cardwright_generator.system import one_line

_HOSTILE = frozenset('<>:"|?*\\')
"""What Windows refuses in names."""


def unchanged_files(start: Path | None = None) -> int | None:
    """The number of generated files, if generating had nothing to write or to say; else `None`."""
    from cardwright_generator.tree import foreign_files  # which asks this module

    try:
        project = find_project(start)
        with one_line(project):
            manifest = Manifest.load(project.manifest, project)
        same = is_unchanged(project, manifest) and not any(foreign_files(project, manifest))
    except ProjectError:
        return None  # the long way round says what is wrong
    return len(manifest.files) if same else None


def is_unchanged(project: Project, manifest: Manifest) -> bool:
    """Whether generator, settings, specs and every generated file are as the manifest says."""
    with one_line(project):
        return _is_unchanged(project, manifest)


def _is_unchanged(project: Project, manifest: Manifest) -> bool:
    return (
        bool(manifest.sources)
        and not manifest.strays
        and not project.pending.exists()
        and manifest.generator == generator_digest()
        and manifest.settings == settings_digest(project)
        and {path: source.digest for path, source in manifest.sources.items()}
        == spec_digests(project)
        and all(file_digest(project.root / path) == known for path, known in manifest.files.items())
    )


def last_manifest(project: Project) -> Manifest:
    """The manifest, with what an interrupted run had already put in place accounted for."""
    with one_line(project):
        return _last_manifest(project)


def _last_manifest(project: Project) -> Manifest:
    recorded = Manifest.load(project.manifest, project)
    if not project.pending.exists():
        return recorded
    pending = Manifest.load(project.pending, project)
    placed = {
        path: known
        for path, known in pending.files.items()
        if file_digest(project.root / path) == known
    }
    # Without a generator's digest nothing counts as up to date, so the next build redoes it all.
    return Manifest(
        sources=recorded.sources,
        files={**recorded.files, **placed},
        strays=tuple(sorted({*recorded.strays, *pending.strays})),
    )


def spec_digests(project: Project) -> dict[str, str]:
    """Path below the root -> digest, of every spec."""
    return {path: text_digest(content) for path, content in read_specs(project).items()}


def read_specs(project: Project) -> dict[str, bytes]:
    """Path below the root -> content, of every spec; raises `ProjectError` for an unfit path."""
    found = dict[str, bytes]()
    for path in project.spec_files():
        name = project.relative(path)
        if reason := _unfit(path, name, project):
            raise ProjectError(reason)
        found[name] = path.read_bytes()
    return found


def _unfit(path: Path, name: str, project: Project) -> str | None:
    """Why a spec cannot be one because of what or where it is: its path stands in emitted code."""
    if not name.isprintable() or not _HOSTILE.isdisjoint(name):
        return f"{name!r} holds a character that not every system has in names: rename it"
    if not path.is_file():
        return f"{name} is no file, and a spec must be one: move it away"
    if path.is_symlink() and not path.resolve().is_relative_to(project.root.resolve()):
        return f"{name} is a link out of the project: put the file itself in its place"
    return None


def file_digest(path: Path) -> str | None:
    """The digest of a file, whatever its line endings; `None` when there is none."""
    return text_digest(path.read_bytes()) if path.is_file() else None

"""Answers for a project in which nothing changed, from its manifest alone.

Only the standard library is imported here: this is what a run without work costs.
"""

from pathlib import Path

from cardwright_generator.digests import digest, generator_digest, settings_digest, text_digest
from cardwright_generator.manifest import Manifest
from cardwright_generator.project import Project, ProjectError, find_project


def unchanged_files(start: Path | None = None) -> int | None:
    """The number of generated files, if generating had nothing to write or to say; else `None`."""
    from cardwright_generator.tree import foreign_files  # which asks this module

    try:
        project = find_project(start)
    except ProjectError:
        return None
    manifest = Manifest.load(project.manifest)
    if not is_unchanged(project, manifest) or any(foreign_files(project, manifest)):
        return None
    return len(manifest.files)


def is_unchanged(project: Project, manifest: Manifest) -> bool:
    """Whether generator, settings, specs and every generated file are as the manifest says."""
    return (
        bool(manifest.sources)
        and not project.pending.exists()
        and manifest.generator == generator_digest()
        and manifest.settings == settings_digest(project)
        and {path: source.digest for path, source in manifest.sources.items()}
        == spec_digests(project)
        and all(file_digest(project.root / path) == known for path, known in manifest.files.items())
    )


def last_manifest(project: Project) -> Manifest:
    """The manifest, with what an interrupted run had already put in place accounted for."""
    recorded = Manifest.load(project.manifest)
    if not project.pending.exists():
        return recorded
    pending = Manifest.load(project.pending)
    placed = {
        path: known
        for path, known in pending.files.items()
        if file_digest(project.root / path) == known
    }
    # Without a generator's digest nothing counts as up to date, so the next build redoes it all.
    return Manifest(sources=recorded.sources, files={**recorded.files, **placed})


def spec_digests(project: Project) -> dict[str, str]:
    """Path below the root -> digest, of every spec."""
    return {project.relative(path): text_digest(path.read_bytes()) for path in project.spec_files()}


def file_digest(path: Path) -> str | None:
    """The digest of a file; `None` when there is none."""
    try:
        return digest(path.read_bytes())
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return None

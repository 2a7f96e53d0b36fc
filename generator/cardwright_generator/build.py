"""From the files of a project to what its generated tree should be, redoing only what changed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright_generator.digests import generator_digest, settings_digest, text_digest
from cardwright_generator.manifest import Manifest
from cardwright_generator.project import Project
from cardwright_generator.system import one_line
from cardwright_generator.unchanged import file_digest, last_manifest, read_specs

if TYPE_CHECKING:
    from cardwright_generator.spec import Diagnostic


@dataclass(frozen=True, slots=True)
class Build:
    """The tree as it should be; nothing has been written yet."""

    files: Mapping[str, str]
    """Path below the root -> text, of the files that were made anew."""
    manifest: Manifest
    """All files, the kept ones too."""
    diagnostics: "tuple[Diagnostic, ...]" = ()
    sources: Mapping[str, str] | None = None
    """Text of the specs that were read, for excerpts."""

    @property
    def failed(self) -> bool:
        """Whether a spec is wrong, so that nothing may be written."""
        return any(found.severity == "error" for found in self.diagnostics)


def build(project: Project, only: Iterable[str] | None = None) -> Build:
    """What the project's specs become.

    Args:
        project: The project to read.
        only: Paths of the specs to redo, below the root; all that changed when left out.

    Raises:
        ProjectError: A file cannot be read; the text names it.
    """
    with one_line(project):
        return _build(project, only)


def _build(project: Project, only: Iterable[str] | None) -> Build:
    known = last_manifest(project)
    content = read_specs(project)
    redo = (
        changed_specs(project, known, content)
        if only is None
        else _chosen(project, known, content, only)
    )
    kept = {
        path: source
        for path, source in known.sources.items()
        if path in content and path not in redo
    }
    if (
        only is None
        and not project.pending.exists()
        and kept.keys() == content.keys() == known.sources.keys()
        and _shared_intact(project, known)
    ):
        return Build({}, known)
    from cardwright_generator.assembly import Assembly, legible  # loads everything that emits

    if not legible(kept.values()):
        return Assembly(project, known, content, frozenset(content), {}).build()
    read = content if only is None else {path: content[path] for path in redo | kept.keys()}
    found = Assembly(project, known, read, redo, kept).build()
    if found.failed and kept:
        # A message may depend on specs that were not read: read them all for the exact ones.
        return Assembly(project, known, content, frozenset(content), {}).build()
    return found


def changed_specs(
    project: Project, known: Manifest, content: Mapping[str, bytes]
) -> frozenset[str]:
    """Specs whose output is not what is on disk."""
    if _outdated(project, known):
        return frozenset(content)
    digests = {path: text_digest(raw) for path, raw in content.items()}
    touched = {
        path
        for path in content
        if path not in known.sources or known.sources[path].digest != digests[path]
    }
    touched |= known.sources.keys() - content.keys()
    users = {path for path, source in known.sources.items() if touched & set(source.uses)}
    damaged = {
        path for path, source in known.sources.items() if not _intact(project, known, source.files)
    }
    return frozenset((touched | users | damaged) & content.keys())


def _chosen(
    project: Project, known: Manifest, content: Mapping[str, bytes], only: Iterable[str]
) -> frozenset[str]:
    """The named specs, and those that use types of theirs; all after a change of the generator."""
    if _outdated(project, known):
        return frozenset(content)
    chosen = frozenset(only)
    users = {path for path, source in known.sources.items() if chosen & set(source.uses)}
    return frozenset((chosen | users) & content.keys())


def _outdated(project: Project, known: Manifest) -> bool:
    made_by = (known.generator, known.settings)
    return bool(known.strays) or made_by != (generator_digest(), settings_digest(project))


def _shared_intact(project: Project, known: Manifest) -> bool:
    return not _outdated(project, known) and _intact(project, known, known.files)


def _intact(project: Project, known: Manifest, paths: Iterable[str]) -> bool:
    return all(file_digest(project.root / path) == known.files.get(path) for path in paths)


def file_digests(files: Mapping[str, str]) -> dict[str, str]:
    """Path -> digest of the text that will be written."""
    return {path: text_digest(text.encode()) for path, text in files.items()}

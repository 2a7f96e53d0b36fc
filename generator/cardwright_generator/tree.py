"""A generated tree as it is, against what it should be."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from cardwright_generator.build import Build
from cardwright_generator.manifest import Manifest
from cardwright_generator.ours import check_way
from cardwright_generator.project import MANIFEST, PENDING, STAGING, Project
from cardwright_generator.unchanged import file_digest, last_manifest

_OURS = frozenset({MANIFEST, PENDING, f"{MANIFEST}.new", f"{PENDING}.new"})


@dataclass(frozen=True, slots=True)
class Tree:
    """What must happen to each file, nothing done yet."""

    root: Path
    recorded: Manifest
    texts: Mapping[str, str]
    changed: tuple[str, ...]
    """To be written."""
    stale: tuple[str, ...]
    """Ours, and no longer wanted."""
    edited: tuple[str, ...]
    """Ours, wanted or stale, and neither as recorded nor as they should be."""
    foreign: tuple[str, ...]
    """Not ours, and in the way."""

    @property
    def blocked(self) -> bool:
        """Whether writing would lose somebody's text."""
        return bool(self.edited or self.foreign)

    def diffs(self) -> dict[str, str]:
        """For each edited file the way from what the specs say to what is there."""
        return self._diffs(self.edited)

    def all_diffs(self) -> dict[str, str]:
        """The same for every file that is there and is to be written."""
        return self._diffs(path for path in self.changed if (self.root / path).exists())

    def _diffs(self, paths: Iterable[str]) -> dict[str, str]:
        return {path: diff(self.root / path, path, self.texts.get(path, "")) for path in paths}


def survey(project: Project, build: Build) -> Tree:
    """Compare the disk with a build; raises `ProjectError` where files cannot go."""
    recorded = last_manifest(project)
    wanted, owned = build.manifest.files, recorded.files
    disk = {path: file_digest(project.root / path) for path in {**owned, **wanted}}
    changed = [
        path for path in sorted(wanted) if disk[path] != wanted[path] and path in build.files
    ]
    stale = [path for path in sorted(owned) if path not in wanted and disk[path] is not None]
    touched = [*(path for path in changed if disk[path] is not None), *stale]
    strange = [path for path in touched if disk[path] != recorded.files.get(path)]
    staging = project.relative(project.staging)
    check_way(project, [f"{staging}/x", *changed, *stale])
    return Tree(
        root=project.root,
        recorded=recorded,
        texts=build.files,
        changed=tuple(changed),
        stale=tuple(stale),
        edited=tuple(path for path in strange if path in owned),
        foreign=tuple(path for path in strange if path not in owned),
    )


def foreign_files(project: Project, manifest: Manifest) -> Iterator[str]:
    """Files in the generated folders that nothing recorded and that are nobody's cache."""
    own = {project.package_path, project.tests}
    for top in sorted(own):
        for path in sorted((project.root / top).rglob("*")):
            name = project.relative(path)
            if path.is_file() and name not in manifest.files and not _ignored(path):
                yield name


def _ignored(path: Path) -> bool:
    if path.name in _OURS or ".orig" in path.suffix:
        return True
    return any(part in ("__pycache__", STAGING) for part in path.parts) or path.suffix == ".pyc"


def diff(there: Path, name: str, wanted: str) -> str:
    """Unified diff from the generated text to the one on disk."""
    found = there.read_text(encoding="utf-8", errors="replace")
    lines = unified_diff(
        wanted.splitlines(keepends=True),
        found.splitlines(keepends=True),
        fromfile=f"{name} (generated)",
        tofile=f"{name} (on disk)",
    )
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)

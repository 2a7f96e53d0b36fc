"""Both versions, parsed and checked as far as they differ and as what differs reaches."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cardwright_generator.project import Project, ProjectError
from cardwright_generator.spec import headline
from cardwright_generator.spec.checking import check_file, neighbours
from cardwright_generator.spec.parsing import ParsedFile, parse_file
from cardwright_generator.spec.positions import Positions

from .sides import Side
from .snapshots import Snapshot, base, present

_REFERENCE = re.compile(rb"([A-Za-z0-9_.-]+\.ya?ml)#/types/")
"""Files that a spec names, found without parsing it."""
_CARD = re.compile(rb"^(?:\{\s*)?[\"']?card[\"']?\s*:", re.MULTILINE)
"""What makes a file that of a card."""
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Sides:
    """Two versions, as far as they must be compared."""

    old: Side
    new: Side
    against: str


@dataclass(frozen=True, slots=True)
class _Settings:
    """What checks may know of a version: no folders, because its modules may be gone."""

    python_modules: tuple[str, ...]


def load_sides(project: Project, against: str) -> Sides:
    """Read the project and what it is compared with: a git reference or a folder.

    Raises:
        ProjectError: The reference cannot be read, or a version holds specs that are wrong.
    """
    was, now = base(project, against), present(project)
    read = _to_read(was, now)
    installed = _installed(project, (*read[0].values(), *read[1].values()))
    old, new = (
        _side(snapshot, content, installed)
        for snapshot, content in zip((was, now), read, strict=True)
    )
    return Sides(old, new, against)


type Content = dict[str, bytes]


def _to_read(old: Snapshot, new: Snapshot) -> tuple[Content, Content]:
    """The files that changed, those that use one of them, and those that any of these use."""
    changed = {
        path
        for path in old.digests.keys() | new.digests.keys()
        if old.digests.get(path) != new.digests.get(path)
    }
    if not changed:
        return {}, {}
    contents = new.read(new.digests)
    uses = {path: _uses(path, data) for path, data in contents.items()}
    read_old = old.read(path for path in old.digests if path in changed)
    uses_old = uses | {path: _uses(path, data) for path, data in read_old.items()}
    needed = changed | {path for path in uses if (uses[path] | uses_old[path]) & changed}
    needed |= {one for path in needed for one in uses.get(path, set()) | uses_old.get(path, set())}
    # A type that left one file may have come to any other.
    needed |= {path for path in new.digests if _is_common(contents.get(path, b""))}
    more = old.read(path for path in old.digests if path in needed and path not in read_old)
    return read_old | more, {path: data for path, data in contents.items() if path in needed}


def _uses(path: str, data: bytes) -> set[str]:
    folder = path.rpartition("/")[0]
    return {f"{folder}/{name.decode()}" for name in _REFERENCE.findall(data)}


def _is_common(data: bytes) -> bool:
    return _CARD.search(data) is None


def _installed(project: Project, contents: Iterable[bytes]) -> tuple[ParsedFile, ...]:
    """The files of other catalogues, if a spec names one of their types."""
    if not any(re.search(rb"[A-Za-z0-9_]/[\w.-]+\.ya?ml#/types/", data) for data in contents):
        return ()
    from cardwright_generator.installed import installed_catalogues

    return installed_catalogues(project).files


def _side(
    snapshot: Snapshot, content: Mapping[str, bytes], installed: tuple[ParsedFile, ...]
) -> Side:
    parsed = [parse_file(path, content[path]) for path in sorted(content)]
    _refuse_faults(snapshot, parsed, installed)
    files = {file.path: file for file in (*installed, *parsed)}
    return Side(files, frozenset(file.path for file in parsed))


def _refuse_faults(
    snapshot: Snapshot, parsed: list[ParsedFile], installed: tuple[ParsedFile, ...]
) -> None:
    settings = _Settings(snapshot.project.python_modules)
    unread = [
        ParsedFile(path, "", Positions(), None)
        for path in snapshot.digests
        if path not in {file.path for file in parsed}
    ]
    around = neighbours([*parsed, *unread], settings, installed)
    found = [one for file in parsed for one in check_file(file, around) if one.severity == "error"]
    if found:
        listed = "\n  ".join(headline(one) for one in found[:_SHOWN])
        more = f"\n  and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        message = f"the specs of {snapshot.name} cannot be compared, they are wrong:\n  {listed}"
        raise ProjectError(f"{message}{more}")


def side_of(contents: Mapping[str, str | bytes]) -> Side:
    """A version given as text, path by path; it is taken as it is."""
    parsed = [parse_file(path, contents[path]) for path in sorted(contents)]
    return Side({file.path: file for file in parsed}, frozenset(contents))

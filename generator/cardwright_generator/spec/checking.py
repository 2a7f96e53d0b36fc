"""Checking: what is wrong with one file, given the others it may refer to."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from cardwright_generator.spec.checks import run_checks
from cardwright_generator.spec.diagnostics import Diagnostic
from cardwright_generator.spec.language import CardSpec, CommonSpec
from cardwright_generator.spec.parsing import ParsedFile
from cardwright_generator.spec.subject import Neighbours, Subject

_SHAPING = frozenset({"$ref", "anyOf", "enum", "items", "properties", "required", "type"})
"""Words of a schema without which the rest of it says something else."""

_ITEM = re.compile(r"(?:\[\d+\])+\Z")


class SpecProject(Protocol):
    """What checking needs to know of a project."""

    @property
    def python_modules(self) -> Sequence[str]:
        """Modules that `python:` may name beside the standard ones."""
        ...


@runtime_checkable
class WithSources(Protocol):
    """What a project tells of where its handwritten modules are."""

    @property
    def root(self) -> Path:
        """Folder of the project."""
        ...

    @property
    def logic(self) -> Sequence[str]:
        """Source roots below it."""
        ...


def neighbours(
    parsed: Iterable[ParsedFile],
    project: SpecProject | None = None,
    installed: Iterable[ParsedFile] = (),
) -> Neighbours:
    """Return what the checks of any of these files may look up, in installed catalogues too."""
    own = tuple(parsed)
    everything = (*own, *installed)
    return Neighbours(
        commons={
            one.path: one.spec.types for one in everything if isinstance(one.spec, CommonSpec)
        },
        cards=frozenset(one.path for one in everything if isinstance(one.spec, CardSpec)),
        modules=_by_module(one.path for one in own),
        python_modules=frozenset(project.python_modules if project else ()),
        roots=_roots(project),
    )


def _roots(project: object) -> tuple[Path, ...]:
    if not isinstance(project, WithSources):
        return ()
    return tuple(project.root / folder for folder in project.logic)


def _by_module(paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for path in sorted(paths):
        module = path.rpartition("/")[2].rpartition(".")[0]
        found[module] = (*found.get(module, ()), path)
    return found


def check_file(
    file: ParsedFile, others: Neighbours | Iterable[ParsedFile], project: SpecProject | None = None
) -> tuple[Diagnostic, ...]:
    """Return what is wrong with one file, beside what only several cards can show.

    `others` are the files it may refer to, or what `neighbours` made of them for many calls.
    """
    if file.spec is None:
        return file.faults
    around = others if isinstance(others, Neighbours) else neighbours(others, project)
    card = file.spec if isinstance(file.spec, CardSpec) else None
    subject = Subject(file.path, file.spec.types, card, around)
    found = tuple(run_checks(subject, file.positions))
    empty = [one for one in found if one.code == "CW206"]
    return (
        *file.faults,
        *(one for one in found if one in empty or not _follows(one, [*file.faults, *empty])),
    )


def _follows(found: Diagnostic, faults: Iterable[Diagnostic]) -> bool:
    """Whether a finding only repeats a fault of form: it is about the same part of the file."""
    return any(
        _repeats(found.path, fault) or _unlisted(found, fault) for fault in faults if fault.path
    )


def _unlisted(found: Diagnostic, fault: Diagnostic) -> bool:
    """Whether a failure belongs to no capability because the list of one cannot be read."""
    return found.code == "CW623" and fault.path.startswith("capabilities")


def _repeats(path: str, fault: Diagnostic) -> bool:
    part = _ITEM.sub("", fault.path)
    holder, _, key = part.rpartition(".")
    if path == part or path.startswith((f"{part}.", f"{part}[")):
        return True
    # Where a key is missing, unknown or unusable, its absence is no second fault.
    inside = key in _SHAPING and path.startswith((f"{holder}.", f"{holder}["))
    return fault.code.startswith("CW2") and (path == holder or inside)

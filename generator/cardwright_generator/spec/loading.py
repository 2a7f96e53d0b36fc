"""Loading: spec files in, catalogue and diagnostics out; a bad spec never raises."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, cast

from cardwright_generator.spec.catalogue import Catalogue, LoadedCard, LoadedCommon
from cardwright_generator.spec.checks import run_checks
from cardwright_generator.spec.cross import cross_check, facts_of
from cardwright_generator.spec.diagnostics import Diagnostic, in_order
from cardwright_generator.spec.facts import CardFacts
from cardwright_generator.spec.language import CardSpec, CommonSpec, TypeSpec
from cardwright_generator.spec.parsing import ParsedFile, parse_file
from cardwright_generator.spec.subject import Subject

type SpecFiles = Mapping[str, str | bytes] | Iterable[Path]


class SpecProject(Protocol):
    """What checking needs to know of a project."""

    @property
    def python_modules(self) -> Sequence[str]:
        """Modules that `python:` may name beside the standard ones."""
        ...


@dataclass(frozen=True, slots=True)
class Neighbours:
    """What the checks of one file may look up in the others."""

    commons: Mapping[str, Mapping[str, TypeSpec]] = field(
        default_factory=dict[str, Mapping[str, TypeSpec]]
    )
    """Types of the files of shared types, by path."""
    cards: frozenset[str] = frozenset()
    """Paths of the cards."""
    python_modules: frozenset[str] = frozenset()


def load_specs(
    files: SpecFiles, project: SpecProject | None = None, installed: Iterable[CardFacts] = ()
) -> Catalogue:
    """Load and check the specs of a project.

    `files` maps paths, as messages shall show them, to content; or gives the paths to read.
    `installed` are the facts of cards of other catalogues. All that is wrong is in `diagnostics`;
    only reading a path may raise `OSError`.
    """
    content = (
        # A mapping of paths is not meant, though it, too, could be iterated over.
        cast("Mapping[str, str | bytes]", files)
        if isinstance(files, Mapping)
        else read_files(files)
    )
    parsed = [parse_file(path, content[path]) for path in sorted(content)]
    around = neighbours(parsed, project)
    diagnostics = [found for file in parsed for found in check_file(file, around)]
    facts = [facts_of(file) for file in parsed if isinstance(file.spec, CardSpec)]
    diagnostics += cross_check(facts, installed)
    return Catalogue(tuple(_cards(parsed)), tuple(_commons(parsed)), in_order(diagnostics))


def read_files(paths: Iterable[Path]) -> dict[str, bytes]:
    """Read files, keyed by their paths with `/`."""
    return {path.as_posix(): path.read_bytes() for path in paths}


def neighbours(parsed: Iterable[ParsedFile], project: SpecProject | None = None) -> Neighbours:
    """Return what the checks of any of these files may look up."""
    files = tuple(parsed)
    return Neighbours(
        commons={one.path: one.spec.types for one in _commons(files)},
        cards=frozenset(one.path for one in files if isinstance(one.spec, CardSpec)),
        python_modules=frozenset(project.python_modules if project else ()),
    )


def check_file(
    file: ParsedFile, others: Neighbours | Iterable[ParsedFile], project: SpecProject | None = None
) -> tuple[Diagnostic, ...]:
    """Return what is wrong with one file, beside what only several cards can show.

    `others` are the files it may refer to, or what `neighbours` made of them for many calls.
    """
    if file.spec is None:
        return file.faults
    around = others if isinstance(others, Neighbours) else neighbours(others, project)
    subject = Subject(
        file=file.path,
        types=file.spec.types,
        card=file.spec if isinstance(file.spec, CardSpec) else None,
        commons=around.commons,
        cards=around.cards,
        python_modules=around.python_modules,
    )
    found = run_checks(subject, file.positions)
    return (*file.faults, *(one for one in found if not _follows(one, file.faults)))


def _follows(found: Diagnostic, faults: Iterable[Diagnostic]) -> bool:
    """Whether a finding only repeats a fault of form: it is about the same part of the file."""
    return any(_repeats(found.path, fault) for fault in faults if fault.path)


def _repeats(path: str, fault: Diagnostic) -> bool:
    # Where a key is missing, unknown or unusable, its absence is no second fault.
    if fault.code.startswith("CW2") and path == fault.path.rpartition(".")[0]:
        return True
    return path == fault.path or path.startswith((f"{fault.path}.", f"{fault.path}["))


def _cards(parsed: Iterable[ParsedFile]) -> Iterator[LoadedCard]:
    for file in parsed:
        if isinstance(file.spec, CardSpec) and not file.faults:
            yield LoadedCard(file.path, file.text, file.spec, file.positions)


def _commons(parsed: Iterable[ParsedFile]) -> Iterator[LoadedCommon]:
    for file in parsed:
        if isinstance(file.spec, CommonSpec):
            yield LoadedCommon(file.path, file.text, file.spec, file.positions)

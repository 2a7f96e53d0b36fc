"""Loading: spec files in, catalogue and diagnostics out; a bad spec never raises."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import cast

from cardwright_generator.spec.catalogue import Catalogue, LoadedCard, LoadedCommon
from cardwright_generator.spec.checking import SpecProject, check_file, neighbours
from cardwright_generator.spec.cross import cross_check, facts_of, settled
from cardwright_generator.spec.facts import CardFacts
from cardwright_generator.spec.language import CardSpec, CommonSpec
from cardwright_generator.spec.parsing import ParsedFile, parse_file

type SpecFiles = Mapping[str, str | bytes] | Iterable[Path]


def load_specs(
    files: SpecFiles,
    project: SpecProject | None = None,
    installed: Mapping[str, str | bytes] | None = None,
) -> Catalogue:
    """Load and check the specs of a project.

    `files` maps paths, as messages shall show them, to content; or gives the paths to read.
    `installed` holds the specs of other catalogues as `package/file.yaml` (see `installed_specs`):
    they are known, but neither returned nor blamed. All that is wrong is in `diagnostics`; only
    reading a path may raise `OSError`.
    """
    content = (
        # A mapping of paths is not meant, though it, too, could be iterated over.
        cast("Mapping[str, str | bytes]", files)
        if isinstance(files, Mapping)
        else read_files(files)
    )
    own, others = _parsed(content), _parsed(installed or {})
    around = neighbours(own, project, others)
    diagnostics = [found for file in own for found in check_file(file, around)]
    diagnostics += cross_check(_facts(own), _facts(others))
    return Catalogue(tuple(_cards(own)), tuple(_commons(own)), settled(diagnostics))


def _parsed(content: Mapping[str, str | bytes]) -> list[ParsedFile]:
    return [parse_file(path, content[path]) for path in sorted(content)]


def _facts(parsed: Iterable[ParsedFile]) -> list[CardFacts]:
    return [facts_of(file) for file in parsed if isinstance(file.spec, CardSpec)]


def read_files(paths: Iterable[Path]) -> dict[str, bytes]:
    """Read files, keyed by their paths with `/`."""
    return {path.as_posix(): path.read_bytes() for path in paths}


def _cards(parsed: Iterable[ParsedFile]) -> Iterator[LoadedCard]:
    for file in parsed:
        if isinstance(file.spec, CardSpec) and not file.faults:
            yield LoadedCard(file.path, file.text, file.spec, file.positions)


def _commons(parsed: Iterable[ParsedFile]) -> Iterator[LoadedCommon]:
    for file in parsed:
        if isinstance(file.spec, CommonSpec):
            yield LoadedCommon(file.path, file.text, file.spec, file.positions)

"""One file: from its bytes to a model of the language, with what is wrong with its form."""

from dataclasses import dataclass

from cardwright_generator.spec.diagnostics import Diagnostic
from cardwright_generator.spec.language import CardSpec, CommonSpec
from cardwright_generator.spec.positions import Positions
from cardwright_generator.spec.shapes import Shaped, shaped
from cardwright_generator.spec.source import decode
from cardwright_generator.spec.yaml_reader import read_yaml


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """A file with its model; on faults `spec` is what is left without the faulty parts, or None."""

    path: str
    text: str
    positions: Positions
    spec: CardSpec | CommonSpec | None
    faults: tuple[Diagnostic, ...] = ()


def parse_file(path: str, content: str | bytes) -> ParsedFile:
    """Parse the file at `path` (used in messages); never raises on what the file holds."""
    text, undecodable = decode(path, content)
    if undecodable:
        return ParsedFile(path, text, Positions(), None, (undecodable,))
    document = read_yaml(path, text)
    data, positions = document.data, document.positions
    if data is None:
        return ParsedFile(path, text, positions, None, document.faults)
    found = _shaped(path, data, positions)
    faults = (*document.faults, *found.faults)
    return ParsedFile(path, text, positions, found.model, faults)


def _shaped(
    path: str, data: dict[str, object], positions: Positions
) -> Shaped[CardSpec] | Shaped[CommonSpec]:
    if set(data) == {"types"}:
        return shaped(path, data, positions, CommonSpec)
    return shaped(path, data, positions, CardSpec)

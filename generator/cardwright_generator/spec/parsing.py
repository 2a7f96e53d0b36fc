"""One file: from its bytes to a model of the language, with what is wrong with its form."""

from dataclasses import dataclass, replace

from cardwright_generator.spec.diagnostics import Diagnostic
from cardwright_generator.spec.language import CardSpec, CommonSpec
from cardwright_generator.spec.positions import Positions
from cardwright_generator.spec.shapes import Shaped, shaped
from cardwright_generator.spec.source import decode
from cardwright_generator.spec.syntax import hash_value, quote_hint
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
    faults = (*document.faults, *(_with_comment(one, text) for one in found.faults))
    return ParsedFile(path, text, positions, found.model, faults)


def _with_comment(fault: Diagnostic, text: str) -> Diagnostic:
    """The fault, with a hint if the value is missing because a `#` made it a comment."""
    lines = text.splitlines()
    found = hash_value(lines[fault.line - 1]) if fault.line <= len(lines) else None
    return fault if found is None else replace(fault, hint=quote_hint(found[0]))


def _shaped(
    path: str, data: dict[str, object], positions: Positions
) -> Shaped[CardSpec] | Shaped[CommonSpec]:
    if set(data) == {"types"}:
        return shaped(path, data, positions, CommonSpec)
    return shaped(path, data, positions, CardSpec)

"""Renderings of diagnostics: for people, for programs, for GitHub's annotations."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict

from cardwright_generator.spec.diagnostics import Diagnostic
from cardwright_generator.spec.visible import plain, visible

# The line ends of YAML, so that lines are counted as the reader counts them.
_LINE_END = re.compile("\r\n|[\n\r\x85\u2028\u2029]")


def headline(diagnostic: Diagnostic) -> str:
    """Return `file:line:column: CODE message`."""
    place = f"{diagnostic.file}:{diagnostic.line}:{diagnostic.column}"
    return visible(f"{place}: {diagnostic.code} {diagnostic.message}")


def render_plain(diagnostics: Iterable[Diagnostic], sources: Mapping[str, str]) -> str:
    """Return headlines, each with an excerpt of its source, a caret and the hint."""
    return "\n".join(_plain(one, sources.get(one.file)) for one in diagnostics)


def _plain(diagnostic: Diagnostic, source: str | None) -> str:
    lines = [headline(diagnostic)]
    if source is not None:
        lines += _excerpt(diagnostic, source)
    if diagnostic.hint:
        lines.append(f"  = {visible(diagnostic.hint)}")
    return "\n".join(lines) + "\n"


def _excerpt(diagnostic: Diagnostic, source: str) -> list[str]:
    lines = _LINE_END.split(source)
    if diagnostic.line > len(lines):
        return []
    text, caret, cut = _window(lines[diagnostic.line - 1], diagnostic.column)
    number = str(diagnostic.line)
    margin = " " * len(number)
    return [f"  {number} | {text}", f"  {margin} | {' ' * (caret + cut)}^"]


def _window(line: str, column: int, width: int = 100) -> tuple[str, int, int]:
    """Cut a long line around a column; return the text, the caret's offset and the mark's width."""
    line = plain(line.replace("\t", " "))
    start = max(0, column - 1 - width // 2) if len(line) > width else 0
    text = line[start : start + width]
    mark = "..." if start else ""
    end = "..." if start + width < len(line) else ""
    return f"{mark}{text}{end}", column - 1 - start, len(mark)


def render_json(diagnostics: Iterable[Diagnostic]) -> str:
    """Return a JSON array with one object per diagnostic."""
    return json.dumps([asdict(one) for one in diagnostics], indent=2, ensure_ascii=False)


def render_github(diagnostics: Iterable[Diagnostic], below: str = "") -> str:
    """Return workflow commands that GitHub shows as annotations, one per line.

    `below` is the folder of the project in its repository, empty or with a closing slash.
    """
    return "\n".join(_github(one, below) for one in diagnostics)


def _github(diagnostic: Diagnostic, below: str) -> str:
    hint = f" ({diagnostic.hint})" if diagnostic.hint else ""
    file = as_property(below + diagnostic.file)
    place = f"file={file},line={diagnostic.line},col={diagnostic.column},title={diagnostic.code}"
    return f"::{diagnostic.severity} {place}::{as_data(diagnostic.message + hint)}"


def as_data(text: str) -> str:
    """A text as a workflow command of GitHub carries it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def as_property(text: str) -> str:
    """The value of a property of a workflow command."""
    return as_data(text).replace(":", "%3A").replace(",", "%2C")

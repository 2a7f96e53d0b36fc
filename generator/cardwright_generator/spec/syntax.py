"""What is wrong with a text that is no YAML, where, and what to change."""

import re

import yaml
from yaml.error import MarkedYAMLError, YAMLError
from yaml.reader import ReaderError

from cardwright_generator.spec.diagnostics import Diagnostic

_HINTS = {
    "found character that cannot start any token": "put the text in quotes",
    "found undefined alias": "put a text that starts with `*` in quotes",
    "found unknown escape character": "put the text in single quotes: `\\` means itself there",
}
_AT_BEGINNING = {
    "could not find expected ':'": ("the line is no key", "write `key: value`"),
    "found unexpected end of stream": ("the quote is never closed", "close it on its line"),
}
"""Problems that are met where the file goes on, and lie where it began."""
_QUOTED = re.compile(r"\"(?:\\.|[^\"\\])*\"|'[^']*'")
_HASH_VALUE = re.compile(r"(?:[:,]\s+|[\[{]\s*)(#[^\s,\]}]+)")
_KEY = re.compile(r"\s*[\w$.-]+\s*\Z")


def syntax_fault(file: str, text: str, error: YAMLError | RecursionError) -> Diagnostic:
    """The finding for an error of the YAML library."""
    if isinstance(error, ReaderError):
        # The error's own position counts characters or bytes, as the reader pleases.
        before = text[: text.find(chr(error.character))].split("\n")
        message = f"the character U+{error.character:04X} cannot be written in YAML"
        return Diagnostic(file, len(before), len(before[-1]) + 1, "CW102", message)
    if not isinstance(error, MarkedYAMLError) or error.problem_mark is None:
        return Diagnostic(file, 1, 1, "CW102", "the file cannot be read as YAML")
    return _marked_fault(file, _Scene(text, error, error.problem_mark))


def hash_value(line: str) -> tuple[str, int] | None:
    """A value that a `#` turned into a comment, and its column from 1."""
    found = _HASH_VALUE.search(_QUOTED.sub(lambda quoted: "x" * len(quoted[0]), line))
    return None if found is None else (found[1], found.start(1) + 1)


def quote_hint(value: str) -> str:
    """What to do about such a value."""
    return f'`#` starts a comment: write "{value}" in quotes'


class _Scene:
    """An error in the lines around it."""

    def __init__(self, text: str, error: MarkedYAMLError, mark: yaml.Mark) -> None:
        self.lines = text.split("\n")
        self.problem = error.problem or "unreadable"
        self.context = error.context or ""
        self.opened = error.context_mark
        self.line, self.column = mark.line, mark.column

    @property
    def before(self) -> str:
        """The text of the line before the error."""
        return self.lines[self.line][: self.column] if self.line < len(self.lines) else ""

    @property
    def character(self) -> str:
        """The character at the error; nothing at the end."""
        line = self.lines[self.line] if self.line < len(self.lines) else ""
        return line[self.column : self.column + 1]

    def column_above(self, line: int) -> int:
        """The column, from 1, in which the last line before `line` with any text starts."""
        texts = [one for one in self.lines[:line] if one.strip() and one.lstrip()[0] != "#"]
        return len(texts[-1]) - len(texts[-1].lstrip()) + 1 if texts else 1


def _marked_fault(file: str, scene: _Scene) -> Diagnostic:
    line, column = scene.line + 1, scene.column + 1
    if scene.character == "\t":
        hint = "indent with spaces"
        return Diagnostic(file, line, column, "CW103", "a tab cannot indent YAML", hint)
    if scene.opened is not None and scene.problem in _AT_BEGINNING:
        message, hint = _AT_BEGINNING[scene.problem]
        line, column = scene.opened.line + 1, scene.opened.column + 1
        return Diagnostic(file, line, column, "CW102", f"not valid YAML: {message}", hint)
    if scene.problem == "but found another document":
        return Diagnostic(file, line, column, "CW105", "a file holds one document only")
    return _commented_out(file, scene) or Diagnostic(
        file, line, column, "CW102", f"not valid YAML: {scene.problem}", _hint(scene)
    )


def _commented_out(file: str, scene: _Scene) -> Diagnostic | None:
    """The finding at a `#` that hides the end of a `{...}` or `[...]`."""
    if "flow" not in scene.context or scene.opened is None:
        return None
    # A sequence whose first item is hidden is told without the place of its bracket.
    first = scene.opened.line if "node" not in scene.context else max(0, scene.line - 1)
    for number, text in enumerate(scene.lines[first : scene.line + 1], first + 1):
        if found := hash_value(text):
            message = "not valid YAML: a comment hides the rest of the line"
            return Diagnostic(file, number, found[1], "CW102", message, quote_hint(found[0]))
    return None


def _hint(scene: _Scene) -> str | None:
    if scene.problem == "mapping values are not allowed in this context":
        return _deeper_key(scene) or "put a text that holds `: ` in quotes"
    if scene.problem == "did not find expected <document start>":
        return f"sibling keys start in one column: column {scene.column_above(scene.line)} above"
    if scene.problem in _HINTS:
        return _HINTS[scene.problem]
    return _hint_at(scene, scene.opened) if scene.opened else scene.context or None


def _deeper_key(scene: _Scene) -> str | None:
    """A key below a finished `key: value`, indented deeper than it."""
    above = scene.column_above(scene.line)
    if _KEY.match(scene.before) and len(scene.before) - len(scene.before.lstrip()) >= above:
        return f"sibling keys start in one column: column {above} above"
    return None


def _either(columns: set[int]) -> str:
    return " or ".join(map(str, sorted(columns)))


def _hint_at(scene: _Scene, opened: yaml.Mark) -> str:
    place = f"line {opened.line + 1}, column {opened.column + 1}"
    if scene.context == "while parsing a block mapping" and not scene.before.strip():
        columns = {opened.column + 1, max(opened.column + 1, scene.column_above(scene.line))}
        return f"sibling keys start in one column: column {_either(columns)} here"
    if scene.context == "while parsing a block mapping":
        return "the value ends before this: delete the rest, or put all of it in quotes"
    if scene.context == "while parsing a block collection":
        return f"keys of a list item start below its first one: column {opened.column + 3}"
    if scene.context.startswith("while parsing a flow "):
        return f"close the bracket of {place}, or put a text with brackets or commas in quotes"
    return scene.context

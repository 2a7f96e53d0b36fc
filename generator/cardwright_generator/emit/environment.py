"""The one Jinja environment: strict, and with one way to write a literal."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from cardwright_generator.model.code import Import, literal
from cardwright_generator.spec.visible import visible

TEMPLATES = Path(__file__).parent / "templates"


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - Python and Markdown, never HTML
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= {"py": literal, "doc": docstring, "imports": import_lines, "cell": cell}
    return made


def render(template: str, /, **values: object) -> str:
    """A template with its values; a missing one is an error."""
    return _environment().get_template(template).render(**values)


_QUOTES = re.compile(r'"{3,}|"+\Z')


def docstring(text: str, indent: int = 4) -> str:
    """`text` as a docstring, its lines indented by `indent` spaces."""
    raw = _fits_raw(text)
    lines = (text if raw else _escaped(text)).split("\n")
    padding = " " * indent
    rest = [f"{padding}{line}" if line.strip() else "" for line in lines[1:]]
    closing = f"\n{padding}" if rest else ""
    return f'{"r" if raw else ""}"""{"\n".join([lines[0], *rest])}{closing}"""'


def _fits_raw(text: str) -> bool:
    """Whether backslashes may stand as they are, which reads better."""
    lines = text.split("\n")
    ends_well = len(lines) > 1 or not text.endswith(("\\", '"'))
    plain = '"""' not in text and all(line.isprintable() for line in lines)
    return "\\" in text and ends_well and plain


def _escaped(text: str) -> str:
    found = "\n".join(map(visible, text.replace("\\", "\\\\").split("\n")))
    return _QUOTES.sub(lambda run: '\\"' * len(run[0]), found)


def import_lines(found: Iterable[Import]) -> str:
    """One `from ... import ...` line per module, sorted."""
    modules: dict[str, set[str]] = {}
    for entry in found:
        modules.setdefault(entry.module, set()).add(entry.name)
    lines = (
        f"from {module} import {', '.join(sorted(names))}"
        for module, names in sorted(modules.items())
    )
    return "\n".join(lines)


def cell(text: object) -> str:
    """`text` on one line, safe inside a Markdown table."""
    return " ".join(str(text).split()).replace("|", "\\|")

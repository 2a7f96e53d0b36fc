"""The one Jinja environment: strict, and with one way to write a literal."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from cardwright_generator.model.code import Import, literal

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


def docstring(text: str, indent: int = 4) -> str:
    """`text` as a docstring, its lines indented by `indent` spaces."""
    raw = "\\" in text and '"""' not in text and not text.endswith(("\\", '"'))
    escaped = text if raw else text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    if escaped.endswith('"') and not raw:
        escaped = f'{escaped[:-1]}\\"'
    lines = escaped.splitlines() or [""]
    padding = " " * indent
    body = "\n".join(
        [lines[0], *(f"{padding}{line}" if line.strip() else "" for line in lines[1:])]
    )
    closing = f"\n{padding}" if len(lines) > 1 else ""
    return f'{"r" if raw else ""}"""{body}{closing}"""'


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

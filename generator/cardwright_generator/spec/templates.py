"""Texts with configuration in braces: `{field}`, `{a|b}` (the first that is set), `{{` and `}}`."""

import re
from dataclasses import dataclass

_TOKEN = re.compile(r"\{\{|\}\}|\{[^{}]*\}|[{}]|[^{}]+")
_NAMES = re.compile(
    r"\{[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?(?:\|[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?)*\}\Z"
)


@dataclass(frozen=True, slots=True)
class Placeholder:
    """Names of which the first that is set is written."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Template:
    """The parts of a text in order; `fault` is the first piece that cannot be read."""

    parts: tuple[str | Placeholder, ...]
    fault: str | None = None

    @property
    def placeholders(self) -> tuple[Placeholder, ...]:
        """The placeholders in order."""
        return tuple(one for one in self.parts if isinstance(one, Placeholder))

    @property
    def literal(self) -> str:
        """The text without its placeholders."""
        return "".join(one for one in self.parts if isinstance(one, str))


def parse_template(text: str) -> Template:
    """Split a text into literal parts and placeholders."""
    found: list[str | Placeholder] = []
    for token in _TOKEN.findall(text):
        if token in {"{{", "}}"}:
            found.append(token[0])
        elif _NAMES.match(token):
            found.append(Placeholder(tuple(token[1:-1].split("|"))))
        elif token[0] in "{}":
            return Template(tuple(found), token)
        else:
            found.append(token)
    return Template(_joined(found))


def _joined(found: list[str | Placeholder]) -> tuple[str | Placeholder, ...]:
    joined: list[str | Placeholder] = []
    for one in found:
        last = joined[-1] if joined else None
        if isinstance(one, str) and isinstance(last, str):
            joined[-1] = last + one
        else:
            joined.append(one)
    return tuple(joined)

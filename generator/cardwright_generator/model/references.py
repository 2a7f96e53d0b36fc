"""Texts and conditions that refer to configuration, as Python expressions."""

import re
from dataclasses import dataclass, replace

from cardwright_generator.spec.language import CapabilitySpec, CardSpec, FieldSpec

from .code import Code, Import, code, literal
from .schema import boolean, nullable

_PIECES = re.compile(r"(\{\{|\}\}|\{[^{}]*\})")


@dataclass(frozen=True, slots=True)
class Text:
    """A doc or description: what a reader sees, and the literal that makes it."""

    plain: str
    """The text with its references left in braces."""
    code: Code
    dynamic: bool = False
    """Whether it is an f-string, which cannot stand as a docstring."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a reference stands: which card and capability, and how code reaches them."""

    card: CardSpec
    capability: str | None = None
    card_expression: str = "self"
    config_expression: str = "config"

    def text(self, source: str) -> Text:
        """A text with its `{references}` resolved; `{{` and `}}` stand for braces."""
        pieces = _PIECES.split(source)
        plain = "".join({"{{": "{", "}}": "}"}.get(piece, piece) for piece in pieces)
        names = [piece[1:-1] for piece in pieces if _is_reference(piece)]
        if not names:
            return Text(plain, Code(literal(plain)))
        values = {name: self.value(name) for name in names}
        spelled = "".join(_spell(piece, values) for piece in pieces)
        return Text(plain, code(f'f"{spelled}"', *values.values()), dynamic=True)

    def value(self, name: str) -> Code:
        """The expression that reads a configuration field."""
        owner, field = self._locate(name)
        if owner is None:
            return Code(f"{self.card_expression}.{field}")
        if owner == self.capability:
            return Code(f"{self.config_expression}.{field}")
        return self._other(owner, field)

    def holds(self, condition: str) -> Code:
        """The expression of a `when`: the value is neither `None` nor `False`."""
        negated, name = condition.startswith("not "), condition.removeprefix("not ").strip()
        if name in self.card.capabilities and self._field(name) is None:
            return Code(f"{self.card_expression}.{name} is {'' if negated else 'not '}False")
        found = self._field(name)
        value = self.value(name)
        test = replace(value, text=_test(value.text, found, negated=negated))
        owner, _ = self._locate(name)
        if owner is None or owner == self.capability:
            return test
        on = f"{self.card_expression}.{owner} is {'' if negated else 'not '}False"
        return code(f"({on} {'or' if negated else 'and'} {test})", test)

    def _other(self, owner: str, field: str) -> Code:
        param = Import(".card", self.card.capabilities[owner].param)
        value = f"{self.card_expression}.{owner}"
        return code(
            f"({value} if isinstance({value}, {param.name}) else {param.name}()).{field}", param
        )

    def _locate(self, name: str) -> tuple[str | None, str]:
        """The capability (or `None` for the card) and the field behind a name."""
        owner, _, field = name.rpartition(".")
        if owner:
            return owner, field
        if self.capability is not None and field in self.card.capabilities[self.capability].config:
            return self.capability, field
        return None, field

    def _field(self, name: str) -> FieldSpec | None:
        owner, field = self._locate(name)
        fields = self.card.fields if owner is None else self._capability(owner).config
        return fields.get(field)

    def _capability(self, owner: str) -> CapabilitySpec:
        return self.card.capabilities[owner]


def reference_names(source: str) -> list[str]:
    """The names that a text refers to."""
    return [piece[1:-1] for piece in _PIECES.split(source) if _is_reference(piece)]


def _is_reference(piece: str) -> bool:
    return len(piece) > 2 and piece[0] == "{" and piece[-1] == "}"  # noqa: PLR2004 - two braces and a name


def _spell(piece: str, values: dict[str, Code]) -> str:
    if _is_reference(piece):
        return "{" + values[piece[1:-1]].text + "}"
    if piece in ("{{", "}}"):
        return piece
    # Single quotes inside, so that the double ones around the f-string stay the only ones.
    escaped = literal(piece + '"')[1:-2] if "'" in piece else literal(piece)[1:-1]
    return escaped.replace('"', '\\"') if '\\"' not in escaped else escaped


def _test(value: str, field: FieldSpec | None, *, negated: bool) -> str:
    if field is None:
        return f"not {value}" if negated else value
    may_be_none, may_be_false = nullable(field), boolean(field)
    only_boolean = field.any_of is None and field.ref is None and field.type == "boolean"
    if only_boolean:
        return f"not {value}" if negated else value
    equal, joint = ("is", "or") if negated else ("is not", "and")
    words = (["None"] if may_be_none else []) + (["False"] if may_be_false else [])
    if not words:
        return "False" if negated else "True"
    tests = f" {joint} ".join(f"{value} {equal} {word}" for word in words)
    return f"({tests})" if len(words) > 1 else tests

"""Texts and conditions that refer to configuration, as Python expressions."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from cardwright_generator.spec.language import CardSpec, FieldSpec
from cardwright_generator.spec.references import Reference, candidates, parse_condition
from cardwright_generator.spec.templates import Placeholder, parse_template

from .annotations import Types
from .code import NONE, Code, code, imported, literal
from .values import Values


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
    types: Types
    values: Values
    capability: str | None = None
    card_expression: str = "self"
    config_expression: str = "config"

    def text(self, source: str) -> Text:
        """A text with its `{references}` resolved; `{{` and `}}` stand for braces."""
        parts = parse_template(source).parts
        plain = shown_text(parts)
        if all(isinstance(part, str) for part in parts):
            return Text(plain, Code(literal(plain)))
        values = {
            part: self.value(part.names[0]) for part in parts if isinstance(part, Placeholder)
        }
        return Text(plain, f_string(parts, values), dynamic=True)

    def value(self, name: str) -> Code:
        """The expression that reads a configuration field."""
        found = self._find(name)
        if found.kind != "config" or found.capability is None:
            return Code(f"{self.card_expression}.{found.name}")
        if found.capability == self.capability:
            return Code(f"{self.config_expression}.{found.name}")
        return self._of_other(found.capability, found)

    def holds(self, condition: str) -> Code:
        """The expression of a `when`: the value is neither `None` nor `False`."""
        parsed = parse_condition(condition)
        if parsed is None:
            raise ValueError(condition)
        found = self._find(parsed.name)
        if found.schema is None:
            return Code(
                f"{self.card_expression}.{found.name} {_is('False', negated=parsed.negated)}"
            )
        value = self.value(parsed.name)
        test = replace(value, text=self._test(value.text, found.schema, negated=parsed.negated))
        if found.kind != "config" or found.capability == self.capability:
            return test
        on = f"{self.card_expression}.{found.capability} {_is('False', negated=parsed.negated)}"
        return code(f"({on} {'or' if parsed.negated else 'and'} {test})", test)

    def is_own(self, condition: str) -> bool:
        """Whether a condition is about the configuration of the capability itself."""
        parsed = parse_condition(condition)
        found = None if parsed is None else self._find(parsed.name)
        return found is not None and found.kind == "config" and found.capability == self.capability

    def first_set(self, placeholder: Placeholder, others: Mapping[str, Code]) -> Code:
        """The value of the first name that is set; `others` are names beside configuration."""
        *early, last = placeholder.names
        found = others[last] if last in others else self.value(last)
        for name in reversed(early):
            value, test = self.value(name), self.holds(name)
            found = code(f"({value} if {test} else {found})", value, test, found)
        return found

    def _of_other(self, capability: str, found: Reference) -> Code:
        """A field of another capability, which may be on without a param of its own."""
        param = imported(".card", self.card.capabilities[capability].param)
        value = f"{self.card_expression}.{capability}"
        default = None if found.schema is None else self.types.default(found.schema)
        default = default or NONE
        if default.text.startswith("Field(default_factory="):
            default = code(f"{default.text[22:-1]}()", default)
        text = f"({value}.{found.name} if isinstance({value}, {param}) else {default})"
        return code(text, param, default)

    def _find(self, name: str) -> Reference:
        return candidates(self.card, name, self.capability)[0]

    def _test(self, value: str, field: FieldSpec, *, negated: bool) -> str:
        if self.values.only_truth(field):
            return f"not {value}" if negated else value
        words = ["None"] if self.values.may_be_none(field) else []
        words += ["False"] if self.values.may_be_false(field) else []
        tests = [f"{value} {_is(word, negated=negated)}" for word in words]
        joined = f" {'or' if negated else 'and'} ".join(tests)
        return f"({joined})" if len(tests) > 1 else joined or str(not negated)


def f_string(parts: tuple[str | Placeholder, ...], values: Mapping[Placeholder, Code]) -> Code:
    """The f-string of a template; what is literal in it is escaped character by character."""
    spelled = "".join(
        _escaped(part) if isinstance(part, str) else f"{{{values[part]}}}" for part in parts
    )
    return code(f'f"{spelled}"', *values.values())


def _escaped(text: str) -> str:
    """Text as it stands between the double quotes of an f-string."""
    spelled = json.dumps(text, ensure_ascii=False)[1:-1]  # JSON's escapes mean the same in Python
    return spelled.replace("{", "{{").replace("}", "}}")


def shown_text(parts: tuple[str | Placeholder, ...]) -> str:
    """A template as a reader sees it, its references left in braces."""
    shown = (part if isinstance(part, str) else f"{{{'|'.join(part.names)}}}" for part in parts)
    return "".join(shown)


def _is(word: str, *, negated: bool) -> str:
    return f"is {word}" if negated else f"is not {word}"

"""Validation against the language's models; pydantic's errors become our diagnostics."""

import re
from dataclasses import dataclass
from typing import Any, cast

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from cardwright_generator.spec.diagnostics import (
    Diagnostic,
    NodePath,
    did_you_mean,
    dotted,
    listed,
    nearest,
)
from cardwright_generator.spec.known_keys import known_keys
from cardwright_generator.spec.positions import Positions
from cardwright_generator.spec.words import anything, within

_EXPECTED = {
    "string_type": "text",
    "int_type": "a whole number",
    "number_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "scalar_type": "a single value",
}
_FROM_PYTHON = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "list": "array",
    "dict": "object",
}


@dataclass(frozen=True, slots=True)
class Shaped[M: BaseModel]:
    """A file validated against a model: whole, or what is left of it without its faulty parts."""

    model: M | None
    faults: tuple[Diagnostic, ...]


def shaped[M: BaseModel](
    file: str, data: object, positions: Positions, model: type[M]
) -> Shaped[M]:
    """Validate plain data; on faults also try again without the faulty parts."""
    try:
        return Shaped(model.model_validate(data), ())
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)
    translated = [_Fault(file, data, positions, model, detail) for detail in details]
    left = _without(data, tuple(fault.path for fault in translated), model)
    meant = {fault.meant for fault in translated}
    told = (one for one in translated if one.kind != "missing" or one.path not in meant)
    return Shaped(left, tuple(fault.diagnostic() for fault in told))


def _without[M: BaseModel](data: object, faulty: tuple[NodePath, ...], model: type[M]) -> M | None:
    pruned = _pruned(data, frozenset(faulty), ())
    try:
        return model.model_validate(pruned)
    except ValidationError:
        return None


def _pruned(data: object, faulty: frozenset[NodePath], path: NodePath) -> object:
    if isinstance(data, list):
        items = enumerate(cast("list[object]", data))
        return [_pruned(value, faulty, (*path, index)) for index, value in items]
    if not isinstance(data, dict):
        return data
    mapping = cast("dict[str, object]", data)
    return {
        key: _pruned(value, faulty, (*path, key))
        for key, value in mapping.items()
        if not _is_faulty((*path, key), value, faulty)
    }


def _is_faulty(path: NodePath, value: object, faulty: frozenset[NodePath]) -> bool:
    """Whether a value goes: a list goes with its first faulty item, or places would shift."""
    if path in faulty or not isinstance(value, list):
        return path in faulty
    return any((*path, index) in faulty for index in range(len(cast("list[object]", value))))


class _Fault:
    """One error of pydantic, located in the document and told in our words."""

    def __init__(
        self,
        file: str,
        data: object,
        positions: Positions,
        model: type[BaseModel],
        detail: ErrorDetails,
    ) -> None:
        self.file = file
        self.positions = positions
        self.detail = detail
        self.kind = detail["type"]
        self.path: NodePath = tuple(part for part in detail["loc"] if not str(part).startswith("<"))
        self.value = _at(data, self.path)
        self.model = model

    def diagnostic(self) -> Diagnostic:
        code, message, hint = self._told()
        at_key = self.kind in {"extra_forbidden", "missing"}
        anchor = self.path[:-1] if self.kind == "missing" else self.path
        place = self.positions.key(anchor) if at_key else self.positions.value(anchor)
        return Diagnostic(self.file, *place, code, message, hint, path=dotted(self.path))

    @property
    def meant(self) -> NodePath | None:
        """The path that a misspelt key was to have: that it is missing there is no second fault."""
        if self.kind != "extra_forbidden":
            return None
        key = nearest(self.path[-1], known_keys(self.model, self.path[:-1]))
        return None if key is None else (*self.path[:-1], key)

    def _told(self) -> tuple[str, str, str | None]:
        name, owner = self.path[-1] if self.path else "", within(self.path[:-1])
        if self.kind == "extra_forbidden":
            return "CW201", f"unknown key '{name}' in {owner}", self._known_keys(name)
        if self.kind == "missing":
            return "CW202", f"key '{name}' is missing in {owner}", None
        if self.kind == "literal_error":
            return self._not_a_choice()
        if self.kind == "too_short":
            return "CW205", f"{anything(self.path)} is empty", None
        return self._wrong_type()

    def _known_keys(self, name: object) -> str:
        known = known_keys(self.model, self.path[:-1])
        return did_you_mean(name, known) or f"known keys: {listed(known)}"

    def _not_a_choice(self) -> tuple[str, str, str | None]:
        choices = _choices(str(self.detail.get("ctx", {}).get("expected", "")))
        found = f"'{self.value}'" if isinstance(self.value, str) else _kind(self.value)
        message = f"{anything(self.path)} is {found}; it must be {listed(choices, 'or')}"
        return "CW204", message, _choice_hint(self.value, choices)

    def _wrong_type(self) -> tuple[str, str, str | None]:
        expected = _EXPECTED.get(self.kind) or "a name or a mapping"
        if "<list>" in str(self.detail.get("ctx", {}).get("expected_tags")):
            expected = "a type or a list of types"
        hint = "write true or false" if self.kind == "bool_type" else None
        if self.value is None:
            hint = "write a value; a text that starts with '#' needs quotes"
        message = f"{anything(self.path)} must be {expected}, not {_kind(self.value)}"
        return "CW203", message, hint


def _choices(expected: str) -> list[str]:
    """Read the choices out of pydantic's text; `default: required` stands beside two flags."""
    found = re.findall(r"'([^']*)'", expected) or ["false"]
    return ["true", "false", *found] if found == ["required"] else found


def _choice_hint(value: object, choices: list[str]) -> str | None:
    if value is None and "null" in choices:
        return 'the type is written in quotes: "null"'
    if isinstance(value, str) and _FROM_PYTHON.get(value) in choices:
        return f"did you mean '{_FROM_PYTHON[value]}'?"
    return did_you_mean(value, choices)


def _kind(value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    words: dict[type, str] = {
        str: "text", int: "a number", float: "a number", list: "a list", dict: "a mapping"
    }  # fmt: skip
    return words.get(type(value), "a value")


def _at(data: Any, path: NodePath) -> object:  # noqa: ANN401 - plain YAML data of any shape
    for step in path:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return None
    return data

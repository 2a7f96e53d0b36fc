"""Examples of rules: one example spec, edited; tests execute them, `explain` prints them."""

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import cast

import yaml

from cardwright_generator.model.naming import folder

from .rule import Edits, Gone, Rule

type Json = dict[str, object]
type Texts = dict[str, str]

_COMMON = "specs/common.yaml"
_STREET: Json = {"description": "Name of a street.", "type": "string"}


class _Dumper(yaml.CSafeDumper if yaml.__with_libyaml__ else yaml.SafeDumper):  # type: ignore[misc]  # two bases of one interface
    """Writes what occurs twice in full, as people do."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - the signature is PyYAML's
        return True


@cache
def _example() -> Json:
    text = Path(__file__).with_name("example.yaml").read_text(encoding="utf-8")
    return cast("Json", yaml.safe_load(text))


def versions(rule: Rule) -> tuple[Texts, Texts]:
    """Files before and after the change that a rule reports."""
    return _edited(rule.example.before), _edited(rule.example.after)


def _edited(edits: Edits) -> Texts:
    card = deepcopy(_example())
    common: Json = {"types": {"Street": deepcopy(_STREET)}}
    for path, value in edits.items():
        target, key = (common, path[7:]) if path.startswith("common:") else (card, path)
        _set(target, key, value)
    found = {_COMMON: _text(common)}
    file = f"specs/{folder(str(card['card']))}.yaml"
    return found if "" in edits else {file: _text(card), **found}


def _set(data: Json, path: str, value: object) -> None:
    *above, last = path.split(".")
    for step in above:
        data = _below(data, step)
    if isinstance(value, Gone):
        data.pop(last, None)
    else:
        data[last] = deepcopy(value)


def _below(data: object, step: str) -> Json:
    if isinstance(data, list):
        return cast("list[Json]", data)[int(step)]
    return cast("Json", cast("Json", data).setdefault(step, {}))


def _text(data: Mapping[str, object]) -> str:
    dump = cast("Callable[..., str]", yaml.dump)  # pyright: ignore[reportUnknownMemberType] - its stubs are partial
    return dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=88)


def excerpts(rule: Rule) -> tuple[str, str]:
    """What differs before and after, each below the keys that lead to it."""
    before, after = versions(rule)
    own = [
        next((text for file, text in side.items() if file != _COMMON), "")
        for side in (before, after)
    ]
    parts = [_parts(own[0], own[1]), _parts(before[_COMMON], after[_COMMON])]
    return "".join(one for one, _ in parts), "".join(other for _, other in parts)


def _parts(before: str, after: str) -> tuple[str, str]:
    old, new = before.splitlines(), after.splitlines()
    matcher = SequenceMatcher(a=old, b=new, autojunk=False)
    changes = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    return (
        _shown(old, [(one, end) for _, one, end, _, _ in changes]),
        _shown(new, [(one, end) for _, _, _, one, end in changes]),
    )


def _shown(lines: list[str], spans: list[tuple[int, int]]) -> str:
    kept = {number for span in spans for number in _with_parents(lines, *span)}
    return "".join(f"{lines[number]}\n" for number in sorted(kept))


def _with_parents(lines: list[str], start: int, end: int) -> Iterator[int]:
    yield from range(start, end)
    if start >= len(lines):
        return
    depth = _depth(lines[start]) if end > start else _depth(lines[start - 1]) + 1 if start else 0
    for number in range(start - 1, -1, -1):
        if _depth(lines[number]) < depth:
            depth = _depth(lines[number])
            yield number


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))

"""What comparing collects: findings, each once, and which named types were already looked at."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from cardwright_generator.spec.diagnostics import dotted
from cardwright_generator.spec.visible import visible

from .finding import Finding
from .rules import all_rules
from .sides import Node, Side

_SHOWN = 60
"""Longest value shown in a message."""
_LEAD = 15
"""Characters shown before the first in which two long texts differ."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The same part in both versions; one of the two may only be where it would stand."""

    old: Node
    new: Node
    gone: bool = False
    """Whether it is named by its old path, because the new version lacks it."""

    def at(self, *steps: str | int) -> "Pair":
        """A part of the same name below this one."""
        return Pair(self.old.at(*steps), self.new.at(*steps), self.gone)

    def to(self, old: str, new: str) -> "Pair":
        """A part below this one that has two names."""
        return Pair(self.old.at(old), self.new.at(new), self.gone)

    def lost(self, name: str) -> "Pair":
        """A part that the new version lacks."""
        return Pair(self.old.at(name), self.new.at(name), gone=True)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two versions, and what was found so far."""

    old: Side
    new: Side
    found: dict[tuple[object, ...], Finding] = field(
        default_factory=dict[tuple[object, ...], Finding]
    )
    seen: set[tuple[object, ...]] = field(default_factory=set[tuple[object, ...]])

    def report(
        self, rule: str, pair: Pair, message: str, old: object = None, new: object = None
    ) -> None:
        """Add a finding; the same one reached on another way is not added twice."""
        node = pair.old if pair.gone else pair.new
        side, file = (
            (self.new, pair.new.file) if pair.new.file in self.new.files else (self.old, node.file)
        )
        finding = Finding(
            rule=all_rules()[rule],
            card=side.owner(file),
            subject=dotted(node.path),
            message=visible(message),
            before=self.old.spot(pair.old),
            after=self.new.spot(pair.new),
            old=canonical(old),
            new=canonical(new),
        )
        self.found.setdefault(
            (rule, finding.card, finding.subject, finding.old, finding.new), finding
        )

    def differs(self, rule: str, pair: Pair, what: str, old: object, new: object) -> None:
        """Add a finding if two values differ; the message shows both."""
        if canonical(old) != canonical(new):
            self.report(rule, pair, f"{what}: {change(old, new)}", old, new)

    def findings(self) -> tuple[Finding, ...]:
        """All findings in order; texts of stored data are told once, by whoever reads them."""
        told = {
            (one.card, one.subject)
            for one in self.found.values()
            if one.rule.id in {"argument-description-changed", "result-description-changed"}
        }
        repeated = {"stored-description-changed", "state-description-changed"}
        kept = (
            one
            for one in self.found.values()
            if one.rule.id not in repeated or (one.card, one.subject) not in told
        )
        return tuple(sorted(kept, key=lambda finding: finding.order))


def canonical(value: object) -> str:
    """A value of a spec as text that is equal for equal values: 3 and 3.0 are one number."""
    return "" if value is None else json.dumps(_plain(value), sort_keys=True, ensure_ascii=False)


def _plain(value: object) -> object:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list | tuple):
        return [_plain(item) for item in cast("Sequence[object]", value)]
    if isinstance(value, dict):
        pairs = cast("dict[object, object]", value).items()
        return {str(key): _plain(item) for key, item in pairs}
    return value


def change(old: object, new: object) -> str:
    """Two values as a message shows them: of long texts the part in which they differ."""
    if isinstance(old, str) and isinstance(new, str) and max(len(old), len(new)) > _SHOWN:
        same = next(
            (i for i, pair in enumerate(zip(old, new, strict=False)) if len({*pair}) > 1), 0
        )
        start = max(0, same - _LEAD)
        if start:
            return f"{shown('...' + old[start:])} became {shown('...' + new[start:])}"
    return f"{shown(old)} became {shown(new)}"


def shown(value: object) -> str:
    """A value as a message shows it."""
    if value is None:
        return "none"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split())
    return f"`{text if len(text) <= _SHOWN else text[: _SHOWN - 3] + '...'}`"

"""Rules: each check is one small function, registered under the code it reports."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from cardwright_generator.spec.diagnostics import Diagnostic, NodePath, dotted
from cardwright_generator.spec.positions import Positions
from cardwright_generator.spec.subject import Subject


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found, at the key or at the value of a node."""

    path: NodePath
    message: str
    hint: str | None = None
    at: Literal["key", "value"] = "value"


type Check = Callable[[Subject], Iterable[Finding]]

_CHECKS: dict[str, list[Check]] = {}


def rule(code: str) -> Callable[[Check], Check]:
    """Register a check under its code."""

    def register(check: Check) -> Check:
        _CHECKS.setdefault(code, []).append(check)
        return check

    return register


def registered_codes() -> frozenset[str]:
    """Return the codes of all registered checks."""
    return frozenset(_CHECKS)


def run_checks(subject: Subject, positions: Positions) -> Iterator[Diagnostic]:
    """Run every check over a file."""
    for code, checks in _CHECKS.items():
        for check in checks:
            for finding in check(subject):
                yield located(subject.file, positions, code, finding)


def located(file: str, positions: Positions, code: str, finding: Finding) -> Diagnostic:
    """Turn a finding into a diagnostic at its place."""
    path = finding.path
    place = positions.key(path) if finding.at == "key" else positions.value(path)
    return Diagnostic(file, *place, code, finding.message, finding.hint, path=dotted(path))

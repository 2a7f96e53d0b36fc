"""Findings that a project has decided to live with, each with its reason."""

import re
from dataclasses import dataclass
from typing import cast

_FINGERPRINT = re.compile(r"[0-9a-f]{12}\Z")


@dataclass(frozen=True, slots=True)
class Waiver:
    """One finding that may stay."""

    fingerprint: str
    reason: str


def waivers_of(value: object) -> tuple[Waiver, ...]:
    """Waivers of a table of settings; raises `ValueError` that says what to write instead."""
    if not isinstance(value, list):
        raise ValueError('give a list of tables: [{fingerprint = "...", reason = "..."}]')  # noqa: TRY004 - the caller adds the key
    found = tuple(_waiver(entry) for entry in cast("list[object]", value))
    names = [waiver.fingerprint for waiver in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        message = f"{twice!r} is waived twice: keep one entry"
        raise ValueError(message)
    return found


def _waiver(entry: object) -> Waiver:
    if not isinstance(entry, dict):
        message = 'each entry is a table: {fingerprint = "...", reason = "..."}'
        raise ValueError(message)  # noqa: TRY004 - as above
    table = cast("dict[str, object]", entry)
    unknown = sorted(table.keys() - {"fingerprint", "reason"})
    if unknown:
        message = f"an entry has no key {unknown[0]!r}; known keys: fingerprint, reason"
        raise ValueError(message)
    fingerprint, reason = table.get("fingerprint"), table.get("reason")
    if not isinstance(fingerprint, str) or not _FINGERPRINT.match(fingerprint):
        message = "fingerprint: give the 12 digits that `cardwright breaking` prints"
        raise ValueError(message)
    if not isinstance(reason, str) or not reason.strip():
        message = f"{fingerprint}: reason: say why this may break"
        raise ValueError(message)
    return Waiver(fingerprint, reason.strip())

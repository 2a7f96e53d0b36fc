"""What a check found: a diagnostic that costs nothing until it is shown."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One finding at a place in a file; the whole file when no place is given."""

    file: str
    code: str
    message: str
    hint: str | None = None
    line: int = 1
    column: int = 1

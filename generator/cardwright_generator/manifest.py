"""The record of what was generated from what."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Self

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Source:
    """One spec, as of the last run."""

    digest: str
    uses: tuple[str, ...]
    """Specs whose types it refers to."""
    files: tuple[str, ...]
    entry: dict[str, object]
    """What the shared files say about it."""
    facts: dict[str, object] | None
    """What the other cards must know of it; `None` for shared types."""
    code: dict[str, object] = field(default_factory=dict[str, object])
    """What handwritten code must look like to fit it."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything a later run must know; `EMPTY` when there was none."""

    generator: str = ""
    settings: str = ""
    sources: Mapping[str, Source] = field(default_factory=dict[str, Source])
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    """Path below the root -> digest of its content."""

    @classmethod
    def load(cls, path: Path) -> Self:
        """The manifest at `path`; an empty one when it is missing or unreadable."""
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            if data["format"] != _FORMAT:
                return cls()
            sources = {key: _source(value) for key, value in data["sources"].items()}
            return cls(data["generator"], data["settings"], sources, dict(data["files"]))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return cls()

    def dump(self) -> str:
        """The manifest as text, the same for the same content."""
        data = {"format": _FORMAT, **asdict(self)}
        return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _source(data: dict[str, object]) -> Source:
    return Source(**{**data, "uses": tuple(data["uses"]), "files": tuple(data["files"])})  # type: ignore[arg-type]  # our own JSON


EMPTY = Manifest()

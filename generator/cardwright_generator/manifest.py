"""The record of what was generated from what."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

from cardwright_generator.digests import digest

_FORMAT = 1
_PAIR = re.compile(r'"([^"]+)": "([0-9a-f]{64})"')


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
        """The manifest at `path`; an empty one when it is missing.

        One of another format, or with the marks of a merge in it, still says which files are ours.
        """
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return cls()
        try:
            return cls._parsed(json.loads(text))
        except (ValueError, KeyError, TypeError, AttributeError):
            return cls(files=_digests_in(text, path.parent))

    @classmethod
    def _parsed(cls, data: dict[str, Any]) -> Self:
        if data["format"] != _FORMAT:
            return cls(files=dict(data["files"]))
        sources = {key: _source(value) for key, value in data["sources"].items()}
        return cls(data["generator"], data["settings"], sources, dict(data["files"]))

    def dump(self) -> str:
        """The manifest as text, the same for the same content."""
        data = {"format": _FORMAT, **asdict(self)}
        return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _digests_in(text: str, folder: Path) -> dict[str, str]:
    """Path -> digest of every file that a damaged manifest mentions as it is now."""
    found: dict[str, str] = {}
    for path, known in _PAIR.findall(text):
        there = _root_of(folder, path) / path
        if path not in found or (there.is_file() and digest(there.read_bytes()) == known):
            found[path] = known
    return found


def _root_of(folder: Path, path: str) -> Path:
    """The folder below which `path` is, seen from the folder of the manifest."""
    places = (folder, *folder.parents)
    return next((place for place in places if (place / path).exists()), folder)


def _source(data: dict[str, object]) -> Source:
    return Source(**{**data, "uses": tuple(data["uses"]), "files": tuple(data["files"])})  # type: ignore[arg-type]  # our own JSON


EMPTY = Manifest()

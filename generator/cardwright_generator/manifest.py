"""The record of what was generated from what."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self, cast

from cardwright_generator.digests import text_digest
from cardwright_generator.ours import is_ours
from cardwright_generator.project import Project

_FORMAT = 1
_PATH = re.compile(r'"([^"]+/[^"]+)": "([0-9a-f]{64})"')


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

    strays: tuple[str, ...] = ()
    """Files that the record names though no run can have generated them; never to be touched."""

    @classmethod
    def load(cls, path: Path, project: Project) -> Self:
        """The manifest at `path`; an empty one when it is missing.

        One of another format, or with the marks of a merge in it, still says which files are ours.
        Whatever it says, only files that the project can have generated are.
        """
        try:
            text = path.read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError, UnicodeDecodeError):
            return cls()
        try:
            return cls._parsed(_json(text), project)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return cls._of_files(_PATH.findall(text), project)

    @classmethod
    def _parsed(cls, data: dict[str, Any], project: Project) -> Self:
        found = cls._of_files(data["files"].items(), project)
        if data["format"] != _FORMAT:
            return found
        sources = {str(key): _source(value) for key, value in data["sources"].items()}
        if any(path not in found.files for source in sources.values() for path in source.files):
            return found
        return cls(data["generator"], data["settings"], sources, found.files, found.strays)

    @classmethod
    def _of_files(cls, pairs: Iterable[tuple[str, object]], project: Project) -> Self:
        """Sort files into ours and strays; of several digests the one of the file as it is."""
        found, strays = dict[str, str](), set[str]()
        for path, known in pairs:
            if not is_ours(path, project) or not isinstance(known, str):
                strays.add(path if path.isprintable() else ascii(path))
            elif path not in found or _is(project.root / path, known):
                found[path] = known
        return cls(files=found, strays=tuple(sorted(strays)))

    def dump(self) -> str:
        """The manifest as text, the same for the same content."""
        data: dict[str, object] = {"format": _FORMAT, **asdict(self)}
        del data["strays"]
        return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _json(text: str) -> dict[str, Any]:
    if "\\ud" in text.lower():
        message = "half a character, which no manifest of ours has"
        raise ValueError(message)
    return cast("dict[str, Any]", json.loads(text))


def _is(path: Path, known: str) -> bool:
    return path.is_file() and text_digest(path.read_bytes()) == known


def _source(data: dict[str, object]) -> Source:
    return Source(**{**data, "uses": tuple(data["uses"]), "files": tuple(data["files"])})  # type: ignore[arg-type]  # our own JSON


EMPTY = Manifest()

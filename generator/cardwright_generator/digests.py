"""Digests by which a run knows what changed; nothing here is slow to import."""

import sys
from functools import cache
from hashlib import sha256
from json import dumps
from pathlib import Path

from cardwright_generator.project import Project

_HERE = Path(__file__).parent
_SHAPING = ("spec", "model", "emit")
"""Folders whose code and templates decide what is emitted."""
_PINNED = ("datamodel_code_generator", "ruff")
"""Distributions whose release shapes the output."""


def digest(content: bytes) -> str:
    """The digest of these very bytes."""
    return sha256(content).hexdigest()


def text_digest(content: bytes) -> str:
    """The digest of a file of text, whatever its line endings and byte order mark."""
    return digest(
        content.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    )


@cache
def generator_digest() -> str:
    """The digest of everything but the specs that shapes the output."""
    found = sha256()
    for path in sorted(
        path for folder in _SHAPING for path in (_HERE / folder).rglob("*") if _counts(path)
    ):
        found.update(path.relative_to(_HERE).as_posix().encode())
        found.update(text_digest(path.read_bytes()).encode())
    for name in _PINNED:
        found.update(_installed(name).encode())
    return found.hexdigest()


def _installed(name: str) -> str:
    """Name and version of a distribution; `importlib.metadata` costs more than all the rest."""
    for entry in sys.path:
        for info in Path(entry or ".").glob(f"{name}-*.dist-info"):
            return info.stem
    return name


def _counts(path: Path) -> bool:
    return path.suffix in (".py", ".jinja")


def settings_digest(project: Project) -> str:
    """The digest of the project's configuration, as far as it shapes the output."""
    shaping = [project.specs, project.output, project.package, project.tests]
    shaping += [*project.python_modules, *project.catalogues]
    return digest(dumps(shaping).encode())

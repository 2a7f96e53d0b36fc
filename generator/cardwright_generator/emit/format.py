"""All generated Python formatted at once, by two isolated runs of ruff."""

import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from shutil import which

_LINE_LENGTH = "100"
_TARGET = "py312"


class FormattingError(RuntimeError):
    """Ruff refused generated code: a defect of the generator, never of the spec's author."""


def format_python(files: Mapping[str, str], first_party: tuple[str, ...]) -> dict[str, str]:
    """The same files with sorted imports, no unused ones, and one layout."""
    with tempfile.TemporaryDirectory(prefix="cardwright-") as folder:
        root = Path(folder)
        for path, text in files.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
        known = ", ".join(f'"{name}"' for name in sorted(first_party))
        _ruff(
            root,
            "check",
            "--select",
            "I,F401",
            "--fix",
            "--unsafe-fixes",
            "--config",
            _isort(known),
        )
        _ruff(root, "format")
        return {path: (root / path).read_text(encoding="utf-8") for path in files}


def _isort(known: str) -> str:
    return f"lint.isort.known-first-party=[{known}]"


def _ruff(root: Path, command: str, *arguments: str) -> None:
    line = [
        _executable(),
        command,
        "--isolated",
        "--no-cache",
        "--quiet",
        "--target-version",
        _TARGET,
        "--line-length",
        _LINE_LENGTH,
        *arguments,
        ".",
    ]
    done = subprocess.run(line, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        message = f"generated code cannot be formatted:\n{done.stdout}{done.stderr}"
        raise FormattingError(message)


def _executable() -> str:
    beside = Path(sys.executable).with_name("ruff.exe" if sys.platform == "win32" else "ruff")
    found = str(beside) if beside.is_file() else which("ruff")
    if found is None:
        message = "ruff is missing: install cardwright[generator]"
        raise FormattingError(message)
    return found

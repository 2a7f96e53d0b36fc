"""Which files may hold a match, as ripgrep tells; `None` whenever it cannot be relied on."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass

from cardwright.workspace.files import Tree

from .bounds import Bounds, LeftOut
from .dialect import wider
from .patterns import PathPattern

_COMPLAINT = re.compile(r"(?:rg: )?\./(?P<path>.*): .* \(os error (?P<number>\d+)\)")
_PLAIN = re.compile(r"[A-Za-z0-9_.*?-]+")
_GONE = {2, 20}
_OPTIONS = (
    "--no-config",
    "--files-with-matches",
    "--null",
    "--text",
    "--hidden",
    "--no-ignore",
    "--no-follow",
    "--color=never",
)


@dataclass(frozen=True, slots=True)
class _Run:
    """What a run of ripgrep printed, and whether it ran to its end."""

    paths: list[str]
    complaints: list[str]
    code: int
    whole: bool


def program() -> str | None:
    """Path of ripgrep, if it is installed."""
    return shutil.which("rg")


def candidates(
    tree: Tree,
    base: str,
    pattern: str,
    include: PathPattern | None,
    left_out: LeftOut,
    bounds: Bounds,
) -> list[tuple[int, str]] | None:
    """Age (negative time of change) and path of every file below `base` that may match."""
    rg, expression = program(), wider(pattern)
    if rg is None or expression is None:
        return None
    command = [rg, *_OPTIONS, *_globs(include), f"--regexp={expression}", "--", "."]
    with tree.open_directory(base) as directory:
        run = _run(command, directory, bounds.left)
        unreadable = None if run is None else _unreadable(run)
        if run is None or unreadable is None:
            return None
        prefix = f"{base}/" if base else ""
        left_out.files += [prefix + path for path in unreadable]
        if not run.whole:
            left_out.stopped = bounds.notice
        return list(_dated(run.paths, directory, prefix, include))


def _globs(include: PathPattern | None) -> list[str]:
    """Options that leave out files which `include` leaves out too, where both read it alike."""
    if include is None:
        return []
    names: list[str] = []
    for *folders, name in include.alternatives:
        if folders not in ([], ["**"]) or not _PLAIN.fullmatch(name):
            return []
        names.append(f"--iglob={name}")
    return names


def _run(command: list[str], directory: int, seconds: float) -> _Run | None:
    try:
        process = subprocess.Popen(
            command,
            cwd=f"/dev/fd/{directory}",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except OSError:
        return None
    with process:
        whole = True
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            whole = False
    paths = os.fsdecode(out).split("\0")[:-1]
    return _Run(paths, os.fsdecode(err).splitlines(), process.returncode, whole)


def _unreadable(run: _Run) -> list[str] | None:
    """The files that ripgrep could not read; `None` if it complained about anything else."""
    if not run.whole or run.code in {0, 1}:
        return []
    found = [_COMPLAINT.fullmatch(line) for line in run.complaints]
    if not found or None in found:
        return None
    return [
        complaint["path"]
        for complaint in found
        if complaint is not None and int(complaint["number"]) not in _GONE
    ]


def _dated(
    paths: list[str], directory: int, prefix: str, include: PathPattern | None
) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    for each in paths:
        path = each.removeprefix("./")
        if include is not None and not include.matches(path):
            continue
        try:
            # Only the order depends on this; what is shown is read through the tree.
            changed = os.stat(path, dir_fd=directory, follow_symlinks=False).st_mtime_ns
        except OSError:
            continue
        found.append((-changed, prefix + path))
    return found

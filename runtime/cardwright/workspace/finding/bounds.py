"""How far a search goes, and what it has to say about what it left out."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from time import monotonic

from cardwright.workspace.files import Tree
from cardwright.workspace.refusals import Refusal

SECONDS = 15.0
NAMED = 5


class OutOfTime(Exception):  # noqa: N818 - an end, no error
    """The search has used up its time."""


@dataclass(slots=True)
class Bounds:
    """The time a search may take."""

    seconds: float = SECONDS
    end: float = field(init=False)

    def __post_init__(self) -> None:
        self.end = monotonic() + self.seconds

    @property
    def left(self) -> float:
        """Seconds that are left.

        Raises:
            OutOfTime: None are.
        """
        left = self.end - monotonic()
        if left <= 0:
            raise OutOfTime
        return left

    @property
    def notice(self) -> str:
        """What to tell the model when time ran out."""
        return (
            f"[... stopped after {self.seconds:g} s, there may be more: narrow the pattern or"
            " the path ...]"
        )


@dataclass(slots=True)
class LeftOut:
    """What a search did not look into, and why."""

    folders: list[str] = field(default_factory=list[str])
    files: list[str] = field(default_factory=list[str])
    large: list[str] = field(default_factory=list[str])
    binary: list[str] = field(default_factory=list[str])
    stopped: str = ""

    def notices(self) -> list[str]:
        """One line per reason."""
        kinds = (
            (self.folders, "directories cannot be read"),
            (self.files, "files cannot be read"),
            (self.large, "files are too large to be searched"),
            (self.binary, "binary files match and are not shown"),
        )
        lines = [f"[... {_named(paths)}: {why} ...]" for paths, why in kinds if paths]
        return [*lines, self.stopped] if self.stopped else lines


def _named(paths: list[str]) -> str:
    names = ", ".join(map(shown, paths[:NAMED]))
    return names if len(paths) <= NAMED else f"{names} and {len(paths) - NAMED} more"


def shown(path: str) -> str:
    """`path` on one line and in valid Unicode, whatever bytes and control characters it holds."""
    if path.isprintable():
        return path
    return "".join(
        character if character.isprintable() else _escaped(character) for character in path
    )


def _escaped(character: str) -> str:
    return (
        character.encode("utf-8", "surrogateescape").decode("ascii", "backslashreplace")
        if ("\udc80" <= character <= "\udcff")
        else character.encode("unicode_escape").decode()
    )


def answer(lines: Iterable[str], nothing: str, left_out: LeftOut, more: str = "") -> str:
    """The lines, or `nothing`, followed by everything that was left out."""
    found = list(lines) or [nothing]
    return "\n".join([*found, *([more] if more else []), *left_out.notices()])


def base_of(tree: Tree, path: str) -> str:
    """Canonical path of a directory to search.

    Raises:
        Refusal: There is none.
    """
    try:
        base = tree.locate(path)
        tree.scan(base)
    except Refusal as refusal:
        if refusal.failure in {"not_found", "unsuitable"}:
            raise Refusal(
                refusal.failure, f"Directory not found: {shown(path) or '.'}"
            ) from refusal
        raise
    return base

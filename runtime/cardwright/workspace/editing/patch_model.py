"""What a patch says, and what can be wrong with it."""

from dataclasses import dataclass
from typing import Literal

type Mark = Literal[" ", "-", "+"]
type PatchKind = Literal["create", "update", "delete"]


@dataclass(frozen=True, slots=True)
class HunkLine:
    """One line of a hunk; `text` has its line feed unless the patch says there is none."""

    mark: Mark
    text: str


@dataclass(frozen=True, slots=True)
class Hunk:
    """One place of change; `section` tells apart the sections that name the same file."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    lines: tuple[HunkLine, ...]
    section: int = 0

    @property
    def header(self) -> str:
        """The line that announces it."""
        return f"@@ -{self.old_start},{self.old_count} +{self.new_start},{self.new_count} @@"

    @property
    def old(self) -> list[str]:
        """The lines that must be there."""
        return [line.text for line in self.lines if line.mark != "+"]

    @property
    def new(self) -> list[str]:
        """The lines that will be there."""
        return [line.text for line in self.lines if line.mark != "-"]


@dataclass(frozen=True, slots=True)
class FilePatch:
    """All changes to one file.

    `mode` is what the patch asks of a new file, such as "100755".
    """

    old_path: str | None
    new_path: str | None
    hunks: tuple[Hunk, ...]
    kind: PatchKind
    mode: str | None = None

    @property
    def path(self) -> str:
        """The file that is created, updated or deleted."""
        return self.new_path or self.old_path or ""


class PatchSyntaxError(ValueError):
    """The text is no patch that can be applied; `text` tells the model where and why."""

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        self.text = f"line {line} of the patch: {reason}"
        super().__init__(self.text)


class HunkContextError(ValueError):
    """The lines of a hunk are not in the file, or at several places."""

    def __init__(
        self, path: str, header: str, occurrences: int, lines: tuple[int, ...] = ()
    ) -> None:
        self.path = path
        self.header = header
        self.occurrences = occurrences
        self.lines = lines
        if occurrences:
            named = ", ".join(map(str, lines))
            why = (
                f"its lines occur {occurrences} times, at lines {named}: give the right line"
                " number or more context"
            )
        else:
            why = "its context and removed lines do not occur in the file: read it again"
        self.text = f"hunk {header} does not apply: {why}."
        super().__init__(f"{path}: {self.text}")


class HunkOverlapError(HunkContextError):
    """Two hunks claim the same lines."""

    def __init__(self, path: str, header: str, line: int) -> None:
        super().__init__(path, header, 1, (line,))
        self.text = (
            f"hunk {header} overlaps another hunk at line {line} of the file: make one of them."
        )
        self.args = (f"{path}: {self.text}",)


def is_pure_add(patch: FilePatch) -> bool:
    """Whether the patch brings a whole new file, which replaces one that exists."""
    return patch.kind == "create"


def deleted_paths(patches: tuple[FilePatch, ...]) -> tuple[str, ...]:
    """The files that the patches delete, each once, in order."""
    return tuple(dict.fromkeys(each.path for each in patches if each.kind == "delete"))


def patch_label(patch: FilePatch) -> str:
    """What is reported of an applied patch: `updated: notes.md`."""
    done = {"create": "created", "update": "updated", "delete": "deleted"}
    return f"{done[patch.kind]}: {patch.path}"

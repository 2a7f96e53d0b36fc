"""The sections of a patch: one per pair of headers, merged per file."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from .patch_model import FilePatch, Hunk, PatchKind, PatchSyntaxError
from .patch_paths import NOTHING, header_path, without_prefixes

_UNSUPPORTED = {
    "rename from ": "renames are not supported: create the new file and delete the old one.",
    "copy from ": "copies are not supported: create the new file.",
    "GIT binary patch": "binary patches are not supported.",
    "Binary files ": "binary patches are not supported.",
}
_ORDINARY = {"100644", "100755"}


@dataclass(slots=True)
class Section:
    """What stands between two headers; `line` is its first line, counted from 1."""

    line: int
    paths: tuple[str | None, str | None] | None = None
    hunks: list[Hunk] = field(default_factory=list[Hunk])
    created: str | None = None
    deleted: str | None = None
    mode_change: bool = False
    git_paths: str = ""

    @property
    def named(self) -> bool:
        """Whether the pair `---`, `+++` was seen."""
        return self.paths is not None

    def name(self, old: str, new: str) -> None:
        """Take the paths of the headers; `old` is empty if only `+++` was there."""
        path = header_path(new)
        self.paths = without_prefixes(header_path(old) if old else f"a/{path[2:]}", path)
        if not old and not path.startswith("b/"):
            self.paths = (path, path)

    def extended(self, line: int, text: str) -> None:
        """Take a header line of git.

        Raises:
            PatchSyntaxError: It asks for something that is not supported.
        """
        for beginning, reason in _UNSUPPORTED.items():
            if text.startswith(beginning):
                raise PatchSyntaxError(line, reason)
        if text.startswith("new file mode "):
            self.created = self._mode(line, text)
        elif text.startswith("deleted file mode "):
            self.deleted = self._mode(line, text)
        elif text.startswith(("old mode ", "new mode ")):
            self.mode_change = True

    def _mode(self, line: int, text: str) -> str:
        mode = text.rsplit(maxsplit=1)[-1]
        if mode not in _ORDINARY:
            raise PatchSyntaxError(line, f"mode {mode}: only ordinary files are supported.")
        return mode

    def patch(self, number: int) -> FilePatch:
        """The section by itself; its hunks carry `number`.

        Raises:
            PatchSyntaxError: It names no file, or does not fit what it is to do.
        """
        old, new = self._paths()
        if old is not None and new is not None and old != new:
            raise PatchSyntaxError(self.line, _UNSUPPORTED["rename from "])
        kind: PatchKind = "create" if old is None else "delete" if new is None else "update"
        if self.mode_change:
            raise PatchSyntaxError(self.line, "changes of a file's mode are not supported.")
        self._check(kind)
        hunks = tuple(replace(hunk, section=number) for hunk in self.hunks)
        return FilePatch(old, new, hunks, kind, self.created)

    def _paths(self) -> tuple[str | None, str | None]:
        if self.paths is None:
            return self._git_paths()
        old, new = self.paths
        if not (old or new):
            raise PatchSyntaxError(self.line, "the headers name no file.")
        return old, new

    def _git_paths(self) -> tuple[str | None, str | None]:
        """The paths of a section without hunks, from `diff --git a/path b/path`."""
        words = self.git_paths
        half = len(words) // 2
        pair = (header_path(words[:half]), header_path(words[half + 1 :]))
        if not (
            pair[0].startswith("a/") and pair[1].startswith("b/") and pair[0][2:] == pair[1][2:]
        ):
            raise PatchSyntaxError(self.line, "the section has neither '---' and '+++' nor hunks.")
        path = pair[0][2:]
        return (None if self.created else path, None if self.deleted else path)

    def _check(self, kind: PatchKind) -> None:
        marks = {line.mark for hunk in self.hunks for line in hunk.lines}
        if kind == "update" and not self.hunks:
            raise PatchSyntaxError(self.line, "the section has no hunk.")
        if kind == "create" and not self.hunks and self.created is None:
            raise PatchSyntaxError(self.line, "the new file has no hunk.")
        if kind == "create" and marks - {"+"}:
            raise PatchSyntaxError(
                self.line, f"a new file ({NOTHING}) can only have lines that begin with '+'."
            )
        if kind == "delete" and marks - {"-"}:
            raise PatchSyntaxError(
                self.line, f"a deletion ({NOTHING}) can only have lines that begin with '-'."
            )


def merged(sections: Iterable[Section]) -> tuple[FilePatch, ...]:
    """One patch per file, in the order of their first sections.

    Raises:
        PatchSyntaxError: A section is wrong, or two of one file contradict each other.
    """
    patches: dict[str, FilePatch] = {}
    for number, section in enumerate(sections):
        later = section.patch(number)
        first = patches.setdefault(later.path, later)
        if first is later:
            continue
        if later.kind != "update" or first.kind == "delete":
            raise PatchSyntaxError(
                section.line, f"{later.path} is to be {first.kind}d and {later.kind}d at once."
            )
        patches[later.path] = replace(first, hunks=first.hunks + later.hunks)
    return tuple(patches.values())

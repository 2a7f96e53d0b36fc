"""Files by name, newest first."""

from collections.abc import Iterator
from heapq import nsmallest

from cardwright.workspace.files import Entry, Kind, Tree

from .bounds import Bounds, LeftOut, OutOfTime, answer, base_of, shown
from .patterns import PathPattern, States


def glob_files(
    tree: Tree,
    pattern: str,
    path: str = "",
    *,
    max_results: int = 100,
    bounds: Bounds | None = None,
) -> str:
    """Paths of the files below `path` that match `pattern`, one per line, newest first.

    Args:
        tree: Where to look.
        pattern: Relative to `path`; `**`, `{a,b}`, `*`, `?` and `[...]`, in any case of letters.
        path: Directory to begin in.
        max_results: Paths to return at most; a notice tells how many there are.
        bounds: Time it may take.

    Raises:
        Refusal: `path` is no directory inside, or the pattern cannot be used.
    """
    wanted = PathPattern.of(pattern)
    left_out = LeftOut()
    search = GlobSearch(tree, base_of(tree, path), wanted, left_out)
    newest = nsmallest(max_results, search.found(bounds or Bounds()))
    more = ""
    if search.count > len(newest):
        more = f"[... truncated: {search.count} files match, showing the {len(newest)} newest ...]"
    return answer((shown(found) for _, found in newest), "No files found.", left_out, more)


class GlobSearch:
    """One walk; counts what it finds so that only the newest need be kept."""

    def __init__(self, tree: Tree, base: str, wanted: PathPattern, left_out: LeftOut) -> None:
        self.tree = tree
        self.base = base
        self.wanted = wanted
        self.left_out = left_out
        self.count = 0
        self._states: dict[str, States] = {base: wanted.start}

    def found(self, bounds: Bounds) -> Iterator[tuple[int, str]]:
        """Age (the negative time of change) and path of each match."""
        walk = self.tree.walk(self.base, enter=self._enter, skipped=self.left_out.folders)
        try:
            for entry in walk:
                _ = bounds.left
                changed = self._changed(entry)
                if changed is not None:
                    self.count += 1
                    yield -changed, entry.path
        except OutOfTime:
            self.left_out.stopped = bounds.notice

    def _enter(self, entry: Entry) -> bool:
        states = self.wanted.enter(self._states[_parent(entry)], entry.name)
        if states:
            self._states[entry.path] = states
        return bool(states)

    def _changed(self, entry: Entry) -> int | None:
        """When the file was changed, in nanoseconds; `None` if it does not match."""
        if entry.kind not in {Kind.FILE, Kind.LINK}:
            return None
        if not self.wanted.names(self._states[_parent(entry)], entry.name):
            return None
        if entry.kind is Kind.FILE:
            return entry.mtime_ns
        target = self.tree.within(entry)
        return target.mtime_ns if target is not None and target.kind is Kind.FILE else None


def _parent(entry: Entry) -> str:
    return entry.path[: -len(entry.name) - 1]

"""What is in a directory: flat, or as a tree."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from cardwright.workspace.files import Entry, Kind, Tree
from cardwright.workspace.refusals import Refusal

from .bounds import Bounds, LeftOut, OutOfTime, answer, base_of, shown

MOST_ENTRIES = 5000


@dataclass(frozen=True, slots=True)
class _Row:
    """One entry as it is shown; `inside` is its path if it may be descended into."""

    folder: bool
    name: str
    text: str
    inside: str | None


def list_directory(
    tree: Tree, path: str = "", depth: int = 1, *, bounds: Bounds | None = None
) -> str:
    """The entries of `path`: directories first, each kind by name.

    Args:
        tree: Where to look.
        path: Directory to list.
        depth: 1 for its entries alone, more for a tree of that many levels, 0 for all levels.
        bounds: Time it may take.

    Raises:
        Refusal: `path` is no directory inside, or `depth` is negative.
    """
    if depth < 0:
        raise Refusal("invalid", "depth must be 0 for all levels, 1, or more.")
    base = base_of(tree, path)
    rows = _rows(tree, tree.scan(base))
    if not rows:
        return "Empty directory."
    if depth == 1:
        more = _more(len(rows), str(len(rows)))
        return answer((row.text for row in rows[:MOST_ENTRIES]), "", LeftOut(), more)
    return _tree(tree, rows, depth, bounds or Bounds())


def _more(count: int, total: str) -> str:
    if count <= MOST_ENTRIES:
        return ""
    return f"[... truncated: {total} entries, showing the first {MOST_ENTRIES} ...]"


def _rows(tree: Tree, entries: list[Entry]) -> list[_Row]:
    links = [entry.name for entry in entries if entry.kind is Kind.LINK]
    # Looking where a link leads takes long enough to be bounded.
    unseen = frozenset(links[MOST_ENTRIES:])
    rows = [_unseen(entry) if entry.name in unseen else _row(tree, entry) for entry in entries]
    return sorted(rows, key=lambda row: (not row.folder, row.name))


def _row(tree: Tree, entry: Entry) -> _Row:
    name = shown(entry.name)
    if entry.kind is Kind.DIRECTORY:
        return _Row(folder=True, name=entry.name, text=f"{name}/", inside=entry.path)
    if entry.kind is Kind.FILE:
        text = f"{name} ({entry.size} bytes)"
    elif entry.kind is Kind.LINK:
        return _link(tree, entry, name)
    else:
        text = f"{name} (neither file nor directory)"
    return _Row(folder=False, name=entry.name, text=text, inside=None)


def _unseen(entry: Entry) -> _Row:
    return _Row(folder=False, name=entry.name, text=f"{shown(entry.name)} (link)", inside=None)


def _link(tree: Tree, entry: Entry, name: str) -> _Row:
    """A link is shown by what it leads to, and never followed further."""
    target = tree.within(entry)
    folder = target is not None and target.kind is Kind.DIRECTORY
    if target is None:
        text = f"{name} (link that leads nowhere or out of the workspace)"
    elif folder:
        text = f"{name}/ (link)"
    else:
        text = f"{name} ({target.size} bytes, link)"
    return _Row(folder=folder, name=entry.name, text=text, inside=None)


def _tree(tree: Tree, rows: list[_Row], depth: int, bounds: Bounds) -> str:
    left_out = LeftOut()
    lines = ["."]

    def below(path: str) -> list[_Row]:
        _ = bounds.left
        try:
            return _rows(tree, tree.scan(path))
        except Refusal:
            left_out.folders.append(path)
            return []

    more = ""
    try:
        for line in _branches(rows, depth, below):
            if len(lines) > MOST_ENTRIES:
                more = _more(MOST_ENTRIES + 1, "more")
                break
            lines.append(line)
    except OutOfTime:
        left_out.stopped = bounds.notice
    return answer(lines, "", left_out, more)


def _branches(rows: list[_Row], depth: int, below: Callable[[str], list[_Row]]) -> Iterator[str]:
    """The lines of the tree; a stack of its own, for trees deeper than Python recurses."""
    stack: list[tuple[str, list[_Row]]] = [("", rows[::-1])]
    while stack:
        indent, siblings = stack[-1]
        if not siblings:
            stack.pop()
            continue
        row = siblings.pop()
        last = not siblings
        yield indent + ("└── " if last else "├── ") + row.text
        if row.inside is not None and (depth == 0 or len(stack) < depth):
            stack.append((indent + ("    " if last else "│   "), below(row.inside)[::-1]))

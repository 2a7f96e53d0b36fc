"""Several agents and an outsider against a model: no lost update, refusals only when due."""

import codecs
import difflib
from dataclasses import dataclass
from itertools import count

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from tests.workspace.workspace_support import Desk, files_below, quick_folder

from cardwright.workspace.files import Tree
from cardwright.workspace.gate import Edit
from cardwright.workspace.refusals import Refusal

AGENTS = st.sampled_from(["a", "b"])
PATHS = st.sampled_from(["one.txt", "d/two.txt"])
SPELLINGS = st.sampled_from(["{}", "./{}", "d/../{}", "loop/{}"])
FORMS = st.sampled_from(
    [
        ("\n", "utf-8", b""),
        ("\r\n", "utf-8", b""),
        ("\n", "utf-8", codecs.BOM_UTF8),
        ("\r\n", "utf-16-le", codecs.BOM_UTF16_LE),
    ]
)


@dataclass(frozen=True)
class Text:
    """A file of the model: its lines, each with a token that occurs nowhere else."""

    lines: tuple[str, ...]
    newline: str
    encoding: str
    bom: bytes
    final: bool

    @property
    def data(self) -> bytes:
        text = self.newline.join(self.lines) + (self.newline if self.final else "")
        return self.bom + text.encode(self.encoding)

    def replaced(self, old: str, new: str) -> "Text":
        lines = tuple(new if line == old else line for line in self.lines)
        return Text(lines, self.newline, self.encoding, self.bom, self.final)


@dataclass(frozen=True)
class View:
    """What an agent has seen, by the model."""

    text: Text
    shown: frozenset[int]

    @property
    def full(self) -> bool:
        return len(self.shown) == len(self.text.lines)


class Due(Exception):  # noqa: N818 - no error
    """The model says that a refusal is due."""


class Workspace(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = quick_folder()
        root = self.folder.__enter__() / "tree"
        (root / "d").mkdir(parents=True)
        (root / "loop").symlink_to(".")
        self.desk = Desk(Tree(root))
        self.files: dict[str, Text] = {}
        self.views: dict[tuple[str, str], View] = {}
        self.numbers = count()

    def teardown(self) -> None:
        self.desk.close()
        self.folder.__exit__(None, None, None)

    def fresh(self, lines: int) -> tuple[str, ...]:
        return tuple(f"tök {next(self.numbers)} \x0c end" for _ in range(lines))

    # What the model expects of the gate.

    def view(self, agent: str, path: str) -> View | None:
        own = self.views.get((agent, path))
        live = self.files.get(path)
        if own is None and live is not None:
            known = (view for (who, _), view in self.views.items() if who == agent)
            return next((view for view in known if view.text == live), None)
        return own

    def admit_whole(self, agent: str, path: str) -> None:
        live, view = self.files.get(path), self.view(agent, path)
        if live is None:
            if view is not None:
                del self.views[agent, path]
                raise Due
        elif view is None or view.text != live or not view.full:
            raise Due

    def admit_deletion(self, agent: str, path: str) -> None:
        self.admit_whole(agent, path)
        if path not in self.files:
            raise Due

    def admit_anchor(self, agent: str, path: str, line: str) -> Text:
        live, view = self.files.get(path), self.view(agent, path)
        if live is None and view is not None:
            del self.views[agent, path]
        if live is None or view is None or line not in live.lines:
            raise Due
        return live

    def changed(self, agent: str, path: str, text: Text, *, full: bool) -> None:
        self.files[path] = text
        shown = range(len(text.lines)) if full else ()
        self.views[agent, path] = View(text, frozenset(shown))

    def edited(self, agent: str, path: str, old: str, new: str) -> None:
        live, view = self.files[path], self.view(agent, path)
        full = view is not None and view.full and view.text == live
        self.changed(agent, path, live.replaced(old, new), full=full)

    # What happens.

    @rule(path=PATHS, lines=st.integers(1, 6), form=FORMS, final=st.booleans())
    def outsider_writes(
        self, path: str, lines: int, form: tuple[str, str, bytes], final: bool
    ) -> None:
        self.files[path] = Text(self.fresh(lines), *form, final)
        self.desk.outside(path, self.files[path].data)

    @rule(path=PATHS)
    def outsider_adds_a_line(self, path: str) -> None:
        if path in self.files:
            old = self.files[path]
            lines = (*old.lines, *self.fresh(1))
            self.files[path] = Text(lines, old.newline, old.encoding, old.bom, old.final)
            self.desk.outside(path, self.files[path].data)

    @rule(path=PATHS)
    def outsider_deletes(self, path: str) -> None:
        if self.files.pop(path, None) is not None:
            (self.desk.tree.root / path).unlink()

    @rule(source=PATHS, onto=PATHS)
    def outsider_renames(self, source: str, onto: str) -> None:
        if source in self.files and source != onto:
            self.files[onto] = self.files.pop(source)
            (self.desk.tree.root / source).rename(self.desk.tree.root / onto)

    @rule(
        agent=AGENTS, path=PATHS, spelling=SPELLINGS, first=st.integers(1, 5), pages=st.booleans()
    )
    def agent_reads(self, agent: str, path: str, spelling: str, first: int, pages: bool) -> None:
        if path not in self.files:
            return
        text = self.files[path]
        first = min(first, len(text.lines)) if pages else 1
        last = min(first + 1, len(text.lines)) if pages else len(text.lines)
        self.desk.sees(agent, spelling.format(path), first, last, total=len(text.lines))
        shown = frozenset(range(first - 1, last))
        earlier = self.views.get((agent, path))
        if earlier is not None and earlier.text == text:
            shown |= earlier.shown
        self.views[agent, path] = View(text, shown)

    @rule(agent=AGENTS, path=PATHS, spelling=SPELLINGS, lines=st.integers(1, 3))
    def agent_writes(self, agent: str, path: str, spelling: str, lines: int) -> None:
        content = self.fresh(lines)
        try:
            self.admit_whole(agent, path)
        except Due:
            with pytest.raises(Refusal):
                self.desk.write(agent, spelling.format(path), "\n".join(content) + "\n")
            return
        self.desk.write(agent, spelling.format(path), "\n".join(content) + "\n")
        like = self.files.get(path, Text((), "\n", "utf-8", b"", final=True))
        # A single line without an ending says nothing about the endings of its file.
        newline = like.newline if len(like.lines) > 1 or like.final else "\n"
        text = Text(content, newline, like.encoding, like.bom, final=True)
        self.changed(agent, path, text, full=True)

    @rule(agent=AGENTS, path=PATHS, spelling=SPELLINGS)
    def agent_deletes(self, agent: str, path: str, spelling: str) -> None:
        try:
            self.admit_deletion(agent, path)
        except Due:
            with pytest.raises(Refusal):
                self.desk.delete(agent, spelling.format(path))
            return
        self.desk.delete(agent, spelling.format(path))
        del self.files[path]
        self.views.pop((agent, path), None)

    @rule(agent=AGENTS, paths=st.lists(PATHS, min_size=1, max_size=2, unique=True), data=st.data())
    def agent_edits(self, agent: str, paths: list[str], data: st.DataObject) -> None:
        edits: list[tuple[str, str, str]] = []
        for path in paths:
            view = self.view(agent, path)
            old = data.draw(st.sampled_from(view.text.lines)) if view else "unknown"
            edits.append((path, old, self.fresh(1)[0]))
        wanted = [Edit(data.draw(SPELLINGS).format(path), old, new) for path, old, new in edits]
        try:
            for path, old, _ in edits:
                self.admit_anchor(agent, path, old)
        except Due:
            with pytest.raises(Refusal):
                self.desk.edit(agent, *wanted)
            return
        self.desk.edit(agent, *wanted)
        for path, old, new in edits:
            self.edited(agent, path, old, new)

    @rule(agent=AGENTS, path=PATHS, data=st.data())
    def agent_patches(self, agent: str, path: str, data: st.DataObject) -> None:
        view = self.view(agent, path)
        if view is None or path not in self.files:
            return
        old, new = data.draw(st.sampled_from(view.text.lines)), self.fresh(1)[0]
        patch = "".join(
            f"{line}\n"
            for line in difflib.unified_diff(
                view.text.lines,
                view.text.replaced(old, new).lines,
                f"a/{path}",
                f"b/{path}",
                lineterm="",
                n=data.draw(st.integers(0, 2)),
            )
        )
        try:
            self.desk.patch(agent, patch)
        except Refusal:
            assert view.text != self.files[path], "refused although nothing had changed"
            return
        assert old in self.files[path].lines, "applied where its line was gone"
        self.edited(agent, path, old, new)

    @invariant()
    def disk_is_what_the_model_says(self) -> None:
        assert files_below(self.desk.tree.root) == {
            path: text.data for path, text in self.files.items()
        }


TestWorkspace = Workspace.TestCase
TestWorkspace.settings = settings(
    max_examples=25,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)

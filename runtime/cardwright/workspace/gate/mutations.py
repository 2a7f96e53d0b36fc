"""The changes of a tree: judged, prepared and published in one go."""

from collections.abc import Callable, Iterable, Sequence

from cardwright.workspace.editing import (
    TextForm,
    encode_text,
    form_of,
    normalise_endings,
    unified,
)
from cardwright.workspace.files import (
    Change,
    Overtaken,
    Publisher,
    make_directory,
    refusing,
)
from cardwright.workspace.files.facts import Kind
from cardwright.workspace.refusals import Refusal

from .drafts import Draft
from .edits import Edit, draft_edits, draft_patch
from .gate import Gate, Target
from .observations import Observation
from .outcomes import Accepted
from .verdicts import Verdict

ATTEMPTS = 3


class Mutations:
    """What the tree's actor does for agents; each method is one turn and all or nothing.

    Every method raises `Refusal` for what the agent may try differently.
    """

    def __init__(self, gate: Gate, publisher: Publisher) -> None:
        self._gate = gate
        self._publisher = publisher

    def write(self, agent_id: str, path: str, content: str) -> Accepted:
        """Create a file, or replace all of it; line endings, mark and encoding stay."""
        return self._settled(path, lambda: self._write(agent_id, path, content))

    def delete(self, agent_id: str, path: str) -> Accepted:
        """Delete a file, or a link itself."""
        return self._settled(path, lambda: self._delete(agent_id, path))

    def edit(self, agent_id: str, edits: Sequence[Edit], nothing: str) -> Accepted:
        """Apply edits in order and answer with their differences, or with `nothing`.

        Raises:
            EditMissed: An anchor is absent or ambiguous in an unchanged file.
        """
        return self._settled(_named(edits), lambda: self._edit(agent_id, edits, nothing))

    def patch(self, agent_id: str, text: str) -> Accepted:
        """Apply a unified diff and answer with a line about each file.

        Raises:
            EditMissed: A section does not fit an unchanged file.
        """
        return self._settled("the files of the patch", lambda: self._patch(agent_id, text))

    def mkdir(self, path: str) -> Accepted:
        """Make a directory and its parents."""
        with refusing(path):
            make_directory(self._gate.tree, path)
        return Accepted(f"Created: {path}")

    def _settled(self, path: str, attempt: Callable[[], Accepted]) -> Accepted:
        """Judge anew when somebody else changes the file between the check and the change."""
        for _ in range(ATTEMPTS):
            try:
                with refusing(path):
                    return attempt()
            except Overtaken:
                continue
        raise Refusal(
            "lost",
            f"{path} is being changed by somebody else all the time."
            " Nothing was changed: send the same call again.",
        )

    def _write(self, agent_id: str, path: str, content: str) -> Accepted:
        target = self._gate.look(agent_id, path, whole=True)
        data = _replacing(target, content)
        if not target.verdict.admits:
            raise self._gate.refusal(agent_id, target, proposed=content)
        change = Change(target.path, target.live, data)
        if target.live is not None and target.live.data == data:
            identity, sha = target.live.facts.identity, target.live.sha
        else:
            identity = self._publisher.publish([change])[target.path]
            sha = change.sha or ""
        seen = Observation(sha, full=True, identity=identity)
        self._gate.written(agent_id, target.path, data, seen)
        return Accepted(f"Written: {path}", (target.path,))

    def _delete(self, agent_id: str, path: str) -> Accepted:
        target = self._gate.look(agent_id, path, whole=True, follow=False)
        if target.verdict is Verdict.ABSENT:
            raise Refusal("not_found", f"File not found: {path}")
        if target.live is not None and target.live.facts.kind is Kind.LINK:
            self._judge_link(agent_id, path)
        elif not target.verdict.admits:
            raise self._gate.refusal(agent_id, target)
        self._publisher.publish([Change(target.path, target.live, None)])
        self._gate.deleted(agent_id, target.path)
        return Accepted(f"Deleted: {path}", (target.path,))

    def _judge_link(self, agent_id: str, path: str) -> None:
        """A link is judged by what is read through it; one that leads to no file holds nothing."""
        try:
            through = self._gate.look(agent_id, path, whole=True)
        except Refusal:
            return
        if not through.verdict.admits:
            raise self._gate.refusal(agent_id, through)

    def _edit(self, agent_id: str, edits: Sequence[Edit], nothing: str) -> Accepted:
        drafts = list(draft_edits(self._gate, agent_id, edits))
        paths = self._publish(agent_id, drafts)
        shown = [unified(draft.path, draft.text, draft.after or "") for draft in drafts]
        return Accepted("\n".join(each for each in shown if each) or nothing, paths)

    def _patch(self, agent_id: str, text: str) -> Accepted:
        drafts, lines = draft_patch(self._gate, agent_id, text)
        return Accepted("\n".join(lines), self._publish(agent_id, drafts))

    def _publish(self, agent_id: str, drafts: Iterable[Draft]) -> tuple[str, ...]:
        changed = [draft for draft in drafts if draft.changed]
        changes = [draft.change() for draft in changed]
        published = self._publisher.publish(changes) if changes else {}
        for draft, change in zip(changed, changes, strict=True):
            if change.data is None or change.sha is None:
                self._gate.deleted(agent_id, draft.path)
            else:
                full, identity = draft.target.known_in_full, published[draft.path]
                over = self._gate.built_on(draft.target)
                seen = Observation(change.sha, full, identity, over=over)
                self._gate.written(agent_id, draft.path, change.data, seen)
        return tuple(draft.path for draft in changed)


def _replacing(target: Target, content: str) -> bytes:
    """The bytes of new content, in the form of the text that it replaces."""
    form = TextForm() if target.live is None else form_of(target.live.data)
    if target.live is None or form is None:
        return encode_text(content, TextForm())
    if form.bom and content.startswith("\ufeff"):
        content = content[1:]
    return encode_text(normalise_endings(content, form.newline), form)


def _named(edits: Sequence[Edit]) -> str:
    return ", ".join(dict.fromkeys(edit.path for edit in edits))

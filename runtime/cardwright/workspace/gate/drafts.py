"""Several changes prepared in memory: nothing is published before all of them fit."""

from collections.abc import Iterator
from dataclasses import dataclass

from cardwright.workspace.editing import TextForm, decode_text, encode_text
from cardwright.workspace.files import Change, Identity
from cardwright.workspace.refusals import Refusal

from .gate import Gate, Target
from .verdicts import Verdict


@dataclass(slots=True)
class Draft:
    """One file under change; `after` is `None` once it is to be deleted."""

    target: Target
    text: str
    form: TextForm
    after: str | None
    executable: bool = False

    @property
    def path(self) -> str:
        """Canonical path."""
        return self.target.path

    @property
    def identity(self) -> Identity | None:
        """Which file it was before."""
        return None if self.target.live is None else self.target.live.facts.identity

    @property
    def changed(self) -> bool:
        """Whether anything would be different."""
        before = None if self.target.live is None else self.text
        return self.after != before

    def change(self) -> Change:
        """What to publish."""
        data = None if self.after is None else encode_text(self.after, self.form)
        return Change(self.path, self.target.live, data, self.executable, self.target.emptied)


class Drafts:
    """The files of one call, each looked at once, however it is spelled."""

    def __init__(self, gate: Gate, agent_id: str) -> None:
        self._gate = gate
        self._agent = agent_id
        self._drafts: dict[str, Draft] = {}

    def __iter__(self) -> Iterator[Draft]:
        """In the order of first use."""
        return iter(self._drafts.values())

    def anchored(self, path: str) -> Draft:
        """The file at `path`, for a change of a part of it.

        Raises:
            Refusal: It is not there, was not read, or is no text.
        """
        target = self._gate.look(self._agent, path, whole=False)
        found = self._same(target)
        if found is not None and found.after is not None:
            return found
        if found is not None or target.verdict is Verdict.ABSENT:
            raise Refusal("not_found", f"File not found: {path}")
        return self._begun(target, path)

    def whole(self, path: str) -> Draft:
        """The file at `path`, which need not be there, for a change of all of it.

        Raises:
            Refusal: The agent has not seen all of it in its present form.
        """
        target = self._freed(path) or self._gate.look(self._agent, path, whole=True)
        if not target.verdict.admits:
            raise self._gate.refusal(self._agent, target)
        return self._same(target) or self._begun(target, path)

    def _freed(self, path: str) -> Target | None:
        """The place at `path` if deletions of this call make it free."""
        deleted = {each.path for each in self if each.after is None and each.target.live}
        return self._gate.freed(self._agent, path, deleted) if deleted else None

    def _begun(self, target: Target, path: str) -> Draft:
        if not target.verdict.admits:
            raise self._gate.refusal(self._agent, target)
        text, form = ("", TextForm()) if target.live is None else decoded(path, target.live.data)
        draft = self._drafts[target.path] = Draft(target, text, form, text)
        return draft

    def _same(self, target: Target) -> Draft | None:
        """The draft of the same entry; where names ignore case, two spellings are one entry."""
        if target.path in self._drafts or target.live is None or target.live.facts.links > 1:
            return self._drafts.get(target.path)
        identity = target.live.facts.identity
        return next((each for each in self if each.identity == identity), None)


def decoded(path: str, data: bytes) -> tuple[str, TextForm]:
    """The text in `data`.

    Raises:
        Refusal: It is no text; the path is named.
    """
    try:
        return decode_text(data)
    except Refusal as refused:
        raise Refusal(refused.failure, f"{path}: {refused}") from refused

"""Edits and patches turned into drafts."""

from collections.abc import Sequence
from dataclasses import dataclass

from cardwright.workspace.editing import (
    AnchorError,
    FilePatch,
    HunkContextError,
    PatchSyntaxError,
    apply_file_patch,
    is_pure_add,
    normalise_endings,
    parse_patch,
    substitute_edit,
)
from cardwright.workspace.refusals import Refusal

from .drafts import Draft, Drafts
from .gate import Gate
from .outcomes import EditMissed
from .verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Edit:
    """One replacement in one file."""

    path: str
    old: str
    new: str
    replace_all: bool = False


def draft_edits(gate: Gate, agent_id: str, edits: Sequence[Edit]) -> Drafts:
    """The files as they would be after all edits, applied in order.

    Raises:
        Refusal: The gate does not admit one of them.
        EditMissed: An anchor is absent or ambiguous in an unchanged file.
    """
    drafts = Drafts(gate, agent_id)
    for edit in edits:
        _apply(gate, agent_id, drafts.anchored(edit.path), edit)
    return drafts


def _apply(gate: Gate, agent_id: str, draft: Draft, edit: Edit) -> None:
    exact_only = draft.target.verdict is Verdict.EXACT
    try:
        draft.after = substitute_edit(
            draft.after or "",
            edit.old,
            edit.new,
            replace_all=edit.replace_all,
            exact_only=exact_only,
        ).text
    except AnchorError as missed:
        if exact_only:
            raise gate.refusal(agent_id, draft.target) from missed
        raise EditMissed(_told(edit.path, missed)) from missed


def _told(path: str, missed: AnchorError) -> str:
    if missed.count > 1:
        return f"[ERROR] {path}: {missed.text}"
    reason = missed.text.removeprefix("old_string not found, ")
    return f"[ERROR] old_string not found in {path}: {reason}"


def draft_patch(gate: Gate, agent_id: str, text: str) -> tuple[Drafts, list[str]]:
    """The files as they would be after a patch, and a line about each in the order of the patch.

    Raises:
        Refusal: The text is no patch, or the gate does not admit a section.
        EditMissed: A section does not fit an unchanged file.
    """
    try:
        patches = parse_patch(text)
    except PatchSyntaxError as error:
        raise Refusal("invalid", f"No patches applied: {error.text}") from error
    drafts = Drafts(gate, agent_id)
    # What is deleted first makes room: a file may come where a directory was, and below a file.
    order = sorted(range(len(patches)), key=lambda at: patches[at].kind != "delete")
    lines = {at: _section(gate, agent_id, drafts, patches[at]) for at in order}
    return drafts, [lines[at] for at in range(len(patches))]


def _section(gate: Gate, agent_id: str, drafts: Drafts, patch: FilePatch) -> str:
    draft = _target(drafts, patch)
    if draft.after is None and patch.kind != "delete":
        raise Refusal("invalid", f"{patch.path} is to be deleted and written at once.")
    existed = draft.after is not None and draft.target.live is not None
    try:
        result = apply_file_patch("" if is_pure_add(patch) else draft.after or "", patch)
    except HunkContextError as error:
        if draft.target.verdict is Verdict.EXACT:
            raise gate.refusal(agent_id, draft.target) from error
        raise EditMissed(f"[ERROR] {patch.path}: {error.text}") from error
    if patch.kind == "delete":
        draft.after = None
        return f"deleted: {patch.path}"
    draft.executable = patch.mode == "100755"
    whole = is_pure_add(patch) and existed
    draft.after = normalise_endings(result, draft.form.newline) if whole else result
    return f"{'updated' if existed else 'created'}: {patch.path}"


def _target(drafts: Drafts, patch: FilePatch) -> Draft:
    if is_pure_add(patch) or patch.kind == "create":
        return drafts.whole(patch.path)
    try:
        return drafts.whole(patch.path) if patch.kind == "delete" else drafts.anchored(patch.path)
    except Refusal as refused:
        if refused.failure == "not_found":
            raise EditMissed(f"[ERROR] {patch.path}: {refused}") from refused
        raise

"""The text of a refusal: reason, who did it, how to go on, and what to look at."""

from cardwright.workspace.editing import (
    bounded_difference,
    decode_text,
    live_to_proposed,
    split_lines,
)
from cardwright.workspace.files import Blob
from cardwright.workspace.refusals import Refusal

from .verdicts import Verdict

_REASONS = {
    Verdict.UNREAD: "{path} exists and you have not read it.",
    Verdict.PARTIAL: "You have read only a part of {path}: a page is not enough to replace it.",
    Verdict.CHANGED: "{path} has changed since you read it.",
    Verdict.EXACT: "{path} has changed since you read it, and your change no longer fits it.",
    Verdict.DELETED: "{path} was deleted since you read it.",
}
_CHANGED_A_PART = "You have not seen the whole of {path} as it is now."
_ONWARD = {
    Verdict.DELETED: "What you knew of it is forgotten. To create it anew, write it once more.",
}
_REREAD = "Read it again, reconsider your change, and retry."
_NO_TEXT = "It is no text, so it cannot be read and replaced here: use a command, or another name."
_OUTSIDE = (
    "Nobody in this team wrote that: it came from outside (an upload, a command or another team)."
)


def stale(
    verdict: Verdict,
    path: str,
    live: Blob | None,
    *,
    writer: str | None,
    paged: bool,
    seen: bytes | None,
    proposed: str | None,
) -> Refusal:
    """The refusal for a file that is not as the agent saw it.

    Args:
        verdict: Why.
        path: Canonical path.
        live: What is there.
        writer: Display name of the other agent whose change is to blame; `None` if there is none.
        paged: Whether the agent has read pages of what is there, not only changed a part of it.
        seen: What the agent saw, if it is still known, shown as a difference to `live`.
        proposed: Whole text the agent wants there, shown as a difference instead; `None` for none.
    """
    unseen = verdict is Verdict.PARTIAL and not paged
    lines = [(_CHANGED_A_PART if unseen else _REASONS[verdict]).format(path=path)]
    if unseen and writer is not None:
        lines.append(f"{writer} changed it since you saw it.")
    elif writer is not None:
        lines.append(f"It was last written by {writer}.")
    elif verdict in {Verdict.CHANGED, Verdict.EXACT}:
        lines.append(_OUTSIDE)
    readable = live is None or _is_text(live.data)
    lines.append(_ONWARD.get(verdict, _REREAD if readable else _NO_TEXT))
    if live is not None:
        lines.append(_evidence(path, live, seen, proposed))
    return Refusal("stale", "\n".join(lines))


def _evidence(path: str, live: Blob, seen: bytes | None, proposed: str | None) -> str:
    text = shown_text(live.data)
    if proposed is not None and _is_text(live.data):
        return live_to_proposed(path, text, proposed)
    count = len(split_lines(text))
    told = f"It has {count} line{'' if count == 1 else 's'} now, sha256 {live.sha}."
    if seen is None or not (_is_text(seen) and _is_text(live.data)):
        return told
    became = bounded_difference(f"seen/{path}", f"live/{path}", shown_text(seen), text)
    return f"{told}\n{became}" if became else told


def _is_text(data: bytes) -> bool:
    try:
        decode_text(data)
    except Refusal:
        return False
    return True


def shown_text(data: bytes) -> str:
    """The bytes as text, for a reader; what cannot be decoded is replaced."""
    try:
        return decode_text(data)[0]
    except Refusal:
        return data.decode(errors="replace")

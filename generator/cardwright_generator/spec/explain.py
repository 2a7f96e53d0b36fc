"""What each code means: the rulebook, one Markdown page per code, with examples that are tested."""

import re
from functools import cache
from pathlib import Path

from cardwright_generator.spec.diagnostics import did_you_mean

_RULEBOOK = Path(__file__).with_name("rulebook")
_TITLE = re.compile(r"# CW\d{3}: (.+)")


class UnknownCodeError(LookupError):
    """No diagnostic has that code; the text says which are near."""


@cache
def all_codes() -> tuple[str, ...]:
    """Return every code, sorted."""
    return tuple(sorted(page.stem for page in _RULEBOOK.glob("CW*.md")))


def explain(code: str) -> str:
    """Return a Markdown page: what a code means, why it is refused, a bad spec and a good one.

    Raises `UnknownCodeError` if there is no such code; the case of letters does not matter.
    """
    known = code.strip().upper()
    if known not in all_codes():
        hint = did_you_mean(known, all_codes()) or f"codes: {', '.join(all_codes())}"
        message = f"there is no code '{code}'; {hint}"
        raise UnknownCodeError(message)
    return (_RULEBOOK / f"{known}.md").read_text(encoding="utf-8")


def title(code: str) -> str:
    """Return the title of a code, for lists; raises `UnknownCodeError`."""
    found = _TITLE.match(explain(code))
    return found[1] if found else code

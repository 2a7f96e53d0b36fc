"""What every code means: those of specs, and those of `cardwright check` in the folder beside."""

from functools import cache
from pathlib import Path

from cardwright_generator.spec.diagnostics import did_you_mean
from cardwright_generator.spec.explain import all_codes as codes_of_specs
from cardwright_generator.spec.explain import explain as page_of_specs

_RULEBOOK = Path(__file__).with_name("rulebook")


@cache
def own_codes() -> tuple[str, ...]:
    """The codes of findings that are not about specs."""
    return tuple(sorted(page.stem for page in _RULEBOOK.glob("CW*.md")))


def all_codes() -> tuple[str, ...]:
    """Every code, sorted."""
    return tuple(sorted((*codes_of_specs(), *own_codes())))


def is_rule(code: str) -> bool:
    """Whether it is written as a rule of `cardwright breaking` is: words joined by hyphens."""
    return "-" in code.strip().strip("-")


def page_of(code: str) -> str:
    """The Markdown page of a code; the case of letters does not matter.

    Raises:
        LookupError: There is no such code; the text says which is near.
    """
    known = code.strip().upper()
    if known in own_codes():
        return (_RULEBOOK / f"{known}.md").read_text(encoding="utf-8")
    if known in codes_of_specs():
        return page_of_specs(known)
    hint = did_you_mean(known, all_codes()) or "`cardwright explain` lists them"
    message = f"there is no code '{code}'; {hint}"
    raise LookupError(message)


def title_of(code: str) -> str:
    """The title of a code; raises as `page_of`."""
    heading = page_of(code).partition("\n")[0]
    return heading.partition(": ")[2]

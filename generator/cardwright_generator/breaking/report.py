"""A change as Markdown for a pull request: what the model now reads, what breaks, which version."""

import re
from collections.abc import Iterator
from difflib import unified_diff

from cardwright_generator.spec.visible import visible

from .context import Reading, Text, reading
from .finding import Finding
from .loading import Sides
from .renderings import counts, place
from .rule import Category
from .verdict import Verdict

_WHOM = {
    Category.LLM: "What the model reads",
    Category.WIRE: "What is stored, sent and configured outside code",
    Category.SOURCE: "What code names",
}
_NOTHING = Text("", 0)


def render_report(sides: Sides, verdict: Verdict) -> str:
    """The whole report; everything in it is about what changed."""
    parts = [
        f"# Contract report against {_code(verdict.against)}",
        f"**Version step: {verdict.step.name.lower()}.** {_sentence(counts(verdict))}",
        *_findings(verdict),
        *_cards(sides),
    ]
    return "\n\n".join(parts) + "\n"


def _findings(verdict: Verdict) -> Iterator[str]:
    for category in Category:
        found = [one for one in verdict.findings if one.category is category]
        if found:
            rows = "\n".join(_row(one) for one in sorted(found, key=lambda one: -one.level))
            head = "| level | rule | card | what | where | fingerprint |\n|---|---|---|---|---|---|"
            yield f"## {category}: {_WHOM[category]}\n\n{head}\n{rows}"
    if verdict.waived:
        rows = "\n".join(
            f"- `{one.fingerprint}` {one.rule.id}, {_code(one.message)}: {_code(waiver.reason)}"
            for one, waiver in verdict.waived
        )
        yield f"## Waived\n\n{rows}"
    if verdict.stale:
        rows = "\n".join(f"- `{one.fingerprint}`: {_code(one.reason)}" for one in verdict.stale)
        yield f"## Stale waivers\n\n{rows}"


def _row(one: Finding) -> str:
    cells = (one.level.name, f"`{one.rule.id}`", one.card, _code(one.message), f"{place(one)}")
    return f"| {' | '.join(_cell(cell) for cell in cells)} | `{one.fingerprint}` |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _code(text: str) -> str:
    """A text of whoever wrote the specs, as code: no markup, link or mention of it works."""
    plain = visible(" ".join(text.split()))
    fence = "`" * (1 + _longest_run(plain))
    room = " " if "`" in plain else ""
    return f"{fence}{room}{plain}{room}{fence}"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _cards(sides: Sides) -> Iterator[str]:
    was = {card.card: file for file, card in sides.old.cards()}
    now = {card.card: file for file, card in sides.new.cards()}
    before = {
        card.card: card.card if card.card in was else card.renamed_from or card.card
        for _, card in sides.new.cards()
    }
    for name in sorted({*now, *(was.keys() - set(before.values()))}):
        old = reading(sides.old, was.get(before.get(name, name), ""))
        new = reading(sides.new, now.get(name, ""))
        if {key: one.shown for key, one in old.items()} != {k: o.shown for k, o in new.items()}:
            yield f"## {name}: before and after\n\n{_sizes(old, new)}"
            yield from _differences(old, new)


def _sizes(old: Reading, new: Reading) -> str:
    head = (
        "| channel | bytes before | bytes after | tokens before, about | tokens after, about |\n"
        "|---|---|---|---|---|"
    )
    channels = list(dict.fromkeys(channel for channel, _ in (*old, *new)))
    rows = [_size(channel, old, new) for channel in channels]
    return "\n".join([head, *rows])


def _size(channel: str, old: Reading, new: Reading) -> str:
    was, now = ([one for (c, _), one in side.items() if c == channel] for side in (old, new))
    bytes_ = [str(sum(one.size for one in texts)) for texts in (was, now)]
    tokens = [str(sum(one.tokens for one in texts)) for texts in (was, now)]
    return f"| {channel} | {' | '.join([*bytes_, *tokens])} |"


def _differences(old: Reading, new: Reading) -> Iterator[str]:
    for key in dict.fromkeys((*old, *new)):
        was, now = old.get(key, _NOTHING), new.get(key, _NOTHING)
        if was.shown == now.shown:
            continue
        channel, name = key
        lines = unified_diff(
            was.shown.splitlines(), now.shown.splitlines(), "before", "after", lineterm=""
        )
        text = "\n".join(map(visible, lines))
        fence = "`" * max(3, 1 + _longest_run(text))
        said = f"{was.size} to {now.size} bytes, about {was.tokens} to {now.tokens} tokens"
        yield f"### `{name}` on {channel}: {said}\n\n{fence}diff\n{text}\n{fence}"


def _longest_run(text: str) -> int:
    """Backticks in a row, which the fence around the text must outdo."""
    return max(map(len, re.findall("`+", text)), default=0)

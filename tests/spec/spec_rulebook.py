"""Reads the pages of the rulebook, so that their examples are executed."""

import re
from dataclasses import dataclass

from cardwright_generator.spec import explain

_BLOCK = re.compile(r"^```(\w+) ?([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Page:
    """The examples of one code."""

    code: str
    refused: dict[str, str | bytes]
    told: str
    accepted: dict[str, str | bytes]


def read_page(code: str) -> Page:
    head, accepted = explain(code).split("\n## Accepted\n")
    refused = head.split("\n## Refused\n")[1]
    told = [text for kind, _, text in _BLOCK.findall(refused) if kind == "text"]
    assert len(told) == 1
    return Page(code, _files(refused), told[0], _files(accepted))


def _files(section: str) -> dict[str, str | bytes]:
    found: dict[str, str | bytes] = {}
    for kind, label, text in _BLOCK.findall(section):
        if kind == "yaml":
            name, _, encoding = label.partition(" ")
            found[name] = text.encode(encoding) if encoding else text
    return found

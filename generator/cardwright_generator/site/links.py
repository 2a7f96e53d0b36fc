"""Names in the text of a page, turned into links to where they are explained."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_SPAN = re.compile(r"(?<![`\\\[])`([^`\n]+)`(?!`)")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_ROLE = re.compile(r"\{([^{}\s]+)\}(?=`)")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Linker:
    """Targets by name; `whole` names must be all of a code span, `parts` may stand in it."""

    whole: Mapping[str, str]
    parts: Mapping[str, str]

    def linked(self, text: str) -> str:
        """The text with its code spans linked; headings and code blocks stay as they are."""
        return "\n".join(self._lines(text.split("\n")))

    def _lines(self, lines: list[str]) -> Iterator[str]:
        fence = ""
        for line in lines:
            found = _FENCE.match(line)
            if fence:
                fence = "" if found and found[1].startswith(fence) else fence
                yield line
            elif found or line.startswith("#"):
                fence = found[1] if found else ""
                yield line
            else:
                yield _SPAN.sub(self._span, _ROLE.sub(r"&#123;\1&#125;", line))

    def _span(self, found: re.Match[str]) -> str:
        target = self.target(found[1])
        return found[0] if target is None else f"[{found[0]}]({target})"

    def target(self, code: str) -> str | None:
        """Where a code span leads, if anywhere."""
        if code in self.whole:
            return self.whole[code]
        return next((self.parts[word] for word in _WORD.findall(code) if word in self.parts), None)


def anchored(lines: list[str], heading: str, owner: str, kind: str) -> list[str]:
    """The lines with a target at the first cell of each row of the table under a heading."""
    inside, found = False, list[str]()
    for line in lines:
        if line.startswith("## "):
            inside = line == f"## {heading}"
        cell = re.match(r"\| `([^`|]+)` \|", line) if inside else None
        if cell is not None:
            rest = line.partition(" |")[2]
            line = f"| [`{cell[1]}`]{{#{place(owner, kind, cell[1])}}} |{rest}"  # noqa: PLW2901 - the line, anchored
        found.append(line)
    return found


def place(owner: str, kind: str, name: str) -> str:
    """The anchor of one name; Sphinx knows anchors by site, so the owner's name is in them."""
    return f"{anchor(owner)}-{kind}-{anchor(name)}"


def anchor(name: str) -> str:
    """A name as the end of an anchor."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")

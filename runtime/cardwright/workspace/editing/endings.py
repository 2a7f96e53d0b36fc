"""Line breaks: CRLF, LF and a lone CR, nothing else."""

import re

_BREAK = re.compile(r"\r\n|\r|\n")


def detect_line_ending(text: str) -> str:
    r"""The dominant ending: `\r\n` only if there are more of them than bare `\n`."""
    crlf = text.count("\r\n") if "\r" in text else 0
    return "\r\n" if crlf > text.count("\n") - crlf else "\n"


def inserted_ending(text: str) -> str:
    r"""The ending for lines that are put into `text`; a lone `\r` where it knows no other."""
    if "\r" in text and "\n" not in text:
        return "\r"
    return detect_line_ending(text)


def normalise_endings(text: str, ending: str) -> str:
    r"""`text` with every CRLF and LF turned into `ending`; a lone `\r` stays."""
    plain = text.replace("\r\n", "\n") if "\r" in text else text
    return plain if ending == "\n" else plain.replace("\n", ending)


def split_lines(text: str) -> list[str]:
    """The lines without their breaks; a break at the end begins no further line."""
    lines = _BREAK.split(text) if "\r" in text else text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def with_breaks(text: str) -> list[str]:
    r"""The lines of a diff: cut after each `\n`, which stays."""
    pieces = text.split("\n")
    lines = [piece + "\n" for piece in pieces[:-1]]
    if pieces[-1]:
        lines.append(pieces[-1])
    return lines


def line_of(text: str, position: int) -> int:
    """Number of the line that holds `position`, counted from 1."""
    head = text[:position]
    return 1 + head.count("\n") + head.count("\r") - head.count("\r\n")

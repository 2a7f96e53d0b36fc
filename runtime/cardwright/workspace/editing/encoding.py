"""Text in files: which encoding, with which mark, so that it can be written back byte for byte."""

import codecs
from dataclasses import dataclass

from cardwright.workspace.refusals import Refusal

from .endings import detect_line_ending

# The longer marks first: that of UTF-32 begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True, slots=True)
class TextForm:
    """How a text was stored, which an edit must not change."""

    encoding: str = "utf-8"
    bom: bytes = b""
    newline: str = "\n"


def decode_text(data: bytes) -> tuple[str, TextForm]:
    """The text of a file and its form; line breaks stay as they are.

    Raises:
        Refusal: The bytes are neither UTF-8 nor UTF-16 or UTF-32 with a byte order mark.
    """
    bom, encoding = next((mark for mark in _MARKS if data.startswith(mark[0])), (b"", "utf-8"))
    try:
        text = data[len(bom) :].decode(encoding)
    except UnicodeDecodeError as error:
        raise Refusal(
            "unsuitable",
            f"This is no text: byte {len(bom) + error.start} is not valid {encoding.upper()}."
            " Only UTF-8, or UTF-16 and UTF-32 with a byte order mark, is read as text.",
        ) from None
    return text, TextForm(encoding, bom, detect_line_ending(text))


def form_of(data: bytes) -> TextForm | None:
    """How the text in a file is stored; `None` if it is no text."""
    if b"\r" not in data and data.isascii():
        return TextForm()
    try:
        return decode_text(data)[1]
    except Refusal:
        return None


def encode_text(text: str, form: TextForm) -> bytes:
    """The bytes to store; `encode_text(*decode_text(data))` gives `data` again.

    Raises:
        Refusal: The text holds a lone surrogate.
    """
    try:
        return form.bom + text.encode(form.encoding)
    except UnicodeEncodeError as error:
        raise Refusal(
            "invalid",
            f"Character {error.start + 1} of the text is a lone surrogate, which no file can"
            " hold: send the character itself.",
        ) from None

"""How texts are stored: encoding, mark, line breaks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright.workspace.editing import (
    TextForm,
    decode_text,
    detect_line_ending,
    encode_text,
    normalise_endings,
    split_lines,
)
from cardwright.workspace.refusals import Refusal

ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-32"]


@pytest.mark.parametrize(
    ("text", "ending"),
    [("a\r\nb\r\nc\r\nd\n", "\r\n"), ("a\r\nb\nc\nd\n", "\n"), ("a\r\nb\n", "\n"), ("", "\n")],
)
def test_35_the_dominant_ending(text: str, ending: str) -> None:
    assert detect_line_ending(text) == ending


def test_34_normalising_never_doubles_returns() -> None:
    assert normalise_endings("a\r\nb\nc", "\r\n") == "a\r\nb\r\nc"
    assert normalise_endings("a\r\nb\nc", "\n") == "a\nb\nc"


def test_lines_break_at_crlf_lf_and_cr_only() -> None:
    assert split_lines("a\r\nb\rc\nd\fe\u2028f\x85g\n") == ["a", "b", "c", "d\fe\u2028f\x85g"]
    assert split_lines("") == []
    assert split_lines("\n\n") == ["", ""]


@given(st.text(max_size=30), st.sampled_from(ENCODINGS))
def test_a_text_is_stored_as_it_was(text: str, encoding: str) -> None:
    data = text.encode(encoding)
    decoded, form = decode_text(data)
    assert encode_text(decoded, form) == data


@given(st.binary())
def test_bytes_are_a_text_that_comes_back_or_are_refused(data: bytes) -> None:
    try:
        text, form = decode_text(data)
    except Refusal:
        return
    assert encode_text(text, form) == data


def test_t12_a_lone_surrogate_is_a_refusal() -> None:
    with pytest.raises(Refusal, match="surrogate") as caught:
        encode_text("a\ud800", TextForm())
    assert caught.value.failure == "invalid"

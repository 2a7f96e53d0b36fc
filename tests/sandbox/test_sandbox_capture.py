"""Output in bounded memory."""

from hypothesis import given
from hypothesis import strategies as st

from cardwright.sandbox.capture import HEAD_BYTES, TAIL_BYTES, Capture


@given(st.lists(st.binary(max_size=40), max_size=12), st.integers(1, 50), st.integers(1, 50))
def test_the_head_and_the_tail_are_kept_and_the_rest_is_counted(
    pieces: list[bytes], head: int, tail: int
) -> None:
    capture = Capture(head, tail)
    for piece in pieces:
        capture.add(piece)
    whole = b"".join(pieces)
    assert capture.total == len(whole)
    if len(whole) <= head + tail:
        assert capture.text() == whole.decode(errors="replace")
    else:
        assert f"[... {len(whole) - head - tail} bytes left out ...]" in capture.text()


@given(st.text(min_size=1), st.integers(1, 9), st.integers(1, 9))
def test_a_cut_never_makes_a_broken_character(text: str, head: int, tail: int) -> None:
    capture = Capture(head, tail)
    data = text.replace("\ufffd", "").encode(errors="ignore") * 3
    capture.add(data)
    assert "\ufffd" not in capture.text()


def test_memory_stays_bounded_whatever_comes() -> None:
    capture = Capture()
    for _ in range(2_000):
        capture.add(b"x" * 65_536)
    kept = len(capture._head) + sum(map(len, capture._tail))
    assert kept <= HEAD_BYTES + TAIL_BYTES + 65_536
    assert capture.total == 2_000 * 65_536


def test_bytes_that_are_no_text_are_replaced() -> None:
    capture = Capture()
    capture.add(b"a\xffb")
    assert capture.text() == "a\ufffdb"

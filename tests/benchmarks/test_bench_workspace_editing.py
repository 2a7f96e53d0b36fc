"""What edits of a large file cost, as promised for one megabyte."""

from collections.abc import Callable
from unicodedata import normalize

import pytest

from cardwright.workspace.editing import (
    AnchorError,
    apply_file_patch,
    decode_text,
    encode_text,
    parse_patch,
    substitute_edit,
    unified,
)

type Measure = Callable[..., float]

LINES = [
    f"    line {number} of the file holds value_{number % 97} = {number}"
    for number in range(22_000)
]
TEXT = "\n".join(LINES) + "\n"
BYTES = TEXT.encode()


def test_the_text_is_one_megabyte() -> None:
    assert 1_000_000 <= len(BYTES) <= 1_300_000


def test_an_exact_edit_with_its_difference_takes_30_ms(measure: Measure) -> None:
    def edit() -> None:
        text, form = decode_text(BYTES)
        done = substitute_edit(text, LINES[15_000], "    other")
        encode_text(done.text, form)
        assert unified("f", text, done.text)

    assert measure(edit) < 0.030


@pytest.mark.parametrize("kind", ["indentation", "quotes", "fuzzy", "missing", "decomposed"])
def test_a_tolerant_edit_takes_500_ms(measure: Measure, kind: str) -> None:
    block = LINES[15_000:15_003]
    content = TEXT
    match kind:
        case "indentation":
            anchor = "\n".join(line.replace("    ", "\t") + "  " for line in block)
        case "quotes":
            content = TEXT.replace(block[1], "say “hello” – please")
            anchor = 'say "hello" - please'
        case "fuzzy":
            anchor = "\n".join(block).replace("holds", "hold")
        case "decomposed":
            content = normalize("NFD", "é ü ñ å ö\n") * 50_000
            assert len(content.encode()) == 1_000_000
            anchor = "nothing of this kind\nis anywhere in the file"
        case _:
            anchor = "nothing of this kind\nis anywhere in the file"

    def edit() -> None:
        try:
            substitute_edit(content, anchor, "other")
        except AnchorError:
            assert kind in {"missing", "decomposed"}

    assert measure(edit, rounds=3) < 0.500


@pytest.mark.parametrize(("line", "anchor"), [("ab", "a"), ("ab\r\n", "b\n")])
def test_replacing_a_million_places_takes_100_ms(measure: Measure, line: str, anchor: str) -> None:
    content = line * 1_000_000

    def replace() -> None:
        done = substitute_edit(content, anchor, "other\n", replace_all=True)
        assert done.text.count("other") == 1_000_000

    assert measure(replace, rounds=3) < 0.100


def test_time_grows_with_the_text_alone(measure: Measure) -> None:
    """Twice the text takes about twice as long, for an anchor that is nowhere."""

    def search(content: str) -> None:
        with pytest.raises(AnchorError):
            substitute_edit(content, "nothing of this kind\nis anywhere in the file", "x")

    from time import perf_counter

    def best(content: str) -> float:
        times: list[float] = []
        for _ in range(3):
            start = perf_counter()
            search(content)
            times.append(perf_counter() - start)
        return min(times)

    measure(lambda: search(TEXT), rounds=1)
    assert best(TEXT * 2) < 3.5 * best(TEXT)


def test_a_patch_of_two_hundred_hunks_is_applied_in_500_ms(measure: Measure) -> None:
    after = "\n".join("new" if n % 100 == 0 else line for n, line in enumerate(LINES)) + "\n"
    patch = unified("f", TEXT, after)

    def apply() -> None:
        (parsed,) = parse_patch(patch)
        assert apply_file_patch(TEXT, parsed) == after

    assert measure(apply, rounds=3) < 0.500

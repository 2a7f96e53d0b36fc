"""Documents: extracted once, outside the tree, bounded."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.workspace.reading.workspace_documents import (
    WORDS,
    archive,
    docx,
    image,
    pdf,
    slides,
    xlsx,
)

from cardwright.workspace.files import Tree
from cardwright.workspace.reading import (
    DOCUMENT_EXTENSIONS,
    FileTypeReader,
    MarkItDownReader,
    MissingExtraError,
    archives,
    read_page,
)
from cardwright.workspace.reading.conversion import Conversion, ConversionError
from cardwright.workspace.reading.converting import NOTHING, Converter, Request
from cardwright.workspace.refusals import Refusal
from cardwright_cards.workspace.types import DocumentReader

type Put = Callable[..., Path]


def absent(_: str) -> None:
    """As if nothing could be imported."""


PLAIN = DocumentReader(llm_client=None)


class Counting:
    """Extracts nothing from outside; counts."""

    def __init__(self, text: str = "derived\ntext") -> None:
        self.calls: list[str] = []
        self.text = text

    @property
    def extensions(self) -> frozenset[str]:
        return DOCUMENT_EXTENSIONS

    def extract_text(self, content: bytes, path: str) -> str:
        self.calls.append(path)
        return self.text


@pytest.fixture(scope="module")
def conversion() -> Iterator[Conversion]:
    """One converter process for the module."""
    conversion = Conversion()
    yield conversion
    conversion.close()


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.pdf", pdf()), ("b.DOCX", docx()), ("c.xlsx", xlsx()), ("d.pptx", slides())],
)
def test_real_documents_become_numbered_text(
    tree: Tree, put: Put, conversion: Conversion, name: str, data: bytes
) -> None:
    put(name, data)
    reading = read_page(tree, name, reader=MarkItDownReader(PLAIN, conversion))
    assert WORDS in reading.text
    assert reading.text.startswith("1     ")
    assert reading.seen.full


def test_13_a_document_without_text_gives_the_placeholder_which_is_kept(
    tree: Tree, put: Put, conversion: Conversion
) -> None:
    put("a.png", image())
    reader = MarkItDownReader(PLAIN, conversion)
    assert read_page(tree, "a.png", reader=reader).text == f"1     {NOTHING}"
    off = MarkItDownReader(PLAIN, Conversion([sys.executable, "-c", "raise SystemExit"]))
    assert read_page(tree, "a.png", reader=off).text == f"1     {NOTHING}"


def test_a_scan_without_credentials_degrades_and_is_not_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    converter = Converter()

    def converted(self: Converter, request: Request, client: object = None) -> str:
        return "seen " * 20 if client == "client" else ""

    def failing(self: Converter) -> object:
        raise ValueError("no key")

    def client(self: Converter) -> object:
        return "client"

    monkeypatch.setattr(Converter, "converted", converted)
    monkeypatch.setattr(Converter, "client", failing)
    answer = converter.answer(Request("x.png", ".png", "openai", "m"))
    assert (answer.text, answer.final, answer.error) == (NOTHING, False, "")
    monkeypatch.setattr(Converter, "client", client)
    answer = converter.answer(Request("x.png", ".png", "openai", "m"))
    assert (answer.text, answer.final) == ("seen " * 20, True)


def test_12_a_known_document_is_not_extracted_again_unless_forced(tree: Tree, put: Put) -> None:
    put("a.pdf", b"%PDF")
    put("copy/b.pdf", b"%PDF")
    reader = Counting()
    assert isinstance(reader, FileTypeReader)
    first = read_page(tree, "a.pdf", limit=1, reader=reader)
    assert first.text.split("\n") == [
        "1     derived",
        "[... truncated: 2 lines total, showing 1-1 ...]",
    ]
    assert (first.seen.first, first.seen.last, first.seen.full) == (1, 1, False)
    read_page(tree, "copy/b.pdf", reader=reader)
    assert reader.calls == ["a.pdf"]
    reader.text = "anew"
    assert read_page(tree, "a.pdf", force=True, reader=reader).text == "1     anew"
    assert read_page(tree, "a.pdf", reader=reader).text == "1     anew"
    assert len(reader.calls) == 2


def test_t14_a_changed_document_is_extracted_anew_and_the_tree_stays_clean(
    tree: Tree, root: Path, put: Put
) -> None:
    put("a.pdf", b"1")
    reader = Counting()
    read_page(tree, "a.pdf", reader=reader)
    put("a.pdf", b"2")
    read_page(tree, "a.pdf", reader=reader)
    assert len(reader.calls) == 2
    assert [item.name for item in root.rglob("*")] == ["a.pdf"]
    (root / "a.pdf").unlink()
    with pytest.raises(Refusal) as caught:
        read_page(tree, "a.pdf", reader=reader)
    assert caught.value.failure == "not_found"


def test_documents_turned_off_or_without_the_extra_are_refused_with_the_command(
    tree: Tree, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("a.pdf", pdf())
    with pytest.raises(Refusal, match=r"pip install 'cardwright\[docs\]'") as caught:
        read_page(tree, "a.pdf", reader=None)
    assert caught.value.failure == "unavailable"
    monkeypatch.setattr("cardwright.workspace.reading.extras.find_spec", absent)
    with pytest.raises(Refusal, match=r"pip install 'cardwright\[docs\]'") as caught:
        read_page(tree, "a.pdf", reader=PLAIN)
    assert caught.value.failure == "unavailable"
    error = caught.value.__cause__
    assert isinstance(error, MissingExtraError)
    assert isinstance(error, ImportError)
    assert isinstance(error, ValueError)


def test_bombs_and_damaged_archives_are_refused_before_they_are_unpacked(
    tree: Tree, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MOST_UNPACKED", 1_000_000)
    monkeypatch.setattr(archives, "MOST_MEMBERS", 50)
    put("size.docx", archive({"word/document.xml": b"\0" * 2_000_000}))
    put("many.xlsx", archive({f"../{n}": b"" for n in range(60)}))
    put("broken.pptx", b"PK\3\4 nothing")
    dead = MarkItDownReader(PLAIN, Conversion([sys.executable, "-c", "raise SystemExit"]))
    for name, why in {
        "size.docx": "2000000 bytes",
        "many.xlsx": "60 parts",
        "broken.pptx": "damaged",
    }.items():
        with pytest.raises(Refusal, match=why) as caught:
            read_page(tree, name, reader=dead)
        assert caught.value.failure == "unsuitable"


def test_a_damaged_document_is_a_refusal(tree: Tree, put: Put, conversion: Conversion) -> None:
    put("a.xlsx", archive({"xl/nothing": b""}))
    with pytest.raises(Refusal, match=r"a\.xlsx could not be read") as caught:
        read_page(tree, "a.xlsx", reader=MarkItDownReader(PLAIN, conversion))
    assert caught.value.failure == "unsuitable"


def test_a_converter_that_hangs_or_dies_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "converter.py"
    script.write_text(
        "import json, os, sys, time\n"
        "for line in sys.stdin:\n"
        "    path = json.loads(line)['path']\n"
        "    if path == 'hang': time.sleep(60)\n"
        "    if path == 'die': os._exit(9)\n"
        "    answer = {'text': str(os.getpid()), 'final': True, 'error': ''}\n"
        "    print(json.dumps(answer), flush=True)\n"
    )
    monkeypatch.setattr("cardwright.workspace.reading.conversion.START_SECONDS", 0)
    conversion = Conversion([sys.executable, str(script)], seconds=5)

    def asked(path: str) -> str:
        return conversion.convert(Request(path, "", None, "")).text

    first = asked("x")
    assert asked("x") == first
    with pytest.raises(ConversionError, match="failed"):
        asked("die")
    second = asked("x")
    assert second != first
    slow = Conversion([sys.executable, str(script)], seconds=0.2)
    with pytest.raises(ConversionError, match="longer than"):
        slow.convert(Request("hang", "", None, ""))
    conversion.close()

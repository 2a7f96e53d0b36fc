"""Documents made to read other files, to call somebody, or to use up the machine."""

import io
import socket
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.workspace.reading.workspace_documents import (
    WORDS,
    archive,
    docx,
    image,
    pages,
    pdf,
    slides,
    xlsx,
)

from cardwright.workspace.files import Tree
from cardwright.workspace.reading import MarkItDownReader, read_page
from cardwright.workspace.reading.conversion import Conversion
from cardwright.workspace.refusals import Refusal
from cardwright_cards.workspace import DocumentReader

SECRET = "CONTENT-OF-ANOTHER-FILE"
PARTS = {
    ".docx": "word/document.xml",
    ".xlsx": "xl/worksheets/sheet1.xml",
    ".pptx": "ppt/slides/slide1.xml",
    ".epub": "content.opf",
}
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
BOMB = f'<!DOCTYPE x [<!ENTITY l0 "ha">{LAUGHS}]>'

type Put = Callable[..., Path]


@pytest.fixture(scope="module")
def conversion() -> Iterator[Conversion]:
    conversion = Conversion(seconds=20)
    yield conversion
    conversion.close()


@dataclass(frozen=True)
class Outside:
    """What no document may reach."""

    file: Path
    port: int
    listening: socket.socket

    def was_called(self) -> bool:
        try:
            self.listening.accept()[0].close()
        except BlockingIOError:
            return False
        return True


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[Outside]:
    file = tmp_path / "secret.txt"
    file.write_text(SECRET)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        outside = Outside(file, listening.getsockname()[1], listening)
        yield outside
        assert not outside.was_called()


@pytest.fixture
def told(tree: Tree, put: Put, conversion: Conversion) -> Callable[[str, bytes], str]:
    """What an agent is told of a document."""

    def read(name: str, data: bytes) -> str:
        put(name, data)
        reader = MarkItDownReader(DocumentReader(llm_client=None), conversion)
        try:
            return read_page(tree, name, reader=reader).text
        except Refusal as refused:
            return f"refused: {refused}"

    return read


def changed(data: bytes, members: dict[str, str]) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as known:
        kept = {name: known.read(name) for name in known.namelist() if name not in members}
    return archive({**kept, **members})


def epub(href: str = "a.xhtml", **members: str) -> bytes:
    return archive(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns'
            ':container"><rootfiles><rootfile full-path="content.opf"/></rootfiles></container>',
            "content.opf": '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf">'
            '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Harbour</dc:title>'
            f'</metadata><manifest><item id="a" href="{href}"/></manifest>'
            '<spine><itemref idref="a"/></spine></package>',
            "a.xhtml": f"<p>{WORDS}</p>",
            **members,
        }
    )


def with_entities(data: bytes, part: str, declared: str, used: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as known:
        text = known.read(part).decode()
    head, end, rest = text.partition("?>") if text.startswith("<?xml") else ("", "", text)
    for anchor in ("The harbour", "Harbour"):
        rest = rest.replace(anchor, f"{used} {anchor}", 1)
    return changed(data, {part: head + end + declared + rest})


@pytest.mark.parametrize("suffix", PARTS)
def test_entities_read_no_file_call_nobody_and_do_not_multiply(
    told: Callable[[str, bytes], str], outside: Outside, suffix: str
) -> None:
    plain = {".docx": docx(), ".xlsx": xlsx(), ".pptx": slides(), ".epub": epub()}[suffix]
    assert "arbour" in told(f"plain{suffix}", plain)
    part = PARTS[suffix]
    foreign = (
        f'<!DOCTYPE x [<!ENTITY f SYSTEM "file://{outside.file}">'
        f'<!ENTITY % p SYSTEM "http://127.0.0.1:{outside.port}/x.dtd"> %p;]>'
    )
    assert SECRET not in told(f"f{suffix}", with_entities(plain, part, foreign, "&f;"))
    text = told(f"bomb{suffix}", with_entities(plain, part, BOMB, "&l11;"))
    assert len(text) < 10_000


def test_links_to_other_files_and_places_are_not_followed(
    told: Callable[[str, bytes], str], outside: Outside
) -> None:
    base = "http://schemas.openxmlformats.org"
    kind = f'Type="{base}/officeDocument/2006/relationships/image"'
    targets = [f"file://{outside.file}", f"http://127.0.0.1:{outside.port}/i.png"]
    relations = "".join(
        f'<Relationship Id="i{at}" {kind} Target="{target}" TargetMode="External"/>'
        for at, target in enumerate(targets)
    )
    relations += f'<Relationship Id="i2" {kind} Target="../../../../../..{outside.file}"/>'
    for at, how in ((0, "link"), (1, "link"), (0, "embed"), (2, "embed")):
        blip = (
            f'<w:p><w:r><w:drawing><wp:inline xmlns:wp="{base}/drawingml/2006/wordprocessing'
            f'Drawing"><a:graphic xmlns:a="{base}/drawingml/2006/main"><a:graphicData><pic:pic '
            f'xmlns:pic="{base}/drawingml/2006/picture"><pic:blipFill><a:blip r:{how}="i{at}" '
            f'xmlns:r="{base}/officeDocument/2006/relationships"/></pic:blipFill></pic:pic>'
            "</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p></w:body>"
        )
        with zipfile.ZipFile(io.BytesIO(docx())) as known:
            body = known.read("word/document.xml").decode().replace("</w:body>", blip)
        members = {
            "word/document.xml": body,
            "word/_rels/document.xml.rels": f'<Relationships xmlns="{base}/package/2006/'
            f'relationships">{relations}</Relationships>',
        }
        assert SECRET not in told(f"{at}{how}.docx", changed(docx(), members))


@pytest.mark.parametrize("up", ["", "../" * 12, "/"])
def test_names_in_an_archive_lead_to_nothing_outside_of_it(
    told: Callable[[str, bytes], str], outside: Outside, up: str
) -> None:
    href = f"{up}{str(outside.file).removeprefix('/')}"
    page = f'<p>{WORDS}<img src="file://{outside.file}"/></p>'
    page += f'<img src="http://127.0.0.1:{outside.port}/i.png"/><script src="{href}"/>'
    for data in (epub(href), epub(**{"a.xhtml": page})):
        assert SECRET not in told("a.epub", data)
    text = told("own.epub", epub("../../x", **{"../../x": f"<p>{WORDS}</p>"}))
    assert not (outside.file.parent.parent / "x").exists()
    assert "harbour" in text


@pytest.mark.parametrize("suffix", [".pdf", ".docx", ".xls", ".msg", ".epub", ".jpg", ".webp"])
def test_what_only_begins_like_a_document_is_told_at_once(
    told: Callable[[str, bytes], str], suffix: str
) -> None:
    compound = bytes.fromhex("d0cf11e0a1b11ae1")
    for data in (b"", b"%PDF-1.4\n", compound + b"\xff" * 5000, pdf()[:300], image()[:60]):
        text = told(f"a{suffix}", data)
        assert text.startswith("refused: ") or "no text extracted" in text


def test_a_circle_of_pages_ends(told: Callable[[str, bytes], str]) -> None:
    assert told("a.pdf", pages(b"2 0 R 3 0 R 2 0 R", b"BT (harbour) Tj ET"))

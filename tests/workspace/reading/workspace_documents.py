"""Documents and images made on the spot."""

import importlib
import io
import zipfile
import zlib

import pptx
from PIL import Image

WORDS = "The harbour opens at seven in the morning, except on Sundays and holidays."

_PAGE = (
    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 144] /Contents 4 0 R "
    b"/Resources << /Font << /F1 5 0 R >> >> >>"
)
_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/'
    'content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package'
    '.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.'
    'openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONS = (
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
    'relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/'
    '2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>'
)
_BODY = (
    '<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/'
    'wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:body></w:document>'
)


def pdf(text: str = WORDS) -> bytes:
    """One page with one line."""
    stream = zlib.compress(f"BT /F1 9 Tf 10 100 Td ({text}) Tj ET".encode())
    bodies = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 144] /Contents 4 0 R "
            b"/Resources << /Font << /F1 5 0 R >> >> >>"
        ),
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    data, offsets = b"%PDF-1.4\n", list[int]()
    for number, body in enumerate(bodies, 1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return data + (
        b"xref\n0 6\n0000000000 65535 f \n%btrailer << /Root 1 0 R /Size 6 >>\n"
        b"startxref\n%d\n%%%%EOF" % (table, len(data))
    )


def pages(kids: bytes, contents: bytes) -> bytes:
    """A PDF whose table of objects is left to be found."""
    stream = zlib.compress(contents)
    bodies = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%b] /Count 9 >>" % kids,
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 144] /Contents 4 0 R >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(stream), stream),
    )
    objects = b"".join(b"%d 0 obj\n%b\nendobj\n" % each for each in enumerate(bodies, 1))
    return b"%PDF-1.4\n" + objects + b"trailer << /Root 1 0 R /Size 5 >>\n%%EOF"


def docx(text: str = WORDS) -> bytes:
    """One paragraph."""
    return archive(
        {
            "[Content_Types].xml": _TYPES,
            "_rels/.rels": _RELATIONS,
            "word/document.xml": _BODY.format(text),
        }
    )


def archive(members: dict[str, str | bytes]) -> bytes:
    """A zip file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in members.items():
            out.writestr(name, content)
    return buffer.getvalue()


def xlsx(text: str = WORDS) -> bytes:
    """One cell."""
    buffer, book = io.BytesIO(), importlib.import_module("openpyxl").Workbook()
    book.worksheets[0]["A1"] = text
    book.save(buffer)
    return buffer.getvalue()


def slides(text: str = WORDS) -> bytes:
    """One title."""
    buffer, deck = io.BytesIO(), pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    assert slide.shapes.title is not None
    slide.shapes.title.text = text
    deck.save(buffer)
    return buffer.getvalue()


def image(form: str = "PNG", size: tuple[int, int] = (40, 20)) -> bytes:
    """A plain picture."""
    buffer = io.BytesIO()
    Image.new("RGB", size, (200, 10, 10)).save(buffer, format=form)
    return buffer.getvalue()

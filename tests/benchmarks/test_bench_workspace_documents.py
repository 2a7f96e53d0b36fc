"""What a hostile document costs: its time and its memory are bounded, the next one is read."""

from pathlib import Path

import pytest
from tests.workspace.reading.workspace_documents import docx, pages

from cardwright.workspace.files import Tree
from cardwright.workspace.reading import MarkItDownReader, read_page
from cardwright.workspace.reading.conversion import Conversion
from cardwright.workspace.reading.converting import MEMORY_BYTES
from cardwright.workspace.refusals import Refusal
from cardwright_cards.workspace import DocumentReader


def test_a_document_that_never_ends_costs_its_time_alone(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    drawing = b"BT /F1 9 Tf 10 100 Td (harbour) Tj ET\n"
    (tmp_path / "endless.pdf").write_bytes(pages(b"3 0 R", drawing * 400_000))
    (tmp_path / "good.docx").write_bytes(docx())
    conversion = Conversion(seconds=1.5)
    reader = MarkItDownReader(DocumentReader(llm_client=None), conversion)
    try:
        assert "harbour" in read_page(tree, "good.docx", reader=reader).text
        with pytest.raises(Refusal, match="took longer"):
            read_page(tree, "endless.pdf", reader=reader)
        assert "harbour" in read_page(tree, "good.docx", force=True, reader=reader).text
        running = conversion.process_id
        limits = Path(f"/proc/{running}/limits")
        if limits.exists():
            assert str(MEMORY_BYTES) in limits.read_text()
    finally:
        conversion.close()

"""Reading one file: pages of a text, or of the text of a document."""

from pathlib import PurePosixPath

from cardwright.workspace.editing import decode_text
from cardwright.workspace.files import Blob, Tree
from cardwright.workspace.refusals import Refusal
from cardwright_cards.workspace.types import DocumentReader

from .cache import ContentCache
from .documents import DOCUMENT_EXTENSIONS, FileTypeReader, MarkItDownReader, document_text
from .pages import page_of
from .seen import Reading, Seen

TEXT_EXTENSIONS = frozenset(
    {".txt", ".md", ".py", ".js", ".ts", ".json", ".yaml", ".yml"}
    | {".toml", ".csv", ".html", ".xml", ".rst", ".cfg", ".ini", ".log"}
)
"""Well-known text files, for information: whatever is no document is read as text."""
LARGEST = 128 * 1024 * 1024


def read_page(
    tree: Tree,
    path: str,
    *,
    offset: int = 1,
    limit: int = 2000,
    force: bool = False,
    reader: DocumentReader | FileTypeReader | None = None,
) -> Reading:
    """Numbered lines of a file.

    Args:
        tree: Where it is.
        path: Which file.
        offset: First line, counted from 1.
        limit: Lines at most.
        force: Extract a document anew.
        reader: How documents become text; `None` refuses them.

    Raises:
        Refusal: It is not there, no file, no text, too large, or cannot be read here.
    """
    if limit < 1:
        raise Refusal("invalid", "limit must be at least 1.")
    blob = tree.read(path, limit=LARGEST + 1)
    if len(blob.data) > LARGEST:
        raise Refusal(
            "unsuitable", f"{path} is larger than {LARGEST} bytes: search it with workspace_grep."
        )
    page = page_of(_text_of(blob, path, ContentCache.of(tree), reader, force=force), offset, limit)
    return Reading(page.text, Seen.of(blob, page.first, page.last, page.total))


def _text_of(
    blob: Blob,
    path: str,
    cache: ContentCache,
    reader: DocumentReader | FileTypeReader | None,
    *,
    force: bool,
) -> str:
    if isinstance(reader, DocumentReader):
        reader = MarkItDownReader(reader)
    known = DOCUMENT_EXTENSIONS if reader is None else reader.extensions
    if PurePosixPath(blob.path).suffix.lower() not in known:
        return _decoded(blob, path)
    if reader is None:
        raise Refusal(
            "unavailable",
            f"{path} is a document, and reading documents is turned off in this workspace"
            " (document_reader is false). Whoever runs this can turn it on; it needs the extra"
            " 'docs': pip install 'cardwright[docs]'",
        )
    return document_text(blob, reader, cache, force=force)


def _decoded(blob: Blob, path: str) -> str:
    try:
        return decode_text(blob.data)[0]
    except Refusal as refusal:
        raise Refusal(refusal.failure, f"{path}: {refusal}") from refusal

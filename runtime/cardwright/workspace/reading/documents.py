"""Documents as Markdown, extracted once per content."""

from pathlib import PurePosixPath
from tempfile import NamedTemporaryFile
from typing import Protocol, runtime_checkable

from cardwright.workspace.files import Blob
from cardwright.workspace.refusals import Refusal
from cardwright_cards.workspace.types import DocumentReader

from .archives import ARCHIVES, check_archive
from .cache import ContentCache, key_of
from .conversion import Conversion, ConversionError, shared
from .converting import Request
from .extras import MissingExtraError, require, unavailable

DOCUMENT_EXTENSIONS = frozenset(
    {".pdf", ".docx", ".xlsx", ".xls", ".pptx", ".msg", ".epub"}
    | {".jpg", ".jpeg", ".png", ".gif", ".bmp", ".webp"}
)
VERSION = 1
"""Raised when extraction changes, so that older results are made anew."""


@runtime_checkable
class FileTypeReader(Protocol):
    """Turns files with certain extensions into text."""

    @property
    def extensions(self) -> frozenset[str]:
        """Suffixes in lower case, with the dot."""
        ...

    def extract_text(self, content: bytes, path: str) -> str:
        """The text of a file; `path` tells its name.

        Raises:
            Refusal: It cannot be read.
            MissingExtraError: Something is not installed.
        """
        ...


class MarkItDownReader:
    """Reads documents with MarkItDown in the converter process."""

    def __init__(self, settings: DocumentReader, conversion: Conversion = shared) -> None:
        self._settings = settings
        self._conversion = conversion

    @property
    def extensions(self) -> frozenset[str]:
        """What MarkItDown is asked to read."""
        return DOCUMENT_EXTENSIONS

    @property
    def settings(self) -> tuple[str | None, str]:
        """What the text depends on besides the document."""
        return self._settings.llm_client, self._settings.llm_model

    def extract_text(self, content: bytes, path: str) -> str:
        """The document as Markdown."""
        return self.extracted(content, path)[0]

    def extracted(self, content: bytes, path: str) -> tuple[str, bool]:
        """The document as Markdown, and whether it is worth keeping."""
        require("markitdown", "Reading documents", "docs")
        name = PurePosixPath(path).name
        suffix = PurePosixPath(path).suffix.lower()
        if suffix in ARCHIVES:
            check_archive(content, name)
        with NamedTemporaryFile(suffix=suffix or ".bin") as file:
            file.write(content)
            file.flush()
            request = Request(file.name, suffix, *self.settings)
            try:
                answer = self._conversion.convert(request)
            except ConversionError as error:
                raise Refusal("unsuitable", f"{name} could not be read: {error}") from error
        return answer.text, answer.final


def document_text(blob: Blob, reader: FileTypeReader, cache: ContentCache, *, force: bool) -> str:
    """The text of a document, from the cache if it was extracted before.

    Args:
        blob: The document.
        reader: Extracts it.
        cache: Where results are kept.
        force: Extract it anew.

    Raises:
        Refusal: It cannot be read here.
    """
    suffix = PurePosixPath(blob.path).suffix.lower()
    settings = reader.settings if isinstance(reader, MarkItDownReader) else ()
    key = key_of("document", blob.sha, VERSION, suffix, type(reader).__qualname__, settings)
    known = None if force else cache.get(key)
    if known is not None:
        return known.decode(errors="replace")
    try:
        text, final = _extracted(reader, blob)
    except MissingExtraError as error:
        raise unavailable(error) from error
    if final:
        cache.put(key, text.encode(errors="replace"))
    return text


def _extracted(reader: FileTypeReader, blob: Blob) -> tuple[str, bool]:
    if isinstance(reader, MarkItDownReader):
        return reader.extracted(blob.data, blob.path)
    return reader.extract_text(blob.data, blob.path), True

"""What agents read: pages of texts and documents, images, media named in prompts.

Runs on the caller's thread. What is derived from a file is kept outside the tree, by its content.
"""

from .documents import DOCUMENT_EXTENSIONS, FileTypeReader, MarkItDownReader
from .extras import MissingExtraError
from .images import IMAGE_TYPES, render_view
from .media import expand_media_refs
from .seen import Reading, Seen
from .texts import TEXT_EXTENSIONS, read_page

__all__ = [
    "DOCUMENT_EXTENSIONS",
    "IMAGE_TYPES",
    "TEXT_EXTENSIONS",
    "FileTypeReader",
    "MarkItDownReader",
    "MissingExtraError",
    "Reading",
    "Seen",
    "expand_media_refs",
    "read_page",
    "render_view",
]

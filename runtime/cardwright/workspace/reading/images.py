"""Images for models that see: bounded, and as small as is useful."""

import io
import logging
from dataclasses import dataclass
from pathlib import PurePosixPath
from struct import error as StructError  # noqa: N812 - it is a class
from threading import Lock
from typing import TYPE_CHECKING

from cardwright.core import MediaContent
from cardwright.workspace.files import Blob, Tree
from cardwright.workspace.refusals import Refusal

from .cache import ContentCache, key_of
from .extras import MissingExtraError, require
from .seen import Seen

if TYPE_CHECKING:
    from PIL.Image import Image

logger = logging.getLogger(__name__)

LARGEST = 32 * 1024 * 1024
MOST_PIXELS = 64_000_000
"""More would take a quarter of a gigabyte to decode."""
VERSION = 1
IMAGE_TYPES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".bmp": "image/bmp",
}
_BEGINNINGS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"BM", "image/bmp"),
)
_decoding = Lock()


@dataclass(slots=True)
class _Told:
    """Whether the missing library was already reported in this process."""

    lock: Lock
    done: bool = False


_told = _Told(Lock())


def render_view(tree: Tree, path: str, *, max_dimension: int) -> tuple[MediaContent, Seen]:
    """An image, scaled down if its longest side exceeds `max_dimension` pixels (0: never).

    Raises:
        Refusal: It is not there, no image, damaged, or too large.
    """
    blob = tree.read(path, limit=LARGEST + 1)
    suffix = PurePosixPath(blob.path).suffix.lower()
    if suffix not in IMAGE_TYPES:
        raise Refusal(
            "unsuitable",
            f"{path} is none of the images that can be viewed ({', '.join(IMAGE_TYPES)}):"
            " use workspace_read.",
        )
    if len(blob.data) > LARGEST:
        raise Refusal("unsuitable", f"{path} is larger than {LARGEST} bytes.")
    media_type = type_of(blob.data)
    if media_type is None:
        raise Refusal("unsuitable", f"{path} is damaged: its content is no image.")
    data = _sized(blob, path, media_type, max_dimension, ContentCache.of(tree))
    return MediaContent(data=data, media_type=media_type), Seen.of(blob, 1, 1, 1)


def type_of(data: bytes) -> str | None:
    """The media type that the first bytes tell, whatever the file is called."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((name for beginning, name in _BEGINNINGS if data.startswith(beginning)), None)


def _sized(
    blob: Blob, path: str, media_type: str, max_dimension: int, cache: ContentCache
) -> bytes:
    if max_dimension <= 0 or not _can_resize():
        return blob.data
    key = key_of("image", blob.sha, VERSION, media_type, max_dimension)
    known = cache.get(key)
    if known is not None:
        return known
    smaller = _smaller(blob.data, path, media_type, max_dimension)
    if smaller is None:
        return blob.data
    cache.put(key, smaller)
    return smaller


def _can_resize() -> bool:
    """Whether Pillow is there; its absence is reported once per process."""
    try:
        require("PIL", "Resizing images", "vision")
    except MissingExtraError as error:
        with _told.lock:
            told, _told.done = _told.done, True
        if not told:
            logger.warning("%s. Images are shown in their own size.", error)
        return False
    return True


def _smaller(data: bytes, path: str, media_type: str, longest: int) -> bytes | None:
    """The image scaled down; `None` if it is small enough.

    Raises:
        Refusal: It is damaged or has too many pixels.
    """
    from PIL import Image, UnidentifiedImageError

    form = media_type.removeprefix("image/").upper()
    try:
        with _decoding, Image.open(io.BytesIO(data), formats=[form]) as image:
            width, height = image.size
            if width * height > MOST_PIXELS:
                raise Refusal("unsuitable", f"{path} has too many pixels: {width} × {height}.")
            return _scaled(image, form, longest) if max(width, height) > longest else None
    except Image.DecompressionBombError as error:
        raise Refusal("unsuitable", f"{path} has too many pixels.") from error
    except (
        UnidentifiedImageError,
        OSError,
        ValueError,
        SyntaxError,
        EOFError,
        IndexError,
        StructError,
        MemoryError,
    ) as error:
        raise Refusal("unsuitable", f"{path} is damaged: {error}") from error


def _scaled(image: "Image", form: str, longest: int) -> bytes:
    """The first frame, upright, in the format that it had."""
    from PIL import Image, ImageOps

    image.draft(image.mode, (longest, longest))
    upright = ImageOps.exif_transpose(image)
    upright.thumbnail((longest, longest), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    upright.save(buffer, format=form)
    return buffer.getvalue()

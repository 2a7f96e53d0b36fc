"""What a tool returned, as content of MCP."""

import json
from base64 import b64encode
from typing import Final, cast

from mcp.types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    TextContent,
)
from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from cardwright.core import MediaContent
from cardwright.tools.payload import readable, without_markers

FAILURE: Final = "cardwright/failure"
"""Key of `_meta` with the id of a declared failure."""
RETRIABLE: Final = "cardwright/retriable"
"""Key of `_meta` that says whether another call may succeed."""


class UnshowableResultError(ValueError):
    """A result has no JSON form; says so and repeats no value."""


def shown(result: object) -> CallToolResult:
    """`result` as text and media; objects are structured content, too.

    Raises:
        UnshowableResultError: It is no JSON, contains itself or is nested too deeply.
    """
    media: list[MediaContent] = []
    plain = _plain(result, media)
    blocks: list[ContentBlock] = []
    if not (media and _only_media(result)):
        text = plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)
        blocks.append(TextContent(text=text))
    blocks += [_block(one, number) for number, one in enumerate(media, 1)]
    answer = CallToolResult(content=blocks)
    if isinstance(plain, dict) and not media:
        answer.structured_content = cast("dict[str, object]", plain)
    return answer


def refused(text: str, *, retriable: bool = False, failure: str | None = None) -> CallToolResult:
    """An answer that says what went wrong, for the client's model to read."""
    meta: dict[str, object] = {RETRIABLE: retriable}
    if failure is not None:
        meta[FAILURE] = failure
    content: list[ContentBlock] = [TextContent(text=readable(text))]
    answer = CallToolResult(content=content, is_error=True)
    answer.meta = meta
    return answer


def _plain(result: object, media: list[MediaContent]) -> object:
    """JSON values; each media item is put aside, and its number stands where it was."""
    try:
        apart = _apart(result, media)
        return _readable(without_markers(_jsonable(apart)))
    except (ValueError, TypeError, RecursionError) as error:
        message = "it is no JSON, contains itself or is nested too deeply"
        raise UnshowableResultError(message) from error


def _jsonable(value: object) -> object:
    """Plain values; what is no number in JSON is null in text and structured content alike."""
    return to_jsonable_python(value, serialize_unknown=False, inf_nan_mode="null")


def _apart(result: object, media: list[MediaContent]) -> object:
    match result:
        case MediaContent():
            media.append(result)
            return f"[{result.media_type}, part {len(media)}]"
        case BaseModel():
            return result.model_dump(mode="json")
        case list() | tuple():
            return [_apart(one, media) for one in cast("list[object]", result)]
        case dict():
            entries = cast("dict[object, object]", result)
            return {key: _apart(value, media) for key, value in entries.items()}
        case _:
            return result


def _readable(value: object) -> object:
    match value:
        case str():
            return readable(value)
        case list():
            return [_readable(one) for one in cast("list[object]", value)]
        case dict():
            entries = cast("dict[str, object]", value)
            return {readable(key): _readable(one) for key, one in entries.items()}
        case _:
            return value


def _only_media(result: object) -> bool:
    if isinstance(result, list | tuple):
        return all(isinstance(one, MediaContent) for one in cast("list[object]", result))
    return isinstance(result, MediaContent)


def _block(media: MediaContent, number: int) -> ContentBlock:
    data, kind = b64encode(media.data).decode(), media.media_type
    if kind.startswith("image/"):
        return ImageContent(data=data, mime_type=kind)
    if kind.startswith("audio/"):
        return AudioContent(data=data, mime_type=kind)
    held = BlobResourceContents(uri=f"cardwright://result/{number}", mime_type=kind, blob=data)
    return EmbeddedResource(resource=held)

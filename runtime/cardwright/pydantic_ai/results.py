"""What a tool returned, in the form in which pydantic-ai shows it to a model."""

from typing import cast

from pydantic import BaseModel
from pydantic_ai import BinaryContent

from cardwright.core import MediaContent
from cardwright.tools.payload import without_markers


def as_content(result: object) -> object:
    """`result` with media as binary content and models as plain objects, without type markers."""
    match result:
        case MediaContent():
            return BinaryContent(data=result.data, media_type=result.media_type)
        case BaseModel():
            return without_markers(result.model_dump(mode="json"))
        case list() | tuple():
            return [as_content(item) for item in cast("list[object]", result)]
        case dict():
            entries = cast("dict[object, object]", result)
            return {key: as_content(value) for key, value in entries.items()}
        case _:
            return result

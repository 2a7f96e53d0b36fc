"""What a tool returned, in the form in which pydantic-ai shows it to a model."""

from typing import Final, cast

from pydantic import BaseModel
from pydantic_ai import BinaryContent

from cardwright.core import MediaContent
from cardwright.tools.payload import readable, without_markers

_DEEPEST: Final = 200
"""The encoder of a history gives up a little deeper."""


class UnshowableResultError(ValueError):
    """A result has no finite form; says why and repeats no value."""


def as_content(result: object) -> object:
    """`result` with media as binary content and models as plain objects, without type markers.

    Half of a surrogate pair, which no history can hold, is replaced by U+FFFD.

    Raises:
        UnshowableResultError: It contains itself, or is nested too deeply.
    """
    return _shown(result, ())


def _shown(result: object, around: tuple[int, ...]) -> object:
    match result:
        case MediaContent():
            return BinaryContent(data=result.data, media_type=result.media_type)
        case str():
            return readable(result)
        case BaseModel():
            return _shown(_dumped(result), _entered(result, around))
        case list() | tuple():
            items = cast("list[object]", result)
            inside = _entered(items, around)
            return [_shown(item, inside) for item in items]
        case dict():
            entries = cast("dict[object, object]", result)
            inside = _entered(entries, around)
            return {_key(key): _shown(value, inside) for key, value in entries.items()}
        case _:
            return result


def _dumped(model: BaseModel) -> object:
    try:
        return without_markers(model.model_dump(mode="json"))
    except (ValueError, RecursionError) as error:
        message = "it is no JSON, contains itself or is nested too deeply"
        raise UnshowableResultError(message) from error


def _entered(container: object, around: tuple[int, ...]) -> tuple[int, ...]:
    if id(container) in around:
        message = "it contains itself"
        raise UnshowableResultError(message)
    if len(around) >= _DEEPEST:
        message = f"it is nested more than {_DEEPEST} deep"
        raise UnshowableResultError(message)
    return (*around, id(container))


def _key(key: object) -> object:
    return readable(key) if isinstance(key, str) else key

"""Raw arguments as a provider hands them over: checked before anything is parsed into types."""

import json
import sys
from collections.abc import Mapping
from typing import Final, cast

from pydantic import BaseModel
from pydantic_core import to_json

from cardwright.core.json_text import JsonTextError, strict_json

type RawArguments = str | bytes | Mapping[str, object]
"""JSON text, or an object that a provider has parsed already."""

_ENVELOPES: Final = frozenset({"arguments", "args", "input", "parameters"})
"""Names under which some models wrap the arguments."""


class PayloadRefusedError(ValueError):
    """The payload as a whole cannot be arguments; the text says why and repeats no value."""


def read_payload(raw: RawArguments, *, declared: frozenset[str], max_bytes: int) -> bytes:
    """The arguments as one UTF-8 JSON object.

    Text is measured before it is parsed. A single-key object whose key is a usual wrapper and no
    declared parameter is unwrapped once; the wrapped value may itself be JSON text.

    Raises:
        PayloadRefusedError: Too large, not JSON, a repeated key, NaN or an infinity, no object.
    """
    text = _encoded(raw)
    if len(text) > max_bytes:
        message = f"the arguments are too large: {len(text)} bytes, and {max_bytes} are allowed"
        raise PayloadRefusedError(message)
    found = raw if isinstance(raw, Mapping) else _parsed(text)
    inner = _wrapped(found, declared)
    if inner is None:
        return text
    text = _encoded(inner)
    if isinstance(inner, str):
        _parsed(text)
    return text


def shortened(text: str, limit: int = 64) -> str:
    """`text`, cut to `limit` characters: keys are written by the model and may be of any length."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _encoded(raw: RawArguments) -> bytes:
    if isinstance(raw, bytes):
        return raw
    try:
        if isinstance(raw, str):
            return raw.encode()
        # The fast encoder would also write what is no JSON, such as a date.
        return to_json(raw) if _is_json(raw) else _checked(_ENCODER.encode(raw)).encode()
    except (TypeError, ValueError, RecursionError) as error:
        message = "the arguments hold a value that JSON cannot express"
        raise PayloadRefusedError(message) from error


def _checked(text: str) -> str:
    strict_json(text)
    return text


def _parsed(text: bytes) -> dict[str, object]:
    try:
        found = strict_json(text.decode())
    except JsonTextError as error:
        raise PayloadRefusedError(str(error)) from error
    except UnicodeDecodeError as error:
        message = "not valid JSON: no UTF-8"
        raise PayloadRefusedError(message) from error
    if not isinstance(found, dict):
        message = "the arguments must be one JSON object"
        raise PayloadRefusedError(message)
    return cast("dict[str, object]", found)


def _wrapped(
    found: Mapping[str, object], declared: frozenset[str]
) -> str | Mapping[str, object] | None:
    """What a usual wrapper holds; `None` when `found` is no wrapper."""
    if len(found) != 1:
        return None
    ((key, value),) = found.items()
    if key not in _ENVELOPES or key in declared or not isinstance(value, str | Mapping):
        return None
    return cast("str | Mapping[str, object]", value)


def _is_json(value: object) -> bool:
    """Whether `value` holds nothing but plain JSON values, as a provider's parser makes them."""
    kind = type(value)
    if kind in _SCALARS:
        return True
    if kind is dict:
        entries = cast("dict[object, object]", value)
        return all(map(_is_text, entries)) and all(map(_is_json, entries.values()))
    if kind is list:
        return all(map(_is_json, cast("list[object]", value)))
    return kind in _NUMBERS and abs(cast("float", value)) <= sys.float_info.max


def _is_text(key: object) -> bool:
    return type(key) is str


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return without_markers(value.model_dump(mode="json"))
    message = "not a JSON value"
    raise TypeError(message)


def readable(text: str) -> str:
    """`text` as Unicode: pairs of surrogates joined, and halves replaced."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def without_markers(value: object) -> object:
    """A dump without the `__model__` markers of storage, which are no fields of an argument."""
    match value:
        case dict():
            entries = cast("dict[str, object]", value)
            return {k: without_markers(v) for k, v in entries.items() if k != "__model__"}
        case list():
            return [without_markers(item) for item in cast("list[object]", value)]
        case _:
            return value


_SCALARS: Final = frozenset({str, bool, type(None)})
_NUMBERS: Final = frozenset({int, float})
_ENCODER: Final = json.JSONEncoder(default=_plain, ensure_ascii=False, allow_nan=False)

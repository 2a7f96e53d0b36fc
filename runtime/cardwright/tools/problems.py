"""From pydantic's errors to what a model is told: built from error types, never from values."""

from collections.abc import Iterable, Mapping
from typing import Final, cast

from pydantic_core import ErrorDetails

from .payload import shortened

_LONGEST_REASON: Final = 300
_NOTHING: Final = object()
NO_OBJECT: Final = "must be an object"
"""What an argument is told that is text or a number, and should be an object."""

_REASONS: Final[Mapping[str, str]] = {
    "json_invalid": "the arguments are not valid JSON",
    "missing": "is required",
    "missing_argument": "is required",
    "extra_forbidden": "is not a declared field",
    "string_type": "must be a string",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "string_pattern_mismatch": "must match the pattern {pattern}",
    "int_type": "must be an integer",
    "int_from_float": "must be an integer without a fraction",
    "int_parsing": "must be an integer",
    "int_parsing_size": "is too large an integer",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "none_required": "must be null",
    "greater_than": "must be greater than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
    "multiple_of": "must be a multiple of {multiple_of}",
    "literal_error": "must be one of {expected}",
    "enum": "must be one of {expected}",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "set_type": "must be a list of distinct items",
    "frozen_set_type": "must be a list of distinct items",
    "too_short": "must have at least {min_length} items",
    "too_long": "must have at most {max_length} items",
    "dict_type": NO_OBJECT,
    "model_type": NO_OBJECT,
    "model_attributes_type": NO_OBJECT,
    "dataclass_type": NO_OBJECT,
    "mapping_type": NO_OBJECT,
    "invalid_key": "has a key that is no string",
    "union_tag_not_found": "must carry the field {discriminator}",
    "union_tag_invalid": "must have {discriminator} set to one of {expected_tags}",
    "date_type": "must be an ISO 8601 date",
    "date_parsing": "must be an ISO 8601 date",
    "date_from_datetime_parsing": "must be an ISO 8601 date",
    "date_from_datetime_inexact": "must be a date without a time",
    "time_type": "must be an ISO 8601 time",
    "time_parsing": "must be an ISO 8601 time",
    "datetime_type": "must be an ISO 8601 date and time",
    "datetime_parsing": "must be an ISO 8601 date and time",
    "datetime_from_date_parsing": "must be an ISO 8601 date and time",
    "time_delta_type": "must be an ISO 8601 duration",
    "time_delta_parsing": "must be an ISO 8601 duration",
    "timezone_aware": "must have a time zone",
    "timezone_naive": "must have no time zone",
    "uuid_type": "must be a UUID",
    "uuid_parsing": "must be a UUID",
    "url_type": "must be a URL",
    "url_parsing": "must be a URL",
    "url_scheme": "must be a URL with the scheme {expected_schemes}",
    "decimal_type": "must be a decimal number",
    "decimal_parsing": "must be a decimal number",
    "bytes_type": "must be text",
    "not_unique": "has two items with the same {key}",
    "json_text": "as text: {reason}",
    "json_type": "must be JSON text",
}
"""What each error type says; the placeholders are facts of the schema, never of the input."""


def problems_of(errors: Iterable[ErrorDetails], payload: object) -> dict[str, str]:
    """Map the dotted path of every failing field to its reason, sorted by path.

    `payload` tells the fields of a path from the labels that pydantic adds for union members.
    """
    reasons: dict[str, list[str]] = {}
    for error in errors:
        found = reasons.setdefault(_path(error, payload), [])
        reason = _reason(error)
        if reason not in found:
            found.append(reason)
    return {path: ", or ".join(found) for path, found in sorted(reasons.items())}


def _path(error: ErrorDetails, payload: object) -> str:
    segments: list[str] = []
    current = payload
    for segment in error["loc"]:
        inner = _inside(current, segment)
        if inner is not _NOTHING:
            segments.append(shortened(str(segment)))
            current = inner
    if error["type"] == "missing":
        segments.append(str(error["loc"][-1]))
    return ".".join(segments)


def _inside(value: object, segment: int | str) -> object:
    """What stands in `value` at that key or index; `_NOTHING` for the label of a union member."""
    if isinstance(value, dict):
        return cast("dict[object, object]", value).get(segment, _NOTHING)
    if isinstance(value, list) and isinstance(segment, int):
        items = cast("list[object]", value)
        return items[segment] if segment < len(items) else _NOTHING
    return _NOTHING


def _reason(error: ErrorDetails) -> str:
    kind = error["type"]
    template = _REASONS.get(kind)
    if template is None:
        return f"is not valid ({kind})"
    return shortened(template.format_map(error.get("ctx", {})), _LONGEST_REASON)

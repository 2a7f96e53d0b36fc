"""JSON text as models write it: read strictly, and accepted for a value only where declared."""

import json
import math
import re
import sys
from dataclasses import dataclass
from types import UnionType
from typing import Any, Final, Never, Union, cast, get_args, get_origin

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

_LONGEST_KEY: Final = 64


class JsonTextError(ValueError):
    """The text is no JSON, or ambiguous JSON; says why and repeats no value."""


def strict_json(text: str) -> object:
    """The value that JSON text stands for.

    Raises:
        JsonTextError: It is not valid, repeats a key at any level, or holds NaN, an infinity or a
            whole number beyond every float, which a number would read as one.
    """
    decoder = _DECODER if _LONG.search(text) is None else _CAREFUL
    try:
        return decoder.decode(text)
    except JsonTextError:
        raise
    except (ValueError, RecursionError) as error:
        message = "not valid JSON"
        raise JsonTextError(message) from error


@dataclass(frozen=True, slots=True)
class JsonText:
    """Lets a list or an object also be sent as JSON text: `Annotated[list[str], JsonText()]`.

    Some models quote what they should send as it is. Where a type does not say so, text for a list
    is refused. The schema shows the type alone, so that nobody is invited to quote.
    """

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Read text as JSON and hold it to the same type, with the same strictness.

        Raises:
            TypeError: The type takes text already, so that both readings would be right.
        """
        if str in _forms(source):
            message = "JsonText() on a type that takes text: what is text could be meant either way"
            raise TypeError(message)
        value = handler(source)
        text = core_schema.no_info_before_validator_function(
            _checked, core_schema.json_schema(value)
        )
        return core_schema.tagged_union_schema(
            {"text": text, "value": value}, discriminator=_form_of
        )

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """The schema of the value."""
        choices = cast("dict[str, CoreSchema]", cast("dict[str, object]", schema)["choices"])
        return handler(choices["value"])


def _forms(source: object) -> tuple[object, ...]:
    return get_args(source) if get_origin(source) in (Union, UnionType) else (source,)


def _form_of(value: object) -> str:
    return "text" if isinstance(value, str) else "value"


def _checked(value: object) -> object:
    try:
        strict_json(cast("str", value))
    except JsonTextError as error:
        reason = str(error)
        raise PydanticCustomError("json_text", "{reason}", {"reason": reason}) from error
    return value


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    names = [key for key, _ in pairs]
    repeated = sorted({_cut(name) for name in names if names.count(name) > 1})
    message = f"a key is given more than once: {', '.join(repeated)}"
    raise JsonTextError(message)


def _cut(key: str) -> str:
    return key if len(key) <= _LONGEST_KEY else key[: _LONGEST_KEY - 1] + "…"


def _not_finite(_: str) -> Never:
    message = "NaN and infinities are no JSON numbers"
    raise JsonTextError(message)


def _finite(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _not_finite(text)


def _whole(text: str) -> int:
    _finite(text)
    return int(text)


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_not_finite, parse_float=_finite
)
_CAREFUL: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_not_finite, parse_float=_finite, parse_int=_whole
)
"""Also looks at whole numbers, which costs a call for each."""
_LONG: Final = re.compile(f"[0-9]{{{sys.float_info.max_10_exp + 1}}}")
"""As many digits as a whole number beyond every float has; a text may hold them as well."""

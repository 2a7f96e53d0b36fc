"""How many bytes of arguments a tool needs that declares long texts."""

from collections.abc import Iterator
from typing import Final, cast

from .arguments import STRICT, ArgumentPolicy
from .schema import JsonSchema

_BYTES_EACH: Final = 6
"""Of one character where JSON escapes it."""


def policy_for(schema: JsonSchema) -> ArgumentPolicy:
    """Strict reading of arguments of that schema, with room for the longest text it allows.

    The usual ceiling stays where no string declares a `maxLength` above it.
    """
    long = sum(length for length in _lengths(schema) if length > STRICT.max_bytes)
    return ArgumentPolicy(max_bytes=STRICT.max_bytes + _BYTES_EACH * long)


def _lengths(node: object) -> Iterator[int]:
    if isinstance(node, dict):
        fields = cast("dict[str, object]", node)
        if isinstance(length := fields.get("maxLength"), int):
            yield length
        for inner in fields.values():
            yield from _lengths(inner)
    elif isinstance(node, list):
        for inner in cast("list[object]", node):
            yield from _lengths(inner)

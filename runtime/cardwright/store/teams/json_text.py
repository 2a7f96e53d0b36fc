"""Values as the text of the log."""

import json
from collections.abc import Iterable

from pydantic_core import to_jsonable_python


def as_text(value: object) -> str:
    """Return compact JSON.

    Raises:
        ValueError: the value has no JSON form.
    """
    try:
        return json.dumps(value, separators=(",", ":"))
    except TypeError:
        # Keys may be identifiers, dates or members of an enumeration.
        return json.dumps(to_jsonable_python(value), separators=(",", ":"))


def key_texts(keys: Iterable[object]) -> list[str]:
    """Return the keys of an object as its text has them."""
    return [*json.loads(as_text(dict.fromkeys(keys)))]

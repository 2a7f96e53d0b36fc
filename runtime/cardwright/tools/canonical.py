"""One text for equal arguments, in any process: what approvals and keys are bound to."""

import dataclasses
import json
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import cast

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from .schema import digest_of


def call_digest(tool: str, keywords: Mapping[str, object]) -> str:
    """`sha256:` and the digest of a tool's name and its typed arguments, defaults included."""
    return digest_of({"tool": tool, "arguments": plain(keywords)})


def plain(value: object) -> object:
    """`value` as JSON, models without storage markers and sets in one order."""
    match value:
        case BaseModel():
            return {name: plain(getattr(value, name)) for name in type(value).model_fields}
        case Mapping():
            entries = cast("Mapping[object, object]", value)
            return {str(key): plain(each) for key, each in entries.items()}
        case AbstractSet():
            members = cast("AbstractSet[object]", value)
            return sorted((plain(each) for each in members), key=_sort_key)
        case list() | tuple():
            return [plain(each) for each in cast("list[object]", value)]
        case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return {
                each.name: plain(getattr(value, each.name)) for each in dataclasses.fields(value)
            }
        case _:
            return to_jsonable_python(value)


def _sort_key(value: object) -> str:
    return json.dumps(value, sort_keys=True)

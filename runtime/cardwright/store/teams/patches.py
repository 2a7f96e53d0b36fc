"""How one JSON value became another: small when little changed.

A patch is a JSON object with one key: `=` a new value, `~` changed keys of an object (with `-` the
removed ones), `@` a cut in a list (start, number removed, new items), `.` one changed list item.
"""

from collections.abc import Mapping
from typing import cast

from cardwright.actors.sameness import list_alike
from cardwright.store.teams.json_text import key_texts

type Json = object
type Patch = Mapping[str, object]


def difference(old: Json, new: Json) -> Patch | None:
    """Return the patch that makes `new` of `old`; None if they are the same."""
    if _same(old, new):
        return None
    if isinstance(old, dict) and isinstance(new, dict):
        return _object_patch(cast("dict[str, Json]", old), cast("dict[str, Json]", new))
    if isinstance(old, list) and isinstance(new, list):
        return _list_patch(cast("list[Json]", old), cast("list[Json]", new))
    return {"=": new}


def patched(old: Json, patch: Patch) -> Json:
    """Return what `patch` makes of `old`, which stays as it is.

    Raises:
        ValueError: the patch was made for another value.
    """
    try:
        return _applied(old, patch)
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ValueError("this patch was made for another value") from error


def _applied(old: Json, patch: Patch) -> Json:
    if "=" in patch:
        return patch["="]
    if "@" in patch:
        start, removed, items = cast("tuple[int, int, list[Json]]", patch["@"])
        before = cast("list[Json]", old)
        return [*before[:start], *items, *before[start + removed :]]
    if "." in patch:
        index, inner = cast("tuple[int, Patch]", patch["."])
        changed = list(cast("list[Json]", old))
        changed[index] = _applied(changed[index], inner)
        return changed
    return _applied_object(cast("dict[str, Json]", old), patch)


def _applied_object(old: dict[str, Json], patch: Patch) -> dict[str, Json]:
    gone = set(cast("list[str]", patch.get("-", [])))
    made = {key: value for key, value in old.items() if key not in gone}
    for key, inner in cast("dict[str, Patch]", patch["~"]).items():
        made[key] = _applied(made.get(key), inner)
    return made


def _same(one: Json, other: Json) -> bool:
    # Equality takes 1, 1.0 and True for the same; their texts differ.
    return one == other and repr(one) == repr(other)


def _object_patch(old: dict[str, Json], new: dict[str, Json]) -> Patch:
    changes = {
        key: difference(old[key], value) if key in old else {"=": value}
        for key, value in new.items()
    }
    patch: dict[str, object] = {"~": {key: it for key, it in changes.items() if it is not None}}
    if gone := [key for key in old if key not in new]:
        patch["-"] = key_texts(gone)
    # The order of keys is part of the value, and a patch adds keys at the end.
    kept = [key for key in old if key in new]
    if not list_alike([*kept, *(key for key in new if key not in old)], [*new]):
        return {"=": new}
    return patch


def _list_patch(old: list[Json], new: list[Json]) -> Patch:
    return cut(old, new, 0) or {"=": new}


def cut(old: list[Json], new: list[Json], offset: int) -> Patch | None:
    """Return the patch for a part of a list that begins at `offset`; None if they are the same."""
    start, shorter = 0, min(len(old), len(new))
    while start < shorter and _same(old[start], new[start]):
        start += 1
    tail = 0
    while tail < shorter - start and _same(old[-1 - tail], new[-1 - tail]):
        tail += 1
    removed, items = len(old) - start - tail, new[start : len(new) - tail]
    if removed == len(items) == 0:
        return None
    if removed == len(items) == 1:
        inner = difference(old[start], items[0]) or {"=": items[0]}
        return {".": [offset + start, inner]}
    return {"@": [offset + start, removed, items]}

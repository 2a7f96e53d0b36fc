"""What changed between two published states, at the cost of what changed.

Snapshots share the parts that are alike, so these need not be looked at: an identical object has
the same stored form.
"""

from __future__ import annotations

from itertools import compress
from operator import is_, is_not
from typing import cast

from pydantic import BaseModel

from cardwright.actors import serialize
from cardwright.actors.model_dumps import has_own_serializers
from cardwright.actors.sameness import list_alike
from cardwright.actors.shapes import stored_fields
from cardwright.actors.stored import MODEL_KEY, RESERVED_KEYS
from cardwright.store.teams.json_text import key_texts
from cardwright.store.teams.patches import Json, Patch, cut, difference

type Renewal = tuple[Patch | None, Json]
"""The patch, if there is one, and the new stored form."""


def renewal(old: object, new: object, known: Json) -> Renewal:
    """Return what changes `known`, the stored form of `old`, to that of `new`.

    Raises:
        PydanticSerializationError: something that changed has no stored form.
    """
    if new is old:
        return None, known
    kind = cast("type", type(new))
    found = _quick(old, new, known) if type(old) is kind else None
    if found is not None:
        return found
    value = serialize(new)
    return difference(known, value), value


def _quick(old: object, new: object, known: Json) -> Renewal | None:
    """Compare part by part; None for what has no parts, and where the parts do not fit."""
    kind = cast("type", type(new))
    if kind is dict:
        entries = cast("dict[object, object]", new)
        return _of_dict(cast("dict[object, object]", old), entries, known)
    if kind is list:
        return _of_list(cast("list[object]", old), cast("list[object]", new), known)
    if isinstance(new, BaseModel):
        return _of_model(cast("BaseModel", old), new, known)
    return None


def _of_model(old: BaseModel, new: BaseModel, known: Json) -> Renewal | None:
    kind, names = type(new), stored_fields(type(new))
    if has_own_serializers(kind) or new.__pydantic_extra__ or not isinstance(known, dict):
        return None
    form = cast("dict[str, Json]", known)
    if [*form] != [*names, MODEL_KEY]:
        return None
    before, after = old.__dict__, new.__dict__
    changed = [name for name in names if after[name] is not before[name]]
    renewals = {name: renewal(before[name], after[name], form[name]) for name in changed}
    return _whole({name: it for name, it in renewals.items() if it[0] is not None}, form)


def _of_dict(old: dict[object, object], new: dict[object, object], known: Json) -> Renewal | None:
    form = cast("dict[object, Json]", known)
    if not isinstance(known, dict) or [*form] != [*old] or not RESERVED_KEYS.isdisjoint(new):
        return None
    if not list_alike([*old], [*new]):
        return _of_other_keys(old, new, form)
    changed = compress(new, map(is_not, old.values(), new.values()))
    renewals = {key: renewal(old[key], new[key], form[key]) for key in changed}
    return _whole({key: it for key, it in renewals.items() if it[0] is not None}, form)


def _of_other_keys(
    old: dict[object, object], new: dict[object, object], form: dict[object, Json]
) -> Renewal | None:
    """Keys that came are the last ones and keys that went are gone; nothing else is quick."""
    gone = [key for key in old if key not in new]
    made = {key: it for key, it in form.items() if key in new} if gone else {**form}
    patches: dict[object, Patch] = {}
    for key, value in new.items():
        if key not in old:
            made[key] = serialize(value)
            patches[key] = {"=": made[key]}
        elif value is not old[key]:
            patch, made[key] = renewal(old[key], value, form[key])
            if patch is not None:
                patches[key] = patch
    if not list_alike([*made], [*new]):
        return None
    return {"~": patches, "-": key_texts(gone)} if gone else {"~": patches}, made


def _of_list(old: list[object], new: list[object], known: Json) -> Renewal | None:
    form = cast("list[Json]", known)
    if not isinstance(known, list) or len(form) != len(old):
        return None
    start = _alike(map(is_, old, new), min(len(old), len(new)))
    tail = _alike(map(is_, reversed(old), reversed(new)), min(len(old), len(new)) - start)
    if len(old) == len(new) == start + tail + 1:
        patch, value = renewal(old[start], new[start], form[start])
        made = [*form[:start], value, *form[start + 1 :]]
        return None if patch is None else {".": [start, patch]}, made
    end, items = len(old) - tail, [serialize(item) for item in new[start : len(new) - tail]]
    made = [*form[:start], *items, *form[end:]]
    # Equal items, of which nobody kept the identity, are no change.
    return cut(form[start:end], items, start), made


def _alike(same: map[bool], most: int) -> int:
    """Return how many are the same at the beginning, at most `most`."""
    flags = list(same)[:most]
    return flags.index(False) if False in flags else most


def _whole[K](renewals: dict[K, Renewal], form: dict[K, Json]) -> Renewal:
    if not renewals:
        return None, form
    made = {**form, **{key: value for key, (_, value) in renewals.items()}}
    return {"~": {key: patch for key, (patch, _) in renewals.items()}}, made

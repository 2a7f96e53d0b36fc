"""What changed between two snapshots, found in their history: costs the changes, whatever the size.

Where the history does not tell, None says so, and `renewal` compares the written states.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from cardwright.actors import serialize
from cardwright.actors.lineage import NEW, Moved, moved
from cardwright.actors.model_dumps import has_own_serializers
from cardwright.actors.shapes import stored_fields
from cardwright.actors.stored import MODEL_KEY, RESERVED_KEYS
from cardwright.actors.versions import Version
from cardwright.store.teams.renewal import renewal

if TYPE_CHECKING:
    from pydantic import BaseModel

    from cardwright.actors.changes import Snapshot
    from cardwright.store.teams.patches import Json, Patch


@dataclass(slots=True)
class QuickRenewal:
    """A patch, and how the stored form follows it in place."""

    patches: dict[str, Patch] = field(default_factory=dict[str, "Patch"])
    whole: dict[str, Json] = field(default_factory=dict[str, "Json"])
    """New stored forms of fields."""
    entries: dict[str, dict[Any, Json]] = field(default_factory=dict[str, dict[Any, "Json"]])
    """New stored forms of entries of fields, new ones behind all others."""

    @property
    def patch(self) -> Patch | None:
        """The patch of the whole state; None if nothing changed."""
        return {"~": self.patches} if self.patches else None

    def applied(self, form: Json, own: set[str]) -> Json:
        """Let the stored form follow; only containers that are our `own` are changed in place."""
        fields = cast("dict[str, Json]", form)
        made = {**fields, **self.whole}
        own -= self.whole.keys()
        for name, entries in self.entries.items():
            container = cast("dict[Any, Json] | list[Json]", made[name])
            if name not in own:
                container = made[name] = container.copy()
                own.add(name)
            _put(container, entries)
        return made


def quick_renewal(old: Snapshot[Any], new: Snapshot[Any], known: Json) -> QuickRenewal | None:
    """Return what changes `known`, the stored form of `old`, to that of `new`; None if unknown.

    Raises:
        PydanticSerializationError: something that changed has no stored form.
    """
    before, after = old.published, new.published
    if before is None or after is None or old.kind is not new.kind or not isinstance(known, dict):
        return None
    kind = cast("type[BaseModel]", new.kind)
    names, form = stored_fields(kind), cast("dict[str, Json]", known)
    if has_own_serializers(kind) or [*form] != [*names, MODEL_KEY]:
        return None
    found = QuickRenewal()
    for name in names:
        if after[name] is not before[name] and not _field(
            found, name, before[name], after[name], form[name]
        ):
            return None
    return found


def _field(found: QuickRenewal, name: str, old: object, new: object, form: Json) -> bool:
    if not (isinstance(old, Version) and isinstance(new, Version)):
        if isinstance(old, Version) or isinstance(new, Version):
            return False
        patch, value = renewal(old, new, form)
        if patch is not None:
            found.patches[name], found.whole[name] = patch, value
        return True
    entries = moved(old, new)
    if entries is None:
        return False
    is_list = isinstance(form, list)
    made = _of_list(entries, cast("list[Json]", form)) if is_list else _of_dict(entries, form)
    if made is None:
        return False
    patch, values = made
    if patch is not None:
        found.patches[name], found.entries[name] = patch, values
    return True


type _Made = tuple[Patch | None, dict[Any, Json]]


def _of_dict(entries: list[Moved], form: Json) -> _Made | None:
    stored = cast("dict[str, Json]", form)
    # With such a key, or one that is no text, a dictionary is stored in another way.
    if not isinstance(form, dict) or any(key in stored for key in RESERVED_KEYS):
        return None
    patches: dict[str, Patch] = {}
    values: dict[Any, Json] = {}
    for key, old, new in entries:
        if not isinstance(key, str) or key in RESERVED_KEYS or (key in stored) is (old is NEW):
            return None
        patch, value = _entry(old, new, stored.get(key))
        if patch is not None:
            patches[key], values[key] = patch, value
    return ({"~": patches} if patches else None), values


def _of_list(entries: list[Moved], form: list[Json]) -> _Made | None:
    """One item that changed, or some behind all others: more has no quick patch."""
    size = len(form)
    if all(old is NEW for _, old, _ in entries):
        items = [serialize(new) for _, _, new in entries]
        if [key for key, _, _ in entries] != [*range(size, size + len(items))]:
            return None
        return {"@": [size, 0, items]}, dict(enumerate(items, size))
    if len(entries) != 1:
        return None
    key, old, new = entries[0]
    patch, value = _entry(old, new, form[key])
    return (None, {}) if patch is None else ({".": [key, patch]}, {key: value})


def _entry(old: object, new: object, form: Json) -> tuple[Patch | None, Json]:
    if old is NEW:
        value = serialize(new)
        return {"=": value}, value
    return renewal(old, new, form)


def _put(container: dict[Any, Json] | list[Json], entries: dict[Any, Json]) -> None:
    for key, value in entries.items():
        if isinstance(container, list) and key == len(container):
            container.append(value)
        else:
            container[key] = value

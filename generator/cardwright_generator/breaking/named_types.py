"""Comparison of named types by themselves: names, homes, forms in storage, and what is in them."""

from collections.abc import Mapping

from cardwright_generator.model.schema import is_object
from cardwright_generator.spec.language import TypeSpec

from .changes import past
from .comparison import Comparison, Pair
from .members import compare_classes, names_before, whole
from .schemas import compare_schemas
from .sides import Node, Side
from .uses import FIELD, STATE, STORED, Use

type Types = Mapping[str, TypeSpec]


def compare_types(found: Comparison, pair: Pair, old: Types, new: Types) -> None:
    """Report what became of the named types of a file; the pair holds both files."""
    before = names_before(old, {name: spec.renamed_from for name, spec in new.items()})
    where = pair.at("types")
    for name, spec in old.items():
        if name not in before.values():
            _gone(found, where, name, spec)
    for name, spec in new.items():
        was = before.get(name)
        if was is None:
            _came(found, where, name)
            continue
        both = where.to(was, name)
        if was != name:
            found.report("type-renamed", both, f"'{was}' is called '{name}' now", was, name)
        past(found, both, "type", was, (old[was].renamed_from, spec.renamed_from))
        _compare(found, both, old[was], spec)


def compare_commons(found: Comparison) -> None:
    """Report what became of shared types; a file that has another name keeps none of its types."""
    old, new = dict(found.old.commons()), dict(found.new.commons())
    for file in sorted({*old, *new}):
        pair = Pair(Node(file), Node(file), gone=file not in new)
        was, now = (side[file].types if file in side else {} for side in (old, new))
        compare_types(found, pair, was, now)


def _gone(found: Comparison, pair: Pair, name: str, spec: TypeSpec) -> None:
    stored = _is_stored(spec) and spec.class_ is None
    home = _home(found.new, name, found.old, pair.old.file)
    if home is None:
        rule = "stored-type-removed" if _is_stored(spec) else "type-removed"
        found.report(rule, pair.lost(name), f"the type '{name}' is gone")
        return
    rule = "stored-type-moved" if stored else "type-moved"
    there = Pair(pair.old.at(name), home)
    found.report(rule, there, f"the type '{name}' is declared in {home.file} now")
    _compare(found, there, spec, found.new.types(home.file)[name])


def _came(found: Comparison, pair: Pair, name: str) -> None:
    home = _home(found.old, name, found.new, pair.new.file)
    if home is None or name in found.new.types(home.file):
        found.report("type-added", pair.at(name), f"the type '{name}' is new")


def _home(side: Side, name: str, other: Side, file: str) -> Node | None:
    """Where a version declares a type that the other one has in a file; cards share none."""
    places = [where for where, _ in side.commons()]
    if other.card(file) is None:
        places += [where for where, _ in side.cards()]
    found = (place for place in places if place != file and name in side.types(place))
    return next((Node(place, ("types", name)) for place in found), None)


def _is_stored(spec: TypeSpec) -> bool:
    return is_object(spec) and spec.base != "plain"


def _use(spec: TypeSpec) -> Use:
    if not _is_stored(spec):
        return FIELD
    return STATE if spec.base == "context" else STORED


def _compare(found: Comparison, pair: Pair, old: TypeSpec, new: TypeSpec) -> None:
    found.differs("type-base-changed", pair.at("base"), "base", old.base, new.base)
    found.differs("type-class-changed", pair.at("class"), "class", old.class_, new.class_)
    if is_object(old) != is_object(new):
        compare_schemas(found, _use(old), pair, old, new)
        return
    where = pair.at("description")
    found.differs(
        "type-description-changed", where, "description", old.description, new.description
    )
    if not is_object(old):
        return
    one = whole(pair.old.file, str(pair.old.path[-1]), old)
    other = whole(pair.new.file, str(pair.new.path[-1]), new)
    if _is_stored(old) or not _met(found, pair):
        compare_classes(found, _use(old), one, other)


def _met(found: Comparison, pair: Pair) -> bool:
    """Whether some use led to the type already, so that what changed is told."""
    return any(key[1:] == (pair.old, pair.new) for key in found.seen)

"""Comparison of mappings of members: arguments, fields, and properties of closed objects."""

from collections.abc import Mapping
from dataclasses import dataclass

from cardwright_generator.model.schema import optional, properties
from cardwright_generator.spec.language import FieldSpec, Schema, TypeSpec

from .atoms import Atom
from .comparison import Comparison, Pair, canonical, shown
from .products import rule_id
from .schemas import compare_schemas, label, reordered
from .sides import Node
from .uses import Use


@dataclass(frozen=True, slots=True)
class Member:
    """One named value, in either version."""

    schema: Schema
    required: bool
    default: object = None
    """What stands for it when it is left out, in comparable form."""
    filling: str | None = None
    renamed_from: str | None = None


type Members = Mapping[str, Member]


def compare_members(found: Comparison, use: Use, pair: Pair, old: Members, new: Members) -> None:
    """Report members that came, went, were renamed or changed; the pair holds the mapping."""
    before = names_before(old, {name: one.renamed_from for name, one in new.items()})
    for name, member in old.items():
        if name not in before.values():
            message = f"'{name}' is gone"
            found.report(rule_id(use, "removed"), pair.lost(name), message, member.required)
    for name, member in new.items():
        was = before.get(name)
        if was is None:
            _added(found, use, pair.at(name), name, member)
            continue
        if was != name:
            _renamed(found, use, pair, (was, name), member)
        _changed(found, use, pair.to(was, name), old[was], member)
    reordered(found, use, pair, list(old), [before.get(name, name) for name in new])


def names_before(old: Mapping[str, object], new: Mapping[str, str | None]) -> dict[str, str]:
    """Present name -> name in the old version, of what is in both."""
    renamed = {
        name: was
        for name, was in new.items()
        if name not in old and was is not None and was in old and was not in new
    }
    return {name: name for name in new if name in old} | renamed


def _has_past(use: Use) -> bool:
    return use.name not in {"argument", "command"}


def _renamed(
    found: Comparison, use: Use, pair: Pair, names: tuple[str, str], member: Member
) -> None:
    """What is stored follows a rename; a caller must be told the new name."""
    was, name = names
    if _has_past(use):
        message = f"'{was}' is called '{name}' now"
        found.report(rule_id(use, "renamed"), pair.to(was, name), message, was, name)
        return
    found.report(rule_id(use, "removed"), pair.lost(was), f"'{was}' is called '{name}' now")
    _added(found, use, pair.at(name), name, member)


def _added(found: Comparison, use: Use, pair: Pair, name: str, member: Member) -> None:
    if member.required:
        message = f"'{name}' is new and must be given"
        found.report(rule_id(use, "added-required"), pair, message)
    else:
        message = f"'{name}' is new and may be left out"
        found.report(rule_id(use, "added"), pair, message)


def _changed(found: Comparison, use: Use, pair: Pair, old: Member, new: Member) -> None:
    if new.required and not old.required:
        message = f"{label(pair)} must be given now"
        found.report(rule_id(use, "became-required"), pair, message)
    elif old.required and not new.required:
        message = f"{label(pair)} may be left out now"
        found.report(rule_id(use, "became-optional"), pair, message)
    elif not new.required and canonical(old.default) != canonical(new.default):
        message = f"default of {label(pair)}: {shown(old.default)} became {shown(new.default)}"
        rule = rule_id(use, "default-changed")
        found.report(rule, pair.at("default"), message, old.default, new.default)
    _filled(found, use, pair, old.filling, new.filling)
    if _has_past(use) and use.name != "result":
        _past(found, use, pair, old, new)
    compare_schemas(found, use, pair, old.schema, new.schema)


def _filled(found: Comparison, use: Use, pair: Pair, old: str | None, new: str | None) -> None:
    """What fills a value in is the default of whoever makes it."""
    if old != new:
        made = use.name in {"result", "state", "stored"}
        rule = rule_id(use, "filling-changed" if made else "default-changed")
        message = f"{label(pair)} is filled by {shown(new)}, not {shown(old)}"
        found.report(rule, pair.at("auto"), message, old, new)


def _past(found: Comparison, use: Use, pair: Pair, old: Member, new: Member) -> None:
    if old.renamed_from == new.renamed_from:
        return
    where = pair.at("renamed_from")
    if old.renamed_from is not None:
        message = f"{label(pair)} no longer takes what is stored as '{old.renamed_from}'"
        found.report(rule_id(use, "old-name-dropped"), where, message, old.renamed_from)
    if new.renamed_from is not None and new.renamed_from != pair.old.path[-1]:
        message = f"{label(pair)} takes what is stored as '{new.renamed_from}'"
        found.report(rule_id(use, "old-name-declared"), where, message, None, new.renamed_from)


def compare_classes(found: Comparison, use: Use, old: Atom, new: Atom) -> None:
    """Compare two closed objects, once for each use, however often they are referred to."""
    key = (use.name, old.node, new.node)
    if key in found.seen:
        return
    found.seen.add(key)
    pair = Pair(old.node, new.node)
    if isinstance(old.schema, TypeSpec) and isinstance(new.schema, TypeSpec):
        was, now = old.schema.description, new.schema.description
        rule = rule_id(use, "description-changed")
        found.differs(rule, pair.at("description"), f"description of {label(pair)}", was, now)
    members = (properties_of(old.schema), properties_of(new.schema))
    compare_members(found, use, pair.at("properties"), *members)


def properties_of(schema: Schema) -> dict[str, Member]:
    """The properties of a closed object as members."""
    return {
        name: Member(
            schema=spec,
            required=not optional(spec, name, schema),
            default=spec.default,
            filling=spec.auto,
            renamed_from=spec.renamed_from,
        )
        for name, spec in properties(schema).items()
    }


def whole(file: str, name: str, spec: TypeSpec) -> Atom:
    """A named closed object as what is compared."""
    return Atom("class", spec, Node(file, ("types", name)), name)


def members_of(fields: Mapping[str, FieldSpec]) -> dict[str, Member]:
    """Fields of configuration as members."""
    return {
        name: Member(spec, not spec.has_default, spec.default, renamed_from=spec.renamed_from)
        for name, spec in fields.items()
    }

"""Deep comparison of two schemas in one use: what is allowed now, and what was."""

from collections.abc import Iterator, Sequence

from cardwright_generator.emit.json_schema import CONSTRAINT_WORDS
from cardwright_generator.spec.language import Schema
from cardwright_generator.spec.narrowness import highest, lowest
from cardwright_generator.spec.subject import Subject
from cardwright_generator.spec.values import is_multiple, misfit

from .atoms import Atom, Taken, class_spec, description_of, take
from .comparison import Comparison, Pair, canonical, shown
from .products import rule_id
from .uses import Use

_LOW = ("minimum", "exclusive_minimum", "min_length", "min_items")
_HIGH = ("maximum", "exclusive_maximum", "max_length", "max_items")
_BOUNDS = {
    "integer": ("minimum", "exclusive_minimum", "maximum", "exclusive_maximum", "multiple_of"),
    "number": ("minimum", "exclusive_minimum", "maximum", "exclusive_maximum", "multiple_of"),
    "string": ("min_length", "max_length"),
    "array": ("min_items", "max_items"),
}
_INNER = frozenset({"anyOf", "items", "additionalProperties", "enum"})
"""Steps that name no part."""
_SCALARS = frozenset({"boolean", "integer", "number", "string"})
_NOWHERE = Subject("", {})
"""Scalars refer to nothing."""


def compare_schemas(found: Comparison, use: Use, pair: Pair, old: Schema, new: Schema) -> None:
    """Report how the values that a schema allows changed, and what is said about them."""
    if old == new and not _is_told_elsewhere(old):
        return
    was, now = take(old, pair.old, found.old), take(new, pair.new, found.new)
    before = description_of(old, pair.old, found.old)
    after = description_of(new, pair.new, found.new)
    rule = rule_id(use, "description-changed")
    found.differs(rule, pair.at("description"), f"description of {label(pair)}", before, after)
    _nulls(found, use, pair, was, now)
    _choices(found, use, was, now)
    matched, lost, gained = _matched(was.atoms, now.atoms)
    _types(found, use, pair, was, now, lost, gained)
    for one, other in (*matched, *_numbers(lost, gained)):
        _inside(found, use, one, other)


def _is_told_elsewhere(schema: Schema) -> bool:
    """Whether equal schemas may differ: in what they refer to, or in choices (1 equals true)."""
    parts = (schema.ref, schema.any_of, schema.items, schema.enum, schema.const)
    return any(part is not None for part in parts) or _values_of(schema) is not None


def label(pair: Pair) -> str:
    """The part, as a message names it."""
    node = pair.old if pair.gone else pair.new
    named = (step for step in reversed(node.path) if isinstance(step, str) and step not in _INNER)
    return f"'{next(named, node.file)}'"


def _nulls(found: Comparison, use: Use, pair: Pair, was: Taken, now: Taken) -> None:
    if was.null and not now.null:
        found.report(rule_id(use, "null-refused"), pair, f"{label(pair)} may no longer be null")
    elif now.null and not was.null:
        found.report(rule_id(use, "null-allowed"), pair, f"{label(pair)} may be null")


def _choices(found: Comparison, use: Use, was: Taken, now: Taken) -> None:
    if was.choices is None or now.choices is None:
        return
    old, new = ([canonical(one) for one in side.choices or ()] for side in (was, now))
    where = Pair(was.chosen, now.chosen)
    for value in [one for one in old if one not in new]:
        message = f"{label(where)} no longer takes {value}"
        found.report(rule_id(use, "choice-removed"), where, message, old=value)
    for value in [one for one in new if one not in old]:
        message = f"{label(where)} takes {value} too"
        found.report(rule_id(use, "choice-added"), where, message, new=value)
    reordered(found, use, where, old, new)


def reordered(
    found: Comparison, use: Use, pair: Pair, old: Sequence[str], new: Sequence[str]
) -> None:
    """Report what is in both versions in another order, where a reader sees the order."""
    kept, now = [one for one in old if one in new], [one for one in new if one in old]
    rule = rule_id(use, "reordered")
    if kept != now and use.name not in {"field", "stored"}:
        found.report(rule, pair, f"order at {label(pair)}: {shown(', '.join(now))}", kept, now)


def _types(
    found: Comparison,
    use: Use,
    pair: Pair,
    was: Taken,
    now: Taken,
    lost: Sequence[Atom],
    gained: Sequence[Atom],
) -> None:
    old, new = _words(lost), _words(gained)
    if was.choices is None and now.choices is not None:
        if not gained and _covers(lost, now.choices):
            found.report(
                rule_id(use, "became-choice"),
                pair,
                f"{label(pair)} is a choice now",
                old,
                list(now.choices),
            )
            return
        new = [*new, "choice"]
    elif now.choices is None and was.choices is not None:
        if not lost and _covers(now.atoms, was.choices):
            found.report(
                rule_id(use, "choice-lifted"),
                pair,
                f"{label(pair)} is no choice any more",
                list(was.choices),
                new,
            )
            return
        old = [*old, "choice"]
    kind = _change(old, new, kept=len(old) < len(was.atoms) + (was.choices is not None))
    if kind is not None:
        message = f"type of {label(pair)}: {_listed(was)} became {_listed(now)}"
        found.report(rule_id(use, kind), pair.at("type"), message, sorted(old), sorted(new))


def _change(old: list[str], new: list[str], *, kept: bool) -> str | None:
    if old == ["integer"] and new == ["number"]:
        return "type-widened"
    if old == ["number"] and new == ["integer"]:
        return "type-narrowed"
    if old and new:
        return "type-changed"
    if not old and not new:
        return None
    if old:
        return "type-narrowed" if kept else "type-changed"
    return "type-widened"


def _covers(atoms: Sequence[Atom], choices: Sequence[object]) -> bool:
    """Whether every value of a choice is allowed by one of these types."""
    scalars = [atom.schema for atom in atoms if atom.kind in _SCALARS]
    return bool(choices) and all(
        any(misfit(value, one, _NOWHERE) is None for one in scalars) for value in choices
    )


def _words(atoms: Sequence[Atom]) -> list[str]:
    return [atom.name if atom.kind in {"class", "python"} else atom.kind for atom in atoms]


def _listed(taken: Taken) -> str:
    words = [*_words(taken.atoms), *(["choice"] if taken.choices is not None else [])]
    return shown(" | ".join([*words, *(["null"] if taken.null else [])]) or "anything")


def _matched(
    old: Sequence[Atom], new: Sequence[Atom]
) -> tuple[list[tuple[Atom, Atom]], list[Atom], list[Atom]]:
    """Pairs of types that are compared with each other; types only before; types only now."""
    pairs = list[tuple[Atom, Atom]]()
    left, right = list(old), list(new)
    for same in (_same_place, _same_name, _same_form, _same_kind):
        for atom in list(left):
            other = next((one for one in right if same(atom, one)), None)
            if other is not None:
                pairs.append((atom, other))
                left.remove(atom)
                right.remove(other)
    return pairs, left, right


def _numbers(lost: Sequence[Atom], gained: Sequence[Atom]) -> list[tuple[Atom, Atom]]:
    """A number that became whole, or the other way round: its bounds are compared all the same."""
    kinds = {"integer", "number"}
    return [(one, new) for one in lost for new in gained if {one.kind, new.kind} == kinds]


def _same_place(one: Atom, other: Atom) -> bool:
    return one.kind == other.kind == "class" and one.node == other.node


def _same_name(one: Atom, other: Atom) -> bool:
    spec = class_spec(other)
    names = {other.name, spec.renamed_from if spec is not None else None}
    return one.kind == other.kind and one.kind in {"class", "python"} and one.name in names


def _same_form(one: Atom, other: Atom) -> bool:
    """Whether two alternatives of a kind are word for word the same."""
    return one.kind == other.kind and one.kind != "python" and one.schema == other.schema


def _same_kind(one: Atom, other: Atom) -> bool:
    return one.kind == other.kind and one.kind != "python"


def _inside(found: Comparison, use: Use, old: Atom, new: Atom) -> None:
    """Compare two types of one kind."""
    if old.kind == "class":
        from .members import compare_classes  # which compares schemas in turn

        compare_classes(found, use, old, new)
        return
    where = Pair(old.node, new.node)
    _bounds(found, use, where, old, new)
    if old.kind == "string":
        _strings(found, use, where, old.schema, new.schema)
    elif old.kind == "array":
        _same(found, use, where, "uniqueness", old.schema.unique_by, new.schema.unique_by)
        _contents(found, use, where.at("items"), old.schema.items, new.schema.items)
    elif old.kind == "object":
        parts = (_values_of(old.schema), _values_of(new.schema))
        _contents(found, use, where.at("additionalProperties"), *parts)


def _values_of(schema: Schema) -> Schema | None:
    values = schema.additional_properties
    return values if isinstance(values, Schema) else None


def _contents(
    found: Comparison, use: Use, pair: Pair, old: Schema | None, new: Schema | None
) -> None:
    if old is not None and new is not None:
        compare_schemas(found, use, pair, old, new)
    elif old is not None:
        found.report(rule_id(use, "type-widened"), pair, f"{label(pair)} may be anything", "some")
    elif new is not None:
        found.report(rule_id(use, "type-narrowed"), pair, f"{label(pair)} were free", None, "some")


def _bounds(found: Comparison, use: Use, pair: Pair, old: Atom, new: Atom) -> None:
    told = _bounds_in_other_words(found, use, pair, old, new)
    for name in _BOUNDS.get(old.kind, ()):
        was, now = getattr(old.schema, name), getattr(new.schema, name)
        if name in told or canonical(was) == canonical(now):
            continue
        kind = "bound-tightened" if _tighter(name, was, now) else "bound-loosened"
        word = CONSTRAINT_WORDS[name]
        message = f"{word} of {label(pair)}: {shown(was)} became {shown(now)}"
        found.report(rule_id(use, kind), pair.at(word), message, was, now)


def _bounds_in_other_words(
    found: Comparison, use: Use, pair: Pair, old: Atom, new: Atom
) -> set[str]:
    """Report a side whose bound is exclusive now and was not, or was; returns the words told."""
    told = set[str]()
    for words, limit, way in ((_LOW[:2], lowest, 1), (_HIGH[:2], highest, -1)):
        one, other = (
            next((word for word in words if getattr(atom.schema, word) is not None), None)
            for atom in (old, new)
        )
        if one is None or other is None or one == other:
            continue
        told.update(words)
        was, now = (_comparable(limit(atom.schema), atom.kind) for atom in (old, new))
        if was == now:
            continue
        kind = "bound-tightened" if (now > was) == (way > 0) else "bound-loosened"
        values = [
            f"{CONSTRAINT_WORDS[word]} {canonical(getattr(atom.schema, word))}"
            for word, atom in ((one, old), (other, new))
        ]
        message = f"bound of {label(pair)}: {shown(values[0])} became {shown(values[1])}"
        found.report(rule_id(use, kind), pair.at(CONSTRAINT_WORDS[other]), message, *values)
    return told


def _comparable(limit: tuple[float, int], kind: str) -> tuple[float, int]:
    """A bound of whole numbers as one that is not exclusive."""
    return (limit[0] + limit[1], 0) if kind == "integer" else limit


def _tighter(name: str, was: float | None, now: float | None) -> bool:
    if was is None or now is None:
        return was is None
    if name in _LOW:
        return now > was
    if name in _HIGH:
        return now < was
    return not is_multiple(was, now)  # a multiple of 4 is one of 2, hence 4 to 2 loosens


def _strings(found: Comparison, use: Use, pair: Pair, old: Schema, new: Schema) -> None:
    _same(found, use, pair, "pattern", old.pattern, new.pattern)
    for kind, was, now in _replaced(old, new):
        if canonical(was) != canonical(now) and (kind != "secrecy-changed" or _keeps(use)):
            message = f"{kind.partition('-')[0]} of {label(pair)}: {shown(was)} became {shown(now)}"
            found.report(rule_id(use, kind), pair, message, was, now)


def _replaced(old: Schema, new: Schema) -> Iterator[tuple[str, object, object]]:
    yield "format-changed", old.format, new.format
    yield "cut-changed", old.truncate, new.truncate
    yield "secrecy-changed", old.secret, new.secret


def _keeps(use: Use) -> bool:
    return use.name in {"field", "stored"}


def _same(
    found: Comparison, use: Use, pair: Pair, what: str, was: str | None, now: str | None
) -> None:
    """Report a restriction that came, went, or is another one."""
    if was == now:
        return
    if was is None:
        kind = f"{what}-added"
    elif now is None:
        kind = "uniqueness-dropped" if what == "uniqueness" else f"{what}-removed"
    else:
        kind = "uniqueness-added" if what == "uniqueness" else f"{what}-changed"
    message = f"{what} of {label(pair)}: {shown(was)} became {shown(now)}"
    found.report(rule_id(use, kind), pair, message, was, now)

"""Whether the bounds of one schema keep within those of another: for `default_from`."""

from collections.abc import Iterator

from cardwright_generator.spec.kinds import Leaf, has_const, leaf_schemas
from cardwright_generator.spec.language import Schema
from cardwright_generator.spec.subject import Subject
from cardwright_generator.spec.values import is_multiple, misfit

_NUMBERS = frozenset({"integer", "number"})
_INFINITY = float("inf")


def beyond(source: Schema, target: Schema, subject: Subject) -> str | None:
    """Say which bound of a target some value of a source may break, or None if none."""
    targets = list(leaf_schemas(target, subject))
    for leaf in leaf_schemas(source, subject):
        if leaf.schema.enum is not None or has_const(leaf.schema):
            problems = _of_choices(leaf.schema, target, subject)
        else:
            problems = (_of_kind(kind, leaf, targets) for kind in sorted(leaf.kinds))
        if problem := next(filter(None, problems), None):
            return problem
    return None


def _of_choices(source: Schema, target: Schema, subject: Subject) -> Iterator[str | None]:
    for value in source.enum if source.enum is not None else [source.const]:
        yield misfit(value, target, subject) and f"'{value}' is out of its bounds"


def _of_kind(kind: str, source: Leaf, targets: list[Leaf]) -> str | None:
    kinds = _NUMBERS if kind in _NUMBERS else frozenset({kind})
    problems = [_broken(kind, source, one) for one in targets if one.kinds & kinds]
    return None if None in problems else next(iter(problems), None)


def _broken(kind: str, source: Leaf, target: Leaf) -> str | None:
    """Return the word of a target that a source does not keep to."""
    given, due = source.schema, target.schema
    if kind in _NUMBERS:
        return _broken_number(given, due)
    if kind == "string":
        return _broken_text(given, due)
    if kind == "array":
        return _broken_list(given, due, source.subject)
    return None


def _broken_number(given: Schema, due: Schema) -> str | None:
    if lowest(given) < lowest(due):
        return "its lower bound"
    if highest(given) > highest(due):
        return "its upper bound"
    step = due.multiple_of
    kept = not step or (given.multiple_of is not None and is_multiple(given.multiple_of, step))
    return None if kept else "'multipleOf'"


def lowest(schema: Schema) -> tuple[float, int]:
    """The lower bound of a number: the greater, the narrower; the second part breaks a tie."""
    if schema.exclusive_minimum is not None:
        return schema.exclusive_minimum, 1
    return (-_INFINITY if schema.minimum is None else schema.minimum), 0


def highest(schema: Schema) -> tuple[float, int]:
    """The upper bound of a number: the less, the narrower."""
    if schema.exclusive_maximum is not None:
        return schema.exclusive_maximum, -1
    return (_INFINITY if schema.maximum is None else schema.maximum), 0


def _broken_text(given: Schema, due: Schema) -> str | None:
    if given.format != due.format:
        return "'format'"
    if (given.min_length or 0) < (due.min_length or 0):
        return "'minLength'"
    longest = given.truncate if given.max_length is None else given.max_length
    if due.max_length is not None and (longest is None or longest > due.max_length):
        return "'maxLength'"
    return None if due.pattern in {None, given.pattern} else "'pattern'"


def _broken_list(given: Schema, due: Schema, subject: Subject) -> str | None:
    if (given.min_items or 0) < (due.min_items or 0):
        return "'minItems'"
    most, allowed = given.max_items, due.max_items
    if allowed is not None and (most is None or most > allowed):
        return "'maxItems'"
    if given.items is None or due.items is None:
        return None
    return beyond(given.items, due.items, subject)

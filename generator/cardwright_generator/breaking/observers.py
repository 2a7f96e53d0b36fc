"""What a card asks of the agent that carries it."""

from collections.abc import Mapping

from cardwright_generator.spec.language import CardSpec, ObserverMember, ObserverSpec, Schema

from .atoms import take
from .comparison import Comparison, Pair, canonical
from .sides import Node, Side

_REACH = {"none": 0, "tool": 1, "actor": 2}


def compare_observers(found: Comparison, pair: Pair, old: CardSpec, new: CardSpec) -> None:
    """Report what the agent must offer, and had to."""
    was, now = _base(old), _base(new)
    if was != now:
        kind = "observer-asks-more" if _REACH[now] > _REACH[was] else "observer-asks-less"
        found.report(kind, pair, f"the card needs '{now}' and needed '{was}'", was, now)
    if isinstance(old.observer, ObserverSpec) and isinstance(new.observer, ObserverSpec):
        names = (old.observer.name, new.observer.name)
        found.differs("observer-renamed", pair.at("name"), "observer", *names)
    _members(found, pair.at("members"), _declared(old), _declared(new))


def _base(card: CardSpec) -> str:
    return card.observer if isinstance(card.observer, str) else card.observer.extends


def _declared(card: CardSpec) -> Mapping[str, ObserverMember]:
    return {} if isinstance(card.observer, str) else card.observer.members


def _members(
    found: Comparison,
    pair: Pair,
    old: Mapping[str, ObserverMember],
    new: Mapping[str, ObserverMember],
) -> None:
    for name in sorted(old.keys() - new.keys()):
        message = f"the agent need not have '{name}'"
        found.report("observer-member-removed", pair.lost(name), message)
    for name in sorted(new.keys() - old.keys()):
        message = f"the agent must have '{name}'"
        found.report("observer-member-added", pair.at(name), message)
    for name in sorted(old.keys() & new.keys()):
        where = pair.at(name)
        was = _form(old[name], where.old, found.old)
        now = _form(new[name], where.new, found.new)
        found.differs("observer-member-changed", where, f"'{name}'", was, now)


def _form(member: ObserverMember, node: Node, side: Side) -> str:
    """What the method looks like: texts and bounds do not show in it."""
    arguments = [
        f"{name}: {_type(schema, node.at('arguments', name), side)}"
        for name, schema in member.arguments.items()
    ]
    answer = member.returns
    returns: str = answer if isinstance(answer, str) else "none"
    if isinstance(answer, Schema):
        returns = _type(answer, node.at("returns"), side)
    return f"({', '.join(arguments)}) -> {returns}"


def _type(schema: Schema, node: Node, side: Side) -> str:
    taken = take(schema, node, side)
    words = [_word(atom.kind, atom.name, atom.schema, atom.node, side) for atom in taken.atoms]
    words += [canonical(list(taken.choices))] if taken.choices is not None else []
    return " | ".join([*words, *(["null"] if taken.null else [])])


def _word(kind: str, name: str, schema: Schema, node: Node, side: Side) -> str:
    inner = schema.items
    step = "items"
    if kind == "object":
        values = schema.additional_properties
        inner, step = (values if isinstance(values, Schema) else None), "additionalProperties"
    text = name or (kind if schema.format is None else schema.format)
    return f"{text}[{_type(inner, node.at(step), side)}]" if inner is not None else text

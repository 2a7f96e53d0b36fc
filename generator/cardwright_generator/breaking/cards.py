"""Comparison of two cards as wholes: which is which, and what each declares of itself."""

from collections.abc import Mapping

from cardwright_generator.spec.language import CardSpec

from .capabilities import compare_capabilities
from .changes import came_went_changed, past
from .comparison import Comparison, Pair
from .members import compare_members, members_of, names_before
from .named_types import compare_types
from .observers import compare_observers
from .references import renames_of
from .sides import Node
from .uses import FIELD
from .world import compare_world

type Placed = Mapping[str, tuple[str, CardSpec]]
"""Class name -> file and spec."""


def compare_cards(found: Comparison) -> None:
    """Report everything about the cards of both versions."""
    old = {card.card: (file, card) for file, card in found.old.cards()}
    new = {card.card: (file, card) for file, card in found.new.cards()}
    before = names_before(old, {name: card.renamed_from for name, (_, card) in new.items()})
    for name, (file, _) in old.items():
        if name not in before.values():
            pair = Pair(Node(file), Node(file), gone=True)
            found.report("card-removed", pair, f"the card '{name}' is gone")
    for name, (file, card) in new.items():
        if name not in before:
            found.report("card-added", Pair(Node(file), Node(file)), f"the card '{name}' is new")
            continue
        there, was = old[before[name]]
        _compare(found, Pair(Node(there), Node(file)), was, card)


def _compare(found: Comparison, pair: Pair, old: CardSpec, new: CardSpec) -> None:
    renames = renames_of(new)
    _names(found, pair, old, new)
    _texts(found, pair, old, new)
    compare_observers(found, pair.at("observer"), old, new)
    fields = (members_of(old.fields), members_of(new.fields))
    compare_members(found, FIELD, pair.at("fields"), *fields)
    compare_world(found, pair, old, new, renames)
    compare_capabilities(found, pair.at("capabilities"), old, new, renames)
    compare_types(found, pair, old.types, new.types)


def _names(found: Comparison, pair: Pair, old: CardSpec, new: CardSpec) -> None:
    if old.card != new.card:
        message = f"'{old.card}' is called '{new.card}' now"
        found.report("card-renamed", pair.at("card"), message, old.card, new.card)
    past(found, pair, "card", old.card, (old.renamed_from, new.renamed_from))


def _texts(found: Comparison, pair: Pair, old: CardSpec, new: CardSpec) -> None:
    found.differs("summary-changed", pair.at("summary"), "summary", old.summary, new.summary)
    where = pair.at("description")
    found.differs(
        "card-description-changed", where, "description", old.description, new.description
    )
    found.differs("logic-moved", pair.at("logic"), "logic", old.logic, new.logic)
    came_went_changed(
        found,
        pair.at("deprecated"),
        ("card-deprecated", "card-undeprecated", "deprecation-changed"),
        None if old.deprecated is None else old.deprecated.use,
        None if new.deprecated is None else new.deprecated.use,
    )
    came_went_changed(
        found,
        pair.at("toolset"),
        ("toolset-added", "toolset-removed", "toolset-doc-changed"),
        None if old.toolset is None else old.toolset.doc,
        None if new.toolset is None else new.toolset.doc,
    )

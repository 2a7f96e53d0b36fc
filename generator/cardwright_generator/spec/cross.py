"""Checks across cards, from their facts alone."""

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from cardwright_generator.spec.diagnostics import Diagnostic, did_you_mean, in_order
from cardwright_generator.spec.facts import CardFacts, Dependency, PublicName
from cardwright_generator.spec.language import CardSpec
from cardwright_generator.spec.naming import module_name
from cardwright_generator.spec.parsing import ParsedFile


def facts_of(file: ParsedFile) -> CardFacts:
    """Return the facts of a parsed card; `ValueError` if the file holds no card."""
    card = file.spec
    if not isinstance(card, CardSpec):
        message = f"{file.path} holds no card"
        raise ValueError(message)  # noqa: TRY004 - the value of a field, not a type of argument
    places = file.positions
    return CardFacts(
        path=file.path,
        card=card.card,
        place=places.value(("card",)),
        renamed_from=card.renamed_from,
        renamed_place=places.value(("renamed_from",)),
        names=tuple(_names(file, card)),
        depends_on=tuple(
            Dependency(item.card, item.optional, places.value(("depends_on", index, "card")))
            for index, item in enumerate(card.depends_on)
        ),
        types=tuple(card.types),
    )


def _names(file: ParsedFile, card: CardSpec) -> Iterator[PublicName]:
    for capability_key, capability in card.capabilities.items():
        for key, endpoint in capability.endpoints.items():
            path = ("capabilities", capability_key, "endpoints", key)
            place = file.positions.key(path)
            if endpoint.name is not None:
                place = file.positions.value((*path, "name"))
            for channel in endpoint.channels:
                yield PublicName(channel, endpoint.name or key, key, place)


def cross_check(
    facts: Iterable[CardFacts], installed: Iterable[CardFacts] = ()
) -> tuple[Diagnostic, ...]:
    """Return what is wrong between cards; cards of installed catalogues are never blamed."""
    own, others = sorted(facts, key=_by_right), tuple(installed)
    everyone = (*others, *own)
    return in_order(
        [
            *_same_cards(own, others),
            *_same_modules(own),
            *_same_names(everyone, frozenset(one.path for one in own)),
            *_unknown_dependencies(own, everyone),
            *_cycles(own),
        ]
    )


def settled(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics sorted, without those that another one explains.

    A copied spec declares a card that is there already: that its file has another name, too, is
    no second fault.
    """
    found = in_order(diagnostics)
    copies = {one.file for one in found if one.code == "CW801"}
    return tuple(one for one in found if one.code != "CW302" or one.file not in copies)


def _by_right(one: CardFacts) -> tuple[bool, str]:
    """Cards in the files that are named after them come first: the others are the copies."""
    return PurePosixPath(one.path).stem != module_name(one.card), one.path


def _same_cards(own: Iterable[CardFacts], others: Iterable[CardFacts]) -> Iterator[Diagnostic]:
    taken: dict[str, CardFacts] = {one.card: one for one in others}
    for one in own:
        first = taken.setdefault(one.card, one)
        if first is not one:
            message = f"card '{one.card}' is already declared in {first.path}"
            hint = "delete the copy, or give it the name of a new card"
            yield Diagnostic(one.path, *one.place, "CW801", message, hint, path="card")
    for one in own:
        if one.renamed_from and one.renamed_from in taken:
            message = (
                f"'renamed_from' of card '{one.card}' names the living card '{one.renamed_from}'"
            )
            place = one.renamed_place
            yield Diagnostic(one.path, *place, "CW802", message, path="renamed_from")


def _same_modules(own: Iterable[CardFacts]) -> Iterator[Diagnostic]:
    """Find cards that become one module, as they are named or as they were."""
    taken: dict[str, CardFacts] = {}
    cards = {one.card for one in own}
    for one in own:
        first = taken.setdefault(module_name(one.card), one)
        if first.card != one.card:
            message = f"card '{one.card}' becomes the module of '{first.card}' ({first.path})"
            hint = "names of cards differ in more than capitals"
            yield Diagnostic(one.path, *one.place, "CW316", message, hint, path="card")
    for one in own:
        if one.renamed_from is None or one.renamed_from in cards:
            continue
        first = taken.setdefault(module_name(one.renamed_from), one)
        if first is not one:
            message = f"the old name '{one.renamed_from}' claims a module of '{first.card}'"
            hint = f"it is claimed in {first.path} too: one of them never bore that name"
            place = one.renamed_place
            yield Diagnostic(one.path, *place, "CW316", message, hint, path="renamed_from")


def _same_names(everyone: Iterable[CardFacts], own: frozenset[str]) -> Iterator[Diagnostic]:
    taken: dict[tuple[str, str], tuple[CardFacts, PublicName]] = {}
    for one in everyone:
        for name in one.names:
            owner, first = taken.setdefault((name.channel, name.name), (one, name))
            # A second file of the same card is told once, by CW801.
            if owner.card != one.card and one.path in own:
                yield _same_name(one, name, owner, first)


def _same_name(one: CardFacts, name: PublicName, owner: CardFacts, first: PublicName) -> Diagnostic:
    message = (
        f"'{name.name}' on {name.channel} is already taken by card '{owner.card}'"
        f" ({owner.path}:{first.place[0]})"
    )
    hint = "an agent may carry both cards: give this endpoint another key or `name`"
    return Diagnostic(one.path, *name.place, "CW803", message, hint, path=name.endpoint)


def _unknown_dependencies(
    own: Iterable[CardFacts], everyone: Iterable[CardFacts]
) -> Iterator[Diagnostic]:
    known = {one.card for one in everyone}
    for one in own:
        for item in one.depends_on:
            if item.card not in known:
                message = f"card '{one.card}' depends on '{item.card}', which no spec declares"
                hint = did_you_mean(item.card, sorted(known))
                yield Diagnostic(one.path, *item.place, "CW804", message, hint, path="depends_on")


def _cycles(own: Iterable[CardFacts]) -> Iterator[Diagnostic]:
    cards = {one.card: one for one in own}
    done: set[str] = set()
    for one in cards.values():
        if one.card not in done:
            yield from _visit(one, cards, done)


def _visit(start: CardFacts, cards: dict[str, CardFacts], done: set[str]) -> Iterator[Diagnostic]:
    """Walk dependencies in depth; one that leads back to the trail closes a circle."""
    trail = {start.card: iter(start.depends_on)}
    while trail:
        card, waiting = next(reversed(trail.items()))
        item = next(waiting, None)
        if item is None:
            done.add(card)
            del trail[card]
        elif item.card in trail:
            names = list(trail)
            yield _cycle(cards[card], item, names[names.index(item.card) :])
        elif item.card in cards and item.card not in done:
            trail[item.card] = iter(cards[item.card].depends_on)


def _cycle(one: CardFacts, item: Dependency, cycle: list[str]) -> Diagnostic:
    message = f"the cards depend on each other: {' -> '.join([*cycle, item.card])}"
    return Diagnostic(one.path, *item.place, "CW805", message, path="depends_on")

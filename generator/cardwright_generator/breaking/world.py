"""What a card needs, owns, emits and reads, compared."""

from collections.abc import Mapping

from cardwright_generator.spec.language import ActorSpec, CardSpec, DependencySpec, FailureSpec
from cardwright_generator.spec.refs import parse_ref
from cardwright_generator.spec.templates import Placeholder, parse_template

from .changes import compare_conditions
from .comparison import Comparison, Pair
from .references import Renames, condition, full_name


def compare_world(
    found: Comparison, pair: Pair, old: CardSpec, new: CardSpec, renames: Renames
) -> None:
    """Report everything beside types, fields and capabilities."""
    _dependencies(found, pair.at("depends_on"), old, new, renames)
    _actors(found, pair.at("actors"), old, new, renames)
    _stored(found, pair.at("stored"), old, new)
    _events(found, pair.at("events"), old, new)
    _failures(found, pair.at("failures"), old.failures, new.failures)
    _environment(found, pair.at("environment"), old, new)
    _extras(found, pair.at("extras"), old, new)


def _dependencies(
    found: Comparison, pair: Pair, old: CardSpec, new: CardSpec, renames: Renames
) -> None:
    was, now = ({one.card: (i, one) for i, one in enumerate(c.depends_on)} for c in (old, new))
    for name, (index, one) in was.items():
        if name not in now:
            where = Pair(pair.old.at(index), pair.new, gone=True)
            found.report(_weighed(one, "removed"), where, f"'{name}' is not needed any more", name)
    for name, (index, one) in now.items():
        where = Pair(pair.old.at(was[name][0]) if name in was else pair.old, pair.new.at(index))
        if name not in was:
            found.report(_weighed(one, "added"), where, f"'{name}' is needed", None, name)
            continue
        before = was[name][1]
        _dependency(found, where, before, one)
        named = (
            before.named_by and full_name(old, before.named_by, None, renames),
            one.named_by and full_name(new, one.named_by, None, {}),
        )
        found.differs("dependency-naming-changed", where, f"field that names '{name}'", *named)
        conditions = (
            condition(old, before.when, None, renames),
            condition(new, one.when, None, {}),
        )
        compare_conditions(found, where, "dependency", *conditions)


def _weighed(one: DependencySpec, what: str) -> str:
    return f"optional-dependency-{what}" if one.optional else f"dependency-{what}"


def _dependency(found: Comparison, pair: Pair, old: DependencySpec, new: DependencySpec) -> None:
    if old.optional and not new.optional:
        found.report("dependency-became-mandatory", pair, f"'{new.card}' must be there")
    elif new.optional and not old.optional:
        found.report("dependency-became-optional", pair, f"'{new.card}' may be missing")


def _actors(found: Comparison, pair: Pair, old: CardSpec, new: CardSpec, renames: Renames) -> None:
    was, now = old.actors, new.actors
    before = {key: key for key in now if key in was}
    lost = {was[key].name: key for key in was if key not in now}
    before |= {k: lost[one.name] for k, one in now.items() if k not in was and one.name in lost}
    for key in was:
        if key not in before.values():
            found.report("actor-removed", pair.lost(key), f"the actor '{was[key].name}' is gone")
    for key, one in now.items():
        where = pair.to(before.get(key, key), key)
        if key not in before:
            found.report("actor-added", where, f"the actor '{one.name}' is new")
            continue
        if before[key] != key:
            message = f"'{before[key]}' is called '{key}' in the contract"
            found.report("actor-key-changed", where, message, before[key], key)
        old_one = was[before[key]]
        _actor(found, where, (old, old_one), (new, one), renames)
        found.differs("actor-class-changed", where.at("class"), "class", old_one.class_, one.class_)
        conditions = (
            condition(old, old_one.when, None, renames),
            condition(new, one.when, None, {}),
        )
        compare_conditions(found, where, "actor", *conditions)


type _Owned = tuple[CardSpec, ActorSpec]


def _actor(found: Comparison, pair: Pair, old: _Owned, new: _Owned, renames: Renames) -> None:
    was, now = _name(*old, renames), _name(*new, {})
    if was[1] != now[1]:
        rule = "actor-scope-changed"
    elif was[0] != now[0]:
        rule = "actor-renamed"
    else:
        return
    message = f"name of the actor: `{old[1].name}` became `{new[1].name}`"
    found.report(rule, pair.at("name"), message, old[1].name, new[1].name)


def _name(card: CardSpec, actor: ActorSpec, renames: Renames) -> tuple[list[str], list[str]]:
    """What of an actor's name is literal, and from which values the rest is made."""
    parts = parse_template(actor.name).parts
    values = [
        "|".join(full_name(card, name, None, renames) for name in part.names)
        for part in parts
        if isinstance(part, Placeholder)
    ]
    return [part if isinstance(part, str) else "{}" for part in parts], values


def _stored(found: Comparison, pair: Pair, old: CardSpec, new: CardSpec) -> None:
    for name in old.stored:
        if name not in new.stored and name.replace(":", ".") not in new.stored_before:
            where = Pair(pair.old.at(old.stored.index(name)), pair.new, gone=True)
            found.report("stored-class-removed", where, f"'{name}' is no longer stored", name)
    moved = {path for old_name, path in new.stored_before.items() if _named(old, old_name)}
    for name in new.stored:
        if name not in old.stored and name not in moved:
            found.report("stored-class-added", pair, f"'{name}' is stored", None, name)
    for name in old.stored_before:
        if name not in new.stored_before:
            message = f"data stored as '{name}' does not load any more"
            found.report("stored-old-name-dropped", pair, message, name)
    for name in new.stored_before:
        if name not in old.stored_before:
            message = f"data stored as '{name}' loads"
            found.report("stored-old-name-declared", pair, message, None, name)


def _named(card: CardSpec, marker: str) -> bool:
    return any(name.replace(":", ".") == marker for name in card.stored)


def _events(found: Comparison, pair: Pair, old: CardSpec, new: CardSpec) -> None:
    was, now = ({_payload(key): key for key in card.events} for card in (old, new))
    renamed = {spec.renamed_from: name for name, spec in new.types.items() if spec.renamed_from}
    was = {renamed.get(name, name): key for name, key in was.items()}
    for name in was.keys() - now.keys():
        found.report("event-removed", pair.lost(was[name]), f"'{name}' is no longer emitted")
    for name in now.keys() - was.keys():
        found.report("event-added", pair.at(now[name]), f"'{name}' is emitted")
    for name in was.keys() & now.keys():
        where = pair.to(was[name], now[name])
        one, other = old.events[was[name]], new.events[now[name]]
        found.differs("event-emitter-changed", where, "emitter", one.emitter, other.emitter)
        found.differs("event-occasion-changed", where.at("when"), "when", one.when, other.when)


def _payload(key: str) -> str:
    parsed = parse_ref(key)
    return key if parsed is None else parsed.name


type _Failures = Mapping[str, FailureSpec]


def _failures(found: Comparison, pair: Pair, old: _Failures, new: _Failures) -> None:
    for key in old.keys() - new.keys():
        found.report("failure-removed", pair.lost(key), f"the failure '{key}' is gone")
    for key in new.keys() - old.keys():
        found.report("failure-added", pair.at(key), f"the failure '{key}' is new")
    for key in old.keys() & new.keys():
        where, one, other = pair.at(key), old[key], new[key]
        what = f"'{key}' surfaces as"
        found.differs("failure-surface-changed", where, what, one.surfaces, other.surfaces)
        found.differs("failure-occasion-changed", where.at("when"), "when", one.when, other.when)


def _environment(found: Comparison, pair: Pair, old: CardSpec, new: CardSpec) -> None:
    was, now = old.environment, new.environment
    for key in was.keys() - now.keys():
        found.report("variable-removed", pair.lost(key), f"'{key}' is no longer read")
    for key in now.keys() - was.keys():
        found.report("variable-added", pair.at(key), f"'{key}' is read")
    for key in was.keys() & now.keys():
        where, one, other = pair.at(key), was[key], now[key]
        what = f"default of '{key}'"
        found.differs("variable-default-changed", where, what, one.default, other.default)
        rule, texts = "variable-description-changed", (one.description, other.description)
        found.differs(rule, where.at("description"), f"description of '{key}'", *texts)
        readers = (one.read_by, other.read_by)
        found.differs(rule, where.at("read_by"), f"reader of '{key}'", *readers)


def _extras(found: Comparison, pair: Pair, old: CardSpec, new: CardSpec) -> None:
    was, now = old.extras, new.extras
    for key in was.keys() - now.keys():
        found.report("extra-not-needed", pair.lost(key), f"'{key}' is not used any more")
    for key in now.keys() - was.keys():
        found.report("extra-needed", pair.at(key), f"'{key}' is used")
    for key in was.keys() & now.keys():
        texts = (was[key].when_missing, now[key].when_missing)
        found.differs("extra-fallback-changed", pair.at(key), f"without '{key}'", *texts)

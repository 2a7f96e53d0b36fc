"""Comparison of capabilities: defaults, channels, configuration and what stored cards need."""

from collections.abc import Iterator, Mapping

from cardwright_generator.spec.language import CapabilitySpec, CardSpec, Scalar

from .changes import compare_conditions, past
from .comparison import Comparison, Pair, canonical, shown
from .endpoints import compare_endpoints
from .members import compare_members, members_of, names_before
from .references import Renames, condition
from .uses import FIELD

type Capabilities = Mapping[str, CapabilitySpec]


def compare_capabilities(
    found: Comparison, pair: Pair, old: CardSpec, new: CardSpec, renames: Renames
) -> None:
    """Report everything about what two versions of a card can do; the pair holds the mapping."""
    was, now = old.capabilities, new.capabilities
    before = names_before(was, {key: one.renamed_from for key, one in now.items()})
    for key in was:
        if key not in before.values():
            found.report("capability-removed", pair.lost(key), f"the capability '{key}' is gone")
    for key, spec in now.items():
        if key in before:
            _compare(found, pair.to(before[key], key), (old, before[key]), (new, key), renames)
        elif spec.default == "required":
            message = f"the capability '{key}' is new and must be decided on"
            found.report("capability-added-required", pair.at(key), message)
        else:
            found.report("capability-added", pair.at(key), f"the capability '{key}' is new")
    compare_endpoints(found, pair, old, new, before, renames)


type _Named = tuple[CardSpec, str]


def _compare(found: Comparison, pair: Pair, old: _Named, new: _Named, renames: Renames) -> None:
    was, now = old[0].capabilities[old[1]], new[0].capabilities[new[1]]
    if old[1] != new[1]:
        message = f"'{old[1]}' is called '{new[1]}' now"
        found.report("capability-renamed", pair, message, old[1], new[1])
    past(found, pair, "capability", old[1], (was.renamed_from, now.renamed_from))
    found.differs("param-renamed", pair.at("param"), "param", was.param, now.param)
    texts = (was.description, now.description)
    rule = "capability-description-changed"
    found.differs(rule, pair.at("description"), "description", *texts)
    _default(found, pair.at("default"), was, now)
    _exposed(found, pair.at("expose"), was, now)
    conditions = (
        condition(old[0], was.when, old[1], renames),
        condition(new[0], now.when, new[1], {}),
    )
    compare_conditions(found, pair, "capability", *conditions)
    members = (members_of(was.config), members_of(now.config))
    compare_members(found, FIELD, pair.at("config"), *members)
    _migrations(found, pair.at("migrate"), was, now)
    _failures(found, pair.at("failures"), was, now)


def _default(found: Comparison, pair: Pair, old: CapabilitySpec, new: CapabilitySpec) -> None:
    was, now = old.default, new.default
    if was == now:
        return
    if now == "required":
        rule = "capability-became-required"
    elif was == "required":
        rule = "capability-became-optional"
    else:
        rule = "capability-on-by-default" if now else "capability-off-by-default"
    found.report(rule, pair, f"default: {shown(was)} became {shown(now)}", was, now)


def served(spec: CapabilitySpec) -> list[str]:
    """The channels of a capability's endpoints, each once."""
    every = (channel for one in spec.endpoints.values() for channel in one.channels)
    return list(dict.fromkeys(every))


def _exposed(found: Comparison, pair: Pair, old: CapabilitySpec, new: CapabilitySpec) -> None:
    """Report channels that are used or unused by default; served ones are told by endpoint."""
    was, now = ((one.expose if one.expose is not None else served(one)) for one in (old, new))
    for channel in was:
        if channel not in now and channel in served(new):
            message = f"'{channel}' is no longer used by default"
            found.report("expose-default-narrowed", pair, message, channel)
    for channel in now:
        if channel not in was and channel in served(old):
            message = f"'{channel}' is used by default"
            found.report("expose-default-widened", pair, message, None, channel)


def _migrations(found: Comparison, pair: Pair, old: CapabilitySpec, new: CapabilitySpec) -> None:
    renamed = {f.renamed_from: name for name, f in new.config.items() if f.renamed_from is not None}
    was = {(renamed.get(field, field), value): to for field, value, to in _steps(old)}
    now = {(field, value): to for field, value, to in _steps(new)}
    for (field, value), to in was.items():
        if (field, value) not in now:
            message = f"'{field}' stored as {value} is no longer rewritten"
            found.report("migration-dropped", pair, message, [field, value], to)
        elif now[field, value] != to:
            message = f"'{field}' stored as {value} becomes {now[field, value]}, not {to}"
            found.report("migration-changed", pair.at(field), message, to, now[field, value])
    for field, value in now.keys() - was.keys():
        message = f"'{field}' stored as {value} is rewritten"
        found.report("migration-added", pair.at(field), message, None, [field, value])


def _steps(spec: CapabilitySpec) -> Iterator[tuple[str, str, str]]:
    for field, steps in spec.migrate.items():
        for step in steps:
            yield field, _told(step.from_), _told(step.to)


def _told(value: Scalar) -> str:
    return canonical(value) or "null"


def _failures(found: Comparison, pair: Pair, old: CapabilitySpec, new: CapabilitySpec) -> None:
    for name in old.failures:
        if name not in new.failures:
            message = f"'{name}' is not met any more"
            found.report("capability-failure-dropped", pair, message, name)
    for name in new.failures:
        if name not in old.failures:
            message = f"'{name}' can be met"
            found.report("capability-failure-declared", pair, message, None, name)

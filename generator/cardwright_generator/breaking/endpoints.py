"""Comparison of endpoints: which is which, on which channels, under which names and policies."""

from collections.abc import Mapping
from dataclasses import dataclass

from cardwright_generator.spec.language import CapabilitySpec, CardSpec, EndpointSpec, Schema

from .arguments import compare_arguments
from .changes import compare_conditions
from .comparison import Comparison, Pair, canonical, shown
from .references import Renames, condition
from .schemas import compare_schemas
from .sides import Node
from .uses import RESULT

_WORDS = {
    "tool_call": "tool",
    "system_prompt": "prompt",
    "llm_context": "context-state",
    "command": "command",
}
_MODEL = ("tool_call", "system_prompt", "llm_context")
_REPEATING = {None: 2, "effectful": 2, "idempotent": 1, "read_only": 0}
"""How much a repeated call does; what is not said may do anything."""


@dataclass(frozen=True, slots=True, eq=False)
class Endpoint:
    """One endpoint of one version."""

    card: CardSpec
    capability: str
    key: str

    @property
    def spec(self) -> EndpointSpec:
        """What the spec says of it."""
        return self.owner.endpoints[self.key]

    @property
    def owner(self) -> CapabilitySpec:
        """Its capability."""
        return self.card.capabilities[self.capability]

    @property
    def name(self) -> str:
        """Its public name."""
        return self.spec.name or self.key

    def below(self, node: Node) -> Node:
        """Where it stands, below the mapping of capabilities."""
        return node.at(self.capability, "endpoints", self.key)

    @property
    def to_the_model(self) -> bool:
        """Whether the model meets it."""
        return any(channel in _MODEL for channel in self.spec.channels)


def compare_endpoints(
    found: Comparison,
    pair: Pair,
    old: CardSpec,
    new: CardSpec,
    before: Mapping[str, str],
    renames: Renames,
) -> None:
    """Report everything about the endpoints of a card; `before` gives old names of capabilities."""
    was, now = _all(old), _all(new)
    matched = _matched(was, now, before)
    for one in was:
        if one not in matched.values():
            _gone(found, Pair(one.below(pair.old), one.below(pair.new), gone=True), one)
    for other in now:
        if other not in matched:
            where = other.below(pair.new)
            for channel in other.spec.channels:
                rule = f"{_WORDS[channel]}-added"
                there = Pair(other.below(pair.old), where)
                found.report(rule, there, f"'{other.name}' is new on {channel}", None, channel)
            continue
        one = matched[other]
        there = Pair(one.below(pair.old), other.below(pair.new))
        _compare(found, there, one, other, before, renames)
    _order(found, pair, was, now, matched)


def _all(card: CardSpec) -> list[Endpoint]:
    return [
        Endpoint(card, capability, key)
        for capability, spec in card.capabilities.items()
        for key in spec.endpoints
    ]


def _matched(
    old: list[Endpoint], new: list[Endpoint], before: Mapping[str, str]
) -> dict[Endpoint, Endpoint]:
    """Endpoint of today -> the same one before: by place, else by method, else by public name."""
    found = dict[Endpoint, Endpoint]()

    def same_place(one: Endpoint, other: Endpoint) -> bool:
        return (one.capability, one.key) == (before.get(other.capability), other.key)

    for same in (same_place, _same_method, _same_name):
        for other in new:
            left = (one for one in old if one not in found.values())
            match = None if other in found else next((o for o in left if same(o, other)), None)
            if match is not None:
                found[other] = match
    return found


def _same_method(one: Endpoint, other: Endpoint) -> bool:
    return one.key == other.key


def _same_name(one: Endpoint, other: Endpoint) -> bool:
    shared = {*one.spec.channels} & {*other.spec.channels}
    return one.name == other.name and bool(shared)


def _gone(found: Comparison, pair: Pair, one: Endpoint) -> None:
    for channel in one.spec.channels:
        message = f"'{one.name}' is gone from {channel}"
        found.report(f"{_WORDS[channel]}-removed", pair, message, channel)


def _compare(
    found: Comparison,
    pair: Pair,
    old: Endpoint,
    new: Endpoint,
    before: Mapping[str, str],
    renames: Renames,
) -> None:
    _identity(found, pair, old, new, before)
    _channels(found, pair.at("channels"), old, new)
    _texts(found, pair, old, new)
    _policies(found, pair, old.spec, new.spec)
    _answers(found, pair, old.spec, new.spec)
    conditions = (
        condition(old.card, old.spec.when, old.capability, renames),
        condition(new.card, new.spec.when, new.capability, {}),
    )
    compare_conditions(found, pair, "endpoint", *conditions)
    callers = (old.card, old.capability, old.spec), (new.card, new.capability, new.spec)
    compare_arguments(found, pair.at("arguments"), *callers, renames)


def _identity(
    found: Comparison, pair: Pair, old: Endpoint, new: Endpoint, before: Mapping[str, str]
) -> None:
    if before.get(new.capability) != old.capability:
        message = f"'{new.key}' belongs to '{new.capability}', not to '{old.capability}'"
        found.report("endpoint-moved", pair, message, old.capability, new.capability)
    if old.key != new.key:
        message = f"the method '{old.key}' is called '{new.key}' now"
        found.report("method-renamed", pair, message, old.key, new.key)
    if old.name == new.name:
        return
    where = pair.at("name")
    message = f"'{old.name}' is called '{new.name}' now"
    if "tool_call" in old.spec.channels and "tool_call" in new.spec.channels:
        found.report("tool-renamed", where, message, old.name, new.name)
    if "command" in old.spec.channels and "command" in new.spec.channels:
        found.report("command-renamed", where, message, old.name, new.name)


def _channels(found: Comparison, pair: Pair, old: Endpoint, new: Endpoint) -> None:
    for channel in old.spec.channels:
        if channel not in new.spec.channels:
            message = f"'{old.name}' is no longer served on {channel}"
            found.report("channel-removed", pair, message, channel)
    for channel in new.spec.channels:
        if channel not in old.spec.channels:
            message = f"'{new.name}' is served on {channel} too"
            found.report("channel-added", pair, message, None, channel)


def _texts(found: Comparison, pair: Pair, old: Endpoint, new: Endpoint) -> None:
    rule = "doc-changed" if old.to_the_model or new.to_the_model else "command-doc-changed"
    texts = (old.spec.doc, new.spec.doc)
    found.differs(rule, pair.at("doc"), f"doc of '{new.name}'", *texts)


def _policies(found: Comparison, pair: Pair, old: EndpointSpec, new: EndpointSpec) -> None:
    if old.async_ != new.async_:
        message = (
            "the method is a coroutine now" if new.async_ else "the method is no coroutine now"
        )
        found.report("method-async-changed", pair.at("async"), message, old.async_, new.async_)
    _flag(
        found,
        pair.at("internal"),
        ("command-hidden", "command-announced"),
        old.internal,
        new.internal,
    )
    if ("tool_call" in old.channels) == ("tool_call" in new.channels):
        _tool_policies(found, pair, old, new)


def _tool_policies(found: Comparison, pair: Pair, old: EndpointSpec, new: EndpointSpec) -> None:
    """Report policies that changed; those of a tool that came or went are told by its channel."""
    _flag(
        found,
        pair.at("approval"),
        ("approval-added", "approval-dropped"),
        old.approval,
        new.approval,
    )
    rules = ("parallel-calls-allowed", "parallel-calls-refused")
    _flag(found, pair.at("parallel_safe"), rules, old.parallel_safe, new.parallel_safe)
    _timeout(found, pair.at("timeout"), old.timeout, new.timeout)
    was, now = _REPEATING[old.idempotency], _REPEATING[new.idempotency]
    if old.idempotency != new.idempotency:
        rule = "idempotency-strengthened" if now < was else "idempotency-weakened"
        if was == now:  # what was unsaid is said
            rule = "idempotency-strengthened" if old.idempotency is None else "idempotency-weakened"
        message = f"idempotency: {shown(old.idempotency)} became {shown(new.idempotency)}"
        found.report(rule, pair.at("idempotency"), message, old.idempotency, new.idempotency)


def _flag(found: Comparison, pair: Pair, rules: tuple[str, str], old: object, new: object) -> None:
    """Report with the first rule what is set now, with the second what no longer is."""
    if old != new:
        rule = rules[0] if new else rules[1]
        found.report(rule, pair, rule.replace("-", " "), old, new)


def _timeout(found: Comparison, pair: Pair, old: float | None, new: float | None) -> None:
    if canonical(old) == canonical(new):
        return
    shorter = new is not None and (old is None or new < old)
    rule = "timeout-shortened" if shorter else "timeout-lengthened"
    found.report(rule, pair, f"timeout: {shown(old)} became {shown(new)}", old, new)


def _answers(found: Comparison, pair: Pair, old: EndpointSpec, new: EndpointSpec) -> None:
    if old.state is not None and new.state is not None:
        _states(found, pair.at("state"), old.state, new.state)
    found.differs("rendering-changed", pair.at("renders"), "renders", old.renders, new.renders)
    if old.renders is None and new.renders is None and old.state is None and new.state is None:
        was, now = (_schema(one.returns) for one in (old, new))
        compare_schemas(found, RESULT, pair.at("returns"), was, now)


def _schema(returns: Schema | str | None) -> Schema:
    if isinstance(returns, Schema):
        return returns
    return Schema.model_validate({"type": returns or "null"})


def _states(found: Comparison, pair: Pair, old: str, new: str) -> None:
    spec = found.new.types(pair.new.file).get(new)
    if old != new and (spec is None or spec.renamed_from != old):
        found.report("state-replaced", pair, f"state: {shown(old)} became {shown(new)}", old, new)


def _order(
    found: Comparison,
    pair: Pair,
    old: list[Endpoint],
    new: list[Endpoint],
    matched: Mapping[Endpoint, Endpoint],
) -> None:
    """Report another order of what the model is offered, channel by channel."""
    for channel in _MODEL:
        kept = [o for o in old if channel in o.spec.channels and o in matched.values()]
        now = [n for n in new if channel in n.spec.channels and n in matched]
        before = [o.name for o in kept if any(matched[n] is o for n in now)]
        after = [matched[n].name for n in now if matched[n] in kept]
        if before != after:
            message = f"order on {channel}: {', '.join(after)}"
            found.report("tools-reordered", pair, message, before, after)

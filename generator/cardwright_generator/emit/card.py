"""`card.py`: the params, the card and its hooks."""

from dataclasses import dataclass

from cardwright_generator.model.cards import CHANNELS
from cardwright_generator.model.code import Code, Import, collect
from cardwright_generator.model.plan import (
    CardPlan,
    DependencyPlan,
    EndpointPlan,
    ServingPlan,
    needs_param,
)
from cardwright_generator.spec.language import ChannelName

from .environment import render

_CORE = "cardwright.core"


@dataclass(frozen=True, slots=True)
class Step:
    """One statement of a hook."""

    statement: str
    when: Code | None


@dataclass(frozen=True, slots=True)
class Served:
    """What a hook does for one capability."""

    test: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Hook:
    """One `get_...` method of the card."""

    name: str
    type: str
    empty: str
    serving: tuple[Served, ...]


@dataclass(frozen=True, slots=True)
class Need:
    """One line of `depends_on` or `optional_dependencies`."""

    card: str
    test: str | None


_HOOKS: dict[ChannelName, tuple[str, str, str]] = {
    "tool_call": ("get_tools", "list[Callable[..., object]]", "[]"),
    "system_prompt": ("get_system_prompts", "list[Callable[[], str]]", "[]"),
    "llm_context": ("get_context_states", "list[Callable[[], AnyContextState | None]]", "[]"),
    "command": ("get_commands", "dict[type[BaseToolParam], Callable[..., object]]", "{}"),
}


def render_card(card: CardPlan) -> str:
    """The text of the module, not yet formatted."""
    hooks = tuple(
        _hook(card, channel)
        for channel in CHANNELS
        if channel == "tool_call" or card.serving(channel)
    )
    return render(
        "card.py.jinja",
        spec_path=card.spec_path,
        card=card,
        hooks=hooks,
        demanded=tuple(_demanded(card.dependencies)),
        preferred=tuple(_preferred(card.dependencies)),
        imports=sorted(_imports(card)),
    )


def _hook(card: CardPlan, channel: ChannelName) -> Hook:
    name, type_, empty = _HOOKS[channel]
    return Hook(name, type_, empty, tuple(_served(serving) for serving in card.serving(channel)))


def _served(serving: ServingPlan) -> Served:
    capability = serving.capability
    call = f"served(self.{capability.key}, {capability.param}, Channels.{serving.channel.upper()})"
    test = f"({capability.variable} := {call})" if serving.needs_param else call
    if capability.when is not None:
        tests = [capability.when.text, test]
        test = " and ".join(reversed(tests) if capability.own_when else tests)
    steps = tuple(_step(serving, endpoint) for endpoint in serving.endpoints)
    if len(steps) == 1 and steps[0].when is not None:
        (only,) = steps
        walrus = test if test.endswith(")") or " and " in test else f"({test})"
        return Served(f"{walrus} and {only.when}", (Step(only.statement, None),))
    return Served(test, steps)


def _step(serving: ServingPlan, endpoint: EndpointPlan) -> Step:
    capability = serving.capability
    built = f"self.{endpoint.method}({capability.variable if needs_param(endpoint) else ''})"
    if serving.channel == "command":
        return Step(f"found[{capability.param}] = {built}", endpoint.when)
    return Step(f"found.append({built})", endpoint.when)


def _demanded(dependencies: tuple[DependencyPlan, ...]) -> list[Need]:
    """What `depends_on` lists: unconditional, conditional, or named by a field."""
    return [
        Need(entry.card, _joined(entry.condition, entry.named, "isinstance({}, str)"))
        for entry in dependencies
        if not entry.optional
    ]


def _preferred(dependencies: tuple[DependencyPlan, ...]) -> list[Need]:
    return [
        Need(entry.card, _joined(entry.condition, entry.named, "{} is True"))
        for entry in dependencies
        if entry.optional or entry.named is not None
    ]


def _joined(condition: Code | None, named: Code | None, form: str) -> str | None:
    parts = [] if condition is None else [condition.text]
    parts += [] if named is None else [form.format(named)]
    return " and ".join(parts) or None


def _imports(card: CardPlan) -> set[Import]:
    """Everything the module may need; the formatter drops what it does not use."""
    parts: list[Code] = [card.observer.type] if card.observer.bound else []
    parts += [entry.condition for entry in card.dependencies if entry.condition is not None]
    parts += [
        code
        for field in card.fields
        for code in (field.annotation, field.default)
        if code is not None
    ]
    for capability in card.capabilities:
        parts += [capability.annotation, *([capability.when] if capability.when else [])]
        parts += [
            code
            for field in capability.fields
            for code in (field.annotation, field.default)
            if code is not None
        ]
        for endpoint in capability.endpoints:
            parts += _endpoint_parts(endpoint)
    base = {
        Import(_CORE, name)
        for name in ("BaseToolParam", "Channels", "ToolCard", "ToolObserver", "served")
    }
    base |= {Import(_CORE, name) for name in ("AnyContextState", "Toolset", "provider", "rendered")}
    base |= {Import("collections.abc", name) for name in ("Awaitable", "Callable", "Mapping")}
    base |= {Import("typing", name) for name in ("TYPE_CHECKING", "ClassVar", "cast", "override")}
    return {entry for entry in base | collect(parts) if entry.module != ".card"}


def _endpoint_parts(endpoint: EndpointPlan) -> list[Code]:
    found = [endpoint.returns, endpoint.doc.code, *endpoint.decorators]
    extra = (endpoint.condition, endpoint.when, endpoint.rendered_config)
    found += [code for code in extra if code is not None]
    for argument in endpoint.functions[0].arguments:
        found += [argument.annotation, *([argument.default] if argument.default else [])]
    return found

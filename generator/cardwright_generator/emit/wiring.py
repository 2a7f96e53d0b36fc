"""`test_<card>_wiring.py`: what the card serves when, and what must fit it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cardwright_generator.model.code import Code, Import, collect, literal
from cardwright_generator.model.plan import CardPlan
from cardwright_generator.model.values import Values
from cardwright_generator.spec.catalogue import LoadedCard
from cardwright_generator.spec.language import CardSpec, ChannelName

from . import scenarios
from .constructions import Constructions, flips
from .entries import Entry
from .environment import render
from .lookup import Lookup
from .past import moved_names, old_markers, upgrades
from .samples import NoSampleError, Samples
from .scenarios import Setting

_NAMES: dict[ChannelName, str] = {
    "tool_call": "tools",
    "system_prompt": "prompts",
    "llm_context": "states",
    "command": "commands",
}
_MEMBERS = {"tool": "notify_event", "actor": "myAddress, notify_event, orchestrator, proxy_ask"}


@dataclass(frozen=True, slots=True)
class Case:
    """One configuration and what is served under it."""

    title: str
    construction: str
    served: str


@dataclass(frozen=True, slots=True)
class Signature:
    """The arguments of one endpoint under one configuration."""

    title: str
    construction: str
    endpoint: str
    arguments: list[str]


def render_wiring(loaded: LoadedCard, plan: CardPlan, entry: Entry, lookup: Lookup) -> str:
    """The text of the test module, not yet formatted."""
    made = Constructions(loaded.spec, Samples(lookup, loaded.path))
    past, values = upgrades(loaded.spec, plan), lookup.values(loaded.path)
    return render(
        "wiring.py.jinja",
        spec_path=loaded.path,
        card=plan,
        entry=entry,
        cases=_cases(made, values),
        signatures=_signatures(made, values),
        unserved=_unserved(loaded.spec),
        past=past,
        markers=old_markers(entry),
        moved=moved_names(entry, plan),
        imports=sorted(_imports(plan, [*made.used, *(upgrade.owner for upgrade in past)])),
    )


def _cases(made: Constructions, values: Values) -> list[Case]:
    card = made.spec
    settings = [("as constructed", scenarios.as_constructed(card))]
    if card.capabilities:
        settings += [
            ("everything on", scenarios.everything(card)),
            ("everything off", scenarios.nothing(card)),
        ]
    if len(card.capabilities) > 1:
        settings += [(f"without {key}", scenarios.without(card, key)) for key in card.capabilities]
    settings += [
        (f"{key} on {channel} alone", scenarios.alone(card, key, channel))
        for key, spec in card.capabilities.items()
        for channel in scenarios.served_channels(spec)
    ]
    settings += flips(card, values)
    return [Case(title, card, _served(setting)) for title, setting, card in _made(made, settings)]


def _made(
    made: Constructions, settings: Iterable[tuple[str, Setting]]
) -> Iterator[tuple[str, Setting, str]]:
    """The settings with their constructions, but those for which no value can be made up."""
    for title, setting in settings:
        try:
            card = made.card(setting)
        except NoSampleError:
            continue
        yield title, setting, card


def _served(setting: Setting) -> str:
    found = {_NAMES[channel]: names for channel, names in setting.served().items() if names}
    return literal(found)


def _signatures(made: Constructions, values: Values) -> list[Signature]:
    """Endpoints with a conditional argument, under each configuration that decides about it."""
    settings = [("everything on", scenarios.everything(made.spec)), *flips(made.spec, values)]
    constructed = [*_made(made, settings)]
    return [
        Signature(f"{public}, {title}", card, public, setting.arguments(capability, key))
        for capability, spec in made.spec.capabilities.items()
        for key, endpoint in spec.endpoints.items()
        if any(argument.when is not None for argument in endpoint.arguments.values())
        for public in [endpoint.name or key]
        for title, setting, card in constructed
        if any(public in names for names in setting.served().values())
    ]


def _unserved(card: CardSpec) -> list[tuple[str, ChannelName]]:
    return [
        (spec.param, channel)
        for spec in card.capabilities.values()
        for channel in _NAMES
        if channel not in scenarios.served_channels(spec)
    ]


def _imports(plan: CardPlan, used: list[Code]) -> set[Import]:
    found = {Import(f"{plan.module}.card", capability.param) for capability in plan.capabilities}
    found |= {
        Import(f"{plan.module}.card", plan.name),
        Import(f"{plan.module}.contract", plan.contract),
    }
    return found | collect(used)

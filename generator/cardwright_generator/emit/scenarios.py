"""What a card must serve under a given configuration, computed from the spec alone.

The emitted card computes the same by other means; wiring tests hold the two against each other.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from cardwright_generator.model.cards import CHANNELS
from cardwright_generator.spec.language import CapabilitySpec, CardSpec, ChannelName

SAMPLE = "a sample"
"""Stands for a value that is set, whatever it is."""

type Served = dict[ChannelName, list[str]]
type Exposed = tuple[ChannelName, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """A configuration: which capabilities are on, on which channels, and what their fields hold."""

    card: CardSpec
    on: Mapping[str, Exposed | None]
    """Capability -> the channels it exposes; `None` when it is off."""
    fields: Mapping[str, object] = field(default_factory=dict[str, object])
    """Fields that do not hold their default; `capability.field` for one of a param."""

    def holds(self, condition: str, capability: str | None = None) -> bool:
        """Whether a `when` is satisfied."""
        negated, name = condition.startswith("not "), condition.removeprefix("not ").strip()
        return self._truth(name, capability) != negated

    def _truth(self, name: str, capability: str | None) -> bool:
        owner, _, key = name.rpartition(".")
        if (
            not owner
            and capability is not None
            and key in self.card.capabilities[capability].config
        ):
            owner = capability
        if owner:
            return self.on[owner] is not None and self._is_set(f"{owner}.{key}", owner, key)
        if key in self.card.fields:
            return self._is_set(key, None, key)
        return self.on[key] is not None

    def _is_set(self, full: str, owner: str | None, key: str) -> bool:
        declared = self.card.fields if owner is None else self.card.capabilities[owner].config
        spec = declared[key]
        # A field without a default is given a sample, which is never null or false.
        default = spec.default if spec.has_default else SAMPLE
        value = self.fields.get(full, default)
        return value is not None and value is not False

    def served(self) -> Served:
        """Public names per channel, in the order of the spec."""
        found: Served = {channel: [] for channel in CHANNELS}
        for key, spec in self.card.capabilities.items():
            for channel in self._open(key, spec):
                found[channel] += self._names(key, spec, channel)
        return found

    def arguments(self, capability: str, endpoint: str) -> list[str]:
        """The arguments in the signature of an endpoint."""
        said = self.card.capabilities[capability].endpoints[endpoint].arguments
        return [
            name
            for name, spec in said.items()
            if spec.when is None or self.holds(spec.when, capability)
        ]

    def _open(self, key: str, spec: CapabilitySpec) -> Exposed:
        if self.on[key] is None or (spec.when is not None and not self.holds(spec.when, key)):
            return ()
        return self.on[key] or ()

    def _names(self, key: str, spec: CapabilitySpec, channel: ChannelName) -> list[str]:
        return [
            endpoint.name or name
            for name, endpoint in spec.endpoints.items()
            if channel in endpoint.channels
            and (endpoint.when is None or self.holds(endpoint.when, key))
        ]


def served_channels(spec: CapabilitySpec) -> Exposed:
    """The channels a capability can serve."""
    found = {channel for endpoint in spec.endpoints.values() for channel in endpoint.channels}
    return tuple(channel for channel in CHANNELS if channel in found)


def as_constructed(card: CardSpec) -> Setting:
    """A card made with what must be given only; capabilities that must be decided are on."""
    return Setting(card, {key: _default(spec) for key, spec in card.capabilities.items()})


def _default(spec: CapabilitySpec) -> Exposed | None:
    if spec.default is False:
        return None
    return served_channels(spec) if spec.expose is None else tuple(spec.expose)


def everything(card: CardSpec) -> Setting:
    """Every capability on, on every channel it can serve."""
    return Setting(card, {key: served_channels(spec) for key, spec in card.capabilities.items()})


def nothing(card: CardSpec) -> Setting:
    """Every capability off."""
    return Setting(card, dict.fromkeys(card.capabilities))


def alone(card: CardSpec, key: str, channel: ChannelName) -> Setting:
    """One capability on one channel, all others off."""
    return replace(nothing(card), on={**dict.fromkeys(card.capabilities), key: (channel,)})


def without(card: CardSpec, key: str) -> Setting:
    """Every capability on but one."""
    full = everything(card)
    return replace(full, on={**full.on, key: None})


def conditions(card: CardSpec) -> Iterator[tuple[str, str | None]]:
    """Every name that a condition mentions, once, with the capability it may belong to."""
    seen: set[tuple[str, str | None]] = set()
    for key, spec in card.capabilities.items():
        said = [(spec.when, key), *((endpoint.when, key) for endpoint in spec.endpoints.values())]
        said += [
            (a.when, key)
            for endpoint in spec.endpoints.values()
            for a in endpoint.arguments.values()
        ]
        for condition, owner in said:
            if (
                condition is not None
                and (found := (condition.removeprefix("not ").strip(), owner)) not in seen
            ):
                seen.add(found)
                yield found

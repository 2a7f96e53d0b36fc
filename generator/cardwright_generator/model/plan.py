"""What templates read: a card with every decision taken."""

from dataclasses import dataclass, field

from cardwright_generator.spec.language import ChannelName

from .code import Code, Import
from .references import Text


@dataclass(frozen=True, slots=True)
class FieldPlan:
    """One configuration field of a card or a param."""

    name: str
    annotation: Code
    default: Code | None
    description: str | None
    bare: Code


@dataclass(frozen=True, slots=True)
class ArgumentPlan:
    """One argument of an endpoint."""

    name: str
    annotation: Code
    bare: Code
    default: Code | None
    fallback: Code
    """What the logic gets where the argument is absent from the signature."""
    condition: Code | None = None
    """When the argument is part of the signature at all."""


@dataclass(frozen=True, slots=True)
class FunctionPlan:
    """One emitted function: a method of the card that builds it."""

    method: str
    arguments: tuple[ArgumentPlan, ...]
    passed: tuple[tuple[str, str], ...]
    """Keyword -> expression for the logic."""
    keyword_only: bool


@dataclass(frozen=True, slots=True)
class EndpointPlan:
    """One callable of a capability."""

    key: str
    name: str
    kind: str
    """`call`, `state` or `renders`."""
    method: str
    channels: tuple[ChannelName, ...]
    doc: Text
    returns: Code
    functions: tuple[FunctionPlan, ...]
    condition: Code | None
    """Of the conditional argument: which of the two functions is built."""
    when: Code | None
    """Whether the endpoint is served; reads the capability's variable."""
    decorators: tuple[Code, ...]
    is_async: bool
    config: bool
    """Whether the contract's method gets the capability's configuration."""
    renders: str | None = None
    rendered_config: Code | None = None
    """What the state endpoint behind `renders` is given; `None` for nothing."""

    @property
    def served_type(self) -> str:
        """The return type of the callable itself."""
        return f"Awaitable[{self.returns}]" if self.is_async else self.returns.text


@dataclass(frozen=True, slots=True)
class CapabilityPlan:
    """One field of the card, its param class and its endpoints."""

    key: str
    variable: str
    param: str
    description: str | None
    annotation: Code
    default: Code | None
    when: Code | None
    own_when: bool
    """Whether `when` is about the capability's own configuration."""
    serves: tuple[ChannelName, ...]
    expose: tuple[ChannelName, ...]
    fields: tuple[FieldPlan, ...]
    renamed: dict[str, str]
    migrations: dict[str, dict[object, object]]
    endpoints: tuple[EndpointPlan, ...]


@dataclass(frozen=True, slots=True)
class ServingPlan:
    """One capability on one channel: what a hook of the card returns for it."""

    capability: CapabilityPlan
    channel: ChannelName
    endpoints: tuple[EndpointPlan, ...]

    @property
    def needs_param(self) -> bool:
        """Whether the hook reads the param or hands it on."""
        return self.capability.own_when or any(
            needs_param(endpoint) or endpoint.when is not None for endpoint in self.endpoints
        )


@dataclass(frozen=True, slots=True)
class ActorPlan:
    """One `<key>_actor` method of the contract."""

    key: str
    shown: str
    name: Code
    class_path: str | None
    when: str | None


@dataclass(frozen=True, slots=True)
class MemberPlan:
    """One method of a card's own observer protocol."""

    name: str
    arguments: tuple[tuple[str, Code], ...]
    returns: Code


@dataclass(frozen=True, slots=True)
class ObserverPlan:
    """The protocol a card asks for."""

    type: Code
    bound: bool
    """Whether the card refuses to serve unbound."""
    base: Code | None = None
    members: tuple[MemberPlan, ...] = ()


@dataclass(frozen=True, slots=True)
class DependencyPlan:
    """One card that must be bound earlier, and when."""

    card: str
    condition: Code | None
    named: Code | None
    """The field whose value decides: a name demands the card, true prefers it."""
    optional: bool


@dataclass(frozen=True, slots=True)
class CardPlan:
    """Everything the templates of one card read."""

    spec_path: str
    package: str
    folder: str
    name: str
    summary: str
    description: str | None
    logic: str
    contract: str
    failure: str
    failures: tuple[str, ...]
    observer: ObserverPlan
    fields: tuple[FieldPlan, ...]
    capabilities: tuple[CapabilityPlan, ...]
    actors: tuple[ActorPlan, ...]
    dependencies: tuple[DependencyPlan, ...]
    toolset: str | None
    deprecated: str | None
    renamed: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def module(self) -> str:
        """Import path of the card's subpackage."""
        return f"{self.package}.{self.folder}"

    def serving(self, channel: ChannelName) -> tuple[ServingPlan, ...]:
        """What the card serves on a channel, in the order of the spec."""
        found = (
            ServingPlan(
                capability, channel, tuple(e for e in capability.endpoints if channel in e.channels)
            )
            for capability in self.capabilities
        )
        return tuple(plan for plan in found if plan.endpoints)

    @property
    def methods(self) -> tuple[tuple[CapabilityPlan, EndpointPlan], ...]:
        """The endpoints that are methods of the contract, with their capability."""
        return tuple(
            (capability, endpoint)
            for capability in self.capabilities
            for endpoint in capability.endpoints
            if endpoint.kind != "renders"
        )


def needs_param(endpoint: EndpointPlan) -> bool:
    """Whether the method that builds an endpoint takes the capability's param."""
    return endpoint.kind != "state" or endpoint.config


__all__ = [
    "ActorPlan",
    "ArgumentPlan",
    "CapabilityPlan",
    "CardPlan",
    "DependencyPlan",
    "EndpointPlan",
    "FieldPlan",
    "FunctionPlan",
    "Import",
    "MemberPlan",
    "ObserverPlan",
    "ServingPlan",
    "needs_param",
]

"""A whole card resolved into its plan."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from cardwright_generator.spec.language import (
    ActorSpec,
    CapabilitySpec,
    CardSpec,
    ChannelName,
    DependencySpec,
    FieldSpec,
    ObserverMember,
    ObserverSpec,
)
from cardwright_generator.spec.templates import Placeholder, parse_template

from .annotations import Types
from .code import Code, Import, code, imported, literal
from .endpoints import plan_endpoint
from .naming import folder, stem
from .plan import (
    ActorPlan,
    CapabilityPlan,
    CardPlan,
    DependencyPlan,
    FieldPlan,
    MemberPlan,
    ObserverPlan,
)
from .references import Scope, f_string, shown_text
from .values import Values

CHANNELS: tuple[ChannelName, ...] = ("tool_call", "system_prompt", "llm_context", "command")
_CORE = "cardwright.core"
_OBSERVERS = {"none": "ToolObserver", "tool": "ToolObserver", "actor": "ActorToolObserver"}
_TAKEN = frozenset({"found", "self", "served", "cast"})


def plan_card(
    spec: CardSpec, spec_path: str, package: str, types: Types, values: Values
) -> CardPlan:
    """The plan of a checked spec; `types` and `values` tell what each `$ref` means."""
    scope = Scope(spec, types, values)
    name = stem(spec.card)
    return CardPlan(
        spec_path=spec_path,
        package=package,
        folder=folder(spec.card),
        name=spec.card,
        summary=spec.summary.strip(),
        description=None if spec.description is None else spec.description.strip(),
        logic=spec.logic,
        contract=f"{name}Contract",
        failure=f"{name}Failure",
        failures=tuple(
            key for key, failure in spec.failures.items() if failure.surfaces == "retry"
        ),
        observer=_observer(spec, types),
        fields=tuple(_field(key, field, types) for key, field in spec.fields.items()),
        capabilities=tuple(
            _capability(key, value, scope, types) for key, value in spec.capabilities.items()
        ),
        actors=tuple(_actor(key, actor, scope) for key, actor in spec.actors.items()),
        dependencies=tuple(_dependency(entry, scope) for entry in spec.depends_on),
        toolset=None if spec.toolset is None else spec.toolset.doc.strip(),
        deprecated=None if spec.deprecated is None else spec.deprecated.use,
        renamed=_renamed({**spec.fields, **spec.capabilities}),
    )


def ordered(channels: Iterable[ChannelName]) -> tuple[ChannelName, ...]:
    """Channels in the one order in which they are always listed, each once."""
    found = frozenset(channels)
    return tuple(channel for channel in CHANNELS if channel in found)


def _field(name: str, spec: FieldSpec, types: Types) -> FieldPlan:
    description = None if spec.description is None else spec.description.strip()
    annotation = types.annotation(spec, None if description is None else literal(description))
    return FieldPlan(name, annotation, types.default(spec), description, types.bare(spec))


def _renamed(fields: Mapping[str, FieldSpec | CapabilitySpec]) -> dict[str, str]:
    return {
        field.renamed_from: name for name, field in fields.items() if field.renamed_from is not None
    }


def _capability(key: str, spec: CapabilitySpec, scope: Scope, types: Types) -> CapabilityPlan:
    inner = replace(scope, capability=key)
    variable = f"{key}_" if key in _TAKEN else key
    outer = replace(inner, config_expression=variable)
    serves = ordered(channel for one in spec.endpoints.values() for channel in one.channels)
    return CapabilityPlan(
        key=key,
        variable=variable,
        param=spec.param,
        description=None if spec.description is None else spec.description.strip(),
        annotation=_capability_annotation(spec),
        default=None if spec.default == "required" else Code(literal(spec.default)),
        when=None if spec.when is None else outer.holds(spec.when),
        own_when=spec.when is not None and outer.is_own(spec.when),
        serves=serves,
        expose=serves if spec.expose is None else ordered(spec.expose),
        fields=tuple(_field(name, field, types) for name, field in spec.config.items()),
        renamed=_renamed(spec.config),
        migrations={
            field: {step.from_: step.to for step in steps} for field, steps in spec.migrate.items()
        },
        endpoints=tuple(
            plan_endpoint(name, endpoint, spec, inner, types, variable)
            for name, endpoint in spec.endpoints.items()
        ),
    )


def _capability_annotation(spec: CapabilitySpec) -> Code:
    union = Code(f"{spec.param} | bool")
    if spec.description is None:
        return union
    text = f"Annotated[{union}, Field(description={literal(spec.description.strip())})]"
    return code(text, Import("typing", "Annotated"), Import("pydantic", "Field"))


def _observer(spec: CardSpec, types: Types) -> ObserverPlan:
    if isinstance(spec.observer, str):
        return ObserverPlan(
            imported(_CORE, _OBSERVERS[spec.observer]), bound=spec.observer != "none"
        )
    declared: ObserverSpec = spec.observer
    return ObserverPlan(
        type=imported(".observer", declared.name),
        bound=True,
        base=imported(_CORE, _OBSERVERS[declared.extends]),
        members=tuple(_member(name, member, types) for name, member in declared.members.items()),
    )


def _member(name: str, spec: ObserverMember, types: Types) -> MemberPlan:
    arguments = tuple((argument, types.bare(schema)) for argument, schema in spec.arguments.items())
    return MemberPlan(name, arguments, types.bare(spec.returns))


def _actor(key: str, spec: ActorSpec, scope: Scope) -> ActorPlan:
    inside = replace(scope, card_expression="self.card")
    parts = parse_template(spec.name).parts
    shown = shown_text(parts)
    if all(isinstance(part, str) for part in parts):
        return ActorPlan(key, shown, Code(literal(shown)), spec.class_, spec.when)
    team = {"team_id": Code("self.observer.team_id")}
    values = {part: inside.first_set(part, team) for part in parts if isinstance(part, Placeholder)}
    return ActorPlan(key, shown, f_string(parts, values), spec.class_, spec.when)


def _dependency(spec: DependencySpec, scope: Scope) -> DependencyPlan:
    when = None if spec.when is None else scope.holds(spec.when)
    named = None if spec.named_by is None else scope.value(spec.named_by)
    return DependencyPlan(spec.card, when, named, optional=spec.optional)

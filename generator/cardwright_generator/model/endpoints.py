"""Endpoints of a capability as plans of functions."""

from dataclasses import replace

from cardwright_generator.spec.language import (
    ArgumentSpec,
    CapabilitySpec,
    CardSpec,
    EndpointSpec,
    Schema,
)

from .annotations import Types
from .code import NONE, Code, Import, code, literal
from .plan import ArgumentPlan, EndpointPlan, FunctionPlan
from .references import Scope, Text
from .schema import is_nullable

_CORE = "cardwright.core"
_REST_OF_LINE = Import(_CORE, "RestOfLine")
_STATE_DOC = "Snapshot for the context, or `None` while it cannot be read."


def plan_endpoint(
    key: str,
    spec: EndpointSpec,
    capability: CapabilitySpec,
    scope: Scope,
    types: Types,
    variable: str,
) -> EndpointPlan:
    """The plan of one endpoint; `variable` is how the card's hooks call the capability's param."""
    arguments = tuple(
        _argument(name, argument, scope, types) for name, argument in spec.arguments.items()
    )
    conditional = next((argument for argument in arguments if argument.condition is not None), None)
    hook_scope = replace(scope, config_expression=variable)
    return EndpointPlan(
        key=key,
        name=spec.name or key,
        kind="renders" if spec.renders else "state" if spec.state else "call",
        method=f"_{key}",
        channels=tuple(spec.channels),
        doc=_doc(spec, scope),
        returns=_returns(spec, types),
        functions=_functions(key, arguments, conditional, scope.card),
        condition=None if conditional is None else conditional.condition,
        when=None if spec.when is None else hook_scope.holds(spec.when),
        decorators=tuple(_decorators(spec)),
        is_async=spec.async_,
        config=bool(capability.config),
        renders=spec.renders,
        rendered_config=Code("config") if spec.renders and capability.config else None,
    )


def _doc(spec: EndpointSpec, scope: Scope) -> Text:
    return scope.text((spec.doc or (_STATE_DOC if spec.state else "")).strip())


def _returns(spec: EndpointSpec, types: Types) -> Code:
    if spec.state is not None:
        state = types.resolve(f"#/types/{spec.state}")
        return code(f"{state} | None", state)
    if spec.renders is not None or (spec.returns is None and "system_prompt" in spec.channels):
        return Code("str")
    return types.bare(spec.returns)


def _argument(name: str, spec: ArgumentSpec, scope: Scope, types: Types) -> ArgumentPlan:
    description = None if spec.description is None else scope.text(spec.description.strip())
    annotation = types.annotation(spec, None if description is None else description.code.text)
    if description is not None:
        annotation = code(annotation.text, annotation, description.code)
    if spec.rest_of_line:
        annotation = code(f"{annotation.text[:-1]}, RestOfLine]", annotation, _REST_OF_LINE)
    default = scope.value(spec.default_from) if spec.default_from else types.default(spec)
    condition = None if spec.when is None else scope.holds(spec.when)
    return ArgumentPlan(
        name,
        annotation,
        _bare(spec, types, default, condition),
        default,
        default or NONE,
        condition,
    )


def _bare(spec: Schema, types: Types, default: Code | None, condition: Code | None) -> Code:
    bare = types.bare(spec)
    if condition is not None and default is None and not is_nullable(spec):
        return code(f"{bare} | None", bare)
    return bare


def _functions(
    key: str,
    arguments: tuple[ArgumentPlan, ...],
    conditional: ArgumentPlan | None,
    card: CardSpec,
) -> tuple[FunctionPlan, ...]:
    if conditional is None:
        return (_function(f"_{key}", arguments, arguments),)
    without = tuple(argument for argument in arguments if argument is not conditional)
    taken = {key for spec in card.capabilities.values() for key in spec.endpoints}
    names = [f"{key}_{word}_{conditional.name}" for word in ("with", "without")]
    while taken & set(names):
        names = [f"{name}_" for name in names]
    return (
        _function(f"_{names[0]}", arguments, arguments),
        _function(f"_{names[1]}", without, arguments),
    )


def _given(argument: ArgumentPlan) -> str:
    """How an argument is handed on: a default list is shared by all calls, so as a copy."""
    shared = argument.default is not None and argument.default.text.startswith("[")
    return f"[*{argument.name}]" if shared else argument.name


def _function(
    method: str, shown: tuple[ArgumentPlan, ...], every: tuple[ArgumentPlan, ...]
) -> FunctionPlan:
    passed = tuple(
        (argument.name, _given(argument) if argument in shown else argument.fallback.text)
        for argument in every
    )
    given = [argument.default is None for argument in shown]
    late = any(required and not all(given[:position]) for position, required in enumerate(given))
    return FunctionPlan(method, shown, passed, keyword_only=late)


def _decorators(spec: EndpointSpec) -> list[Code]:
    found: list[Code] = []
    if spec.internal:
        found.append(code("@internal", Import(_CORE, "internal")))
    if (policy := _policy(spec)) and "tool_call" in spec.channels:
        found.append(
            code(
                f"@policy(ToolPolicy({policy}))",
                Import(_CORE, "policy"),
                Import(_CORE, "ToolPolicy"),
            )
        )
    return found


def _policy(spec: EndpointSpec) -> str:
    said = {
        "idempotency": spec.idempotency,
        "timeout": spec.timeout,
        "parallel_safe": None if spec.parallel_safe else False,
        "approval": spec.approval or None,
    }
    return ", ".join(
        f"{name}={literal(value)}" for name, value in said.items() if value is not None
    )

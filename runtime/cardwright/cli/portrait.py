"""Everything `cardwright show` tells about a card, as data read from the card itself."""

import inspect
import re
import types
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from pydantic import JsonValue, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined, to_jsonable_python

from cardwright.core import (
    ActorToolObserver,
    BaseToolParam,
    CommandRegistry,
    ToolCard,
    ToolObserver,
    ToolPolicy,
)
from cardwright.tools import JsonSchema, Tool

from .errors import CommandError

_OBSERVERS: dict[type[object], str] = {ToolObserver: "tool", ActorToolObserver: "actor"}
_LIMITS = {
    "pattern": "pattern",
    "ge": "at least",
    "gt": "above",
    "le": "at most",
    "lt": "below",
    "multiple_of": "a multiple of",
    "min_length": "min length",
    "max_length": "max length",
}
_MODULES = re.compile(r"\b(?:\w+\.)+(?=\w)")


@dataclass(frozen=True, slots=True)
class FieldPortrait:
    """One configuration field of a card or of a capability."""

    name: str
    type: str
    required: bool
    default: JsonValue
    """`None` for a field that must be given, too."""
    description: str


@dataclass(frozen=True, slots=True)
class CapabilityPortrait:
    """One capability: when it is on, where it can be served and where it is by default."""

    name: str
    param: str
    default: Literal["on", "off", "required"]
    state: Literal["on", "off"] | None
    """How the given configuration sets it; `None` without one."""
    serves: tuple[str, ...]
    expose: tuple[str, ...]
    config: tuple[FieldPortrait, ...]


@dataclass(frozen=True, slots=True)
class ToolPortrait:
    """One tool as the model is told about it."""

    name: str
    description: str
    parameters: JsonSchema
    policy: ToolPolicy
    """How a host runs it."""


@dataclass(frozen=True, slots=True)
class CommandPortrait:
    """One command of the control surface."""

    name: str
    description: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Portrait:
    """One card."""

    card: str
    summary: str
    logic: str
    observer: str
    """As a spec names it: `none`, `tool`, `actor`, or the name of its own protocol."""
    fields: tuple[FieldPortrait, ...]
    capabilities: tuple[CapabilityPortrait, ...]
    needs: tuple[str, ...]
    """What must be configured before the lists below are complete."""
    toolset: bool
    """Whether a server of its own decides which tools it brings."""
    depends_on: tuple[str, ...] = ()
    tools: tuple[ToolPortrait, ...] = ()
    system_prompts: tuple[str, ...] = ()
    context_states: tuple[str, ...] = ()
    commands: tuple[CommandPortrait, ...] = ()


def summary_of(card: type[ToolCard]) -> str:
    """The first line of the card's docstring."""
    return (inspect.getdoc(card) or "").partition("\n")[0]


def portray(card: type[ToolCard], config: str | None = None) -> Portrait:
    """Describe `card` as it is with every capability on, or as `config` says.

    Args:
        card: The class.
        config: The fields of one card as JSON.

    Raises:
        CommandError: `config` is no configuration of this card.
    """
    made, needs = (_configured(card, config), ()) if config else everything_on(card)
    described = Portrait(
        card=card.__name__,
        summary=summary_of(card),
        logic=card.logic_path,
        observer=_observer(card),
        fields=tuple(_field(n, f) for n, f in card.model_fields.items() if not param_of(f)),
        capabilities=tuple(_capabilities(card, made if config else None)),
        needs=needs,
        toolset=card.get_toolsets is not ToolCard.get_toolsets,
    )
    return described if made is None else _with_endpoints(described, made)


def param_of(field: FieldInfo) -> type[BaseToolParam] | None:
    """The param class of a capability field; `None` for a field that is none."""
    options = get_args(field.annotation) or (field.annotation,)
    params = [o for o in options if isinstance(o, type) and issubclass(o, BaseToolParam)]
    return params[0] if params else None


def _configured(card: type[ToolCard], config: str) -> ToolCard:
    try:
        return card.model_validate_json(config)
    except ValidationError as error:
        lines = [": ".join([*_place(e["loc"]), e["msg"]]) for e in error.errors()]
        message = f"--config does not fit {card.__name__}: {'; '.join(lines)}"
        raise CommandError(message) from error


def _place(loc: tuple[int | str, ...]) -> list[str]:
    """The dotted place of a fault; nothing for the whole text."""
    return [".".join(map(str, loc))] if loc else []


def everything_on(card: type[ToolCard]) -> tuple[ToolCard | None, tuple[str, ...]]:
    """The card with every capability on that needs no configuration, and what does need some."""
    needs = [name for name, field in card.model_fields.items() if field.is_required()]
    switches: dict[str, bool] = {}
    for name, field in card.model_fields.items():
        param = param_of(field)
        if param is None or field.is_required():
            continue
        demanded = [n for n, f in param.model_fields.items() if f.is_required()]
        needs += [f"{name}.{each}" for each in demanded]
        switches[name] = not demanded
    made = None if any("." not in name for name in needs) else card.model_validate(switches)
    return made, tuple(needs)


def _field(name: str, field: FieldInfo) -> FieldPortrait:
    return FieldPortrait(
        name=name,
        type=", ".join([_type_name(field.annotation), *_limits(field)]),
        required=field.is_required(),
        default=None if field.is_required() else to_jsonable_python(_default(field), fallback=str),
        description=field.description or "",
    )


def _type_name(annotation: Any) -> str:  # noqa: ANN401 - an annotation is any object
    plain = isinstance(annotation, type) and not isinstance(annotation, types.GenericAlias)
    return annotation.__name__ if plain else _MODULES.sub("", str(annotation))


def _limits(field: FieldInfo) -> Iterator[str]:
    """What a value must fit beside its type, such as `pattern ^#` or `at least 1`."""
    for limit in field.metadata:
        for name, words in _LIMITS.items():
            if (value := getattr(limit, name, None)) is not None:
                yield f"{words} {value}"


def _default(field: FieldInfo) -> object:
    found: object = field.get_default(call_default_factory=True, validated_data={})
    return "…" if found is PydanticUndefined else found


def _observer(card: type[ToolCard]) -> str:
    observer = card.observer_type
    return "none" if observer is None else _OBSERVERS.get(observer, observer.__name__)


def _capabilities(card: type[ToolCard], made: ToolCard | None) -> list[CapabilityPortrait]:
    found: list[CapabilityPortrait] = []
    for name, field in card.model_fields.items():
        if (param := param_of(field)) is None:
            continue
        own = {n: f for n, f in param.model_fields.items() if n not in BaseToolParam.model_fields}
        found.append(
            CapabilityPortrait(
                name=name,
                param=param.__name__,
                default=_switch(field),
                state=None if made is None else _state(made, name),
                serves=tuple(sorted(param.serves)),
                expose=tuple(
                    sorted(
                        param.model_fields["expose"].get_default(
                            call_default_factory=True, validated_data={}
                        )
                    )
                ),
                config=tuple(_field(n, f) for n, f in own.items()),
            )
        )
    return found


def _switch(field: FieldInfo) -> Literal["on", "off", "required"]:
    if field.is_required():
        return "required"
    return "off" if field.get_default() is False else "on"


def _state(made: ToolCard, name: str) -> Literal["on", "off"]:
    return "off" if getattr(made, name) is False else "on"


def _with_endpoints(portrait: Portrait, card: ToolCard) -> Portrait:
    registry = CommandRegistry()
    for command in card.get_commands().values():
        registry.register(command, portrait.card)
    tools = [Tool.from_function(function) for function in card.get_tools()]
    return replace(
        portrait,
        depends_on=(*card.depends_on, *sorted(card.optional_dependencies)),
        tools=tuple(
            ToolPortrait(t.name, t.description, t.parameters_schema, t.policy) for t in tools
        ),
        system_prompts=tuple(f.__name__ for f in card.get_system_prompts()),
        context_states=tuple(f.__name__ for f in card.get_context_states()),
        commands=tuple(
            CommandPortrait(d.name, d.description, tuple(a.name for a in d.args))
            for d in registry.descriptors()
        ),
    )

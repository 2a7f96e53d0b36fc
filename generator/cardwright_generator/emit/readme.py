"""`README.md` of a card: reference tables, always true."""

from cardwright_generator.model.plan import CapabilityPlan, CardPlan, EndpointPlan
from cardwright_generator.spec.catalogue import LoadedCard
from cardwright_generator.spec.language import CardSpec, Schema

from .environment import render

_WORDS = {
    "tool_call": "tool",
    "system_prompt": "system prompt",
    "llm_context": "context",
    "command": "command",
}


def render_readme(loaded: LoadedCard, plan: CardPlan) -> str:
    """The reference page of a card."""
    return render(
        "readme.md.jinja",
        spec_path=loaded.path,
        spec=loaded.spec,
        card=plan,
        capabilities=[(loaded.spec.capabilities[item.key], item) for item in plan.capabilities],
        words=_WORDS,
        default=default_cell,
        shown=shown_type,
        bounds=bounds,
        policy=policy_words,
        observer=_observer(loaded.spec),
        arguments=_arguments,
    )


def default_cell(default: object) -> str:
    """A default as a reader sees it: `required` when there is none."""
    if default is None:
        return "required"
    text = str(default)
    if text.startswith("Field(default_factory="):
        return f"a new `{text.removeprefix('Field(default_factory=').removesuffix(')')}`"
    return f"`{text}`"


def shown_type(text: object) -> str:
    """A type in a table cell."""
    return f"`{text}`"


def bounds(schema: Schema) -> str:
    """The constraints of a schema in words; empty when there are none."""
    words = {
        "minimum": "at least {}",
        "maximum": "at most {}",
        "exclusive_minimum": "above {}",
        "exclusive_maximum": "below {}",
        "multiple_of": "a multiple of {}",
        "min_length": "at least {} characters",
        "max_length": "at most {} characters",
        "pattern": "matches `{}`",
        "min_items": "at least {} items",
        "max_items": "at most {} items",
        "truncate": "cut to {} characters",
        "unique_by": "no two with the same `{}`",
    }
    found = [
        form.format(value)
        for name, form in words.items()
        if (value := getattr(schema, name)) is not None
    ]
    inner = [text for branch in schema.any_of or () if (text := bounds(branch))]
    return ", ".join([*found, *inner])


def policy_words(endpoint: EndpointPlan, spec: CardSpec, capability: CapabilityPlan) -> str:
    """What a host does differently for a tool; empty when it does nothing."""
    said = spec.capabilities[capability.key].endpoints[endpoint.key]
    words = [] if said.idempotency is None else [said.idempotency.replace("_", "-")]
    words += [] if said.timeout is None else [f"at most {said.timeout} seconds"]
    words += [] if said.parallel_safe else ["one at a time"]
    words += ["needs approval"] if said.approval else []
    words += ["for code only"] if said.internal else []
    return ", ".join(words)


def _observer(spec: CardSpec) -> str:
    if isinstance(spec.observer, str):
        return {
            "none": "Serves without being bound.",
            "tool": "Any agent that has `notify_event`.",
            "actor": "An agent that lives in a team (`ActorToolObserver`).",
        }[spec.observer]
    members = ", ".join(f"`{name}`" for name in spec.observer.members)
    return f"An agent that satisfies `{spec.observer.name}`, with {members}."


def _arguments(
    endpoint: EndpointPlan, spec: CardSpec, capability: CapabilityPlan
) -> list[tuple[object, ...]]:
    """Name, type, default, condition and text of each argument."""
    declared = spec.capabilities[capability.key].endpoints[endpoint.key].arguments
    rows: list[tuple[object, ...]] = []
    for argument in endpoint.functions[0].arguments:
        said = declared[argument.name]
        default = f"`{said.default_from}`" if said.default_from else default_cell(argument.default)
        rows.append((argument.name, argument.bare, default, said, said.when))
    return rows

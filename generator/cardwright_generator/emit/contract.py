"""`contract.py`: the abstract base class that the logic implements; and `observer.py`."""

from cardwright_generator.model.code import Code, Import, collect
from cardwright_generator.model.plan import CardPlan

from .environment import render

_CORE = "cardwright.core"


def render_contract(card: CardPlan) -> str:
    """The text of `contract.py`, not yet formatted."""
    typing_only = _typing_only(card)
    runtime = {
        Import("abc", "abstractmethod"),
        Import(_CORE, "CardLogic"),
        Import(".card", card.name),
    }
    runtime |= {Import("typing", "TYPE_CHECKING")} if typing_only else set()
    runtime |= collect(actor.name for actor in card.actors)
    runtime |= {
        Import("typing", "Literal" if card.failures else "Never")
    } | card.observer.type.imports
    return render(
        "contract.py.jinja",
        spec_path=card.spec_path,
        card=card,
        imports=sorted(runtime),
        typing_only=sorted(typing_only - runtime),
    )


def _typing_only(card: CardPlan) -> set[Import]:
    parts: list[Code] = []
    found: set[Import] = set()
    for capability, endpoint in card.methods:
        parts += [
            endpoint.returns,
            *(argument.bare for argument in endpoint.functions[0].arguments),
        ]
        found |= {Import(".card", capability.param)} if endpoint.config else set()
    if card.actors:
        found |= {Import(_CORE, "ActorAddress"), Import(_CORE, "BaseConfig")}
        found |= (
            {Import(_CORE, "Akgent")}
            if any(actor.class_path is None for actor in card.actors)
            else set()
        )
    if card.toolset is not None:
        found.add(Import(_CORE, "Toolset"))
    return found | collect(parts)


def render_observer(card: CardPlan) -> str:
    """The text of `observer.py`, not yet formatted; only for a card that declares its own."""
    parts = [
        code
        for member in card.observer.members
        for code in (member.returns, *(t for _, t in member.arguments))
    ]
    base = () if card.observer.base is None else (card.observer.base,)
    imports = collect([*parts, *base]) | {
        Import("typing", "Protocol"),
        Import("typing", "runtime_checkable"),
    }
    return render("observer.py.jinja", spec_path=card.spec_path, card=card, imports=sorted(imports))

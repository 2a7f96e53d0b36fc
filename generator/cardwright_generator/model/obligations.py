"""What handwritten code must look like to fit a card, as plain data for the manifest."""

from cardwright_generator.spec.language import CardSpec

from .naming import folder, stem
from .suspects import suspects


def obligations(spec: CardSpec, package: str) -> dict[str, object]:
    """Logic class, contract, its methods and failures, and the handwritten classes a spec names.

    `classes` maps a path to the generated base it must extend, `""` for none; `actors` are those of
    them that are actors; `suspects` is what may be dead.
    """
    module = f"{package}.{folder(spec.card)}"
    endpoints = [
        key
        for capability in spec.capabilities.values()
        for key, endpoint in capability.endpoints.items()
        if endpoint.renders is None
    ]
    methods = [*endpoints, *(["toolset"] if spec.toolset is not None else [])]
    bases = {
        t.class_: f"{module}.types:{name}Base"
        for name, t in spec.types.items()
        if t.class_ is not None
    }
    actors = [actor.class_ for actor in spec.actors.values() if actor.class_ is not None]
    return {
        "logic": spec.logic,
        "contract": f"{module}.contract:{stem(spec.card)}Contract",
        "methods": methods,
        "failures": [key for key, one in spec.failures.items() if one.surfaces == "retry"],
        "actors": actors,
        "classes": {**dict.fromkeys([*actors, *spec.stored], ""), **bases},
        "suspects": suspects(spec),
    }

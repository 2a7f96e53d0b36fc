"""Which keys the language knows at a place of a spec: for `did you mean` in messages."""

from typing import TypeAliasType, get_args, get_origin

from pydantic import BaseModel

from cardwright_generator.spec.diagnostics import NodePath


def known_keys(model: type[BaseModel], path: NodePath) -> list[str]:
    """Return the keys of the mapping at a path of a document of this model, in their order."""
    current, steps = model, list(path)
    while steps:
        found = _child(current, steps.pop(0))
        if found is None:
            return []
        current, levels = found
        del steps[:levels]
    return [info.alias or name for name, info in current.model_fields.items()]


def _child(model: type[BaseModel], key: str | int) -> tuple[type[BaseModel], int] | None:
    """Return the model below a key, and how many levels of dict or list lie between."""
    model.model_rebuild()  # models inside a root are built late: their annotations may be names yet
    for name, info in model.model_fields.items():
        if key == (info.alias or name):
            return _nested(info.annotation)
    return None


def _nested(annotation: object) -> tuple[type[BaseModel], int] | None:
    if isinstance(annotation, TypeAliasType):
        return _nested(annotation.__value__)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation, 0
    for argument in get_args(annotation):
        if found := _nested(argument):
            return found[0], found[1] + (get_origin(annotation) in {dict, list})
    return None

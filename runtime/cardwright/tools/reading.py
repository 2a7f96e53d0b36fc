"""The validator that arguments are read with: strict JSON, at any depth.

Our own bases carry a hook that recognises stored data (its type marker, its old field names). A
model is no storage: the marker is an unknown field here. The hook would also hand the fields on
as Python values, and strict mode would then refuse the ISO date, or the list for a tuple, that
JSON has to use. So hooks are taken out of the schema that arguments are validated with.
"""

from operator import is_
from typing import Final, cast

from pydantic import BaseModel
from pydantic_core import CoreSchema, SchemaValidator

_STORAGE_MODULES: Final = ("cardwright.actors", "cardwright.core")
_HOOKS: Final = frozenset({"function-before", "function-wrap"})
_HOOKED: Final = frozenset({"model", "model-fields"})

type _Node = dict[str, object]


def arguments_validator(model: type[BaseModel]) -> SchemaValidator:
    """The validator of an arguments model; its own one unless a nested type has a storage hook."""
    schema = model.__pydantic_core_schema__
    bare = _without_hooks(schema)
    if bare is schema:
        return cast("SchemaValidator", model.__pydantic_validator__)
    # A nested class would otherwise be validated by the validator it already has, hook included.
    return SchemaValidator(cast("CoreSchema", bare), _use_prebuilt=False)


def _without_hooks(value: object) -> object:
    """`value` without storage hooks; the same object when it holds none."""
    match value:
        case dict():
            return _bare_node(cast("_Node", value))
        case list():
            return _bare_items(cast("list[object]", value))
        case tuple():
            items = cast("tuple[object, ...]", value)
            bare = _bare_items(list(items))
            return items if all(map(is_, items, bare)) else tuple(bare)
        case _:
            return value


def _bare_items(items: list[object]) -> list[object]:
    bare = [_without_hooks(item) for item in items]
    return items if all(map(is_, items, bare)) else bare


def _bare_node(node: _Node) -> _Node:
    if _is_storage_hook(node):
        inner = cast("_Node", node["schema"])
        return _bare_node({**inner, "ref": node["ref"]} if "ref" in node else inner)
    told = "metadata" if isinstance(node.get("type"), str) else None  # else keys are names
    bare = {key: value if key == told else _without_hooks(value) for key, value in node.items()}
    return node if all(bare[key] is value for key, value in node.items()) else bare


def _is_storage_hook(node: _Node) -> bool:
    """Whether `node` is a model validator that one of our bases declares."""
    kind = node.get("type")
    if not isinstance(kind, str) or kind not in _HOOKS:
        return False
    if not _is_model(cast("_Node", node["schema"])):
        return False
    function = cast("_Node", node["function"])["function"]
    module = getattr(function, "__module__", None) or ""
    return module.startswith(_STORAGE_MODULES)


def _is_model(node: _Node) -> bool:
    kind = node.get("type")
    return kind in _HOOKED or (
        isinstance(kind, str)
        and kind.startswith("function-")
        and _is_model(cast("_Node", node["schema"]))
    )

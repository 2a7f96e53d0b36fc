"""The single values of a spec, beside those that are data of its author: defaults and choices."""

from collections.abc import Iterator
from typing import cast

from cardwright_generator.spec.diagnostics import NodePath
from cardwright_generator.spec.language import SpecModel

_DATA = frozenset({"const", "default", "enum", "from", "to"})


def leaves(path: NodePath, value: object) -> Iterator[tuple[NodePath, object]]:
    """Walk a model, a mapping or a list, and yield what is neither, with its path."""
    if isinstance(value, SpecModel):
        for name in value.model_fields_set:
            key = type(value).model_fields[name].alias or name
            if key not in _DATA:
                yield from leaves((*path, key), getattr(value, name))
    elif isinstance(value, dict):
        for key, inner in cast("dict[str, object]", value).items():
            yield from leaves((*path, key), inner)
    elif isinstance(value, list):
        for index, inner in enumerate(cast("list[object]", value)):
            yield from leaves((*path, index), inner)
    else:
        yield path, value

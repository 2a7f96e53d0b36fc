"""Walks annotations: what an alias stands for, which types are nested, what says nothing."""

import dataclasses
import types
from collections import abc
from collections.abc import Iterator
from typing import (
    Any,
    Final,
    Literal,
    NewType,
    NotRequired,
    Required,
    TypeAliasType,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from pydantic import BaseModel, JsonValue
from typing_extensions import TypeAliasType as BackportedAlias  # noqa: UP035 - another class than typing's; pydantic's JsonValue is one

_UNIONS: Final = (Union, types.UnionType)
_QUALIFIERS: Final = (Required, NotRequired)
_MAPS: Final = (dict, abc.Mapping, abc.MutableMapping)


def resolved(annotation: object) -> object:
    """`annotation` without type aliases, `Annotated` and `NewType`."""
    while True:
        origin = get_origin(annotation)
        if hasattr(annotation, "__metadata__"):
            annotation = get_args(annotation)[0]
        elif annotation is JsonValue:
            return annotation
        elif _is_alias(annotation):
            annotation = cast("TypeAliasType", annotation).__value__
        elif _is_alias(origin):
            annotation = _substituted(cast("TypeAliasType", origin), get_args(annotation))
        elif origin in _QUALIFIERS:
            annotation = get_args(annotation)[0]
        elif isinstance(annotation, NewType):
            annotation = annotation.__supertype__
        else:
            return annotation


def members(annotation: object) -> tuple[object, ...]:
    """The members of a union, resolved, however deep they nest; else the annotation itself."""
    found = resolved(annotation)
    if get_origin(found) in _UNIONS:
        return tuple(each for part in get_args(found) for each in members(part))
    return (found,)


def structures(annotation: object) -> Iterator[type]:
    """Every type with fields that can occur in a value of that annotation, each once."""
    for each in _parts(annotation, set()):
        if isinstance(each, type) and _fields(cast("type[object]", each)) is not None:
            yield each


def untyped_field(name: str, annotation: object) -> tuple[str, str] | None:
    """The field and the type that leave open what may be sent, at any depth; `None` for none.

    `Any`, `object` and containers without item types are such; so is `JsonValue`, except as what
    a `JsonObject` holds, which is how a signature says that a map of anything is meant.
    """
    return _untyped(name, annotation, set())


def _untyped(name: str, annotation: object, seen: set[object]) -> tuple[str, str] | None:
    found = resolved(annotation)
    if _says_nothing(found):
        return (name, _type_name(found))
    if _is_json_map(found) or _was_seen(found, seen):
        return None
    for inner, part in _inside(name, found):
        if refused := _untyped(inner, part, seen):
            return refused
    return None


def _says_nothing(found: object) -> bool:
    return (
        found is Any
        or found is object
        or found is JsonValue
        or (isinstance(found, TypeVar) and not found.__constraints__ and found.__bound__ is None)
        or _is_container(found)
        or _is_bare_alias(found)
    )


def _is_container(found: object) -> bool:
    """A container that is given no item types, such as `list` or `deque`."""
    return (
        isinstance(found, type)
        and _fields(cast("type[object]", found)) is None
        and hasattr(cast("type[object]", found), "__class_getitem__")
        and issubclass(found, abc.Iterable)
    )


def _is_bare_alias(found: object) -> bool:
    """`typing.List` without arguments; `tuple[()]`, which has none either, says what it holds."""
    return (
        _is_container(get_origin(found))
        and not get_args(found)
        and not isinstance(found, types.GenericAlias)
    )


def _is_json_map(found: object) -> bool:
    if get_origin(found) not in _MAPS:
        return False
    key, value = get_args(found)
    return resolved(key) is str and value is JsonValue


def _was_seen(found: object, seen: set[object]) -> bool:
    if not isinstance(found, type):
        return False
    if found in seen:
        return True
    seen.add(found)
    return False


def _parts(annotation: object, seen: set[object]) -> Iterator[object]:
    found = resolved(annotation)
    if _was_seen(found, seen):
        return
    yield found
    for _, part in _inside("", found):
        yield from _parts(part, seen)


def _inside(name: str, found: object) -> list[tuple[str, object]]:
    """What a resolved annotation is made of; the parts of a structure are its fields."""
    if get_origin(found) is Literal:
        return []
    if isinstance(found, TypeVar):
        return [(name, each) for each in found.__constraints__ or (found.__bound__,)]
    fields = _fields(cast("type[object]", found)) if isinstance(found, type) else None
    if fields is not None:
        return list(fields.items())
    return [(name, part) for part in get_args(found) if _is_annotation(part)]


def _is_annotation(part: object) -> bool:
    return part is not Ellipsis and not isinstance(part, list)


def _fields(found: type[object]) -> dict[str, object] | None:
    """The annotations of a structure's fields by name; `None` for what has none."""
    if issubclass(found, BaseModel):
        return {name: field.annotation for name, field in found.model_fields.items()}
    if dataclasses.is_dataclass(found):
        hints = _hints(found)
        declared = [each.name for each in dataclasses.fields(cast("Any", found))]
        return {name: hints[name] for name in declared if name in hints}
    if is_typeddict(found) or hasattr(found, "_fields"):  # the latter is a named tuple
        return _hints(found)
    return None


def _hints(found: type[object]) -> dict[str, object]:
    try:
        return get_type_hints(found, include_extras=True)
    except NameError:  # pydantic reports what does not resolve
        return {}


def _is_alias(found: object) -> bool:
    return isinstance(found, TypeAliasType | BackportedAlias)


def _substituted(alias: TypeAliasType, arguments: tuple[object, ...]) -> object:
    value: Any = alias.__value__
    given = dict(zip(alias.__type_params__, arguments, strict=False))
    open_parameters = getattr(value, "__parameters__", ())
    return value[tuple(given[each] for each in open_parameters)] if open_parameters else value


def _type_name(found: object) -> str:
    return found.__name__ if isinstance(found, type) else str(found).removeprefix("typing.")

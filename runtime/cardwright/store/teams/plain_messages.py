"""Classes of messages whose stored form needs no validation: their own fields are plain values."""

from functools import lru_cache
from typing import Any, cast

from cardwright.actors import SerializableBaseModel
from cardwright.actors.messages import Message

_PLAIN: dict[object, type] = {str: str, int: int, float: float, bool: bool}
_COMMON = frozenset(Message.model_fields)

type Fields = dict[str, type]
"""Own fields of a class and the only type that their values have."""


@lru_cache(maxsize=4096)
def plain_fields(cls: type[Message]) -> Fields | None:
    """Return the own fields of a class, or None if loading it takes more than setting them."""
    if _has_own_rules(cls):
        return None
    own = {name: it for name, it in cls.model_fields.items() if name not in _COMMON}
    if any(it.metadata or it.annotation not in _PLAIN for it in own.values()):
        return None
    return {name: _PLAIN[it.annotation] for name, it in own.items()}


def _has_own_rules(cls: type[Message]) -> bool:
    own = cast("Any", cls).__pydantic_decorators__
    base = cast("Any", Message).__pydantic_decorators__
    return (
        cast("Any", cls.upgrade_stored).__func__
        is not cast("Any", SerializableBaseModel.upgrade_stored).__func__
        or cls.model_post_init is not Message.model_post_init
        or bool(own.field_validators)
        or bool(own.validators)
        or own.model_validators.keys() != base.model_validators.keys()
        or bool(cls.__private_attributes__)
        or cls.model_config.get("extra") != "forbid"
        or any(_annotation(cls, name) != _annotation(Message, name) for name in _COMMON)
    )


def _annotation(cls: type[Message], name: str) -> object:
    return cls.model_fields[name].annotation

"""Stored channels that a capability no longer serves are dropped with one warning."""

import logging
from typing import TYPE_CHECKING, cast, get_args

from .params import BaseToolParam, listed
from .stored import migrated, renamed

if TYPE_CHECKING:
    from pydantic import BaseModel

logger = logging.getLogger(__name__)


def drop_unserved(card: "type[BaseModel]", data: dict[str, object]) -> dict[str, object]:
    """`data` with each capability's stored `expose` reduced to what it serves now."""
    return {key: _kept(card, key, value) for key, value in data.items()}


def _kept(card: "type[BaseModel]", key: str, value: object) -> object:
    param = _param_of(card, key)
    if param is None or not isinstance(value, dict):
        return value
    stored = migrated(
        renamed(cast("dict[str, object]", value), param.renamed_fields), param.migrations
    )
    expose = stored.get("expose")
    if not isinstance(expose, list | set | tuple):
        return stored
    named = [str(item) for item in cast("list[object]", expose)]
    kept = [item for item in named if item in param.serves]
    if len(kept) != len(named):
        gone = sorted(set(named) - set(kept))
        logger.warning(
            "%s.%s: stored channels no longer served were dropped: %s (served: %s)",
            card.__name__,
            key,
            ", ".join(gone),
            listed(param.serves),
        )
    return {**stored, "expose": kept}


def _param_of(card: "type[BaseModel]", key: str) -> type[BaseToolParam] | None:
    field = card.model_fields.get(key)
    if field is None:
        return None
    for part in (field.annotation, *get_args(field.annotation)):
        if isinstance(part, type) and issubclass(part, BaseToolParam):
            return part
    return None

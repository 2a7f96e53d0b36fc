"""Loading stored data: declared renames and migrations, then what is still unknown is dropped."""

import logging
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, cast, get_args, get_origin

from pydantic import BaseModel, ValidationInfo

from cardwright.actors.stored import is_loading

logger = logging.getLogger(__name__)


class StoredForm:
    """Mixin of serializable models whose fields were renamed or whose values moved."""

    renamed_fields: ClassVar[Mapping[str, str]] = {}
    """Old field name -> present one."""
    migrations: ClassVar[Mapping[str, Mapping[object, object]]] = {}
    """Field -> stored value -> present one; inside a list or set, item by item."""

    @classmethod
    def upgrade_stored(cls, data: dict[str, object]) -> dict[str, object]:
        """The stored mapping in its present form; called while loading only."""
        return migrated(renamed(data, cls.renamed_fields), cls.migrations)


def renamed(data: dict[str, object], names: Mapping[str, str]) -> dict[str, object]:
    """`data` under present names; a present name that is given too wins."""
    if not names or names.keys().isdisjoint(data):
        return data
    return {
        names.get(key, key): value
        for key, value in data.items()
        if key not in names or names[key] not in data
    }


def migrated(
    data: dict[str, object], rules: Mapping[str, Mapping[object, object]]
) -> dict[str, object]:
    """`data` with the declared rewritings of stored values applied."""
    return {
        key: _rewrite(value, rules[key]) if key in rules else value for key, value in data.items()
    }


def _rewrite(value: object, rule: Mapping[object, object]) -> object:
    if isinstance(value, list | tuple | set | frozenset):
        items = cast("list[object]", list(cast("Any", value)))
        return list(dict.fromkeys(_rewrite(item, rule) for item in items))
    try:
        return rule.get(value, value)
    except TypeError:  # an unhashable value is no scalar, so no rule names it
        return value


def adapt_stored(model: type[BaseModel], data: object, info: ValidationInfo) -> object:
    """The loading steps for a plain model; returns `data` itself while constructing."""
    if not is_loading(info.context) or not isinstance(data, dict):
        return data
    names = cast("Mapping[str, str]", getattr(model, "renamed_fields", {}))
    known = renamed(cast("dict[str, object]", data), names)
    if _is_another_form(model, known):
        return known
    unknown = sorted(known.keys() - model.model_fields.keys())
    if unknown:
        logger.warning(
            "%s: stored keys no longer known were dropped: %s",
            model.__qualname__,
            ", ".join(unknown),
        )
    return {key: value for key, value in known.items() if key in model.model_fields}


def _is_another_form(model: type[BaseModel], data: dict[str, object]) -> bool:
    """Whether a literal field says that `data` is meant for another model of the same union."""
    return any(
        get_origin(field.annotation) is Literal
        and name in data
        and data[name] not in get_args(field.annotation)
        for name, field in model.model_fields.items()
    )

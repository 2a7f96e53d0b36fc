"""Models of attributes that are complete and valid already, made past pydantic's look at each."""

from __future__ import annotations

from typing import Any, Final, cast

from pydantic import BaseModel

__all__ = ["bare_model"]

# What pydantic itself does in `model_construct`.
_new: Final = object.__new__
_slots: Final = cast("dict[str, Any]", vars(BaseModel))
_set_attributes: Final = _slots["__dict__"].__set__
_set_given: Final = _slots["__pydantic_fields_set__"].__set__
_set_extra: Final = _slots["__pydantic_extra__"].__set__
_set_private: Final = _slots["__pydantic_private__"].__set__


def bare_model[M: BaseModel](
    cls: type[M],
    attributes: dict[str, Any],
    given: set[str],
    extra: dict[str, Any] | None = None,
    private: dict[str, Any] | None = None,
) -> M:
    """Make a model that keeps these very objects; `given` are the names of what was given."""
    model = _new(cls)
    _set_attributes(model, attributes)
    _set_given(model, given)
    _set_extra(model, extra)
    _set_private(model, private)
    return model

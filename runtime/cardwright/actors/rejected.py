"""Validation errors without what was rejected, which may be a secret."""

from typing import get_args

from pydantic import ValidationError, ValidatorFunctionWrapHandler
from pydantic_core import CoreSchema, ErrorDetails, InitErrorDetails, PydanticCustomError
from pydantic_core.core_schema import ErrorType, no_info_wrap_validator_function

__all__ = ["cleared", "clearing"]

_PYDANTIC_TYPES = frozenset(get_args(ErrorType))


def clearing(schema: CoreSchema) -> CoreSchema:
    """`schema`, refusing without the rejected values: hidden input is still in `errors()`."""
    return no_info_wrap_validator_function(_validated, schema)


def cleared(error: ValidationError) -> ValidationError:
    """The same faults at the same places; each `input` is `None`."""
    details = error.errors(include_url=False, include_input=False)
    return ValidationError.from_exception_data(
        error.title, [_told(detail) for detail in details], hide_input=True
    )


def _validated(value: object, handler: ValidatorFunctionWrapHandler) -> object:
    try:
        return handler(value)
    except ValidationError as error:
        raise cleared(error) from None


def _told(detail: ErrorDetails) -> InitErrorDetails:
    context = detail.get("ctx", {})
    if detail["type"] in _PYDANTIC_TYPES:
        return InitErrorDetails(type=detail["type"], loc=detail["loc"], input=None, ctx=context)
    text = {**context, "text": detail["msg"]}
    kind = PydanticCustomError(detail["type"], "{text}", text)
    return InitErrorDetails(type=kind, loc=detail["loc"], input=None)

"""Validation errors without what was rejected, which may be a secret."""

from typing import Any, cast

from pydantic import ValidationError, ValidatorFunctionWrapHandler
from pydantic_core import CoreSchema, ErrorDetails, InitErrorDetails, PydanticCustomError
from pydantic_core.core_schema import no_info_wrap_validator_function

__all__ = ["cleared", "clearing", "told_again", "without_input"]


def clearing(schema: CoreSchema) -> None:
    """Make the model in `schema` refuse without the rejected values, which `errors()` would hold.

    The wrapper stands around the fields and not around the model, which a JSON schema names.
    """
    model: dict[str, Any] = cast("dict[str, Any]", schema)
    while model["type"] != "model":
        model = model["schema"]
    model["schema"] = no_info_wrap_validator_function(_validated, model["schema"])


def without_input(title: str, error: ValueError) -> ValidationError:
    """The refusal that pydantic would make of `error`, without the rejected value."""
    detail = InitErrorDetails(
        type="value_error", loc=(), input=None, ctx={"error": ValueError(str(error))}
    )
    return ValidationError.from_exception_data(title, [detail], hide_input=True)


def cleared(error: ValidationError) -> ValidationError:
    """The same faults at the same places; each `input` is `None`."""
    details = error.errors(include_url=False, include_input=False)
    return ValidationError.from_exception_data(
        error.title, [told_again(detail) for detail in details], hide_input=True
    )


def _validated(value: object, handler: ValidatorFunctionWrapHandler) -> object:
    try:
        return handler(value)
    except ValidationError as error:
        raise cleared(error) from None


def told_again(detail: ErrorDetails) -> InitErrorDetails:
    """The same fault, to be raised again, without the value and a link to pydantic's pages."""
    text = {**detail.get("ctx", {}), "text": detail["msg"]}
    kind = PydanticCustomError(cast("Any", detail["type"]), "{text}", text)
    return InitErrorDetails(type=kind, loc=detail["loc"], input=None)

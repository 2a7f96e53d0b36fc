"""One message for a value that may be a configuration or a boolean."""

from typing import get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError
from pydantic_core.core_schema import ErrorType

_BOOLEAN = "bool"
_PYDANTIC_TYPES = frozenset(get_args(ErrorType))


def one_branch(error: ValidationError) -> ValidationError:
    """`error` without the branch `bool` of a capability, whose message only distracts."""
    details = error.errors(include_url=False)
    kept = [detail for detail in details if detail["loc"][:1] != (_BOOLEAN,)]
    if not kept or len(kept) == len(details):
        return error
    return ValidationError.from_exception_data(
        error.title, [_within(detail) for detail in kept], hide_input=True
    )


def _within(detail: ErrorDetails) -> InitErrorDetails:
    """The same fault, without the name of the branch in its path and without the value."""
    if detail["type"] not in _PYDANTIC_TYPES:
        kind = PydanticCustomError("refused", "{text}", {"text": detail["msg"]})
        return InitErrorDetails(type=kind, loc=detail["loc"][1:], input=None)
    found = InitErrorDetails(type=detail["type"], loc=detail["loc"][1:], input=None)
    if "ctx" in detail:
        found["ctx"] = detail["ctx"]
    return found

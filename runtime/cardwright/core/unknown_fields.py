"""Keys that a model does not have, with the one that was probably meant."""

from difflib import get_close_matches

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

from cardwright.actors.rejected import told_again

UNKNOWN = "unknown_field"


def with_suggestions(error: ValidationError, model: type[BaseModel]) -> ValidationError:
    """`error`, its unknown keys of `model` told with their nearest neighbour; never a value."""
    details = error.errors(include_url=False)
    if not any(map(_is_unknown, details)):
        return error
    told = [_told(each, model) if _is_unknown(each) else told_again(each) for each in details]
    return ValidationError.from_exception_data(error.title, told, hide_input=True)


def _is_unknown(detail: ErrorDetails) -> bool:
    return detail["type"] == "extra_forbidden" and len(detail["loc"]) == 1


def _told(detail: ErrorDetails, model: type[BaseModel]) -> InitErrorDetails:
    known = list(model.model_fields)
    close = get_close_matches(str(detail["loc"][0]), known, n=1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(sorted(known))}"
    kind = PydanticCustomError(
        UNKNOWN, "{model} has no such field: {hint}", {"model": model.__name__, "hint": hint}
    )
    return InitErrorDetails(type=kind, loc=detail["loc"], input=None)

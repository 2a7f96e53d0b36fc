"""One message for a value that may have one of several forms."""

from typing import TypeAliasType, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

from cardwright.actors.rejected import told_again

_BOOLEAN = "bool"


def one_branch(error: ValidationError, annotation: object) -> ValidationError:
    """`error`, told about one form of the union `annotation` instead of about each.

    The branch `bool` of a capability only distracts. Among several models, the one with the
    fewest faults is meant; where that leaves a choice, one message tells what each refuses.
    """
    details = error.errors(include_url=False)
    forms = _models(annotation)
    kept = [detail for detail in details if detail["loc"][:1] != (_BOOLEAN,)]
    if (
        len(forms) > 1
        and kept
        and all(detail["loc"][:1] and detail["loc"][0] in forms for detail in kept)
    ):
        found = _closest(kept)
    elif kept and len(kept) < len(details):
        found = [_within(detail) for detail in kept]
    else:
        return error
    return ValidationError.from_exception_data(error.title, found, hide_input=True)


def _models(annotation: object) -> frozenset[str]:
    """Names of the models that a union, an alias or an annotation of one may be."""
    if isinstance(annotation, TypeAliasType):
        return _models(annotation.__value__)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return frozenset({annotation.__name__})
    return frozenset[str]().union(*map(_models, get_args(annotation)))


def _closest(details: list[ErrorDetails]) -> list[InitErrorDetails]:
    faults: dict[str, list[ErrorDetails]] = {}
    for detail in details:
        faults.setdefault(str(detail["loc"][0]), []).append(detail)
    fewest = min(map(len, faults.values()))
    closest = {form: found for form, found in faults.items() if len(found) == fewest}
    if len(closest) == 1:
        return [_within(detail) for found in closest.values() for detail in found]
    refusals = (f"{form} refuses {_faults(found)}" for form, found in closest.items())
    kind = PydanticCustomError("no_form", "{text}", {"text": "; ".join(refusals)})
    return [InitErrorDetails(type=kind, loc=(), input=None)]


def _faults(details: list[ErrorDetails]) -> str:
    return ", ".join(
        f"{'.'.join(map(str, detail['loc'][1:])) or 'it'} ({detail['msg']})" for detail in details
    )


def _within(detail: ErrorDetails) -> InitErrorDetails:
    """The same fault, without the name of the branch in its path and without the value."""
    found = told_again(detail)
    found["loc"] = detail["loc"][1:]
    return found

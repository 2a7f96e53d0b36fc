"""The pydantic model that stands for the arguments of one function."""

from collections.abc import Sequence
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic.errors import PydanticUserError

from .errors import SchemaGenerationError, ToolDefinitionError
from .schema import JsonSchema, normalised
from .signature import REQUIRED, Parameter

_CONFIG: Final = ConfigDict(extra="forbid", hide_input_in_errors=True)


def arguments_model(tool: str, parameters: Sequence[Parameter]) -> type[BaseModel]:
    """A model with one field per parameter, which allows no others.

    Raises:
        ToolDefinitionError: A type is unknown to pydantic, or a default does not fit its type.
    """
    try:
        model = _model(f"{tool}_arguments", parameters)
    except (PydanticUserError, TypeError) as error:
        fault = _fault(parameters, error)
        raise ToolDefinitionError.caused(tool, fault) from fault
    _check_defaults(tool, model, parameters)
    return model


def model_schema(tool: str, model: type[BaseModel], parameters: Sequence[Parameter]) -> JsonSchema:
    """The normalised schema of an arguments model, its nested types under `$defs`.

    The description of the whole is left out: it is sent beside the schema.

    Raises:
        ToolDefinitionError: A type has no JSON Schema; the cause names the field.
    """
    try:
        schema = normalised(model.model_json_schema())
    except PydanticUserError as error:
        fault = _fault(parameters, error)
        raise ToolDefinitionError.caused(tool, fault) from fault
    schema.pop("description", None)
    schema.setdefault("properties", {})
    return {key: schema[key] for key in sorted(schema)}


def _model(name: str, parameters: Sequence[Parameter]) -> type[BaseModel]:
    fields: dict[str, Any] = {each.name: _field(each) for each in parameters}
    return create_model(name, __config__=_CONFIG, **fields)


def _field(parameter: Parameter) -> tuple[object, object]:
    return (
        parameter.annotation,
        ... if parameter.default is REQUIRED else parameter.default,
    )


def _fault(parameters: Sequence[Parameter], error: Exception) -> SchemaGenerationError:
    """What is wrong with the first parameter whose type cannot be described."""
    for each in parameters:
        try:
            _model("probe", [each]).model_json_schema()
        except (PydanticUserError, TypeError):
            name = _annotation_name(each.annotation)
            reason = str(error) if isinstance(error, TypeError) else "which has no JSON Schema"
            message = f"{each.name} is {name}: {reason}"
            return SchemaGenerationError(message, field=each.name, annotation=name)
    return SchemaGenerationError("the arguments have no JSON Schema")


def _annotation_name(annotation: object) -> str:
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


def _check_defaults(tool: str, model: type[BaseModel], parameters: Sequence[Parameter]) -> None:
    """Refuse defaults that the declared types would not accept; pydantic does not look at them."""
    defaults = {each.name: each.default for each in parameters if each.default is not REQUIRED}
    if not defaults:
        return
    try:
        model.model_validate(defaults, strict=True)
    except ValidationError as error:
        for detail in error.errors(include_url=False, include_input=False):
            name = str(detail["loc"][0])
            if name in defaults:
                message = f"{tool}: the default of {name} does not fit its type ({detail['type']})"
                raise ToolDefinitionError(message, tool=tool, parameter=name) from None

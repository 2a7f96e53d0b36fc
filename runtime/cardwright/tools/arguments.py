"""Holds what a model sends to what a function declares."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic.errors import PydanticUserError
from pydantic_core import from_json

from .errors import ToolArgumentValidationError, ToolDefinitionError
from .payload import PayloadRefusedError, RawArguments, read_payload
from .problems import problems_of
from .reading import arguments_validator
from .signature import REQUIRED, Parameter, parameters_of, tool_name


@dataclass(frozen=True, slots=True)
class ArgumentPolicy:
    """How arguments are read: strictly or leniently, and how many bytes of them."""

    strict: bool = True
    max_bytes: int = 65_536


STRICT: Final = ArgumentPolicy()
LENIENT: Final = ArgumentPolicy(strict=False)
"""Also reads `"2"` and `1.0` as an integer, `"1.5"` as a number, `"yes"` as a boolean."""

_CONFIG: Final = ConfigDict(extra="forbid", hide_input_in_errors=True)


class ToolArgumentValidator:
    """Checks arguments written by a model against the signature of one function."""

    __slots__ = ("_declared", "_validator", "model", "policy", "tool")

    def __init__(
        self,
        function: Callable[..., object],
        *,
        tool: str = "",
        exclude: tuple[str, ...] = (),
        policy: ArgumentPolicy = STRICT,
    ) -> None:
        """Read the signature once.

        Args:
            function: The body; its defaults are the arguments' defaults.
            tool: Name used in refusals; the function's own when left out.
            exclude: Parameters the model does not fill.
            policy: How the arguments are read.

        Raises:
            ToolDefinitionError: The signature cannot be described, or a default does not fit it.
        """
        self.tool = tool_name(function, tool or None)
        self.policy = policy
        parameters = parameters_of(function, self.tool, frozenset(exclude))
        self.model = _arguments_model(self.tool, parameters)
        self._declared = frozenset(self.model.model_fields)
        self._validator = arguments_validator(self.model)

    def validate(self, arguments: RawArguments, *, call_id: str = "") -> BaseModel:
        """The arguments as an instance of `model`.

        Args:
            arguments: JSON text, or an object as a provider parsed it.
            call_id: Identity of the call, kept by a refusal.

        Raises:
            ToolArgumentValidationError: They are refused; all failing fields are named.
        """
        try:
            text = read_payload(arguments, declared=self._declared, max_bytes=self.policy.max_bytes)
        except PayloadRefusedError as error:
            raise self._refusal({"": str(error)}, arguments, call_id) from None
        try:
            found = self._validator.validate_json(text, strict=self.policy.strict)
        except ValidationError as error:
            details = error.errors(include_url=False, include_input=False)
            problems = problems_of(details, _as_seen(text))
            raise self._refusal(problems, arguments, call_id) from None
        return cast("BaseModel", found)

    def arguments(self, arguments: RawArguments, *, call_id: str = "") -> dict[str, Any]:
        """The arguments as typed keywords for every parameter, defaults included.

        Raises:
            ToolArgumentValidationError: As `validate`.
        """
        return dict(self.validate(arguments, call_id=call_id).__dict__)

    def _refusal(
        self, problems: Mapping[str, str], payload: object, call_id: str
    ) -> ToolArgumentValidationError:
        return ToolArgumentValidationError(self.tool, problems, payload=payload, call_id=call_id)


def _as_seen(text: bytes) -> object:
    try:
        return from_json(text)
    except ValueError:
        return None


def _arguments_model(tool: str, parameters: tuple[Parameter, ...]) -> type[BaseModel]:
    fields = {each.name: _field(each) for each in parameters}
    try:
        model = _create_model(f"{tool}_arguments", fields)
    except PydanticUserError as error:
        raise _undescribable(tool, parameters) from error
    _check_defaults(tool, model, parameters)
    return model


def _create_model(name: str, fields: dict[str, Any]) -> type[BaseModel]:
    return create_model(name, __config__=_CONFIG, **fields)


def _field(parameter: Parameter) -> tuple[object, object]:
    return (
        parameter.annotation,
        ... if parameter.default is REQUIRED else parameter.default,
    )


def _undescribable(tool: str, parameters: tuple[Parameter, ...]) -> ToolDefinitionError:
    """The error for the first parameter whose type pydantic does not know."""
    for each in parameters:
        try:
            _create_model("probe", {each.name: _field(each)})
        except PydanticUserError:
            return ToolDefinitionError(
                f"{tool}: the type of {each.name} has no JSON Schema",
                tool=tool,
                parameter=each.name,
            )
    return ToolDefinitionError(f"{tool}: its arguments have no JSON Schema", tool=tool)


def _check_defaults(tool: str, model: type[BaseModel], parameters: tuple[Parameter, ...]) -> None:
    """Refuse defaults that the declared types would not accept; pydantic does not look at them."""
    defaults = {each.name: each.default for each in parameters if each.default is not REQUIRED}
    if not defaults:
        return
    try:
        model.model_validate(defaults)
    except ValidationError as error:
        for detail in error.errors(include_url=False, include_input=False):
            name = str(detail["loc"][0])
            if name in defaults:
                message = f"{tool}: the default of {name} does not fit its type ({detail['type']})"
                raise ToolDefinitionError(message, tool=tool, parameter=name) from None

"""Holds what a model sends to what a function declares."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from .errors import ConfigurationError, ToolArgumentValidationError
from .model import arguments_model
from .payload import PayloadRefusedError, RawArguments, read_payload
from .problems import NO_OBJECT, problems_of
from .reading import arguments_validator
from .signature import Signature, signature_of, tool_name


@dataclass(frozen=True, slots=True)
class ArgumentPolicy:
    """How arguments are read: strictly or leniently, and how many bytes of them."""

    strict: bool = True
    max_bytes: int = 65_536

    def __post_init__(self) -> None:
        """Refuse a ceiling under which no arguments fit.

        Raises:
            ConfigurationError: `max_bytes` is less than the two bytes of `{}`.
        """
        if self.max_bytes < len("{}"):
            raise ConfigurationError(f"max_bytes={self.max_bytes} leaves no room for arguments")


STRICT: Final = ArgumentPolicy()
LENIENT: Final = ArgumentPolicy(strict=False)
"""Also reads `"2"` and `1.0` as an integer, `"1.5"` as a number, `"yes"` as a boolean."""


class ToolArgumentValidator:
    """Checks arguments written by a model against the signature of one function."""

    __slots__ = ("_declared", "_validator", "model", "policy", "signature", "tool")

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
            exclude: Parameters the model does not fill, beside the context.
            policy: How the arguments are read.

        Raises:
            ToolDefinitionError: The signature cannot be described, or a default does not fit it.
        """
        self.tool = tool_name(function, tool or None)
        self.policy = policy
        self.signature: Signature = signature_of(function, self.tool, frozenset(exclude))
        self.model = arguments_model(self.tool, self.signature.parameters)
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
            told = {path: self._with_fields(path, why) for path, why in problems.items()}
            raise self._refusal(told, arguments, call_id) from None
        return cast("BaseModel", found)

    def arguments(self, arguments: RawArguments, *, call_id: str = "") -> dict[str, Any]:
        """The arguments as typed keywords for every parameter, defaults included.

        Raises:
            ToolArgumentValidationError: As `validate`.
        """
        return dict(self.validate(arguments, call_id=call_id).__dict__)

    def _with_fields(self, path: str, reason: str) -> str:
        """The reason; an argument that is no object is told which fields are required of it."""
        field = self.model.model_fields.get(path)
        if reason != NO_OBJECT or field is None:
            return reason
        required = ", ".join(_required(field.annotation))
        return f"{reason} with: {required}" if required else reason

    def _refusal(
        self, problems: Mapping[str, str], payload: object, call_id: str
    ) -> ToolArgumentValidationError:
        return ToolArgumentValidationError(self.tool, problems, payload=payload, call_id=call_id)


def _required(annotation: object) -> list[str]:
    """The required fields of a model, or of the one model among the members of a union."""
    kinds = [one for one in (annotation, *get_args(annotation)) if isinstance(one, type)]
    models = [one for one in kinds if issubclass(one, BaseModel)]
    if len(models) != 1:
        return []
    fields = models[0].model_fields
    return [one.alias or name for name, one in fields.items() if one.is_required()]


def _as_seen(text: bytes) -> object:
    try:
        return from_json(text)
    except ValueError:
        return None

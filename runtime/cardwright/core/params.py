"""Configuration of one capability, read when its callables are built."""

from collections.abc import Callable, Iterable
from typing import ClassVar, Self, cast

from pydantic import (
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    field_serializer,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from cardwright.actors import SerializableBaseModel

from .channels import Channels
from .docstrings import insert_instructions
from .stored import StoredForm
from .unknown_fields import with_suggestions


class BaseToolParam(StoredForm, SerializableBaseModel):
    """Base of every capability's configuration: what it tells the model, and on which channels."""

    model_config = ConfigDict(validate_default=False)

    serves: ClassVar[frozenset[Channels]] = frozenset(Channels)
    """Channels this capability can serve."""

    instructions: str | None = None
    """Added to the description the model reads."""
    expose: set[Channels] = Field(default_factory=lambda: {Channels.TOOL_CALL})
    """Channels on which it is served; the empty set is legal."""

    @model_validator(mode="wrap")
    @classmethod
    def _told_unknown_fields(cls, data: object, handler: ModelWrapValidatorHandler[Self]) -> Self:
        try:
            return handler(data)
        except ValidationError as error:
            raise with_suggestions(error, cls) from None

    @field_validator("expose")
    @classmethod
    def _only_served(cls, expose: set[Channels]) -> set[Channels]:
        unserved = expose - cls.serves
        if unserved:
            raise PydanticCustomError(
                "unserved_channel",
                "{param} is not served on {unserved}; it is served on {served}",
                {
                    "param": cls.__name__,
                    "unserved": listed(unserved),
                    "served": listed(cls.serves) or "no channel",
                },
            )
        return expose

    @field_serializer("expose")
    def _sorted(self, expose: set[Channels]) -> list[str]:
        return sorted(expose)

    def format_docstring(self, original: str | None) -> str | None:
        """`original` with the instructions before its first section; as it is without any."""
        return insert_instructions(original, self.instructions) if self.instructions else original

    def describe[F: Callable[..., object]](self, function: F) -> F:
        """Put the instructions into the docstring of `function`; returns it."""
        function.__doc__ = self.format_docstring(function.__doc__)
        return function


def listed(channels: set[Channels] | frozenset[Channels]) -> str:
    """Channel names, sorted and joined, for a message."""
    return ", ".join(sorted(channels))


def resolve[P: BaseToolParam](value: P | bool | None, param: type[P]) -> P | None:
    """The configuration a capability field stands for: `True` the default one, `False` none."""
    if value is True:
        return param()
    return value or None


def served[P: BaseToolParam](value: P | bool, param: type[P], channel: Channels) -> P | None:
    """The configuration, if the capability is on and exposed on `channel`."""
    config = resolve(value, param)
    return config if config is not None and channel in config.expose else None


def normalize_system_prompt_to_llm_context(expose: object) -> object:
    """`expose` with `SYSTEM_PROMPT` replaced by `LLM_CONTEXT`, for params whose text moved."""
    if not isinstance(expose, Iterable) or isinstance(expose, str):
        return expose
    channels = {Channels(str(item)) for item in cast("Iterable[object]", expose)}
    if Channels.SYSTEM_PROMPT not in channels:
        return channels
    return (channels - {Channels.SYSTEM_PROMPT}) | {Channels.LLM_CONTEXT}

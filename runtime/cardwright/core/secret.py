"""A value that is masked everywhere and never stored."""

import os
from collections.abc import Iterator
from typing import Final, Self, cast

from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from .errors import SecretMissingError

_MASK: Final = "**********"
_NOT_STORED: Final = {"secret": "not stored"}


class Secret:
    """A secret given literally or by the name of an environment variable.

    Only the reference to the environment is stored. A literal comes back from storage as a
    missing secret, and binding the restored card names the field.
    """

    __slots__ = ("_env", "_literal")

    def __init__(self, literal: str) -> None:
        self._literal: str | None = literal
        self._env: str | None = None

    @classmethod
    def from_env(cls, name: str) -> Self:
        """A secret read from the environment variable `name` each time it is revealed."""
        secret = cls("")
        secret._literal, secret._env = None, name
        return secret

    @classmethod
    def not_stored(cls) -> Self:
        """What a literal becomes in storage."""
        secret = cls("")
        secret._literal = None
        return secret

    @property
    def is_missing(self) -> bool:
        """Whether the value was a literal that storage did not keep."""
        return self._literal is None and self._env is None

    def reveal(self) -> str:
        """The value in clear.

        Raises:
            SecretMissingError: It was not stored, or its environment variable is not set.
        """
        if self._literal is not None:
            return self._literal
        if self._env is None:
            raise SecretMissingError(
                "a literal secret is not stored: give it again, or name an environment variable"
            )
        value = os.environ.get(self._env)
        if value is None:
            raise SecretMissingError(f"environment variable {self._env} is not set")
        return value

    def serialize(self) -> dict[str, str]:
        """What storage keeps: the environment reference, or a note that nothing is kept."""
        return {"env": self._env} if self._env is not None else dict(_NOT_STORED)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and (self._literal, self._env) == (
            other._literal,
            other._env,
        )

    def __hash__(self) -> int:
        return hash((self._literal, self._env))

    def __repr__(self) -> str:
        return f"Secret.from_env({self._env!r})" if self._env is not None else f"Secret({_MASK!r})"

    __str__ = __repr__

    def __copy__(self) -> "Secret":
        return self

    def __deepcopy__(self, memo: object) -> "Secret":
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return (_restore, (self.serialize(),))

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Accept a secret, a literal string or the stored form; dump the stored form."""
        return core_schema.no_info_plain_validator_function(
            _restore,
            serialization=core_schema.plain_serializer_function_ser_schema(
                Secret.serialize, when_used="unless-none"
            ),
        )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """A string that is written and never read."""
        return {"type": "string", "format": "password", "writeOnly": True}


def _restore(value: object) -> Secret:
    match value:
        case Secret():
            return value
        case str():
            return Secret(value)
        case {"env": str(name)} if name and value == {"env": name}:
            return Secret.from_env(name)
        case dict() if value == _NOT_STORED:
            return Secret.not_stored()
        case _:
            raise PydanticCustomError("secret", "give a string or {{env: NAME}}")


def missing_secrets(model: BaseModel, prefix: str = "") -> Iterator[str]:
    """Dotted paths of secrets that storage did not keep.

    A sibling field `<name>_env` that names an environment variable stands in for the secret.
    """
    for name in type(model).model_fields:
        value: object = getattr(model, name)
        if (
            isinstance(value, Secret)
            and value.is_missing
            and not getattr(model, f"{name}_env", None)
        ):
            yield f"{prefix}{name}"
        elif isinstance(value, BaseModel):
            yield from missing_secrets(value, f"{prefix}{name}.")
        elif isinstance(value, list | tuple):
            for index, item in enumerate(cast("list[object]", value)):
                if isinstance(item, BaseModel):
                    yield from missing_secrets(item, f"{prefix}{name}.{index}.")

"""How stored data is told apart from data given in code."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict, cast

if TYPE_CHECKING:
    from cardwright.actors.addresses import ActorAddress

__all__ = [
    "ActorAddressDict",
    "DeserializeContext",
    "StoredContext",
    "is_loading",
    "stored_context",
]

# The keys with a meaning in stored data; a user's dictionary with one is wrapped in `ESCAPE_KEY`.
MODEL_KEY = "__model__"
TYPE_KEY = "__type__"
BYTES_KEY = "__bytes__"
ADDRESS_KEY = "__actor_address__"
ESCAPE_KEY = "__escaped__"
RESERVED_KEYS = frozenset({MODEL_KEY, TYPE_KEY, BYTES_KEY, ADDRESS_KEY, ESCAPE_KEY})

# Written with a key that is no identifier, so the functional form.
ActorAddressDict = TypedDict(
    "ActorAddressDict",
    {
        "__actor_address__": bool,
        "__actor_type__": str,
        "agent_id": str,
        "name": str,
        "role": str,
        "team_id": str,
        "squad_id": str,
        "is_user_proxy": bool,
    },
)


class DeserializeContext(ABC):
    """Turns stored addresses into addresses of the running system."""

    @abstractmethod
    def resolve_address(self, data: ActorAddressDict) -> "ActorAddress":
        """Return the address that stands for the stored one."""


@dataclass(frozen=True, slots=True)
class StoredContext:
    """Marks validation as the loading of stored data, which is lenient about unknown keys."""

    addresses: DeserializeContext | None = None


def stored_context(addresses: DeserializeContext | None = None) -> StoredContext:
    """Return the context of stored data: `Model.model_validate(data, context=stored_context())`.

    Args:
        addresses: how stored addresses become live ones; without it they stay inert proxies.
    """
    return StoredContext(addresses)


def as_mapping(value: object) -> dict[str, object] | None:
    """Return `value` if it is a dictionary, for which stored data has text keys; else None."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else None


def is_loading(context: object) -> bool:
    """Tell whether this pydantic validation context (`info.context`) means: loading stored data."""
    return isinstance(context, StoredContext | DeserializeContext)


def address_resolver(context: object) -> DeserializeContext | None:
    """Return what resolves addresses under this validation context, if anything."""
    if isinstance(context, DeserializeContext):
        return context
    return context.addresses if isinstance(context, StoredContext) else None

"""Addresses: how actors know each other, alive, remote or stopped."""

from abc import ABC, abstractmethod
from typing import Self, cast, override
from uuid import UUID

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from cardwright.actors.identity import ActorIdentity
from cardwright.actors.refs import ASK_TIMEOUT, AkgentRef
from cardwright.actors.stored import ADDRESS_KEY, ActorAddressDict, address_resolver

__all__ = [
    "ActorAddress",
    "ActorAddressImpl",
    "ActorAddressProxy",
    "ActorAddressStopped",
    "is_address_dict",
]


class ActorAddress(ABC):
    """Names an actor. Addresses of one agent are equal, whatever their class."""

    __slots__ = ("__weakref__", "_identity")

    def __init__(self, identity: ActorIdentity) -> None:
        """Keep the identity, which outlives the actor."""
        self._identity = identity

    @property
    def identity(self) -> ActorIdentity:
        """Everything the address knows, as one value."""
        return self._identity

    @property
    def agent_id(self) -> UUID:
        """The identifier that makes addresses equal."""
        return self._identity.agent_id

    @property
    def name(self) -> str:
        """The actor's name, such as `@Alice` or `#PlanningTool`."""
        return self._identity.name

    @property
    def role(self) -> str:
        """The actor's role, such as `Developer`."""
        return self._identity.role

    @property
    def team_id(self) -> UUID:
        """The team that the actor belongs to."""
        return self._identity.team_id

    @property
    def squad_id(self) -> UUID | None:
        """The squad within the team, if any."""
        return self._identity.squad_id

    @property
    def is_user_proxy(self) -> bool:
        """Whether the actor stands for a person (decided by its class, never by its role)."""
        return self._identity.is_user_proxy

    @abstractmethod
    def is_alive(self) -> bool:
        """Tell whether the actor can be reached; never raises."""

    @abstractmethod
    def send(self, recipient: "ActorAddress", message: object) -> None:
        """Make this actor send `message` to `recipient`, and wait until it is sent."""

    def tell(self, message: object) -> None:
        """Deliver `message` to this actor without waiting.

        Raises:
            ActorDeadError: the actor has stopped.
            RuntimeError: this address is not a live one.
        """
        raise self._not_live("tell", message)

    def ask(
        self,
        message: object,
        timeout: float | None = ASK_TIMEOUT,  # noqa: ARG002 - for the addresses that can be asked
    ) -> object:
        """Deliver `message` to this actor and return what its handler returns.

        Args:
            message: the message to deliver.
            timeout: seconds to wait; None waits without end.

        Raises:
            ActorDeadError: the actor has stopped.
            Timeout: no answer in time (the work itself is not abandoned).
            RuntimeError: this address is not a live one, or an actor asks itself.
        """
        raise self._not_live("ask", message)

    def serialize(self) -> ActorAddressDict:
        """Return the wire form of the address."""
        return self._identity.to_dict()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ActorAddress):
            return NotImplemented
        return self._identity.agent_id == other._identity.agent_id

    def __hash__(self) -> int:
        return hash(self._identity.agent_id)

    def __repr__(self) -> str:
        who = self._identity
        return f"{type(self).__name__}(name={who.name!r}, role={who.role!r}, id={who.agent_id})"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        """Addresses do not change, so a copy of a message shares them."""
        return self

    def _not_live(self, action: str, message: object) -> RuntimeError:
        return RuntimeError(
            f"Cannot {action} {type(message).__name__} through a stored address of {self.name!r}: "
            "look the actor up in its running team first."
        )

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Accept addresses and their wire form; always dump the wire form."""
        return core_schema.with_info_plain_validator_function(
            cls._validate,
            serialization=core_schema.plain_serializer_function_ser_schema(ActorAddress.serialize),
        )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """The wire form is an object."""
        return {"type": "object", "title": "ActorAddress"}

    @classmethod
    def _validate(cls, value: object, info: core_schema.ValidationInfo) -> Self:
        found = load_address(value, info.context) if is_address_dict(value) else value
        if isinstance(found, cls):
            return found
        msg = f"Give an {cls.__name__}, or the stored form of one."
        raise ValueError(msg)


class ActorAddressImpl(ActorAddress):
    """The address of an actor of this process."""

    __slots__ = ("_inert", "_ref")

    def __init__(self, ref: AkgentRef) -> None:
        """Build from the actor's reference; all metadata outlives the actor."""
        super().__init__(ref.identity)
        self._ref = ref
        self._inert: ActorAddressProxy | None = None

    @property
    def inert(self) -> "ActorAddressProxy":
        """The address as it is stored."""
        if (made := self._inert) is None:
            made = self._inert = ActorAddressProxy(self._identity)
        return made

    @property
    def ref(self) -> AkgentRef:
        """The reference to deliver through."""
        return self._ref

    @override
    def is_alive(self) -> bool:
        return self._ref.is_alive() and self._ref.actor is not None

    @override
    def send(self, recipient: ActorAddress, message: object) -> None:
        actor = self._ref.actor
        if actor is None or not self._ref.is_alive():
            raise self._ref.dead()
        if self._ref.on_own_thread:
            actor.send(recipient, message)
        else:
            self._ref.call("send", (recipient, message), {}, ASK_TIMEOUT)

    @override
    def tell(self, message: object) -> None:
        actor = self._ref.actor
        if actor is None or not self._ref.is_alive():
            raise self._ref.dead()
        actor.hand_in(message)

    @override
    def ask(self, message: object, timeout: float | None = ASK_TIMEOUT) -> object:
        return self._ref.request(message, timeout)


class ActorAddressProxy(ActorAddress):
    """The address of an actor that runs elsewhere, or whose whereabouts are not resolved yet."""

    __slots__ = ()

    def __init__(self, data: ActorAddressDict | ActorIdentity) -> None:
        """Build from the wire form or from an identity."""
        super().__init__(data if isinstance(data, ActorIdentity) else ActorIdentity.from_dict(data))

    @override
    def is_alive(self) -> bool:
        return True

    @override
    def send(self, recipient: ActorAddress, message: object) -> None:
        raise self._not_live("send", message)


class ActorAddressStopped(ActorAddressProxy):
    """The address of an actor that is known to have stopped."""

    __slots__ = ()

    @override
    def is_alive(self) -> bool:
        return False


def is_address_dict(value: object) -> bool:
    """Tell whether `value` is the wire form of an address."""
    return isinstance(value, dict) and cast("dict[object, object]", value).get(ADDRESS_KEY) is True


def load_address(value: object, context: object) -> ActorAddress:
    """Turn the wire form into an address: through the context's resolver, else into a proxy."""
    data = cast("ActorAddressDict", value)
    resolver = address_resolver(context)
    return ActorAddressProxy(data) if resolver is None else resolver.resolve_address(data)

"""A state with some fields replaced, and stored addresses brought to life."""

from typing import TYPE_CHECKING, override

from cardwright.actors.addresses import ActorAddress, ActorAddressImpl, ActorAddressStopped
from cardwright.actors.errors import UnresolvableClassError
from cardwright.actors.identity import ActorIdentity
from cardwright.actors.loading import deserialize_object
from cardwright.actors.placeholders import UnknownObject
from cardwright.actors.refs import AkgentRef
from cardwright.actors.state import BaseState
from cardwright.actors.stored import ActorAddressDict, DeserializeContext

if TYPE_CHECKING:
    from cardwright.actors.akgent import AnyAkgent

__all__ = ["AkgentDeserializeContext", "merged_state"]


class AkgentDeserializeContext(DeserializeContext):
    """Turns stored addresses into live ones of the actor's own system, by agent id."""

    def __init__(self, akgent: "AnyAkgent | AkgentRef") -> None:
        """Look in the system of `akgent`."""
        ref = akgent if isinstance(akgent, AkgentRef) else akgent.akgent_ref
        self._directory = ref.directory

    @override
    def resolve_address(self, data: ActorAddressDict) -> ActorAddress:
        """Return the living actor's address, or one that says it has stopped."""
        identity = ActorIdentity.from_dict(data)
        ref = self._directory.get(identity.agent_id) if self._directory else None
        return ActorAddressStopped(identity) if ref is None else ActorAddressImpl(ref)


def merged_state(state: BaseState, updates: dict[str, object], ref: "AkgentRef") -> BaseState:
    """Return a new state: `updates` (stored form) over what `state` is like now.

    Raises:
        ValueError: the result is no valid state of a declared class.
    """
    merged = deserialize_object({**state.model_dump(), **updates}, AkgentDeserializeContext(ref))
    if isinstance(merged, UnknownObject):
        raise UnresolvableClassError(merged.marker)
    if not isinstance(merged, BaseState):
        msg = f"A {type(merged).__name__} is no state."
        raise ValueError(msg)  # noqa: TRY004 - a wrong value like any other in the updates
    return merged

"""Actors: what a team is made of. Systems, addresses, messages, observable state, orchestration.

Pure mechanics on top of pykka; nothing here knows cards, models or stores.
"""

from pykka import ActorRef, ActorRegistry

from cardwright.actors.addresses import (
    ActorAddress,
    ActorAddressImpl,
    ActorAddressProxy,
    ActorAddressStopped,
)
from cardwright.actors.agent_card import AgentCard
from cardwright.actors.akgent import Akgent
from cardwright.actors.class_paths import allow_packages
from cardwright.actors.config import AgentConfig, BaseConfig
from cardwright.actors.errors import (
    ActorConflictError,
    ActorDeadError,
    ExpectedError,
    SelfAskError,
    TeamStoppingError,
    Timeout,
    UnresolvableClassError,
    WarningError,
)
from cardwright.actors.orchestrator import Orchestrator
from cardwright.actors.placeholders import UnknownObject
from cardwright.actors.registry import register_catalogue
from cardwright.actors.serialization import (
    SerializableBaseModel,
    deserialize_object,
    is_loading,
    register_type,
    resolve_type,
    serialize,
    stored_context,
)
from cardwright.actors.state import AkgentStateObserver, BaseState
from cardwright.actors.subscribers import EventSubscriber
from cardwright.actors.system import ActorSystem, ExecutionContext, Statistics
from cardwright.actors.timer import Timer
from cardwright.actors.updates import AkgentDeserializeContext
from cardwright.actors.user_proxy import UserProxy

__all__ = [
    "ActorAddress",
    "ActorAddressImpl",
    "ActorAddressProxy",
    "ActorAddressStopped",
    "ActorConflictError",
    "ActorDeadError",
    "ActorRef",
    "ActorRegistry",
    "ActorSystem",
    "AgentCard",
    "AgentConfig",
    "Akgent",
    "AkgentDeserializeContext",
    "AkgentStateObserver",
    "BaseConfig",
    "BaseState",
    "EventSubscriber",
    "ExecutionContext",
    "ExpectedError",
    "Orchestrator",
    "SelfAskError",
    "SerializableBaseModel",
    "Statistics",
    "TeamStoppingError",
    "Timeout",
    "Timer",
    "UnknownObject",
    "UnresolvableClassError",
    "UserProxy",
    "WarningError",
    "allow_packages",
    "deserialize_object",
    "is_loading",
    "register_catalogue",
    "register_type",
    "resolve_type",
    "serialize",
    "stored_context",
]

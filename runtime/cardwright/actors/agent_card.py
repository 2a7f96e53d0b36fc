"""What a team knows about a role before anyone fills it."""

from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast, get_args, get_origin, override

from pydantic import Field, ValidationInfo, field_validator, model_validator
from pydantic_core import PydanticCustomError

from cardwright.actors.akgent import Akgent
from cardwright.actors.class_paths import class_from_path
from cardwright.actors.config import BaseConfig
from cardwright.actors.registry import is_resolvable
from cardwright.actors.serialization import SerializableBaseModel
from cardwright.actors.stored import MODEL_KEY, TYPE_KEY, as_mapping, is_loading

if TYPE_CHECKING:
    from cardwright.actors.akgent import AnyAkgent

__all__ = ["AgentCard", "config_type_of"]


class AgentCard(SerializableBaseModel):
    """Profile of a role: the class that fills it, its configuration, skills and who may hire it."""

    agent_class: str | type = Field(description="The agent's class, or its registered name.")
    description: str = Field(description="What the role is good for.")
    config: BaseConfig = Field(description="Configuration of the agents; its role names the card.")
    skills: list[str] = Field(default=[], description="What the role can do.")
    can_be_hired: bool = Field(default=False, description="Whether any member may hire the role.")
    routes_to: list[str] = Field(default=[], description="Roles that this role may hire anyway.")
    metadata: dict[str, Any] = Field(default={}, description="Anything else worth keeping.")

    @property
    def role(self) -> str:
        """The role that the card describes."""
        return self.config.role

    def may_hire(self, other: "AgentCard") -> bool:
        """Tell whether an agent of this role may hire one of the other."""
        return other.can_be_hired or other.role in self.routes_to

    def has_skill(self, skill: str) -> bool:
        """Tell whether the role has that skill."""
        return skill in self.skills

    def get_config_copy(self) -> BaseConfig:
        """Return a deep copy of the configuration, for one agent to keep."""
        return self.config.model_copy(deep=True)

    def get_agent_class(self) -> "type[AnyAkgent]":
        """Return the agent's class.

        Raises:
            ValueError: the name is empty, undotted or not registered.
        """
        return class_from_path(self.agent_class, Akgent, "agent_class")

    @classmethod
    @override
    def upgrade_stored(cls, data: dict[str, object]) -> dict[str, object]:
        """Keep the name of a class that is gone, so that the card still loads."""
        stored = as_mapping(data.get("agent_class")) or {}
        marker = stored.get(TYPE_KEY)
        if not isinstance(marker, str) or is_resolvable(marker):
            return data
        return {**data, "agent_class": marker}

    @model_validator(mode="before")
    @classmethod
    def _refuse_role(cls, data: object, info: ValidationInfo) -> object:
        given = as_mapping(data)
        if given is None or is_loading(info.context) or "role" not in given:
            return data
        raise PydanticCustomError("misplaced_role", "Give the role as `config.role`.")

    @model_validator(mode="before")
    @classmethod
    def _coerce_config(cls, data: object, info: ValidationInfo) -> object:
        """Read a plain `config` as the configuration class that the agent class is bound to."""
        given = as_mapping(data)
        config = None if given is None else as_mapping(given.get("config"))
        if given is None or config is None or MODEL_KEY in config:
            return data
        path = cast("str | type[AnyAkgent]", given.get("agent_class", ""))
        agent_class: type = class_from_path(
            path, object, "agent_class", trusted=not is_loading(info.context)
        )
        kind = config_type_of(agent_class)
        return {**given, "config": kind.model_validate(config, context=info.context)}

    @field_validator("config")
    @classmethod
    def _require_role(cls, config: BaseConfig) -> BaseConfig:
        if not config.role:
            raise PydanticCustomError("missing_role", "Give `config.role`: it names the card.")
        return config


@lru_cache(maxsize=1024)
def config_type_of(agent_class: type) -> type[BaseConfig]:
    """Return the configuration class bound in `Akgent[Config, State]`, else `BaseConfig`."""
    for owner in agent_class.__mro__:
        for base in vars(owner).get("__orig_bases__", ()):
            bound = get_args(base)
            origin = get_origin(base)
            if not (isinstance(origin, type) and issubclass(origin, Akgent) and bound):
                continue
            if isinstance(bound[0], type) and issubclass(bound[0], BaseConfig):
                return bound[0]
    return BaseConfig

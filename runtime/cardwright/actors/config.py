"""What an actor is configured with."""

from functools import partial
from uuid import UUID

from pydantic import Field

from cardwright.actors.serialization import SerializableBaseModel

__all__ = ["AgentConfig", "BaseConfig", "ReadOnlyField"]

# A field that editors show but do not let people change (`readOnly` in the JSON schema).
ReadOnlyField = partial(Field, json_schema_extra={"readOnly": True})


class BaseConfig(SerializableBaseModel):
    """Names an actor and its role; subclasses add what the actor needs to know.

    An actor works on a copy of its own, so one value may configure many actors.
    """

    name: str = Field(default="", description="Name of the actor; empty takes a generated one.")
    role: str = Field(default="", description="Role of the actor; empty takes its class name.")
    squad_id: UUID | None = Field(default=None, description="Squad; inherited from the parent.")


AgentConfig = BaseConfig

"""The record of a team: what it is, beside what happened in it."""

from typing import Any, Literal, Self
from uuid import UUID

from pydantic import BaseModel, Field

from cardwright.actors import (
    SerializableBaseModel,
    UnresolvableClassError,
    deserialize_object,
    resolve_type,
    serialize,
    stored_context,
)
from cardwright.actors.registry import marker_of
from cardwright.store.teams.json_text import as_text
from cardwright.store.teams.payloads import as_data

type TeamStatus = Literal["running", "stopped"]


class CardRef(SerializableBaseModel):
    """A profile of the team: its card is stored once for all teams that have it."""

    role: str
    card_hash: str
    can_be_hired: bool = False


class StoredMetadata(SerializableBaseModel):
    """Metadata with the name of its type, which may be any declared pydantic model."""

    type_name: str
    values: Any

    @classmethod
    def of(cls, metadata: BaseModel) -> Self:
        """Take what is stored of `metadata`."""
        return cls(type_name=marker_of(type(metadata)), values=serialize(metadata))

    def load(self) -> BaseModel | None:
        """Return the metadata; None if its type is not declared here. The record keeps it."""
        try:
            found = resolve_type(self.type_name)
        except UnresolvableClassError:
            return None
        if issubclass(found, SerializableBaseModel):
            made = deserialize_object(self.values)
            return made if isinstance(made, BaseModel) else None
        if issubclass(found, BaseModel):
            return found.model_validate(self.values, context=stored_context())
        return None


class TeamProcess(SerializableBaseModel):
    """One team, as it is listed and resumed."""

    team_id: UUID
    name: str = ""
    status: TeamStatus = "running"
    user_id: str | None = None
    user_email: str | None = None
    metadata: StoredMetadata | None = None
    agent_cards: list[CardRef] = Field(default=[])

    def dump(self) -> str:
        """Return its text in the store."""
        return as_text(serialize(self))

    @classmethod
    def load(cls, text: str) -> Self:
        """Read it.

        Raises:
            ValueError: the text is no record of a team.
        """
        return cls.model_validate(as_data(text), context=stored_context())

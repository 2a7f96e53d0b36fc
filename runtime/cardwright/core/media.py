"""Values that a host converts into its own form: media and toolsets."""

from typing import Protocol, runtime_checkable

from cardwright.actors import SerializableBaseModel


class MediaContent(SerializableBaseModel):
    """Bytes with a media type (`image/png`), which a host shows to the model."""

    data: bytes
    media_type: str


@runtime_checkable
class Toolset(Protocol):
    """A ready toolset of the host's framework (pydantic-ai: `AbstractToolset`); opaque to cards."""

    @property
    def id(self) -> str | None:
        """Name that tells this toolset from others of the agent."""
        ...

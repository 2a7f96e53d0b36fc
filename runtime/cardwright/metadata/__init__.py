"""The metadata card: the team's business metadata, rendered through one template into every system prompt.

Others touch the card and its param; metadata may be any pydantic model.
"""

from cardwright_cards.metadata import MetadataTool, RenderMetadata

__all__ = ["MetadataTool", "RenderMetadata"]

"""The metadata card: a team's business metadata as text in every system prompt.

Others touch the card and its param; metadata may be any pydantic model.
"""

from cardwright_cards.metadata import MetadataTool, RenderMetadata

__all__ = ["MetadataTool", "RenderMetadata"]

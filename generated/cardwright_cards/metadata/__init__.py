# Generated from specs/metadata.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""The team's business metadata as text in every system prompt."""

from .card import MetadataTool, RenderMetadata

__all__ = ["MetadataTool", "RenderMetadata"]

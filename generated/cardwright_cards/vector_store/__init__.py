# Generated from specs/vector_store.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""Brings semantic search into a team."""

from .card import VectorStoreTool

__all__ = ["VectorStoreTool"]

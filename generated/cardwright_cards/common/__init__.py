# Generated from specs/common.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""Types that several cards share."""

from .types import CollectionConfig

__all__ = ["CollectionConfig"]

"""The tree on disk: every access walks down from the root by descriptors and never leaves it.

Reads are for everybody; whatever changes files is called by the tree's actor alone.
"""

from .facts import Blob, Entry, Facts, Identity, Kind, content_sha
from .tree import Tree

__all__ = [
    "Blob",
    "Entry",
    "Facts",
    "Identity",
    "Kind",
    "Tree",
    "content_sha",
]

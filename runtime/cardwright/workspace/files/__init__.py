"""The tree on disk: every access walks down from the root by descriptors and never leaves it.

Reads are for everybody; whatever changes files is called by the tree's actor alone.
"""

from .claiming import RunClaim
from .errors import PathEscapeError, refusing
from .facts import Blob, Entry, Facts, Identity, Kind, content_sha
from .locking import TreeLock
from .publishing import Change, Publisher
from .recovery import is_staging_name, recover, sweep
from .steps import Overtaken, make_directory
from .tree import Tree

__all__ = [
    "Blob",
    "Change",
    "Entry",
    "Facts",
    "Identity",
    "Kind",
    "Overtaken",
    "PathEscapeError",
    "Publisher",
    "RunClaim",
    "Tree",
    "TreeLock",
    "content_sha",
    "is_staging_name",
    "make_directory",
    "recover",
    "refusing",
    "sweep",
]

"""Finding files and lines: glob, grep and list, contained, bounded, open about what is left out.

Nothing is hidden by ignore files, no link is followed out of the tree or into a circle.
"""

from .globbing import glob_files
from .grepping import grep
from .listing import list_directory

__all__ = ["glob_files", "grep", "list_directory"]

"""What `new` and `init` write: texts from the templates beside this file.

Nothing here touches the disk; the commands decide what may be written.
"""

from .names import CardNames, ProjectNames
from .texts import card_files, project_files, run_prefix

__all__ = ["CardNames", "ProjectNames", "card_files", "project_files", "run_prefix"]

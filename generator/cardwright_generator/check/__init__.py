"""Whether a project is what it claims to be: specs, generated files, handwritten classes.

Nothing is imported of the project, and nothing is written.
"""

from .finding import Finding
from .project import Checked, by_hand, check_project

__all__ = ["Checked", "Finding", "by_hand", "check_project"]

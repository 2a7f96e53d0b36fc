"""Whether a project is what it claims to be: specs, generated files, handwritten classes.

Nothing is imported of the project, and nothing is written.
"""

from .project import Checked, check_project

__all__ = ["Checked", "check_project"]

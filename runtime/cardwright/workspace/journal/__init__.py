"""The journal: a git repository beside the tree, off unless asked for.

The tree's actor writes it; the command line reads it.
"""

from .identity import Identity, sanitise_command, sanitise_email_local, sanitise_name
from .journal import GitJournal, git_dir_for, gitignore_seed

__all__ = [
    "GitJournal",
    "Identity",
    "git_dir_for",
    "gitignore_seed",
    "sanitise_command",
    "sanitise_email_local",
    "sanitise_name",
]

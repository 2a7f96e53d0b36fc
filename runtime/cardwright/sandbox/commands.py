"""What may be run: one binary of a list, with arguments, and no shell of ours in between."""

import shlex
from collections.abc import Sequence
from typing import Final

from cardwright.actors import ExpectedError

__all__ = ["ALLOWED_COMMANDS", "CommandNotAllowedError", "parse_command", "shell_note"]

# fmt: off
ALLOWED_COMMANDS: Final = frozenset({
    "python", "python3", "pytest", "ruff", "mypy", "uv", "pip", "node", "npm", "npx", "sh",
    "bash", "cat", "echo", "ls", "cp", "mv", "rm", "mkdir", "find", "grep", "sed", "awk",
    "jq", "wc", "xargs", "touch", "make", "git", "kill", "curl", "wget",
})
# fmt: on
"""Spares a model from trying what is not there. Nothing relies on it for safety: `sh` is on it."""

_SHELL_SYNTAX: Final = frozenset({"|", "||", "&", "&&", ";", "<", ">", ">>", "2>", "2>&1", "&>"})


class CommandNotAllowedError(ExpectedError, ValueError):
    """The command is empty, cannot be read, or starts a binary that is not on the list."""


def parse_command(cmd: str) -> list[str]:
    """Split `cmd` as a POSIX shell would (quotes group, nothing is expanded) and check its binary.

    What is checked is what is run: nobody splits the text again.

    Raises:
        CommandNotAllowedError: says what is allowed instead.
    """
    if any(character == "\0" or "\ud800" <= character <= "\udfff" for character in cmd):
        raise CommandNotAllowedError("The command holds a NUL or half a character: leave it out.")
    try:
        argv = shlex.split(cmd)
    except ValueError as error:
        raise CommandNotAllowedError(
            f"The command cannot be read ({error}): close every quote."
        ) from error
    if not argv or argv[0] not in ALLOWED_COMMANDS:
        raise CommandNotAllowedError(_not_allowed(argv))
    return argv


def _not_allowed(argv: Sequence[str]) -> str:
    what = "The command is empty" if not argv else "That command is not allowed"
    return f"{what}. Start it with one of: {', '.join(sorted(ALLOWED_COMMANDS))}."


def shell_note(argv: Sequence[str]) -> str:
    """Return a hint if shell syntax was passed on as an argument, else an empty string."""
    found = next((word for word in argv[1:] if word in _SHELL_SYNTAX), None)
    if found is None:
        return ""
    return f"note: no shell ran, so {found} was an argument; for shell syntax use: sh -c '...'\n"

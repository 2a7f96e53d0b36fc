"""A command as pydantic-ai gives it, as the one line that a sandbox takes; and its answer."""

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from cardwright.sandbox.capture import HEAD_BYTES, TAIL_BYTES

from .execution import ExecOutcome

if TYPE_CHECKING:
    from pydantic_ai.workspaces import CommandResult

_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LEFT_OUT: Final = re.compile(r"\n\[\.\.\. \d+ bytes left out \.\.\.\]\n")
_LIMIT: Final = HEAD_BYTES + TAIL_BYTES


def command_line(
    command: str | Sequence[str], env: Mapping[str, str] | None = None, *, shell: bool
) -> str:
    """One line that runs `command` through `sh`, so that a missing program is an exit code.

    Raises:
        TypeError: A text without `shell`, or a sequence with it.
        ValueError: It is empty or holds a NUL, or `env` names what no shell can.
    """
    if isinstance(command, str) != shell:
        raise TypeError("give a sequence of arguments, or a text with shell=True")
    exports = "".join(_export(name, value) for name, value in (env or {}).items())
    if isinstance(command, str):
        words = ["sh", "-c", exports + command]
    else:
        words = ["sh", "-c", exports + 'exec "$@"', "sh", *command]
    if not command or any("\0" in word for word in words):
        raise ValueError("a command has at least one word, and no NUL in it")
    return shlex.join(words)


def _export(name: str, value: str) -> str:
    if not _VARIABLE.fullmatch(name):
        raise ValueError("names of variables are letters, digits and underscores")
    return f"export {name}={shlex.quote(value)}; "


def command_result(outcome: ExecOutcome, budget: float) -> "CommandResult":
    """The outcome in upstream's form, of a command that had `budget` seconds.

    Raises:
        WorkspaceTimeoutError: Its time was over; with what it had printed.
        WorkspaceOutputLimitError: It printed more than is kept.
    """
    from pydantic_ai.workspaces import (
        CommandResult,
        WorkspaceOutputLimitError,
        WorkspaceTimeoutError,
    )

    stdout, stderr = outcome.stdout, outcome.stderr
    if outcome.timed_out:
        raise WorkspaceTimeoutError(
            f"the command was ended by its time limit of {budget:g} s",
            stdout=stdout,
            stderr=stderr,
        )
    if any(len(each) > HEAD_BYTES // 4 and _LEFT_OUT.search(each) for each in (stdout, stderr)):
        raise WorkspaceOutputLimitError(
            f"the command printed more than {_LIMIT} bytes: let it write to a file",
            limit=_LIMIT,
            stdout=_LEFT_OUT.split(stdout)[0],
            stderr=_LEFT_OUT.split(stderr)[0],
        )
    return CommandResult(exit_code=outcome.exit_code, stdout=stdout, stderr=stderr)

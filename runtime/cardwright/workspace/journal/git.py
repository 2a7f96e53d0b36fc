"""Runs git on a repository beside its work tree, untouched by anybody's configuration."""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from .identity import OUT_OF_BAND, Identity

BRANCH = "master"
_SETTINGS = {
    "commit.gpgSign": "false",
    "core.autocrlf": "false",
    "core.bare": "false",
    "core.excludesFile": os.devnull,
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.quotePath": "false",
    "core.safecrlf": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "safe.directory": "*",
    "submodule.recurse": "false",
}


class GitFailed(Exception):  # noqa: N818 - reads as what happened
    """Git said no; the text is what it said."""


class GitUnusable(Exception):  # noqa: N818 - as above
    """Git cannot be started, or does not end."""


class Git:
    """One repository with one work tree."""

    def __init__(self, directory: Path, tree: Path, timeout_s: float) -> None:
        self.directory = directory
        self._tree = tree
        self.timeout_s = timeout_s

    def run(
        self, arguments: Sequence[str], *, given: bytes = b"", by: Identity = OUT_OF_BAND
    ) -> bytes:
        """The output of a git command.

        Args:
            arguments: After the options that name repository and settings.
            given: Standard input.
            by: Author and committer.

        Raises:
            GitFailed: Its exit code is not 0.
            GitUnusable: It cannot be started or takes too long.
        """
        settings = [part for key, value in _SETTINGS.items() for part in ("-c", f"{key}={value}")]
        command = [
            "git",
            f"--git-dir={self.directory}",
            f"--work-tree={self._tree}",
            "--literal-pathspecs",
            *settings,
            *arguments,
        ]
        try:
            with _started(command, self._tree, environment(by)) as process:
                output, errors = _awaited(process, given, self.timeout_s)
        except OSError as error:
            raise GitUnusable(f"git cannot be started: {error.strerror}") from error
        if process.returncode != 0:
            raise GitFailed(errors.decode(errors="replace").strip() or f"exit {process.returncode}")
        return output


def _started(
    command: Sequence[str], tree: Path, variables: Mapping[str, str]
) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        command,
        cwd=tree,
        env=variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def _awaited(
    process: "subprocess.Popen[bytes]", given: bytes, timeout_s: float
) -> tuple[bytes, bytes]:
    try:
        return process.communicate(given, timeout=timeout_s)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise GitUnusable(f"git did not end within {timeout_s:g} s") from None


def environment(by: Identity) -> dict[str, str]:
    """The host's environment without anything that steers git, with an identity."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    return kept | {
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_AUTHOR_EMAIL": by.email,
        "GIT_AUTHOR_NAME": by.name,
        "GIT_COMMITTER_EMAIL": by.email,
        "GIT_COMMITTER_NAME": by.name,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }

"""The command `cardwright`: looks at cards, runs the demo, mounts the generator's commands.

May import anything, but late: an unchanged `generate` is answered before anything is loaded.
"""

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line and leave the process: 0 fine, 1 findings, 2 wrong usage."""
    _open_streams()
    arguments = sys.argv[1:]
    sys.exit(0 if _nothing_to_generate(arguments) else _run(arguments))


def _open_streams() -> None:
    """Let what is written to a stream that was closed beforehand, as by `>&-`, go nowhere."""
    if sys.stdout is None or sys.stderr is None:  # pyright: ignore[reportUnnecessaryComparison] - it may be
        import os

        nowhere = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere


def _nothing_to_generate(arguments: list[str]) -> bool:
    """Answer a bare `generate` of an unchanged project from its manifest alone."""
    if arguments != ["generate"]:
        return False
    from cardwright_generator.unchanged import unchanged_files

    try:
        count = unchanged_files()
    except ImportError:  # a part of the generator is not installed; its command says which
        return False
    if count is None:
        return False
    _say(f"done: {count} files unchanged\n")
    return True


def _say(text: str) -> None:
    """Write a text; whoever closed the pipe ends the process as in all other commands."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _run(arguments: list[str]) -> int:
    from .app import run

    return run(arguments)

"""Where the generator's commands write: coloured on a terminal, plain text elsewhere."""

import json
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager

import typer
from rich.console import Console

COLOURS = {
    "created": "green",
    "deleted": "yellow",
    "differs": "red",
    "done:": "green",
    "edited": "red",
    "foreign": "red",
    "refused:": "bold red",
    "written": "green",
}
PIPED_WIDTH = 160
"""Columns of text that no terminal reads."""


def console(*, stderr: bool = False) -> Console:
    """A console on the stream as it is now."""
    stream = sys.stderr if stderr else sys.stdout
    plain = bool(os.environ.get("NO_COLOR")) or not stream.isatty()
    return Console(
        file=stream,
        color_system=None if plain else "auto",
        highlight=False,
        emoji=False,
        markup=False,
        width=None if stream.isatty() else PIPED_WIDTH,
    )


def say(word: str, text: str) -> None:
    """Write `text` behind a coloured word, such as `written specs/weather.yaml`."""
    to = console()
    to.print(word, style=COLOURS.get(word, "bold"), end=" ")
    to.print(text, soft_wrap=True)


@contextmanager
def working(text: str) -> Generator[None]:
    """Show on a terminal that something takes its time; nothing elsewhere."""
    to = console(stderr=True)
    if to.color_system is not None:
        with to.status(text):
            yield
    else:
        yield


def say_json(value: object) -> None:
    """Write `value` for a program."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))

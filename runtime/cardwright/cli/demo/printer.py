"""What the demo shows: a column of labels, and beside it what was said, called and answered."""

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from textwrap import wrap

from rich.console import Console
from rich.text import Text

MARGIN = 3
LABEL_WIDTH = 11
WIDTH = 100
STYLES = {
    "person": "bold",
    "context": "blue",
    "prompt": "blue",
    "call": "yellow",
    "result": "green",
    "refused": "red",
    "command": "bold",
    "answer": "green",
}


class Printer:
    """Prints the demo act by act."""

    def __init__(self, console: Console) -> None:
        console.width = min(console.width, WIDTH)
        self._console = console
        self._acts = 0

    def title(self, text: str, below: str) -> None:
        """Open the demo."""
        self._console.print(Text(text, style="bold"))
        self._console.print(Text(below, style="dim"))

    def act(self, text: str) -> None:
        """Begin a numbered act."""
        self._acts += 1
        self._console.print()
        self._console.print(Text(f"{self._acts}  {text}", style="bold cyan"))

    def line(self, label: str, text: str) -> None:
        """One labelled entry; long lines wrap beside their label."""
        indent = " " * (MARGIN + LABEL_WIDTH)
        width = self._console.width - len(indent)
        lines = [part for line in text.splitlines() for part in wrap(line, width) or [""]]
        style = STYLES.get(label, "bold magenta")
        head = Text.assemble(" " * MARGIN, (label.ljust(LABEL_WIDTH), style), *lines[:1])
        self._console.print(head, *(f"{indent}{line}".rstrip() for line in lines[1:]), sep="\n")

    def call(self, tool: str, arguments: Mapping[str, object]) -> None:
        """One tool call with its arguments as the model sent them."""
        self.line("call", f"{tool} {json.dumps(arguments, ensure_ascii=False)}")

    @contextmanager
    def waiting(self, text: str) -> Generator[None]:
        """Show on a terminal that something takes its time."""
        if self._console.color_system is not None:
            with self._console.status(Text(text, style="dim")):
                yield
        else:
            yield

    def close(self, text: str) -> None:
        """End the demo."""
        self._console.print()
        self._console.print(Text(text, style="dim"))

"""`cardwright schema`: the JSON Schema of specs, by which an editor completes keys."""

import json
from pathlib import Path
from typing import Annotated

import typer

from .console import say
from .refusal import refusing


def schema(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="Where to write it; stdout if left out.")
    ] = None,
) -> int:
    """Print the JSON schema of specs for your editor."""
    from cardwright_generator.spec.editor import editor_schema

    text = json.dumps(editor_schema(), indent=2, ensure_ascii=False) + "\n"
    if file is None:
        typer.echo(text, nl=False)
        return 0
    with refusing(OSError):
        file.write_text(text, encoding="utf-8", newline="\n")
    say("written", str(file))
    return 0

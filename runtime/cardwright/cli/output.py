"""What a program reads: JSON on stdout."""

import json

import typer


def say_json(value: object) -> None:
    """Write `value` as indented JSON, in the order it has."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))

"""Mounts the commands of the generator, or stand-ins that say what to install."""

from importlib.util import find_spec
from typing import Annotated

import typer

from .errors import CommandError

NEEDED = ("datamodel_code_generator", "jinja2", "ruff")
"""What the extra `cardwright[generator]` brings."""
COMMANDS = {
    "generate": "Turn specs into cards.",
    "check": "Report invalid specs and generated files that are not what the specs say.",
    "new": "Start a card: spec, logic and test.",
    "init": "Start a project of your own.",
    "explain": "Explain the code of a finding.",
    "schema": "Print the JSON schema of specs for your editor.",
}


def is_installed() -> bool:
    """Whether everything the generator needs is there."""
    return all(find_spec(name) for name in NEEDED)


def mount_generator(app: typer.Typer) -> None:
    """Add the generator's commands to `app`."""
    if not is_installed():
        for name, text in COMMANDS.items():
            _mount_stand_in(app, name, text)
        return
    from cardwright_generator.cli import app as generator

    app.registered_commands.extend(generator.registered_commands)


def _mount_stand_in(app: typer.Typer, name: str, text: str) -> None:
    @app.command(
        name,
        help=f"{text} Needs cardwright\\[generator].",
        context_settings={"ignore_unknown_options": True},
    )
    def refuse(_arguments: Annotated[list[str] | None, typer.Argument(hidden=True)] = None) -> None:
        message = f"`cardwright {name}` needs the generator: pip install 'cardwright[generator]'"
        raise CommandError(message)

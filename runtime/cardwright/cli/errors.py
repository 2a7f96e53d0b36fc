"""How a command says that it was used wrongly."""

import typer

FINDINGS = 1
USAGE = 2


class CommandError(typer.TyperException):
    """The command cannot do what was asked; its text says what to change."""

    exit_code = USAGE

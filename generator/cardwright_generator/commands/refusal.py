"""How a command refuses: one line that says what to change, exit code 2."""

from collections.abc import Generator
from contextlib import contextmanager

import typer

from cardwright_generator.project import Project, ProjectError, find_project

FINDINGS = 1
USAGE = 2


class Refusal(typer.TyperException):
    """The command cannot do what was asked."""

    exit_code = USAGE


@contextmanager
def refusing(*errors: type[Exception]) -> Generator[None]:
    """Turn the named errors into refusals."""
    try:
        yield
    except errors as error:
        raise Refusal(str(error)) from error


def project() -> Project:
    """The project of the current folder; refuses where there is none."""
    with refusing(ProjectError):
        return find_project()

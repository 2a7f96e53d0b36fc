"""`python -m cardwright_generator`: the generator's commands without the rest of `cardwright`."""

import sys

import typer

from cardwright_generator.cli import app


def main() -> int:
    """Run a command; 0 fine, 1 findings, 2 wrong usage."""
    try:
        result: object = app(standalone_mode=False)
    except typer.TyperException as error:
        typer.echo(f"error: {error}", err=True)
        return error.exit_code
    return result if isinstance(result, int) else 0


if __name__ == "__main__":
    sys.exit(main())

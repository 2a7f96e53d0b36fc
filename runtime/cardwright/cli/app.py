"""The commands of `cardwright`, put together from the runtime's and the generator's."""

from collections.abc import Sequence
from importlib.metadata import version
from typing import Annotated

import typer

from . import cards, docs, mcp, show, team, workspace
from .console import complain
from .demo import command as demo
from .errors import USAGE
from .generator import mount_generator

app = typer.Typer(
    name="cardwright",
    help="Turn specs into the tool cards of agents, and look at them.",
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"cardwright {version('cardwright')}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    *,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Show the version and leave."
        ),
    ] = False,
) -> None:
    """Turn specs into the tool cards of agents, and look at them."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


mount_generator(app)
app.command("list")(cards.list_cards)
app.command("show", short_help="Show a card as it is generated, and what the model is sent.")(
    show.show
)
app.command("docs", short_help="Build the reference site of this project's cards.")(docs.docs)
app.command("demo", short_help="Watch two agents work on one board.")(demo.demo)
app.add_typer(team.app, name="team")
app.add_typer(workspace.app, name="workspace")
app.add_typer(mcp.app, name="mcp")


def run(arguments: Sequence[str]) -> int:
    """Run one command and return the exit code of the process.

    A wrong use is one line on stderr, never a traceback.
    """
    try:
        result: object = app(list(arguments), prog_name="cardwright", standalone_mode=False)
    except typer.TyperException as error:
        complain(error.format_message())
        return USAGE
    except (typer.Abort, KeyboardInterrupt):
        return 130
    except OSError as error:
        complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        return USAGE
    return result if isinstance(result, int) else 0

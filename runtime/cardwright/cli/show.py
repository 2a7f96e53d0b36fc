"""`cardwright show CARD`: fields, capabilities, channels and what the model is sent."""

from dataclasses import asdict
from typing import Annotated

import typer

from .console import console
from .output import say_json


def show(
    card: Annotated[
        str, typer.Argument(metavar="CARD", help="Class name of the card, such as PlanningTool.")
    ],
    config: Annotated[
        str | None, typer.Option(help="The card's fields as JSON; every capability on if left out.")
    ] = None,
    *,
    dialect: Annotated[
        str | None,
        typer.Option(
            help="Print what is sent: json-schema, openai, openai-strict, anthropic or gemini."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Show a card: its fields, capabilities, channels and the schema the model is sent."""
    from .catalogue import find_card, newer_spec
    from .console import remark
    from .picture import print_portrait
    from .portrait import portray

    listed = find_card(card)
    if spec := newer_spec(listed):
        remark(f"{spec} changed since this card was generated: run `cardwright generate`")
    portrait = portray(listed.load(), config)
    if dialect is not None:
        from .dialect import show_dialect

        return show_dialect(listed, portrait.tools, dialect)
    if as_json:
        say_json({**asdict(portrait), "path": listed.path})
    else:
        print_portrait(console(), portrait)
    return 0

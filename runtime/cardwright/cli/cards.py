"""`cardwright list`: the cards at hand, one line each."""

from typing import TYPE_CHECKING, Annotated

import typer

from .console import console, print_table, table
from .output import say_json

if TYPE_CHECKING:
    from .catalogue import Listed

type Row = dict[str, str]


def list_cards(
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """List the cards of this project and of installed packages."""
    from .catalogue import listed_cards

    rows = [_row(card) for _, card in sorted(listed_cards().items())]
    if as_json:
        say_json(rows)
        return 0
    shown = table("card", "what it is for", "catalogue")
    current = [row for row in rows if "deprecated" not in row]
    for row in current:
        shown.add_row(row["card"], row["summary"], row["catalogue"])
    if current:
        print_table(console(), shown)
    for row in rows:
        if "deprecated" in row:
            typer.echo(f"{row['card']} is deprecated: use {row['deprecated']}")
    if not rows:
        typer.echo("no cards yet: `cardwright new MyTool` starts one")
    return 0


def _row(listed: "Listed") -> Row:
    """What is told of a card; of one that is deprecated only where it is and what to use."""
    from .portrait import summary_of

    card = listed.load()
    use = card.deprecated_use
    told = {"summary": summary_of(card)} if use is None else {"deprecated": use}
    return {
        "card": listed.name,
        **told,
        "path": listed.path,
        "catalogue": listed.catalogue.removesuffix(".catalogue"),
    }

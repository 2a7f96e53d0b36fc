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
    for row in rows:
        shown.add_row(row["card"], row["summary"], row["catalogue"])
    if rows:
        print_table(console(), shown)
    else:
        typer.echo("no cards yet: `cardwright new MyTool` starts one")
    return 0


def _row(listed: "Listed") -> Row:
    from .portrait import summary_of

    return {
        "card": listed.name,
        "summary": summary_of(listed.load()),
        "path": listed.path,
        "catalogue": listed.catalogue.removesuffix(".catalogue"),
    }

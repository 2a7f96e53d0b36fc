"""`cardwright mcp serve`: the tools of cards for any MCP client."""

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal
from uuid import UUID, uuid4

import typer

from .errors import CommandError

if TYPE_CHECKING:
    from cardwright.core import ToolCard
    from cardwright.mcp_server import House
    from cardwright.store.teams import Teams

app = typer.Typer(help="Serve the tools of cards to MCP clients.")


@app.callback()
def options() -> None:
    """Serve the tools of cards to MCP clients."""


@app.command()
def serve(  # noqa: PLR0913 - one argument per option
    cards: Annotated[
        list[str] | None,
        typer.Argument(metavar="CARD", help="Class names of the cards; or name them in --config."),
    ] = None,
    *,
    config: Annotated[
        Path | None,
        typer.Option(help="YAML or JSON file: `cards: [PlanningTool, {card: SearchTool, ...}]`."),
    ] = None,
    transport: Annotated[
        Literal["stdio", "streamable-http"],
        typer.Option(help="stdio serves the program that starts this one."),
    ] = "stdio",
    host: Annotated[str, typer.Option(help="Address that HTTP listens on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(help="Its port; 0 takes a free one.", min=0, max=65535)
    ] = 8000,
    token_env: Annotated[
        str | None,
        typer.Option(help="Environment variable with the token that HTTP clients must send."),
    ] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option(help="Name under which clients reach this machine.")
    ] = None,
    store: Annotated[
        str | None,
        typer.Option(help="URL of a store that keeps the team, such as sqlite:///mcp.db."),
    ] = None,
    team: Annotated[str, typer.Option(help="Name or id of the team in the store.")] = "mcp",
    agree: Annotated[
        list[str] | None, typer.Option(help="Tool to whose calls you agree, if it needs approval.")
    ] = None,
) -> int:
    """Serve the tools of cards to MCP clients, until they leave or Ctrl-C or SIGTERM ends it."""
    _require_extra()
    from cardwright.mcp_server import Door, DoorError, serve_http, serve_stdio

    chosen = [*_named(cards or []), *_configured(config)]
    if not chosen:
        raise CommandError("name a card to serve, such as PlanningTool, or give --config")
    make = partial(_house, chosen, store, team, agree or [])
    if transport == "stdio":
        _refuse_for_stdio(token_env, allow_host)
        if sys.stdin.isatty():
            typer.echo("waiting for an MCP client on standard input; Ctrl-D ends it", err=True)
        return _told(partial(serve_stdio, make))
    try:
        door = Door.checked(host, port, token_env=token_env, names=allow_host or [])
    except DoorError as error:
        raise CommandError(str(error)) from error
    return _told(partial(serve_http, make, door, _listening))


def _house(
    cards: "Sequence[ToolCard]", store: str | None, team: str, agreed: Sequence[str]
) -> "House":
    from cardwright.mcp_server import House

    if store is None:
        return House(cards, agreed=agreed)
    from .team import declare_known_types

    declare_known_types()
    if (team_id := _given_id(team)) is not None:
        return House(cards, store=store, team_id=team_id, agreed=agreed)
    return _named_house(cards, store, team, agreed)


def _given_id(team: str) -> UUID | None:
    with suppress(ValueError):
        return UUID(team)
    return None


def _named_house(
    cards: "Sequence[ToolCard]", store: str, name: str, agreed: Sequence[str]
) -> "House":
    """The team of that name in the store; the first start gives it an id of its own."""
    from cardwright.mcp_server import House
    from cardwright.store.teams import Teams
    from cardwright.store.teams.lease_keeper import TTL, owner_name, take_lease

    with Teams(store) as teams:
        # Of two first starts at once only one makes the team.
        naming = take_lease(teams.store, f"mcp:{name}", owner_name(), TTL)
        try:
            team_id = _id_of(teams, name)
            return House(cards, store=store, team_id=team_id, name=name, agreed=agreed)
        finally:
            teams.store.release_lease(naming)


def _id_of(teams: "Teams", name: str) -> UUID:
    named = (it.process.team_id for it in teams.list() if it.process.name == name)
    return next(named, None) or uuid4()


def _told(serve: Callable[[], None]) -> int:
    """Serve; what keeps the server from standing is one line."""
    from cardwright.core import CardDefinitionError
    from cardwright.store import StoreError
    from cardwright.tools import ToolDefinitionError

    try:
        serve()
    except (StoreError, ValueError, ImportError, CardDefinitionError, ToolDefinitionError) as error:
        raise CommandError(str(error)) from error
    return 0


def _listening(address: str) -> None:
    typer.echo(f"serving MCP at {address}; Ctrl-C ends it", err=True)


def _named(names: Sequence[str]) -> "list[ToolCard]":
    from .catalogue import find_card
    from .portrait import everything_on

    found: list[ToolCard] = []
    for name in names:
        card, needs = everything_on(find_card(name).load())
        if card is None:
            raise CommandError(f"{name} must be configured ({', '.join(needs)}): use --config")
        found.append(card)
    return found


def _configured(config: Path | None) -> "list[ToolCard]":
    if config is None:
        return []
    from cardwright.mcp_server.card_file import CardFileError, read_card_file

    from .catalogue import find_card

    try:
        return [entry.made(find_card(entry.name).load()) for entry in read_card_file(config)]
    except CardFileError as error:
        raise CommandError(f"{config}: {error}") from error


def _refuse_for_stdio(token_env: str | None, allow_host: list[str] | None) -> None:
    if token_env is not None or allow_host:
        raise CommandError("--token-env and --allow-host need --transport streamable-http")


def _require_extra() -> None:
    absent = [name for name in ("mcp", "uvicorn", "starlette", "yaml") if find_spec(name) is None]
    if absent:
        raise CommandError("`cardwright mcp` needs the extra `mcp`: pip install 'cardwright[mcp]'")
    import_module("mcp")

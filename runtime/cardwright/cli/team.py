"""`cardwright team`: look at stored teams, resume and delete them."""

import signal
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, cast

import typer

from .console import console, print_table, table
from .errors import CommandError
from .output import say_json

if TYPE_CHECKING:
    from cardwright.store import StoredEvent
    from cardwright.store.teams import TeamInfo, Teams

app = typer.Typer(help="Look at the teams of a store, resume and delete them.")

type Row = dict[str, object]

Store = Annotated[
    str,
    typer.Option(
        "--store",
        envvar="CARDWRIGHT_STORE",
        help="URL of the store, such as sqlite:///team.db or postgresql://user@host/database.",
    ),
]
TeamId = Annotated[str, typer.Argument(help="Id of the team, or an unambiguous beginning of it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command("list")
def list_teams(*, store: Store, as_json: AsJson = False) -> int:
    """List the teams of the store, oldest first."""
    with _teams(store) as teams:
        rows = [_row(teams, info) for info in teams.list()]
    if as_json:
        say_json(rows)
        return 0
    columns = ("team", "name", "state", "events", "changed")
    shown = table(*columns)
    for row in rows:
        shown.add_row(*(_cell(row[key]) for key in columns))
    if rows:
        print_table(console(), shown)
    else:
        typer.echo("no teams yet: `LocalTeam(store=...)` or `Teams(...).create()` starts one")
    return 0


@app.command()
def show(team: TeamId, *, store: Store, as_json: AsJson = False) -> int:
    """Show a team: where it runs, its members, what waits in their mailboxes."""
    declare_known_types()
    with _teams(store) as teams:
        info = _found(teams, team)
        row = _row(teams, info) | _inside(teams, info)
    if as_json:
        say_json(row)
        return 0
    members, waiting = cast("list[dict[str, str]]", row.pop("members")), row.pop("waiting")
    for key, value in row.items():
        typer.echo(f"{key:<12}{_cell(value)}")
    typer.echo(f"{'waiting':<12}{waiting} messages")
    shown = table("member", "role", "class", "state")
    for member in members:
        shown.add_row(*member.values())
    print_table(console(), shown)
    return 0


@app.command()
def events(
    team: TeamId,
    *,
    store: Store,
    after: Annotated[int, typer.Option(help="Begin behind the event of this number.")] = 0,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on with new events.")] = False,
    every: Annotated[
        bool, typer.Option("--all", help="Also beginnings and ends of turns.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> int:
    """Tell what happened in a team, oldest first."""
    with _teams(store) as teams:
        stream = str(_found(teams, team).process.team_id)
        for event in _stream(teams, stream, after, follow=follow):
            if (text := _told(event, every=every, as_json=as_json)) is not None:
                typer.echo(text)
    return 0


@app.command()
def resume(
    team: TeamId,
    *,
    store: Store,
    modules: Annotated[
        list[str] | None, typer.Option("--import", help="Module that defines types of the team.")
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Stop the team when it stands.")] = False,
) -> int:
    """Bring a stopped or interrupted team back to life, until Ctrl-C or SIGTERM stops it."""
    declare_known_types()
    for module in modules or []:
        _import(module)
    with _teams(store) as teams:
        stream = str(_found(teams, team).process.team_id)
        running = teams.resume(stream)
        names = sorted(address.name for address in running.root.get_team())
        typer.echo(f"team {stream} runs: {', '.join(names) or 'no members'}")
        if not once:
            typer.echo("Ctrl-C stops it.")
            _wait_for_signal()
        running.stop()
        typer.echo(f"team {stream} is stopped and stored")
    return 0


@app.command()
def delete(
    team: TeamId,
    *,
    store: Store,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> int:
    """Delete a team for good: its log, states, record, and its vectors here and on servers."""
    with _teams(store) as teams:
        info = _found(teams, team)
        if not yes:
            typer.confirm(f"Delete team {info.process.team_id} for good?", abort=True)
        teams.delete(info.process.team_id)
        typer.echo(f"team {info.process.team_id} is deleted")
    return 0


@app.command()
def orphans(
    *,
    store: Store,
    delete: Annotated[bool, typer.Option("--delete", help="Delete what is listed.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> int:
    """List vectors of teams that are not in the store, and delete them with `--delete`.

    Teams of another store, and teams without one, that keep their vectors in the same folder or on
    the same server are listed too: look before you delete.
    """
    from .orphans import deleted, found

    with _teams(store) as teams:
        left = found(teams.store)
    if as_json:
        say_json([{"team": it.team_id, "place": it.place} for it in left])
    else:
        for it in left:
            typer.echo(f"{it.team_id}  {it.place}")
    if not delete or not left:
        if not left and not as_json:
            typer.echo("no vectors of unknown teams")
        return 0
    if not yes:
        typer.confirm(f"Delete the vectors of these {len(left)} places for good?", abort=True)
    for line in deleted(left):
        typer.echo(line, err=True)
    return 0


@contextmanager
def _teams(url: str) -> Generator["Teams"]:
    from cardwright.store import StoreError
    from cardwright.store.teams import Teams

    path = url.removeprefix("sqlite:///")
    if path != url and not Path(path).exists():
        raise CommandError(f"there is no store {path}: check --store")
    try:
        with Teams(url) as teams:
            yield teams
    except (StoreError, ValueError, ImportError) as error:
        raise CommandError(str(error)) from error


def _found(teams: "Teams", text: str) -> "TeamInfo":
    if not text:  # the beginning of every id
        raise CommandError("the id of the team is empty: `cardwright team list` shows them")
    infos = [info for info in teams.list() if str(info.process.team_id).startswith(text)]
    if len(infos) == 1:
        return infos[0]
    if not infos:
        raise CommandError(f"there is no team {text}: `cardwright team list` shows them")
    raise CommandError(f"{len(infos)} teams begin with {text}: give more of the id")


def _row(teams: "Teams", info: "TeamInfo") -> Row:
    return {
        "team": str(info.process.team_id),
        "name": info.process.name,
        "state": info.state,
        "owner": None if info.lease is None else info.lease.owner,
        "events": teams.store.get_max_sequence(info.record.team_id),
        "created": info.record.created_at.isoformat(timespec="seconds"),
        "changed": info.record.updated_at.isoformat(timespec="seconds"),
    }


def _cell(value: object) -> str:
    return "-" if value in {None, ""} else str(value)


def _inside(teams: "Teams", info: "TeamInfo") -> Row:
    from cardwright.actors.registry import is_resolvable
    from cardwright.store.teams import read_history

    history = read_history(teams.store, info.record.team_id)
    members = [
        {
            "name": member.name,
            "role": member.role,
            "class": member.actor_type,
            "state": _state_word(
                known=is_resolvable(member.actor_type), stored=member.agent_id in history.states
            ),
        }
        for member in history.members.values()
    ]
    return {"members": members, "waiting": sum(1 for _ in history.waiting())}


def _state_word(*, known: bool, stored: bool) -> str:
    if not known:
        return "class not declared here (see `resume --import`)"
    return "stored" if stored else "none"


def _stream(teams: "Teams", stream: str, after: int, *, follow: bool) -> Iterator["StoredEvent"]:
    if not follow:
        return teams.store.read(stream, after=after)
    return teams.store.subscribe(stream, after=after)


def _told(event: "StoredEvent", *, every: bool, as_json: bool) -> str | None:
    from .timeline import line_of

    if as_json:
        return f'{{"sequence": {event.sequence}, "event": {event.payload}}}'
    line = line_of(event)
    return None if line.is_ledger and not every else line.text()


def declare_known_types() -> None:
    """Register the actors of a `LocalTeam` and of all cards at hand, never what a payload names."""
    from .catalogue import listed_cards

    import_module("cardwright.bench")
    for listed in listed_cards().values():
        with suppress(ImportError, ValueError):
            import_module(listed.load().logic_path.partition(":")[0])


def _import(module: str) -> None:
    try:
        import_module(module)
    except ImportError as error:
        raise CommandError(f"--import {module}: {error}") from error


def _wait_for_signal() -> None:
    ended = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        del number, frame
        ended.set()

    signal.signal(signal.SIGTERM, end)
    with suppress(KeyboardInterrupt):
        ended.wait()

"""`cardwright workspace`: the journals of trees."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from .console import console, print_table, table
from .errors import CommandError
from .output import say_json

if TYPE_CHECKING:
    from cardwright.workspace.journal.history import History

app = typer.Typer(help="Look at the journal of a workspace, and bring old content back.")

Name = Annotated[str, typer.Argument(help="Name of the workspace: the workspace_id of its card.")]
CommitId = Annotated[str, typer.Argument(help="Id of a commit, or the beginning of it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Paths = Annotated[list[str] | None, typer.Argument(help="Only commits that touch these files.")]
Shown = Annotated[list[str] | None, typer.Argument(help="Only what it changed in these files.")]
Files = Annotated[list[str], typer.Argument(help="Files to put back as they were then.")]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, help="Most commits to list.")]


@app.command()
def log(name: Name, paths: Paths = None, *, limit: Limit = 20, as_json: AsJson = False) -> int:
    """List the newest changes of a workspace: who made them, when and to what."""
    with _history(name) as history:
        commits = history.log(paths or (), limit)
    if as_json:
        say_json(
            [
                {
                    "commit": each.id,
                    "time": each.time.isoformat(),
                    "author": each.author,
                    "subject": each.subject,
                    "body": each.body,
                }
                for each in commits
            ]
        )
        return 0
    shown = table("commit", "time", "author", "change")
    for each in commits:
        time = each.time.strftime("%Y-%m-%d %H:%M:%S")
        shown.add_row(each.id[:12], time, each.author, each.subject)
    print_table(console(), shown)
    return 0


@app.command()
def show(name: Name, commit: CommitId, files: Shown = None) -> int:
    """Show what one commit changed, in all files or in those named."""
    with _history(name) as history:
        changed = history.show(commit, files or ())
    typer.echo(changed or "the commit changed none of these files\n", nl=False)
    return 0


@app.command()
def restore(name: Name, commit: CommitId, files: Files) -> int:
    """Put files back as they were after a commit; agents have to read them again."""
    with _history(name) as history:
        changed = history.restore(commit, files)
    for each in changed:
        told = "removed: {} (it did not exist then)" if each.removed else "restored: {}"
        typer.echo(told.format(each.path))
    if not changed:
        typer.echo("nothing to restore: the files are as they were then")
    return 0


@contextmanager
def _history(name: str) -> "Generator[History]":
    from cardwright.sandbox.roots import tree_root
    from cardwright.workspace.files import Tree
    from cardwright.workspace.journal.git import GitUnusable
    from cardwright.workspace.journal.history import History
    from cardwright.workspace.refusals import Refusal

    try:
        root = tree_root(name)
        if not root.is_dir():
            raise CommandError(f"there is no workspace {name} below {root.parent}")
        yield History(Tree(root))
    except (ValueError, Refusal, GitUnusable) as error:
        raise CommandError(str(error)) from error

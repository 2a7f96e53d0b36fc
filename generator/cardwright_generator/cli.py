"""The generator's commands as a Typer app, which `cardwright` mounts."""

import typer

from .commands import check, explain, generate, init, new, schema

app = typer.Typer(name="cardwright", no_args_is_help=True, add_completion=False)
app.command("generate")(generate.generate)
app.command("check", short_help="Report whatever is not what the specs say.")(check.check)
app.command("new")(new.new)
app.command("init")(init.init)
app.command("explain")(explain.explain)
app.command("schema")(schema.schema)

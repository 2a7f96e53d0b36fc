"""The generator's commands as a Typer app, which `cardwright` mounts."""

import typer

from .commands import breaking, check, explain, generate, init, new, rules, schema

app = typer.Typer(name="cardwright", no_args_is_help=True, add_completion=False)
app.command("generate")(generate.generate)
app.command("check", short_help="Report whatever is not what the specs say.")(check.check)
app.command("breaking")(breaking.breaking)
app.command("report")(breaking.report)
app.command("rules")(rules.rules)
app.command("new")(new.new)
app.command("init")(init.init)
app.command("explain")(explain.explain)
app.command("schema")(schema.schema)

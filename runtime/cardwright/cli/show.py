"""`cardwright show CARD`: fields, capabilities, channels and what the model is sent."""

import json
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

from .catalogue import find_card
from .console import console, print_table, table
from .output import say_json
from .portrait import CapabilityPortrait, FieldPortrait, Portrait, ToolPortrait, portray


def show(
    card: Annotated[str, typer.Argument(help="Class name of the card, such as PlanningTool.")],
    config: Annotated[
        str | None, typer.Option(help="The card's fields as JSON; every capability on if left out.")
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Show a card: its fields, capabilities, channels and the schema the model is sent."""
    listed = find_card(card)
    portrait = portray(listed.load(), config)
    if as_json:
        say_json({**asdict(portrait), "path": listed.path})
    else:
        _print(console(), portrait)
    return 0


def _print(to: Console, card: Portrait) -> None:
    to.print(Text.assemble((card.card, "bold"), f"  {card.summary}"))
    facts = table("", "")
    facts.show_header = False
    facts.add_row("logic", card.logic or "-")
    facts.add_row("observer", card.observer or "none: serves unbound")
    if card.depends_on:
        facts.add_row("bound after", ", ".join(card.depends_on))
    print_table(to, facts)
    _print_fields(to, "Fields", card.fields)
    _print_capabilities(to, card.capabilities)
    _print_endpoints(to, card)


def _heading(to: Console, text: str) -> None:
    to.print()
    to.print(Text(text, style="bold cyan"))


def _print_fields(to: Console, heading: str, fields: tuple[FieldPortrait, ...]) -> None:
    if not fields:
        return
    _heading(to, heading)
    shown = table("name", "type", "default", "description")
    for field in fields:
        default = "required" if field.default is None else field.default
        shown.add_row(*map(Text, (field.name, field.type, default, field.description)))
    print_table(to, shown)


def _print_capabilities(to: Console, capabilities: tuple[CapabilityPortrait, ...]) -> None:
    if not capabilities:
        return
    _heading(to, "Capabilities")
    shown = table("name", "param", "default", "channels (* if not exposed by default)")
    for each in capabilities:
        channels = ", ".join(c if c in each.expose else f"{c}*" for c in each.serves)
        shown.add_row(each.name, each.param, each.default, channels)
    print_table(to, shown)
    for each in capabilities:
        _print_fields(to, f"Configuration of {each.param}", each.config)


def _print_endpoints(to: Console, card: Portrait) -> None:
    if card.needs:
        _heading(to, "Shown once configured")
        to.print(f"{', '.join(card.needs)}: give a value with --config", markup=False)
    if card.tools:
        _heading(to, "What the model is sent")
        for tool in card.tools:
            _print_tool(to, tool)
    for heading, names in (
        ("System prompts", card.system_prompts),
        ("Context states", card.context_states),
    ):
        if names:
            _heading(to, heading)
            to.print("\n".join(names))
    if card.commands:
        _heading(to, "Commands")
        shown = table("command", "what it does")
        for command in card.commands:
            words = " ".join([f"/{command.name}", *(f"<{name}>" for name in command.arguments)])
            shown.add_row(Text(words), Text(command.description.partition("\n")[0]))
        print_table(to, shown)


def _print_tool(to: Console, tool: ToolPortrait) -> None:
    to.print(Text(tool.name, style="bold"))
    to.print(Text(tool.description), soft_wrap=True)
    schema = json.dumps(tool.parameters, indent=2, ensure_ascii=False)
    if to.is_terminal and not to.no_color:
        to.print(Syntax(schema, "json", background_color="default", word_wrap=True))
    else:
        to.print(Text(schema), soft_wrap=True)

"""A portrait of a card printed for people."""

import json
import re

from pydantic import JsonValue
from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

from cardwright.core import ToolPolicy

from .console import print_table, table
from .portrait import CapabilityPortrait, FieldPortrait, Portrait, ToolPortrait

_WORD = re.compile(r"(?!(?:true|false|null)\Z)[^\W\d].*")


def print_portrait(to: Console, card: Portrait) -> None:
    """Print everything about a card, the schemas a model is sent included."""
    to.print(Text.assemble((card.card, "bold"), f"  {card.summary}"))
    facts = table("", "")
    facts.show_header = False
    facts.add_row("logic", card.logic or "-")
    facts.add_row("observer", "none: serves unbound" if card.observer == "none" else card.observer)
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
        default = "required" if field.required else _shown(field.default)
        shown.add_row(*map(Text, (field.name, field.type, default, field.description)))
    print_table(to, shown)


def _shown(default: JsonValue) -> str:
    """A default as a spec writes it: a text without quotes unless it reads as something else."""
    if isinstance(default, str) and _WORD.fullmatch(default):
        return default
    return json.dumps(default, ensure_ascii=False)


def _print_capabilities(to: Console, capabilities: tuple[CapabilityPortrait, ...]) -> None:
    if not capabilities:
        return
    _heading(to, "Capabilities")
    configured = any(each.state for each in capabilities)
    switch = "as configured" if configured else "default"
    shown = table("name", "param", switch, "channels (* if not exposed by default)")
    for each in capabilities:
        channels = ", ".join(c if c in each.expose else f"{c}*" for c in each.serves)
        shown.add_row(each.name, each.param, each.state or each.default, channels)
    print_table(to, shown)
    for each in capabilities:
        _print_fields(to, f"Configuration of {each.param}", each.config)


def _print_endpoints(to: Console, card: Portrait) -> None:
    if card.needs:
        _heading(to, "Shown once configured")
        to.print(f"{', '.join(card.needs)}: give a value with --config")
    if card.toolset:
        _heading(to, "Toolset")
        to.print("its tools are those that its server lists when the card is in use")
    if card.tools:
        _heading(to, "What the model is sent")
        for number, tool in enumerate(card.tools):
            if number:
                to.print()
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
    to.print(Text.assemble("tool ", (tool.name, "bold")))
    to.print(Text(tool.description), soft_wrap=True)
    to.print(Text.assemble("policy ", (_policy(tool.policy), "dim")), soft_wrap=True)
    schema = json.dumps(tool.parameters, indent=2, ensure_ascii=False)
    if to.color_system is not None:
        to.print(Syntax(schema, "json", background_color="default", word_wrap=True))
    else:
        to.print(Text(schema), soft_wrap=True)


def _policy(policy: ToolPolicy) -> str:
    """How a host runs a tool, each of its four settings in words."""
    effect = policy.idempotency or "effect not declared"
    return ", ".join(
        (
            effect.replace("_", "-"),
            "no ceiling" if policy.timeout is None else f"at most {policy.timeout:g} s",
            "calls may overlap" if policy.parallel_safe else "one call at a time",
            "a person must approve" if policy.approval else "no approval",
        )
    )

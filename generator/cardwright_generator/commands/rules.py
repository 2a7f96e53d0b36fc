"""`cardwright rules`: every rule of `cardwright breaking`."""

from enum import StrEnum
from typing import Annotated

import typer

from .console import say_json


class Form(StrEnum):
    """How the rules are written."""

    TEXT = "text"
    JSON = "json"


def rules(
    as_format: Annotated[
        Form, typer.Option("--format", help="How to write the rules.")
    ] = Form.TEXT,
) -> int:
    """List what `cardwright breaking` reports: rule, category, level, version step, purpose."""
    from cardwright_generator.breaking import all_rules

    found = all_rules().values()
    if as_format is Form.JSON:
        say_json(
            [
                {
                    "id": rule.id,
                    "category": str(rule.category),
                    "level": rule.level.name,
                    "step": rule.asks_for.name.lower(),
                    "purpose": rule.purpose,
                    "mirrors": list(rule.mirrors),
                }
                for rule in found
            ]
        )
        return 0
    width = max(len(rule.id) for rule in found)
    for rule in found:
        step = rule.asks_for.name.lower()
        facts = f"{rule.category:<6}  {rule.level.name:<4}  {step:<5}"
        typer.echo(f"{rule.id:<{width}}  {facts}  {rule.purpose}")
    return 0

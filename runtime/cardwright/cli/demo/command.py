"""`cardwright demo`: what it needs, what it makes anew, and the play itself."""

from importlib.util import find_spec
from typing import Annotated

import typer

from cardwright.cli.console import console
from cardwright.cli.errors import CommandError

from .printer import Printer
from .story import MOVE


def demo(
    model: Annotated[
        str | None,
        typer.Option(help="Play it on a real model, such as openai:gpt-5.2-mini; needs its key."),
    ] = None,
) -> int:
    """Regenerate the catalogue, then watch two agents work on one shared plan."""
    if find_spec("pydantic_ai") is None:
        message = "the demo needs a host for agents: pip install 'cardwright[pydantic-ai]'"
        raise CommandError(message)
    printer = Printer(console())
    _check_model(model)
    printer.title("Two agents, one plan", _about(model))
    _regenerate(printer)
    _play(printer, model)
    printer.close("cardwright list names the cards; cardwright show PlanningTool shows this one.")
    return 0


def _about(model: str | None) -> str:
    if model is not None:
        return f"Cards, actors and host are real, and so is the model: {model}."
    return "Cards, actors and host are real; the model follows a script, so no key is needed."


def _check_model(model: str | None) -> None:
    """Refuse a model that cannot be used before anything is printed or generated."""
    if model is not None:
        from .models import real_model

        real_model(model)


def _regenerate(printer: Printer) -> None:
    from .catalogue import regenerate

    said = regenerate()
    if said is not None:
        printer.act("Specs become cards")
        printer.line("generate", said)


def _play(printer: Printer, model: str | None) -> None:
    with printer.waiting("starting the team"):
        from pydantic_ai.exceptions import AgentRunError

        from .cast import Cast
        from .models import real_model
        from .playing import play
    try:
        with Cast(MOVE, real_model(model) if model else None) as cast:
            play(MOVE, cast, printer)
    except AgentRunError as error:
        message = f"the model failed: {error}"
        raise CommandError(message.replace("\n", " ")) from error

"""Plays the story: asks the agents and prints what they said, called and were told."""

from collections.abc import Iterable, Mapping
from typing import cast

from pydantic_ai.messages import (
    ModelMessage,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from .cast import Cast
from .printer import Printer
from .story import Command, Story

CONTEXT = "**Context update"


def play(story: Story, cast_: Cast, printer: Printer) -> None:
    """Play every act of the story."""
    for act in story.acts:
        printer.act(act.title)
        player = cast_.players[act.agent]
        if isinstance(act, Command):
            printer.line("person", act.line)
            printer.line("answer", player.dispatch(act.line))
            continue
        with printer.waiting(f"{act.agent} is thinking"):
            messages = player.asked(act.prompt)
        _print_messages(messages, act.agent, printer)


def _print_messages(messages: Iterable[ModelMessage], agent: str, printer: Printer) -> None:
    for message in messages:
        for part in message.parts:
            match part:
                case UserPromptPart(content=str(text)):
                    printer.line("context" if text.startswith(CONTEXT) else "person", text)
                case ToolCallPart():
                    arguments = cast("Mapping[str, object]", part.args_as_dict())
                    printer.call(part.tool_name, arguments)
                case ToolReturnPart(outcome="success"):
                    printer.line("result", part.model_response_str())
                case ToolReturnPart():
                    printer.line("refused", _refusal(part))
                case TextPart(content=text):
                    printer.line(agent, text)
                case _:
                    pass


def _refusal(part: ToolReturnPart) -> str:
    content = cast("object", part.content)
    if isinstance(content, dict):
        return str(cast("Mapping[str, object]", content).get("error"))
    return str(content)

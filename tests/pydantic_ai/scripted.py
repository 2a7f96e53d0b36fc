"""A scripted model, and views of what it was sent."""

from collections.abc import Sequence
from typing import Any

from pydantic_ai import ModelMessagesTypeAdapter
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_core import to_json

type Step = Sequence[tuple[str, str | dict[str, Any]]] | str


class Script:
    """A model that plays its steps (tool calls, or a final text) and keeps what it was sent."""

    def __init__(self, *steps: Step) -> None:
        self.steps = list(steps)
        self.requests: list[list[ModelMessage]] = []
        self.infos: list[AgentInfo] = []

    def __call__(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.requests.append(list(messages))
        self.infos.append(info)
        step = self.steps.pop(0)
        if isinstance(step, str):
            return ModelResponse(parts=[TextPart(step)])
        return ModelResponse(parts=[ToolCallPart(name, args) for name, args in step])

    @property
    def model(self) -> FunctionModel:
        return FunctionModel(self)

    def returned(self, request: int) -> list[Any]:
        """What the tools returned, as the model was sent it in that request."""
        parts = self.requests[request][-1].parts
        return [part.content for part in parts if isinstance(part, ToolReturnPart)]


def blocks(messages: Sequence[ModelMessage]) -> list[str]:
    """Context updates in user prompts, in order."""
    return [
        part.content
        for message in messages
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, UserPromptPart)
        and isinstance(part.content, str)
        and part.content.startswith("**Context update ")
    ]


def sent_bytes(messages: Sequence[ModelMessage]) -> list[bytes]:
    return [ModelMessagesTypeAdapter.dump_json([message]) for message in messages]


def sent_tools(info: AgentInfo) -> bytes:
    tools = [
        (tool.name, tool.description, tool.parameters_json_schema, tool.strict)
        for tool in info.function_tools
    ]
    return to_json(tools)

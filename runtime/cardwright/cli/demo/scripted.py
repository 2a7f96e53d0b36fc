"""A model that follows a script: no key, no network, the same words every time."""

from collections.abc import Iterator, Sequence

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from .story import Turn


def scripted_model(turns: Sequence[Turn]) -> FunctionModel:
    """A model that answers the requests of `turns` one after the other."""
    replies = _replies(turns)

    def answer(_messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
        return next(replies)

    return FunctionModel(answer, model_name="scripted")


def _replies(turns: Sequence[Turn]) -> Iterator[ModelResponse]:
    for turn in turns:
        for call in turn.calls:
            yield ModelResponse(parts=[ToolCallPart(call.tool, call.arguments)])
        yield ModelResponse(parts=[TextPart(turn.answer)])

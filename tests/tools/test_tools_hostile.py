"""The tool layer against providers and values that behave badly."""

import math
import pickle

import pytest
from pydantic import ValidationError

from cardwright.core import CallContext
from cardwright.tools import (
    ApprovalRequiredError,
    Call,
    ConcurrencyConfig,
    ToolArgumentValidationError,
    ToolContext,
    ToolError,
    ToolFailure,
    ToolNotFoundError,
    ToolRefusal,
    ToolRegistry,
    ToolTimedOutError,
)

from .tools_support import endpoint


def reused(call_id: str) -> Call:
    return Call(CallContext("run-1", call_id))


async def test_one_id_for_several_calls_loses_no_effect() -> None:
    entered: list[int] = []

    async def send(number: int) -> str:
        entered.append(number)
        return f"sent {number}"

    registry = ToolRegistry([endpoint(send, idempotency="effectful")])
    answers = [
        await registry.invoke("send", {"number": number}, call=reused("call_0"))
        for number in (0, 1, 2, 1)
    ]

    assert entered == [0, 1, 2]
    assert answers == ["sent 0", "sent 1", "sent 2", "sent 1"]


@pytest.mark.parametrize("call", [reused(""), Call(CallContext("", "call_0"))])
async def test_an_empty_id_is_no_key(call: Call) -> None:
    entered: list[int] = []

    async def send(number: int) -> None:
        entered.append(number)

    registry = ToolRegistry([endpoint(send, idempotency="effectful")])
    for _ in range(2):
        await registry.invoke("send", {"number": 1}, call=call)

    assert entered == [1, 1]


async def test_what_a_body_knows_its_call_by_tells_its_arguments_apart() -> None:
    keys: list[tuple[str, str, str] | None] = []

    async def send(number: int, ctx: ToolContext) -> None:
        keys.append(ctx.idempotency_key)

    registry = ToolRegistry([endpoint(send)])
    call = Call(context=ToolContext("run-1", "acme", tool_call_id="call_0"))
    for number in (1, 2, 1):
        await registry.invoke("send", {"number": number}, call=call)

    assert keys[0] == keys[2] != keys[1]
    assert ToolContext("run-1", "acme", tool_call_id="").idempotency_key is None


@pytest.mark.parametrize("seconds", [math.nan, 0.0, -1.0])
def test_a_ceiling_is_a_number_above_zero(seconds: float) -> None:
    for given in ({"queue_seconds": seconds}, {"per_tool_seconds": {"send": seconds}}):
        with pytest.raises(ValidationError, match="above 0 seconds"):
            ConcurrencyConfig.model_validate(given)


def test_errors_are_pickled_without_what_the_model_sent() -> None:
    secret = "sk-TOPSECRET"
    refused = ToolArgumentValidationError("send", {"number": "no"}, payload=secret, call_id="c")
    errors: list[ToolError] = [
        refused,
        ToolNotFoundError("none", tool="x", known=("y",)),
        ToolTimedOutError("send", 1.0),
        ApprovalRequiredError("send", "sha256:0"),
        ToolFailure("send", "down", transient=True),
        ToolRefusal("send", "closed", "no"),
    ]
    for error in errors:
        text = pickle.dumps(error)
        restored = pickle.loads(text)
        assert secret.encode() not in text
        assert type(restored) is type(error)
        assert str(restored) == str(error)
        assert vars(restored) == {**vars(error), **({"payload": None} if error is refused else {})}

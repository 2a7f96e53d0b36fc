"""Error maps, refusals, idempotency, approval and JSON text: what the contract added later."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from cardwright.core import CallContext, Data, RetriableError
from cardwright.tools import (
    ApprovalRequiredError,
    Call,
    ConfigurationError,
    JsonText,
    Tool,
    ToolArgumentValidationError,
    ToolCallSpan,
    ToolContext,
    ToolDefinitionError,
    ToolErrorMap,
    ToolFailure,
    ToolIndeterminateError,
    ToolRefusal,
    ToolRegistry,
    permanent,
    refusal,
    tool,
    transient,
)
from cardwright.tools.canonical import call_digest

from .tools_support import endpoint


class StatusError(Exception):
    def __init__(self, status_code: int) -> None:
        super().__init__("token=hunter2")
        self.status_code = status_code


MAP = ToolErrorMap(
    {
        OSError: permanent("io"),
        TimeoutError: transient("slow", retry_after=3.0),
        KeyError: refusal("unknown", "There is no such thing."),
    },
    statuses={429: transient("busy", "the service is busy")},
)


@pytest.mark.parametrize(
    ("error", "code", "is_transient"),
    [
        (FileNotFoundError("hunter2"), "io", False),
        (TimeoutError("hunter2"), "slow", True),
        (StatusError(429), "busy", True),
        (StatusError(500), "unmapped_failure", False),
        (ZeroDivisionError("hunter2"), "unmapped_failure", False),
    ],
)
async def test_exceptions_become_failures_without_their_text(
    error: Exception, code: str, is_transient: bool
) -> None:
    @tool(name=f"map_{code}_{type(error).__name__}", errors=MAP)
    async def body() -> None:
        raise error

    registry = ToolRegistry([body])
    spans: list[ToolCallSpan] = []
    registry.observe(spans.append)

    with pytest.raises(ToolFailure) as failed:
        await registry.invoke(body.name, {})

    assert (failed.value.code, failed.value.transient) == (code, is_transient)
    assert failed.value.__cause__ is error
    assert "hunter2" not in str(failed.value) + repr(failed.value) + repr(spans)
    assert (spans[0].outcome, spans[0].code, spans[0].failure) == ("error", code, "ToolFailure")


async def test_a_refusal_is_declined_and_typed_errors_pass() -> None:
    raised: list[BaseException] = [
        KeyError("hunter2"),
        ToolFailure("x", "own"),
        RetriableError("again", failure="taken"),
        asyncio.CancelledError(),
    ]

    @tool(name="map_pass", errors=MAP)
    async def body(which: int) -> None:
        raise raised[which]

    registry = ToolRegistry([body])
    spans: list[ToolCallSpan] = []
    registry.observe(spans.append)

    with pytest.raises(ToolRefusal, match=r"There is no such thing\.") as said_no:
        await registry.invoke("map_pass", {"which": 0})
    for which in (1, 2, 3):
        with pytest.raises(type(raised[which])) as passed:
            await registry.invoke("map_pass", {"which": which})
        if which != 3:
            assert passed.value is raised[which]

    assert said_no.value.code == "unknown"
    assert [(s.outcome, s.code) for s in spans] == [
        ("declined", "unknown"),
        ("error", "own"),
        ("declined", "taken"),
        ("cancelled", ""),
    ]


def test_codes_are_not_empty() -> None:
    makers: list[Callable[[], object]] = [
        lambda: ToolFailure("x", ""),
        lambda: ToolRefusal("x", "", "no"),
        lambda: permanent(""),
    ]
    for make in makers:
        with pytest.raises(ConfigurationError):
            make()
    assert str(ToolFailure("x", "slow", transient=True, retry_after=2)) == (
        "`x` failed (slow): try again after 2 s"
    )


def identified(call_id: str) -> Call:
    return Call(CallContext("run-1", call_id))


async def test_an_effectful_call_is_entered_once() -> None:
    entered: list[int] = []

    async def send(number: int) -> str:
        entered.append(number)
        return f"sent {number}"

    registry = ToolRegistry([endpoint(send, idempotency="effectful")])
    spans: list[ToolCallSpan] = []
    registry.observe(spans.append)

    for call_id in ("a", "a", "b"):
        assert await registry.invoke("send", {"number": 1}, call=identified(call_id)) == "sent 1"
    await registry.invoke("send", {"number": 2})
    await registry.invoke("send", {"number": 2})

    assert entered == [1, 1, 2, 2]
    assert [span.outcome for span in spans] == ["ok"] * 5


async def test_an_effectful_call_that_failed_is_indeterminate() -> None:
    async def send() -> None:
        raise ConnectionError

    registry = ToolRegistry([endpoint(send, idempotency="effectful")])
    with pytest.raises(ConnectionError):
        await registry.invoke("send", {}, call=identified("a"))

    with pytest.raises(ToolIndeterminateError, match="may have taken effect"):
        await registry.invoke("send", {}, call=identified("a"))


async def test_what_was_declined_may_be_sent_again_and_reads_always_may() -> None:
    answers = iter([RetriableError("busy"), None])
    reads: list[str] = []

    async def send() -> str:
        if error := next(answers):
            raise error
        return "sent"

    async def look() -> None:
        reads.append("look")

    registry = ToolRegistry(
        [endpoint(send, idempotency="effectful"), endpoint(look, idempotency="read_only")]
    )
    with pytest.raises(RetriableError):
        await registry.invoke("send", {}, call=identified("a"))
    assert await registry.invoke("send", {}, call=identified("a")) == "sent"
    for _ in range(2):
        await registry.invoke("look", {}, call=identified("b"))
    assert reads == ["look", "look"]


async def test_what_an_error_map_calls_a_refusal_may_be_sent_again() -> None:
    entered: list[int] = []

    @tool(name="map_refused", idempotency="effectful", errors=MAP)
    async def body() -> None:
        entered.append(1)
        raise KeyError

    registry = ToolRegistry([body])
    for _ in range(2):
        with pytest.raises(ToolRefusal):
            await registry.invoke("map_refused", {}, call=identified("a"))

    assert len(entered) == 2


async def test_two_attempts_of_one_call_at_once_are_one() -> None:
    released = asyncio.Event()

    async def send() -> str:
        await released.wait()
        return "sent"

    registry = ToolRegistry([endpoint(send, idempotency="effectful")])
    first = asyncio.ensure_future(registry.invoke("send", {}, call=identified("a")))
    await asyncio.sleep(0)
    with pytest.raises(ToolIndeterminateError):
        await registry.invoke("send", {}, call=identified("a"))
    released.set()
    assert await first == "sent"


async def test_errors_and_claims_know_whose_call_it_was() -> None:
    entered: list[str] = []

    async def send(text: str) -> None:
        entered.append(text)
        raise ToolFailure("send", "down")

    registry = ToolRegistry([endpoint(send, idempotency="effectful")])
    call = Call(context=ToolContext("run-1", "acme", tool_call_id="call-1"))

    with pytest.raises(ToolFailure) as failed:
        await registry.invoke("send", {"text": "a"}, call=call)
    with pytest.raises(ToolIndeterminateError) as repeated:
        await registry.invoke("send", {"text": "a"}, call=call)
    with pytest.raises(ToolArgumentValidationError) as refused:
        await registry.invoke("send", {"text": 1}, call=call)

    assert entered == ["a"]
    for error in (failed.value, repeated.value, refused.value):
        assert (error.run_id, error.tenant) == ("run-1", "acme")
    assert refused.value.call_id == "call-1"


def test_the_context_of_a_call_has_its_key() -> None:
    assert ToolContext("run-1", "acme", tool_call_id="a").idempotency_key == ("run-1", "a", "")
    assert ToolContext("run-1", "acme").idempotency_key is None


async def test_an_approval_is_for_one_tool_and_its_arguments() -> None:
    async def pay(amount: int, currency: str = "EUR") -> str:
        return f"{amount} {currency}"

    registry = ToolRegistry([endpoint(pay, approval=True)])
    spans: list[ToolCallSpan] = []
    registry.observe(spans.append)
    with pytest.raises(ApprovalRequiredError) as asked:
        await registry.invoke("pay", {"amount": 3})
    agreed = Call(approved=asked.value.digest.__eq__)

    assert asked.value.digest == call_digest("pay", {"currency": "EUR", "amount": 3})
    assert await registry.invoke("pay", '{"currency": "EUR", "amount": 3}', call=agreed) == "3 EUR"
    with pytest.raises(ApprovalRequiredError):
        await registry.invoke("pay", {"amount": 4}, call=agreed)
    assert [(s.outcome, s.permitted, s.failure) for s in spans] == [
        ("refused", True, "ApprovalRequiredError"),
        ("ok", True, ""),
        ("refused", True, "ApprovalRequiredError"),
    ]


async def test_a_predicate_over_typed_arguments_asks_for_approval() -> None:
    def large(arguments: Mapping[str, Any]) -> bool:
        return bool(arguments["amount"] / arguments["share"] > 100)

    @tool(approval=large)
    async def approve_pay(amount: int, share: int = 1) -> int:
        return amount

    registry = ToolRegistry([approve_pay])

    assert approve_pay.policy.approval
    assert await registry.invoke("approve_pay", {"amount": 5}) == 5
    for risky in ({"amount": 500}, {"amount": 5, "share": 0}):
        with pytest.raises(ApprovalRequiredError):
            await registry.invoke("approve_pay", risky)
    assert approve_pay.needs_approval({"amount": "x"})
    assert not approve_pay.needs_approval({"amount": 5})
    assert not endpoint(lambda_named).needs_approval({"amount": "x"})


def lambda_named(amount: int) -> int:
    return amount


class Point(Data):
    x: int


@dataclass
class Pair:
    one: Point
    when: date


def test_digests_are_canonical() -> None:
    one = call_digest("t", {"b": {"y", "x", "z"}, "a": Pair(Point(x=1), date(2026, 1, 2))})
    other = call_digest("t", {"a": Pair(Point(x=1), date(2026, 1, 2)), "b": {"z", "x", "y"}})

    assert one == other
    assert one != call_digest("u", {"a": Pair(Point(x=1), date(2026, 1, 2)), "b": set[str]()})


class Row(BaseModel):
    id: int
    when: date | None = None


def quoted(
    rows: Annotated[list[Row], JsonText()],
    options: Annotated[Row | None, JsonText()] = None,
    plain: list[Row] | None = None,
    names: Annotated[list[str], JsonText()] = [],  # noqa: B006 - never changed
) -> None: ...


def test_json_text_is_unwrapped_where_the_type_says_so() -> None:
    validator = Tool.from_function(quoted).validator

    found = validator.arguments(
        {
            "rows": '[{"id": 1, "when": "2026-01-02"}]',
            "options": '{"id": 2}',
            "names": '["a", "b"]',
        }
    )

    assert found["rows"] == [Row(id=1, when=date(2026, 1, 2))]
    assert found["options"] == Row(id=2)
    assert found["names"] == ["a", "b"]
    assert validator.arguments({"rows": [{"id": 1}]})["rows"] == [Row(id=1)]
    assert validator.arguments({"rows": [], "options": None})["options"] is None


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({"rows": [], "plain": "[]"}, "plain"),
        ({"rows": '[{"id": "hunter2"}]'}, "rows"),
        ({"rows": '[{"id": 1, "id": 2}]'}, "rows"),
        ({"rows": '[{"id": NaN}]'}, "rows"),
        ({"rows": "hunter2"}, "rows"),
        ({"rows": '"[]"'}, "rows"),
        ({"rows": 3}, "rows"),
        ({"rows": [{"id": "hunter2"}]}, "rows.0.id"),
    ],
)
def test_json_text_is_held_to_the_same_type(arguments: dict[str, object], path: str) -> None:
    with pytest.raises(ToolArgumentValidationError) as refused:
        Tool.from_function(quoted).validator.arguments(arguments)

    assert refused.value.paths == (path,)
    assert "hunter2" not in refused.value.feedback()


def test_json_text_is_not_advertised_and_not_for_what_takes_text() -> None:
    def plain(
        rows: list[Row],
        options: Row | None = None,
        plain: list[Row] | None = None,
        names: list[str] = [],  # noqa: B006 - never changed
    ) -> None: ...

    def ambiguous(rows: Annotated[list[str] | str, JsonText()]) -> None: ...

    assert Tool.from_function(quoted).parameters_schema == (
        Tool.from_function(plain).parameters_schema
    )
    with pytest.raises(ToolDefinitionError, match="takes text") as refused:
        Tool.from_function(ambiguous)
    assert refused.value.parameter == "rows"

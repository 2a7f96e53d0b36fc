"""The registry under a pydantic-ai run: repair, limits, approvals, spans, decorated functions."""

import asyncio
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import pytest
from pydantic import Field
from pydantic_ai import (
    Agent,
    AgentRunResult,
    DeferredToolRequests,
    DeferredToolResults,
    ToolApproved,
)
from pydantic_ai.messages import ToolReturnPart

from cardwright.bench import LocalTeam
from cardwright.core import ToolPolicy, policy
from cardwright.pydantic_ai import Cards
from cardwright.tools import (
    CallLimitError,
    CallLimits,
    ConfigurationError,
    RepairBudgetSpentError,
    RepairConfig,
    RepairRequested,
    Tool,
    ToolCallSpan,
    ToolContext,
    ToolErrorMap,
    ToolExecutionError,
    ToolRefusal,
    tool,
    transient,
)
from cardwright_cards import PlanningTool

from ..bench.cards_fixture import BoardTool, ProbeTool  # noqa: TID252 - tests are no package
from .scripted import Script, Step

BREAD = {"id": 1, "status": "pending", "description": "Bake bread", "owner": "@Bob"}
PAID: list[int] = []


@pytest.fixture
def team() -> Iterator[LocalTeam]:
    PAID.clear()
    with LocalTeam() as team:
        yield team


@tool(name="host_price")
async def price(
    nights: Annotated[int, Field(description="How long.")], ctx: ToolContext | None = None
) -> str:
    """Price a stay.

    More, which the model is not told.
    """
    return f"{nights * 40} EUR for {ctx.tenant if ctx else 'nobody'}"


@tool(name="host_pay", approval=True, idempotency="effectful")
def pay(amount: int) -> str:
    """Pay."""
    PAID.append(amount)
    return f"paid {amount}"


def told(script: Script, request: int, part: int = 0) -> str:
    found = script.requests[request][-1].parts[part]
    assert isinstance(found, ToolReturnPart)
    return found.model_response_str()


def spans_of(cards: Cards) -> list[ToolCallSpan]:
    spans: list[ToolCallSpan] = []
    cards.registry.observe(spans.append)
    return spans


RIGHT: Step = [("host_price", {"nights": 2})]
WRONG: Step = [("host_price", {"nights": "hunter2"})]


def test_a_decorated_function_joins_an_agent_beside_cards(team: LocalTeam) -> None:
    script = Script([("host_price", {"nights": 2}), ("add_note", {"note": {"title": "x"}})], "done")
    cards = Cards([BoardTool()], agent="@Alice", team=team, tools=[price], tenant="acme")
    spans = spans_of(cards)
    Agent(script.model, capabilities=[cards]).run_sync("Go.")

    sent = script.infos[0].function_tools
    assert [each.name for each in sent] == ["add_note", "host_price"] == list(cards.tools)
    assert sent[1].parameters_json_schema == price.parameters_schema
    assert sent[1].description == "Price a stay."
    assert script.returned(1) == ["80 EUR for acme", "added x"]
    assert sorted((s.tool, s.agent, s.outcome) for s in spans) == [
        ("add_note", "@Alice", "ok"),
        ("host_price", "@Alice", "ok"),
    ]


def test_e38_a_refusal_is_repaired_and_recorded(team: LocalTeam) -> None:
    cards = Cards([], agent="@Alice", team=team, tools=[price], repair=RepairConfig())
    script = Script(WRONG, RIGHT, "done")

    assert Agent(script.model, capabilities=[cards]).run_sync("Go.").output == "done"

    (repair,) = team.events(RepairRequested)
    assert (repair.kind, repair.agent, repair.tool, repair.paths) == (
        "REPAIR_REQUESTED",
        "@Alice",
        "host_price",
        ["nights"],
    )
    assert (repair.attempt, repair.max_attempts) == (1, 2)
    assert repair.call_id
    assert "nights: must be an integer" in told(script, 1)
    assert "hunter2" not in repr(team.events()) + told(script, 1)


def test_e39_a_spent_budget_fails_the_run_naming_tool_and_field(team: LocalTeam) -> None:
    cards = Cards(
        [ProbeTool()], agent="@A", team=team, tools=[price], repair=RepairConfig(max_attempts=1)
    )
    spans = spans_of(cards)
    agent = Agent(Script(WRONG, [("divide", {"by": "x"})]).model, capabilities=[cards])

    with pytest.raises(RepairBudgetSpentError, match=r"`divide`.*\(by\).*1 of 1") as spent:
        agent.run_sync("Go.")

    assert (spent.value.tool, spent.value.paths) == ("divide", ("by",))
    assert [s.failure for s in spans] == ["ToolArgumentValidationError"] * 2


def test_e40_without_repair_the_first_refusal_fails_the_run(team: LocalTeam) -> None:
    cards = Cards([], agent="@A", team=team, tools=[price], repair=RepairConfig(enabled=False))
    spans = spans_of(cards)

    with pytest.raises(RepairBudgetSpentError, match="none may be repaired"):
        Agent(Script(WRONG).model, capabilities=[cards]).run_sync("Go.")

    assert len(spans) == 1
    with pytest.raises(ConfigurationError):
        RepairConfig(max_attempts=0)


def test_repair_is_about_arguments_alone(team: LocalTeam) -> None:
    milk: Step = [("add_note", {"note": {"title": "milk"}})]
    cards = Cards([BoardTool()], agent="@A", team=team, repair=RepairConfig(enabled=False))

    assert Agent(Script(milk, milk, "done").model, capabilities=[cards]).run_sync("Go.").output
    assert team.events(RepairRequested) == []


def test_budgets_are_those_of_one_run(team: LocalTeam) -> None:
    cards = Cards([], agent="@A", team=team, tools=[price], repair=RepairConfig(max_attempts=1))
    agent = Agent(Script(WRONG, RIGHT, "one", WRONG, RIGHT, "two").model, capabilities=[cards])

    assert agent.run_sync("Go.").output == "one"
    assert agent.run_sync("Go.").output == "two"
    assert [each.attempt for each in team.events(RepairRequested)] == [1, 1]


def test_a_turn_that_calls_too_much_dispatches_nothing(team: LocalTeam) -> None:
    three: Step = [("host_price", {"nights": n}) for n in range(3)]
    script = Script(three, three[:2], "done")
    cards = Cards([], agent="@A", team=team, tools=[price], limits=CallLimits(per_turn=2))
    spans = spans_of(cards)

    assert Agent(script.model, capabilities=[cards]).run_sync("Go.").output == "done"

    assert "none of 3 calls ran: a turn may make 2" in told(script, 1)
    assert len(script.requests[1][-1].parts) == 3
    assert [s.outcome for s in spans] == ["ok", "ok"]


def test_a_run_that_calls_too_much_fails_before_the_turn(team: LocalTeam) -> None:
    two: Step = [("host_price", {"nights": n}) for n in range(2)]
    cards = Cards([], agent="@A", team=team, tools=[price], limits=CallLimits(per_run=3))
    spans = spans_of(cards)
    agent = Agent(Script(two, two, "never", "again").model, capabilities=[cards])

    with pytest.raises(CallLimitError, match="a run may make 3 and has made 2"):
        agent.run_sync("Go.")
    assert len(spans) == 2
    with pytest.raises(ConfigurationError):
        CallLimits(per_turn=0)


def approvals(
    agent: Agent[None, str | DeferredToolRequests],
    *,
    approved: bool | ToolApproved = True,
    **metadata: str,
) -> AgentRunResult[str | DeferredToolRequests]:
    asked = agent.run_sync("Go.")
    assert isinstance(asked.output, DeferredToolRequests)
    (call,) = asked.output.approvals
    return agent.run_sync(
        message_history=asked.all_messages(),
        deferred_tool_results=DeferredToolResults(
            approvals={call.tool_call_id: approved},
            metadata={call.tool_call_id: metadata} if metadata else {},
        ),
    )


def payer(
    team: LocalTeam, *steps: Step, name: str = "@Alice"
) -> Agent[None, str | DeferredToolRequests]:
    return Agent(
        Script(*steps).model,
        output_type=[str, DeferredToolRequests],
        capabilities=[Cards([], agent=name, team=team, tools=[pay])],
    )


def test_an_approved_call_runs_once_with_what_was_shown(team: LocalTeam) -> None:
    assert approvals(payer(team, [("host_pay", {"amount": 3})], "done")).output == "done"
    assert PAID == [3]


def test_an_approval_for_other_arguments_is_asked_for_again(team: LocalTeam) -> None:
    agent = payer(team, [("host_pay", {"amount": 3})])
    again = approvals(agent, approved=ToolApproved(override_args={"amount": 3_000}))

    assert isinstance(again.output, DeferredToolRequests)
    assert PAID == []
    (call,) = again.output.approvals
    assert again.output.metadata[call.tool_call_id]["approval"].startswith("sha256:")


def test_a_digest_from_elsewhere_is_what_counts(team: LocalTeam) -> None:
    agent = payer(team, [("host_pay", {"amount": 3})])

    assert isinstance(approvals(agent, approval="sha256:other").output, DeferredToolRequests)
    assert PAID == []


def test_another_process_resumes_with_the_metadata_of_the_request(team: LocalTeam) -> None:
    asked = payer(team, [("host_pay", {"amount": 3})]).run_sync("Go.")
    assert isinstance(asked.output, DeferredToolRequests)
    (call,) = asked.output.approvals
    results = DeferredToolResults(
        approvals={call.tool_call_id: True}, metadata=asked.output.metadata
    )
    with LocalTeam() as elsewhere:
        resumed = payer(elsewhere, "done")
        assert (
            resumed.run_sync(
                message_history=asked.all_messages(), deferred_tool_results=results
            ).output
            == "done"
        )
    assert PAID == [3]


def test_a_predicate_asks_only_where_it_says_so(team: LocalTeam) -> None:
    def large(arguments: Mapping[str, Any]) -> bool:
        return bool(arguments["amount"] > 100)

    @tool(name="host_tip", approval=large)
    def tip(amount: int) -> str:
        return f"tipped {amount}"

    script = Script([("host_tip", {"amount": 5})], [("host_tip", {"amount": 500})])
    agent = Agent(
        script.model,
        output_type=[str, DeferredToolRequests],
        capabilities=[Cards([], agent="@A", team=team, tools=[tip])],
    )
    asked = agent.run_sync("Go.")

    assert script.returned(1) == ["tipped 5"]
    assert isinstance(asked.output, DeferredToolRequests)


def test_a_required_context_is_never_guessed(team: LocalTeam) -> None:
    @tool(name="host_archive")
    def archive(ctx: ToolContext) -> str:
        return f"{ctx.tenant} {ctx.run_id} {ctx.tool_call_id is not None}"

    script = Script([("host_archive", {})], "done")
    cards = Cards([], agent="@A", team=team, tools=[archive])
    with pytest.raises(ToolExecutionError, match="host_archive"):
        Agent(script.model, capabilities=[cards]).run_sync("Go.")

    script = Script([("host_archive", {})], "done")
    cards = Cards([], agent="@B", team=team, tools=[archive], tenant="acme")
    Agent(script.model, capabilities=[cards]).run_sync("Go.", run_id="run-1")
    assert script.returned(1) == ["acme run-1 True"]


def test_failures_and_refusals_are_told_and_fail_no_run(team: LocalTeam) -> None:
    @tool(name="host_flaky", errors=ToolErrorMap({OSError: transient("net", retry_after=2.0)}))
    def flaky() -> None:
        message = "hunter2"
        raise ConnectionError(message)

    @tool(name="host_no")
    def no() -> None:
        raise ToolRefusal("host_no", "closed", "We are closed.")

    script = Script([("host_flaky", {}), ("host_no", {})], "done")
    cards = Cards([], agent="@A", team=team, tools=[flaky, no])
    spans = spans_of(cards)

    assert Agent(script.model, capabilities=[cards]).run_sync("Go.").output == "done"
    assert "`host_flaky` failed (net): try again after 2 s" in told(script, 1, 0)
    assert told(script, 1, 1) == "We are closed."
    assert sorted((s.outcome, s.code) for s in spans) == [("declined", "closed"), ("error", "net")]


def test_a_late_body_commits_nothing_through_a_run(team: LocalTeam) -> None:
    """The plan's actor is given the deadline of the call and refuses what comes after it."""
    release, answers = threading.Event(), list[str]()
    planner = team.agent("@Planner", cards=[PlanningTool()])
    update = planner.tools["update_planning"]

    @policy(ToolPolicy(timeout=0.05, idempotency="effectful"))
    def slow_update() -> None:
        """Update the plan, slowly."""
        release.wait(10)
        keywords = update.validator.arguments({"update": {"create_tasks": [BREAD]}})
        try:
            update.function(**keywords)
        except Exception as error:
            answers.append(str(error))
            raise

    script = Script([("slow_update", {})], "done")
    cards = Cards([], agent="@A", team=team, tools=[Tool.from_function(slow_update)])
    spans = spans_of(cards)
    assert Agent(script.model, capabilities=[cards]).run_sync("Go.").output == "done"
    assert [(s.outcome, s.abandoned) for s in spans] == [("timed_out", True)]
    release.set()
    until = time.monotonic() + 5
    while not answers and time.monotonic() < until:
        time.sleep(0.005)

    assert answers == ["The call took too long and nothing was changed: send it again."]
    assert "Bake bread" not in (planner.dispatch("/planning_summary") or "")


async def test_a_cancelled_run_stops_its_calls(team: LocalTeam) -> None:
    entered, stopped = asyncio.Event(), asyncio.Event()

    @tool(name="host_wait")
    async def wait() -> None:
        entered.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    cards = Cards([], agent="@A", team=team, tools=[wait])
    spans = spans_of(cards)
    run = asyncio.ensure_future(
        Agent(Script([("host_wait", {})]).model, capabilities=[cards]).run("Go.")
    )
    await entered.wait()
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run

    assert stopped.is_set()
    assert [(s.outcome, s.abandoned) for s in spans] == [("cancelled", False)]

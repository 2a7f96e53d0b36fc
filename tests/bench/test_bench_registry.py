"""The bench runs every call through the registry: policies, spans and decorated functions."""

import threading
from collections.abc import Callable, Iterator
from typing import Annotated, ClassVar, override

import pytest
from pydantic import Field

from cardwright.bench import LocalTeam, RetryRequested
from cardwright.core import CallContext, ToolCard, ToolPolicy, calling, current_call, policy
from cardwright.tools import (
    AnyTool,
    ApprovalRequiredError,
    ConcurrencyConfig,
    Tool,
    ToolCallSpan,
    ToolContext,
    ToolDefinitionError,
    ToolRefusal,
    tool,
)
from cardwright_cards import PlanningTool

from .cards_fixture import BoardTool, ProbeTool

BREAD = {"id": 1, "status": "pending", "description": "Bake bread", "owner": "@Bob"}


@pytest.fixture
def team() -> Iterator[LocalTeam]:
    with LocalTeam() as team:
        yield team


@tool(name="bench_price")
def price(
    nights: Annotated[int, Field(description="How long.")], ctx: ToolContext | None = None
) -> str:
    """Price a stay."""
    return f"{nights * 40} EUR for {ctx.tenant if ctx else 'nobody'}"


@tool(name="bench_refuse")
async def refuse() -> None:
    raise ToolRefusal("bench_refuse", "closed", "We are closed.")


def test_a_decorated_function_stands_beside_cards(team: LocalTeam) -> None:
    alice = team.agent("@Alice", cards=[BoardTool()], tools=[price, refuse], tenant="acme")

    assert list(alice.tools) == ["add_note", "bench_price", "bench_refuse"]
    assert alice.call("bench_price", nights=2) == "80 EUR for acme"
    assert alice.call("bench_refuse") == "We are closed."
    with pytest.raises(RetryRequested, match="nights: must be an integer"):
        alice.call("bench_price", nights="2")
    with pytest.raises(RetryRequested, match="ctx: is not a declared field"):
        alice.call("bench_price", nights=2, ctx={"tenant": "other"})


def test_the_ambient_context_of_the_caller_reaches_the_body(team: LocalTeam) -> None:
    alice = team.agent("@Alice", cards=[], tools=[price])

    with ToolContext("run-1", "acme").bound():
        assert alice.call("bench_price", nights=1) == "40 EUR for acme"
    assert alice.call("bench_price", nights=1) == "40 EUR for nobody"


def test_ten_agents_carry_one_card_and_share_a_decorated_function(team: LocalTeam) -> None:
    for number in range(10):
        agent = team.agent(f"@Agent{number}", cards=[BoardTool()], tools=[price])
        assert agent.call("bench_price", nights=number)
    with pytest.raises(ToolDefinitionError, match="bench_price"):
        team.agent("@Twice", cards=[], tools=[price, price_again()])
    assert "@Twice" not in team.agents


def price_again() -> AnyTool:
    def other() -> None: ...

    return Tool.from_function(other, name="bench_price")


def test_every_call_is_one_span(team: LocalTeam) -> None:
    spans: list[ToolCallSpan] = []
    alice = team.agent("@Alice", cards=[BoardTool()])
    alice.registry.observe(spans.append)

    alice.call("add_note", note={"title": "milk"})
    for note in ({"title": "milk"}, {"title": 5}):
        with pytest.raises(RetryRequested):
            alice.call("add_note", note=note)

    assert [(s.tool, s.agent, s.outcome, s.code) for s in spans] == [
        ("add_note", "@Alice", "ok", ""),
        ("add_note", "@Alice", "declined", "taken"),
        ("add_note", "@Alice", "error", ""),
    ]


def test_an_approval_is_given_once_for_one_call(team: LocalTeam) -> None:
    alice = team.agent("@Alice", cards=[ProbeTool()])

    with pytest.raises(ApprovalRequiredError) as asked:
        alice.call("careful")
    alice.approve(asked.value.digest)
    assert alice.call("careful") == "done"
    with pytest.raises(ApprovalRequiredError):
        alice.call("careful")


class NarrowTool(ToolCard):
    """One tool that may not overlap with itself, and one that may."""

    observer_type: ClassVar[type[object] | None] = None
    lock: ClassVar[threading.Lock] = threading.Lock()
    inside: ClassVar[dict[str, int]] = {}
    most: ClassVar[dict[str, int]] = {}
    rest: ClassVar[threading.Event] = threading.Event()

    @override
    def get_tools(self) -> list[Callable[..., object]]:
        return [narrow, wide]


def _visit(name: str) -> None:
    with NarrowTool.lock:
        NarrowTool.inside[name] = NarrowTool.inside.get(name, 0) + 1
        NarrowTool.most[name] = max(NarrowTool.most.get(name, 0), NarrowTool.inside[name])
    NarrowTool.rest.wait(0.002)
    with NarrowTool.lock:
        NarrowTool.inside[name] -= 1


@policy(ToolPolicy(parallel_safe=False))
def narrow() -> None:
    """One at a time."""
    _visit("narrow")


def wide() -> None:
    """Two at a time, as the team is configured."""
    _visit("wide")


def test_lanes_bound_calls_from_many_threads() -> None:
    with LocalTeam(concurrency=ConcurrencyConfig(per_tool={"wide": 2})) as team:
        alice = team.agent("@Alice", cards=[NarrowTool()])
        threads = [
            threading.Thread(target=alice.call, args=(name,))
            for name in ("narrow", "wide")
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert NarrowTool.most["narrow"] == 1
    assert NarrowTool.most["wide"] <= 2


def test_a_call_on_its_own_loop_is_refused_instead_of_waiting_for_ever(team: LocalTeam) -> None:
    @tool(name="bench_nested")
    async def nested() -> None:
        alice.call("bench_price", nights=1)

    alice = team.agent("@Alice", cards=[], tools=[nested, price])

    with pytest.raises(RuntimeError, match="own loop"):
        alice.call("bench_nested")


def test_a_stopped_team_calls_nothing() -> None:
    with LocalTeam() as team:
        alice = team.agent("@Alice", cards=[], tools=[price])
    with pytest.raises(RuntimeError, match="stopped"):
        alice.call("bench_price", nights=1)


def test_a_team_may_tighten_ceilings() -> None:
    config = ConcurrencyConfig(per_tool_seconds={"stubborn": 9.0, "probe": 2.0, "absent": 1.0})
    with LocalTeam(concurrency=config) as team:
        registry = team.agent("@Alice", cards=[ProbeTool()]).registry

    assert (registry.timeout_for("stubborn"), registry.timeout_for("probe")) == (0.05, 2.0)
    assert registry.timeout_for("divide") is None


def test_a_board_commits_nothing_after_the_deadline(team: LocalTeam) -> None:
    """The deadline of a call reaches the actor as an argument and is checked where it commits."""
    held, release, answers = threading.Event(), threading.Event(), list[str]()
    planner = team.agent("@Planner", cards=[PlanningTool()])
    update = planner.tools["update_planning"].function
    validator = planner.tools["update_planning"].validator

    @policy(ToolPolicy(timeout=0.05))
    def slow_update() -> str:
        held.set()
        release.wait(10)
        try:
            return str(update(**validator.arguments({"update": {"create_tasks": [BREAD]}})))
        except Exception as error:
            answers.append(str(error))
            raise
        finally:
            release.clear()

    alice = team.agent("@Alice", cards=[], tools=[Tool.from_function(slow_update)])
    with pytest.raises(RetryRequested, match="did not finish"):
        alice.call("slow_update")
    assert held.is_set()
    release.set()
    while not answers:
        threading.Event().wait(0.005)

    assert answers == ["The call took too long and nothing was changed: send it again."]
    assert "Bake bread" not in (planner.dispatch("/planning_summary") or "")


def test_the_same_call_is_applied_once_even_across_registries(team: LocalTeam) -> None:
    """`(run, tool call)` reaches the actor, which repeats its answer instead of the effect."""
    planner = team.agent("@Planner", cards=[PlanningTool()])
    found = planner.tools["update_planning"]
    keywords = found.validator.arguments({"update": {"create_tasks": [BREAD]}})
    with calling(CallContext("run-1", "call-1")):
        assert current_call().key == ("run-1", "call-1", "")
        assert found.function(**keywords) == found.function(**keywords) == "Done"

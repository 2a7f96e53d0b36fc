"""Cards on plain pydantic-ai agents, over whole runs with a scripted model."""

import gc
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator

import pytest
from pydantic import BaseModel
from pydantic_ai import (
    Agent,
    BinaryContent,
    DeferredToolRequests,
    DeferredToolResults,
    ModelMessagesTypeAdapter,
    UnexpectedModelBehavior,
)
from pydantic_ai.capabilities import ProcessHistory
from pydantic_ai.exceptions import UserError
from pydantic_ai.messages import (
    ModelMessage,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.toolsets import FunctionToolset

from cardwright.bench import LocalTeam
from cardwright.core import Toolset
from cardwright.pydantic_ai import Cards

from ..bench.cards_fixture import BoardTool, ProbeTool  # noqa: TID252 - tests are no package
from .scripted import Script, Step, blocks, sent_bytes, sent_tools


@pytest.fixture
def team() -> Iterator[LocalTeam]:
    with LocalTeam() as team:
        yield team


def test_an_agent_uses_its_cards(team: LocalTeam) -> None:
    script = Script([("add_note", {"note": {"title": "milk"}})], "done")
    agent = Agent(script.model, capabilities=[Cards([BoardTool()], agent="@Alice", team=team)])

    result = agent.run_sync("Remember the milk.")

    assert result.output == "done"
    assert script.returned(1) == ["added milk"]
    assert team.agents["@Alice"].dispatch("/board") == "Notes: milk"


def test_the_model_is_sent_what_the_bench_shows(team: LocalTeam) -> None:
    script = Script("done")
    cards = Cards([BoardTool(), ProbeTool()], agent="@Alice", team=team)
    Agent(script.model, capabilities=[cards]).run_sync("Hi.")
    bob = team.agent("@Bob", cards=[BoardTool(), ProbeTool()])

    sent = {tool.name: tool for tool in script.infos[0].function_tools}

    assert list(sent) == list(bob.tools)
    for name, tool in sent.items():
        assert tool.parameters_json_schema == bob.schema(name)
        assert tool.description == bob.tools[name].description


def test_prefix_is_cached_and_history_only_grows_over_a_whole_conversation(
    team: LocalTeam,
) -> None:
    script = Script(
        [("add_note", {"note": {"title": "milk"}})],
        [("add_note", '{"note": {"title": 5}}'), ("probe", "")],
        [("add_note", {"note": {"title": "milk"}})],
        [("add_note", {"note": {"title": "bread"}}), ("picture", {})],
        "first",
        "second",
        [("add_note", {"note": {"title": "salt"}})],
        "third",
    )
    cards = Cards([BoardTool(), ProbeTool(greeting="Be kind.")], agent="@Alice", team=team)
    agent = Agent(
        script.model, instructions="You shop.", capabilities=[cards], retries={"tools": 5}
    )
    history: list[ModelMessage] = []
    for prompt in ("one", "two", "three"):
        history = agent.run_sync(prompt, message_history=history).all_messages()

    prefixes = {(sent_tools(info), info.instructions) for info in script.infos}
    assert len(script.requests) == 8
    assert len(prefixes) == 1
    assert "Be kind." in (script.infos[0].instructions or "")
    for earlier, later in zip(script.requests, script.requests[1:], strict=False):
        assert sent_bytes(later)[: len(earlier)] == sent_bytes(earlier)
    for before, request in zip([[], *script.requests], script.requests, strict=False):
        new = blocks(request)[len(blocks(before)) :]
        assert len(new) <= 1
        if new:
            last = request[-1].parts[-1]
            assert isinstance(last, UserPromptPart)
            assert last.content == new[0]
    assert blocks(script.requests[-1]) == [
        "**Context update 1** — current state.\n\nNotes: none",
        "**Context update 2** — state has changed since the last update.\n\nNew notes: milk",
        "**Context update 3** — state has changed since the last update.\n\nNew notes: bread",
        "**Context update 4** — state has changed since the last update.\n\nNew notes: salt",
    ]
    assert blocks(history) == blocks(script.requests[-1])


def test_the_history_reconciles_in_another_process(team: LocalTeam) -> None:
    first = Script("done")
    agent = Agent(first.model, capabilities=[Cards([BoardTool()], agent="@Alice", team=team)])
    stored = agent.run_sync("Hi.").all_messages_json()

    with LocalTeam() as restarted:
        second = Script("done")
        cards = Cards([BoardTool()], agent="@Alice", team=restarted)
        Agent(second.model, capabilities=[cards]).run_sync(
            "Hi again.", message_history=ModelMessagesTypeAdapter.validate_json(stored)
        )

    assert blocks(second.requests[0]) == [
        "**Context update 1** — current state.\n\nNotes: none",
        "**Context update 2** — current state.\n\nNotes: none",
    ]


def test_conversations_of_one_agent_do_not_mix(team: LocalTeam) -> None:
    script = Script("a", "b", "a", "b")
    agent = Agent(script.model, capabilities=[Cards([BoardTool()], agent="@Alice", team=team)])
    bob = team.agent("@Bob", cards=[BoardTool()])

    one = agent.run_sync("one").all_messages()
    bob.call("add_note", note={"title": "milk"})
    two = agent.run_sync("two").all_messages()
    bob.call("add_note", note={"title": "bread"})
    one = agent.run_sync("one", message_history=one).all_messages()
    two = agent.run_sync("two", message_history=two).all_messages()

    changed = "**Context update 2** — state has changed since the last update.\n\nNew notes: "
    assert blocks(one) == [
        "**Context update 1** — current state.\n\nNotes: none",
        f"{changed}milk, bread",
    ]
    assert blocks(two) == [
        "**Context update 1** — current state.\n\nNotes: milk",
        f"{changed}bread",
    ]


def test_refused_arguments_go_back_to_the_model_and_the_body_is_not_entered(
    team: LocalTeam,
) -> None:
    script = Script(
        [("add_note", '{"note": {"title": "a", "title": "b"}}')],
        [("add_note", {"arguments": {"note": {"title": "milk"}}})],
        "done",
    )
    agent = Agent(script.model, capabilities=[Cards([BoardTool()], agent="@Alice", team=team)])

    agent.run_sync("Go.")

    refused = script.requests[1][-1].parts[0]
    assert isinstance(refused, ToolReturnPart)
    assert "Tool `add_note` did not run" in refused.model_response_str()
    assert "a key is given more than once: title" in refused.model_response_str()
    assert script.returned(2) == ["added milk"]


def test_a_retriable_failure_goes_back_to_the_model(team: LocalTeam) -> None:
    milk = [("add_note", {"note": {"title": "milk"}})]
    script = Script(milk, milk, "done")
    agent = Agent(script.model, capabilities=[Cards([BoardTool()], agent="@Alice", team=team)])

    agent.run_sync("Go.")

    asked = script.requests[2][-1].parts[0]
    assert isinstance(asked, ToolReturnPart)
    assert "choose another title" in asked.model_response_str()


def test_the_budget_of_repairs_is_the_agents_or_the_cards(team: LocalTeam) -> None:
    wrong: Step = [("divide", {"by": "x"})]
    card = ProbeTool()

    with pytest.raises(UnexpectedModelBehavior, match="divide"):
        Agent(
            Script(wrong, wrong).model, capabilities=[Cards([card], agent="@A", team=team)]
        ).run_sync("Go.")
    patient = Cards([card], agent="@B", team=team, max_retries=3)
    assert (
        Agent(Script(wrong, wrong, wrong, "done").model, capabilities=[patient])
        .run_sync("Go.")
        .output
        == "done"
    )


def test_bodies_know_their_call_and_run_off_the_loop(team: LocalTeam) -> None:
    ProbeTool.calls.clear()
    script = Script([("probe", {}), ("probe_later", {})], "done")
    agent = Agent(script.model, capabilities=[Cards([ProbeTool()], agent="@Alice", team=team)])

    result = agent.run_sync("Go.", run_id="run-1")

    ids = {
        part.tool_call_id
        for message in result.all_messages()
        for part in message.parts
        if isinstance(part, ToolCallPart)
    }
    assert {call.run_id for call in ProbeTool.calls} == {"run-1"}
    assert {call.tool_call_id for call in ProbeTool.calls} == ids
    in_thread, on_loop = script.returned(1)
    assert in_thread != on_loop


async def test_the_end_of_the_run_is_the_deadline_of_its_calls(team: LocalTeam) -> None:
    ProbeTool.calls.clear()
    script = Script([("probe", {})], "done")
    agent = Agent(script.model, capabilities=[Cards([ProbeTool()], agent="@Alice", team=team)])

    await agent.run("Go.", timeout=60)

    remaining = ProbeTool.calls[0].remaining
    assert remaining is not None
    assert 50 < remaining <= 60


def test_a_call_beyond_its_ceiling_is_given_up(team: LocalTeam) -> None:
    script = Script([("hasty", {})], "done")
    agent = Agent(script.model, capabilities=[Cards([ProbeTool()], agent="@Alice", team=team)])

    started = time.monotonic()
    assert agent.run_sync("Go.").output == "done"

    assert time.monotonic() - started < 5
    failed = script.requests[1][-1].parts[0]
    assert isinstance(failed, ToolReturnPart)
    assert "did not finish within 0.05 s" in failed.model_response_str()


def test_an_abandoned_thread_finds_its_deadline_passed(team: LocalTeam) -> None:
    ProbeTool.calls.clear()
    ProbeTool.release.clear()
    ProbeTool.ended.clear()
    script = Script([("stubborn", {})], "done")
    agent = Agent(script.model, capabilities=[Cards([ProbeTool()], agent="@Alice", team=team)])

    assert agent.run_sync("Go.").output == "done"
    assert not ProbeTool.calls
    ProbeTool.release.set()

    assert ProbeTool.ended.wait(5)
    assert ProbeTool.calls[0].expired


def test_a_trimmed_history_gets_everything_again(team: LocalTeam) -> None:
    def keep_last(messages: list[ModelMessage]) -> list[ModelMessage]:
        return messages[-1:]

    script = Script("one", "two")
    cards = Cards([BoardTool()], agent="@Alice", team=team)
    agent = Agent(script.model, capabilities=[cards, ProcessHistory(keep_last)])

    history = agent.run_sync("Hi.").all_messages()
    agent.run_sync("Hi again.", message_history=history)

    assert blocks(script.requests[0]) == ["**Context update 1** — current state.\n\nNotes: none"]
    assert blocks(script.requests[1]) == ["**Context update 2** — current state.\n\nNotes: none"]


def test_media_and_models_are_shown_without_storage_markers(team: LocalTeam) -> None:
    script = Script([("picture", {})], "done")
    agent = Agent(script.model, capabilities=[Cards([ProbeTool()], agent="@Alice", team=team)])

    agent.run_sync("Go.")

    assert script.returned(1) == [
        [BinaryContent(data=b"png", media_type="image/png"), {"title": "caption", "stars": 0}]
    ]


def test_policies_reach_the_definitions(team: LocalTeam) -> None:
    script = Script("done")
    cards = Cards([ProbeTool()], agent="@Alice", team=team)
    Agent(script.model, capabilities=[cards]).run_sync("Go.")

    sent = {tool.name: tool for tool in script.infos[0].function_tools}

    assert (sent["hasty"].sequential, sent["hasty"].timeout) == (True, 0.05)
    assert (sent["probe"].sequential, sent["probe"].timeout) == (False, None)
    assert sent["hasty"].metadata == {"idempotency": "effectful", "approval": False}
    assert sent["careful"].metadata == {"idempotency": None, "approval": True}


def test_a_tool_that_needs_approval_waits_for_it(team: LocalTeam) -> None:
    script = Script([("careful", {})], "done")
    agent = Agent(
        script.model,
        output_type=[str, DeferredToolRequests],
        capabilities=[Cards([ProbeTool()], agent="@Alice", team=team)],
    )

    asked = agent.run_sync("Go.")

    assert isinstance(asked.output, DeferredToolRequests)
    (call,) = asked.output.approvals
    allowed = agent.run_sync(
        message_history=asked.all_messages(),
        deferred_tool_results=DeferredToolResults(approvals={call.tool_call_id: True}),
    )
    assert allowed.output == "done"
    assert script.returned(1) == ["done"]


class Suitcase(ProbeTool):
    """A card that brings a ready toolset of the host's framework."""

    def get_tools(self) -> list[Callable[..., object]]:
        return []

    def get_toolsets(self) -> list[Toolset]:
        toolset = FunctionToolset[object](id="suitcase")
        toolset.add_function(_unpack, name="unpack")
        return [toolset]


def _unpack(item: str) -> str:
    """Unpack an item."""
    return f"unpacked {item}"


def test_toolsets_of_cards_are_served(team: LocalTeam) -> None:
    script = Script([("unpack", {"item": "socks"})], "done")
    cards = Cards([Suitcase(), BoardTool()], agent="@Alice", team=team)
    Agent(script.model, capabilities=[cards]).run_sync("Go.")

    assert [tool.name for tool in script.infos[0].function_tools] == ["add_note", "unpack"]
    assert script.returned(1) == ["unpacked socks"]


def test_a_name_of_two_tools_is_refused(team: LocalTeam) -> None:
    cards = [
        Cards([BoardTool()], agent="@Alice", team=team),
        Cards([BoardTool()], agent="@Bob", team=team),
    ]

    with pytest.raises(UserError, match="add_note"):
        Agent(Script("done").model, capabilities=cards).run_sync("Go.")


def test_two_agents_share_a_board_and_have_prompts_of_their_own() -> None:
    with LocalTeam() as team:
        first = Script([("add_note", {"note": {"title": "milk"}})], "done")
        second = Script("done")
        alice = Cards([BoardTool(), ProbeTool(greeting="A")], agent="@Alice", team=team)
        bob = Cards([BoardTool(), ProbeTool(greeting="B")], agent="@Bob", team=team)
        Agent(first.model, capabilities=[alice]).run_sync("Go.")
        Agent(second.model, capabilities=[bob]).run_sync("Go.")

    assert blocks(second.requests[0]) == ["**Context update 1** — current state.\n\nNotes: milk"]
    assert (first.infos[0].instructions, second.infos[0].instructions) == ("A", "B")


def test_commands_are_reachable_from_code() -> None:
    cards = Cards([BoardTool()])

    assert cards.dispatch("/note milk") == "added milk"
    assert cards.commands.callable("board")() == "Notes: milk"
    assert list(cards.tools) == ["add_note"]


def test_a_private_team_goes_with_its_capability() -> None:
    before = set(threading.enumerate())
    cards: Cards | None = Cards([BoardTool()])
    cards = None
    gc.collect()

    deadline = time.monotonic() + 5
    while (left := set(threading.enumerate()) - before) and time.monotonic() < deadline:
        for thread in left:
            if thread.is_alive():
                thread.join(0.05)
    assert not left
    assert cards is None


async def test_streamed_runs_carry_updates_too(team: LocalTeam) -> None:
    seen: list[list[ModelMessage]] = []

    async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str]:
        seen.append(list(messages))
        yield "done"

    cards = Cards([BoardTool()], agent="@Alice", team=team)
    agent = Agent(FunctionModel(stream_function=stream), capabilities=[cards])
    async with agent.run_stream("Go.") as result:
        assert await result.get_output() == "done"

    assert blocks(seen[0]) == ["**Context update 1** — current state.\n\nNotes: none"]


def test_agents_with_dependencies_and_structured_output_carry_cards(team: LocalTeam) -> None:
    class Answer(BaseModel):
        text: str

    script = Script([("final_result", {"text": "x"})])
    agent = Agent(
        script.model,
        deps_type=int,
        output_type=Answer,
        capabilities=[Cards([BoardTool()], agent="@Alice", team=team)],
    )

    assert agent.run_sync("Go.", deps=3).output == Answer(text="x")

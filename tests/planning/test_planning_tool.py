"""The planning card as agents of one team use it."""

import gc
import logging
import re
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import cast

import pytest
from pydantic import ValidationError

from cardwright import LocalTeam
from cardwright.actors import ActorSystem, BaseConfig, stored_context
from cardwright.bench import LocalAgent, RetryRequested, TeamMember
from cardwright.core import Channels, CommandRegistry, RetriableError, ToolState
from cardwright.core.provider import ContextProvider
from cardwright.planning import (
    GetPlanning,
    GetPlanningTask,
    PlanningState,
    PlanningTool,
    SearchPlanning,
    Task,
    UpdatePlan,
    UpdatePlanning,
)

type Orphan = tuple[dict[str, Callable[..., object]], ContextProvider, CommandRegistry]


@pytest.fixture
def team() -> Iterator[LocalTeam]:
    with LocalTeam() as team:
        yield team


@pytest.fixture
def alice(team: LocalTeam) -> LocalAgent:
    return team.agent("@Alice", cards=[PlanningTool()])


def task(
    task_id: int, owner: str = "@Alice", status: str = "pending", description: str | None = None
) -> dict[str, object]:
    return {
        "id": task_id,
        "status": status,
        "description": description or f"work {task_id}",
        "owner": owner,
    }


def numbers_in(text: str) -> list[str]:
    return re.findall(r"#(\d+)", text)


def looked_up(agent: LocalAgent, task_id: int) -> Task:
    found = agent.call("get_planning_task", task_id=task_id)
    assert isinstance(found, Task)
    return found


def searched(agent: LocalAgent, **arguments: object) -> list[str]:
    found = agent.call("search_planning", **arguments)
    assert isinstance(found, list)
    return cast("list[str]", found)


def told(agent: LocalAgent) -> str:
    """What the next context update says, nothing as an empty text."""
    return agent.context_update() or ""


def answer(agent: LocalAgent, command: str) -> str:
    text = agent.dispatch(command)
    assert text is not None
    return text


def create(agent: LocalAgent, *tasks: dict[str, object]) -> None:
    assert agent.call("update_planning", update={"create_tasks": list(tasks)}) == "Done"


def test_tools_come_in_order_and_the_summary_only_when_exposed(
    team: LocalTeam, alice: LocalAgent
) -> None:
    assert list(alice.tools) == ["get_planning_task", "update_planning", "search_planning"]
    everything = PlanningTool(get_planning=GetPlanning(expose=set(GetPlanning.serves)))
    assert list(team.agent("@Bob", cards=[everything]).tools) == [
        "planning_summary",
        "get_planning_task",
        "update_planning",
        "search_planning",
    ]


def test_a_read_only_board_has_no_update(team: LocalTeam) -> None:
    agent = team.agent("@Bob", cards=[PlanningTool(update_planning=False)])
    assert list(agent.tools) == ["get_planning_task", "search_planning"]


def test_update_is_never_a_command() -> None:
    with pytest.raises(ValidationError, match="tool_call"):
        UpdatePlanning(expose={Channels.COMMAND})


@pytest.mark.parametrize("top_k", [0, -1])
def test_t20_top_k_is_at_least_one(alice: LocalAgent, top_k: int) -> None:
    with pytest.raises(ValidationError):
        PlanningTool(search_top_k=top_k)
    with pytest.raises(RetryRequested, match="top_k"):
        alice.call("search_planning", query="work", top_k=top_k)


def test_the_creator_is_the_calling_agent(team: LocalTeam, alice: LocalAgent) -> None:
    bob = team.agent("@Bob", cards=[PlanningTool()])
    create(alice, task(1))
    create(bob, task(2))
    assert [looked_up(alice, i).creator for i in (1, 2)] == [
        "@Alice",
        "@Bob",
    ]


def test_the_model_cannot_name_a_creator(alice: LocalAgent) -> None:
    with pytest.raises(RetryRequested, match="creator"):
        alice.call("update_planning", update={"create_tasks": [task(1) | {"creator": "@Bob"}]})


def test_case_26_an_overlong_description_never_reaches_the_board(alice: LocalAgent) -> None:
    with pytest.raises(RetryRequested, match="description"):
        alice.call(
            "update_planning", update={"create_tasks": [task(1), task(2, description="d" * 301)]}
        )
    assert alice.call("search_planning") == []


def test_case_26_an_overlong_output_is_cut(alice: LocalAgent) -> None:
    create(alice, task(1))
    alice.call("update_planning", update={"update_tasks": [{"id": 1, "output": "o" * 200}]})
    assert looked_up(alice, 1).output == "o" * 147 + "..."


def test_case_27_refusals_are_retriable_and_the_good_part_stays(alice: LocalAgent) -> None:
    create(alice, task(1))
    with pytest.raises(RetryRequested) as refused:
        alice.call(
            "update_planning",
            update={
                "create_tasks": [task(1), task(2)],
                "update_tasks": [{"id": 77, "status": "started"}],
                "delete_tasks": [88],
            },
        )
    text = str(refused.value)
    assert all(number in text for number in ("task 1 ", "77", "88"))
    assert "task 2" not in text
    assert refused.value.failure == "rejected_items"
    assert isinstance(alice.call("get_planning_task", task_id=2), Task)


def test_case_28_a_task_or_a_text(alice: LocalAgent) -> None:
    create(alice, task(1))
    assert looked_up(alice, 1).description == "work 1"
    assert alice.call("get_planning_task", task_id=9) == "No task has the id 9."


def test_case_29_an_empty_board_finds_nothing(alice: LocalAgent) -> None:
    assert alice.call("search_planning") == []
    assert (
        alice.call("search_planning", query="x", status="started", owner="", creator="@Bob") == []
    )


def test_the_configured_top_k_holds_unless_the_call_names_one(team: LocalTeam) -> None:
    agent = team.agent("@Bob", cards=[PlanningTool(search_top_k=2)])
    create(agent, *[task(i) for i in range(5)])
    assert len(searched(agent, query="work")) == 2
    assert len(searched(agent, query="work", top_k=4)) == 4
    assert len(searched(agent, query="work", top_k=None)) == 2
    assert len(searched(agent)) == 5


def test_t10_two_cards_of_one_team_may_differ_in_their_defaults(
    team: LocalTeam, alice: LocalAgent
) -> None:
    create(alice, task(1), task(2))
    bob = team.agent("@Bob", cards=[PlanningTool(search_top_k=1, get_planning=False)])
    assert len(searched(bob, query="work")) == 1
    assert len(searched(alice, query="work")) == 2


def test_case_36_the_card_needs_no_other_card() -> None:
    assert PlanningTool().depends_on == []
    assert "depends_on" not in PlanningTool().model_dump()


def test_case_38_without_an_orchestrator_binding_is_refused() -> None:
    with ActorSystem() as system:
        address = system.createActor(TeamMember, config=BaseConfig(name="@Alone"))
        alone = system.proxy_ask(address, TeamMember).itself()
        with pytest.raises(ValueError, match="orchestrator"):
            PlanningTool().observer(alone)


def test_a_card_round_trips_with_its_params() -> None:
    card = PlanningTool(
        search_top_k=3,
        get_planning=GetPlanning(filter_by_agent=False, instructions="Look often."),
        get_planning_task=False,
        search_planning=SearchPlanning(expose={Channels.COMMAND}),
    )
    assert PlanningTool.model_validate(card.model_dump()) == card
    assert PlanningTool.model_validate_json(card.model_dump_json()) == card


def test_case_41_the_provider_is_named_planning_state_and_an_empty_board_is_a_state(
    alice: LocalAgent,
) -> None:
    (provider,) = alice.factory.get_context_states()
    assert provider.__name__ == "planning_state"
    assert isinstance(provider(), PlanningState)
    assert "empty" in told(alice)


@pytest.mark.parametrize("config", [False, GetPlanning(expose={Channels.COMMAND})])
def test_case_41_no_provider_when_off_or_not_exposed(
    team: LocalTeam, config: GetPlanning | bool
) -> None:
    agent = team.agent("@Bob", cards=[PlanningTool(get_planning=config)])
    assert agent.factory.get_context_states() == []


def test_case_41_a_stopped_plan_actor_makes_the_state_unavailable(
    team: LocalTeam, alice: LocalAgent, caplog: pytest.LogCaptureFixture
) -> None:
    (provider,) = alice.factory.get_context_states()
    team.stop()
    with caplog.at_level(logging.CRITICAL):
        assert provider() is None


def test_case_42_a_stored_prompt_exposure_of_get_planning_moves_to_the_context() -> None:
    stored = PlanningTool(get_planning=GetPlanning()).model_dump()
    stored["get_planning"]["expose"] = ["system_prompt", "command"]
    loaded = PlanningTool.model_validate(stored, context=stored_context()).get_planning
    assert isinstance(loaded, GetPlanning)
    assert loaded.expose == {Channels.LLM_CONTEXT, Channels.COMMAND}


def test_case_42_the_other_params_are_told_instead(caplog: pytest.LogCaptureFixture) -> None:
    """Decision T1: they never served the prompt, so the channel goes with one warning."""
    stored = PlanningTool(get_planning_task=GetPlanningTask()).model_dump()
    stored["get_planning_task"]["expose"] = ["system_prompt", "command"]
    loaded = PlanningTool.model_validate(stored, context=stored_context()).get_planning_task
    assert isinstance(loaded, GetPlanningTask)
    assert loaded.expose == {Channels.COMMAND}
    assert caplog.text.count("system_prompt") == 1


def test_context_updates_tell_each_agent_what_concerns_it(
    team: LocalTeam, alice: LocalAgent
) -> None:
    bob = team.agent("@Bob", cards=[PlanningTool()])
    create(alice, task(1, "@Alice"), task(2, "@Bob"), task(3, "@Carol"))
    assert numbers_in(told(alice)) == ["1", "2", "3"]
    assert numbers_in(told(bob)) == ["2"]
    assert alice.context_update() is None
    alice.call("update_planning", update={"update_tasks": [{"id": 1, "status": "started"}]})
    assert told(alice).endswith("- Changed: #1 status pending -> started (owner: @Alice)")
    assert bob.context_update() is None
    bob.call("update_planning", update={"delete_tasks": [2]})
    assert told(alice).splitlines()[-2:] == [
        "Team task board: 2 tasks.",
        "- Removed: #2 [pending] work 2",
    ]


def test_a_stored_baseline_goes_on_where_it_was(alice: LocalAgent) -> None:
    create(alice, task(1), task(2))
    told(alice)
    state = alice.member.state
    state.tool_state = ToolState.model_validate(
        state.tool_state.model_dump(), context=stored_context()
    )
    assert isinstance(state.tool_state.context_baselines["planning_state"], PlanningState)
    assert alice.context_update() is None
    alice.call("update_planning", update={"delete_tasks": [1]})
    assert told(alice).endswith("- Removed: #1 [pending] work 1")


def test_agents_that_write_at_once_lose_nothing(team: LocalTeam) -> None:
    agents = [team.agent(f"@Agent{number}", cards=[PlanningTool()]) for number in range(8)]

    def work(number: int) -> None:
        for step in range(10):
            create(agents[number], task(number * 100 + step, owner=f"@Agent{number}"))

    with ThreadPoolExecutor(len(agents)) as pool:
        list(pool.map(work, range(len(agents))))
    assert len(searched(agents[0])) == 80
    for number, agent in enumerate(agents):
        expected = [str(number * 100 + step) for step in range(10)]
        assert [line.split()[0][1:] for line in searched(agent, creator=agent.name)] == expected


def test_without_the_filter_an_agent_is_told_of_every_task(
    team: LocalTeam, alice: LocalAgent
) -> None:
    create(alice, task(1, "@Carol"))
    bob = team.agent("@Bob", cards=[PlanningTool(get_planning=GetPlanning(filter_by_agent=False))])
    assert "#1 [pending] work 1" in told(bob)


def test_the_commands_are_usable_by_a_person(alice: LocalAgent) -> None:
    create(
        alice,
        task(1, status="started", description="write the parser"),
        task(2, description="write the lexer for the parser", owner=""),
    )
    assert answer(alice, "/planning_summary").startswith(
        "Team task board: 2 tasks (@Alice: 1, unassigned: 1)."
    )
    assert answer(alice, "/get_planning_task 1").startswith(
        "#1 [started] write the parser\nowner: @Alice"
    )
    assert answer(alice, "/get_planning_task 3") == "No task has the id 3."
    found = answer(alice, "/search_planning status=started the parser")
    assert found.splitlines() == [
        "#1 [started] write the parser | owner: @Alice | creator: @Alice | keyword match"
    ]
    assert len(answer(alice, "/search_planning the parser").splitlines()) == 2
    assert len(answer(alice, "/search_planning top_k=1 the parser").splitlines()) == 1
    assert len(answer(alice, "/search_planning").splitlines()) == 2
    assert answer(alice, "/search_planning owner=").startswith("#2 ")
    assert answer(alice, "/search_planning it's nowhere") == "No task matches."


def test_a_command_called_from_code_answers_native_values(alice: LocalAgent) -> None:
    create(alice, task(1))
    assert isinstance(alice.commands.callable("get_planning_task")(task_id=1), Task)


def test_commands_come_in_order_and_describe_their_arguments(alice: LocalAgent) -> None:
    descriptors = alice.commands.descriptors()
    assert [descriptor.name for descriptor in descriptors] == [
        "planning_summary",
        "get_planning_task",
        "search_planning",
    ]
    search = descriptors[-1]
    assert [argument.name for argument in search.args] == [
        "status",
        "owner",
        "creator",
        "top_k",
        "mode",
        "score_threshold",
        "query",
    ]
    assert search.args[-1].rest_of_line
    assert all(argument.description for argument in search.args)


def test_t20_instructions_reach_every_callable_summary_included(team: LocalTeam) -> None:
    instructions = "Only touch tasks of your own."
    card = PlanningTool(
        get_planning=GetPlanning(instructions=instructions, expose=set(GetPlanning.serves)),
        get_planning_task=GetPlanningTask(instructions=instructions),
        update_planning=UpdatePlanning(instructions=instructions),
        search_planning=SearchPlanning(instructions=instructions),
    )
    agent = team.agent("@Bob", cards=[card])
    assert all(instructions in tool.description for tool in agent.tools.values())
    assert all(
        instructions in descriptor.description for descriptor in agent.commands.descriptors()
    )


def test_the_model_reads_the_limits_and_the_configured_default(team: LocalTeam) -> None:
    agent = team.agent("@Bob", cards=[PlanningTool(search_top_k=7)])
    description = agent.tools["update_planning"].description
    assert "300" in description
    assert "150" in description
    assert "300 characters" in str(agent.schema("update_planning"))
    assert "7 when left out" in str(agent.schema("search_planning"))


@pytest.fixture
def orphan(team: LocalTeam) -> Orphan:
    """Tools, commands and providers of an agent that is gone, over a board with one task."""
    agent = team.agent("@Alice", cards=[PlanningTool()])
    create(agent, task(1))
    tools = {tool.__name__: tool for tool in agent.factory.get_tools()}
    (provider,) = agent.factory.get_context_states()
    registry = agent.factory.get_command_registry()
    gone = weakref.ref(agent.member)
    agent.member.stop()
    del team.agents["@Alice"], agent
    for _ in range(50):
        gc.collect()
        if gone() is None:
            break
    assert gone() is None
    return tools, provider, registry


def test_a_gone_agent_cannot_update(orphan: Orphan) -> None:
    tools, _, _ = orphan
    with pytest.raises(RetriableError, match="shutting down") as refused:
        tools["update_planning"](update=UpdatePlan(delete_tasks=[1]))
    assert refused.value.failure == "agent_gone"


def test_a_gone_agent_has_no_context_but_look_ups_go_on(orphan: Orphan) -> None:
    tools, provider, registry = orphan
    assert provider() is None
    assert isinstance(tools["get_planning_task"](task_id=1), Task)
    line = "#1 [pending] work 1 | owner: @Alice | creator: @Alice"
    assert tools["search_planning"]() == [line]
    assert registry.dispatch("/search_planning work") == f"{line} | keyword match"


def test_agents_of_one_team_share_the_board(team: LocalTeam, alice: LocalAgent) -> None:
    bob = team.agent("@Bob", cards=[PlanningTool()])
    create(alice, task(1))
    assert looked_up(bob, 1).id == 1

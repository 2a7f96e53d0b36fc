"""The planning card as agents of one team use it."""

import gc
import logging
import re
import weakref

import pytest
from pydantic import ValidationError

from cardwright import LocalTeam
from cardwright.actors import stored_context
from cardwright.bench import RetryRequested
from cardwright.core import Channels, RetriableError
from cardwright.planning import (
    GetPlanning,
    GetPlanningTask,
    PlanningState,
    PlanningTool,
    SearchPlanning,
    Task,
    UpdatePlanning,
)


@pytest.fixture
def team():
    with LocalTeam() as team:
        yield team


@pytest.fixture
def alice(team):
    return team.agent("@Alice", cards=[PlanningTool()])


def task(task_id, owner="@Alice", status="pending", description=None):
    return {"id": task_id, "status": status, "description": description or f"work {task_id}", "owner": owner}


def numbers_in(text):
    return re.findall(r"#(\d+)", text)


def create(agent, *tasks):
    assert agent.call("update_planning", update={"create_tasks": list(tasks)}) == "Done"


def test_tools_come_in_order_and_the_summary_only_when_exposed(team, alice):
    assert list(alice.tools) == ["get_planning_task", "update_planning", "search_planning"]
    everything = PlanningTool(get_planning=GetPlanning(expose=set(GetPlanning.serves)))
    assert list(team.agent("@Bob", cards=[everything]).tools) == [
        "planning_summary",
        "get_planning_task",
        "update_planning",
        "search_planning",
    ]


def test_a_read_only_board_has_no_update(team):
    agent = team.agent("@Bob", cards=[PlanningTool(update_planning=False)])
    assert list(agent.tools) == ["get_planning_task", "search_planning"]


def test_update_is_never_a_command():
    with pytest.raises(ValidationError, match="tool_call"):
        UpdatePlanning(expose={Channels.COMMAND})


@pytest.mark.parametrize("top_k", [0, -1])
def test_t20_top_k_is_at_least_one(alice, top_k):
    with pytest.raises(ValidationError):
        PlanningTool(search_top_k=top_k)
    with pytest.raises(RetryRequested, match="top_k"):
        alice.call("search_planning", query="work", top_k=top_k)


def test_the_creator_is_the_calling_agent(team, alice):
    bob = team.agent("@Bob", cards=[PlanningTool()])
    create(alice, task(1))
    create(bob, task(2))
    assert [alice.call("get_planning_task", task_id=i).creator for i in (1, 2)] == ["@Alice", "@Bob"]


def test_the_model_cannot_name_a_creator(alice):
    with pytest.raises(RetryRequested, match="creator"):
        alice.call("update_planning", update={"create_tasks": [task(1) | {"creator": "@Bob"}]})


def test_case_26_an_overlong_description_never_reaches_the_board(alice):
    with pytest.raises(RetryRequested, match="description"):
        alice.call("update_planning", update={"create_tasks": [task(1), task(2, description="d" * 301)]})
    assert alice.call("search_planning") == []


def test_case_26_an_overlong_output_is_cut(alice):
    create(alice, task(1))
    alice.call("update_planning", update={"update_tasks": [{"id": 1, "output": "o" * 200}]})
    assert alice.call("get_planning_task", task_id=1).output == "o" * 147 + "..."


def test_case_27_refusals_are_retriable_and_the_good_part_stays(alice):
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


def test_case_28_a_task_or_a_text(alice):
    create(alice, task(1))
    assert alice.call("get_planning_task", task_id=1).description == "work 1"
    assert alice.call("get_planning_task", task_id=9) == "No task has the id 9."


def test_case_29_an_empty_board_finds_nothing(alice):
    assert alice.call("search_planning") == []
    assert alice.call("search_planning", query="x", status="started", owner="", creator="@Bob") == []


def test_the_configured_top_k_holds_unless_the_call_names_one(team):
    agent = team.agent("@Bob", cards=[PlanningTool(search_top_k=2)])
    create(agent, *[task(i) for i in range(5)])
    assert len(agent.call("search_planning", query="work")) == 2
    assert len(agent.call("search_planning", query="work", top_k=4)) == 4
    assert len(agent.call("search_planning", query="work", top_k=None)) == 2
    assert len(agent.call("search_planning")) == 5


def test_t10_two_cards_of_one_team_may_differ_in_their_defaults(team, alice):
    create(alice, task(1), task(2))
    bob = team.agent("@Bob", cards=[PlanningTool(search_top_k=1, get_planning=False)])
    assert len(bob.call("search_planning", query="work")) == 1
    assert len(alice.call("search_planning", query="work")) == 2


def test_case_36_the_card_needs_no_other_card():
    assert PlanningTool().depends_on == []
    assert "depends_on" not in PlanningTool().model_dump()


def test_case_38_without_an_orchestrator_binding_is_refused(team):
    member = team.agent("@Bob", cards=[]).member

    class Alone:
        """An agent outside any team."""

        orchestrator = None
        myAddress, team_id, state, user_id = member.myAddress, member.team_id, member.state, None

        def notify_event(self, event):
            """Nothing to record."""

        def proxy_ask(self, actor, actor_type=None, timeout=30.0):
            """Unused."""

        def proxy_tell(self, actor, actor_type=None):
            """Unused."""

    with pytest.raises(ValueError, match="orchestrator"):
        PlanningTool().observer(Alone())


def test_a_card_round_trips_with_its_params():
    card = PlanningTool(
        search_top_k=3,
        get_planning=GetPlanning(filter_by_agent=False, instructions="Look often."),
        get_planning_task=False,
        search_planning=SearchPlanning(expose={Channels.COMMAND}),
    )
    assert PlanningTool.model_validate(card.model_dump()) == card
    assert PlanningTool.model_validate_json(card.model_dump_json()) == card


def test_case_41_the_provider_is_named_planning_state_and_an_empty_board_is_a_state(alice):
    (provider,) = alice.factory.get_context_states()
    assert provider.__name__ == "planning_state"
    assert isinstance(provider(), PlanningState)
    assert "empty" in alice.context_update()


@pytest.mark.parametrize("config", [False, GetPlanning(expose={Channels.COMMAND})])
def test_case_41_no_provider_when_off_or_not_exposed(team, config):
    agent = team.agent("@Bob", cards=[PlanningTool(get_planning=config)])
    assert agent.factory.get_context_states() == []


def test_case_41_a_stopped_plan_actor_makes_the_state_unavailable(team, alice, caplog):
    (provider,) = alice.factory.get_context_states()
    team.stop()
    with caplog.at_level(logging.CRITICAL):
        assert provider() is None


def test_case_42_a_stored_prompt_exposure_of_get_planning_moves_to_the_context():
    stored = PlanningTool(get_planning=GetPlanning()).model_dump()
    stored["get_planning"]["expose"] = ["system_prompt", "command"]
    loaded = PlanningTool.model_validate(stored, context=stored_context()).get_planning
    assert isinstance(loaded, GetPlanning)
    assert loaded.expose == {Channels.LLM_CONTEXT, Channels.COMMAND}


def test_case_42_the_other_params_are_told_instead(caplog):
    """Decision T1: they never served the prompt, so the channel goes with one warning."""
    stored = PlanningTool(get_planning_task=GetPlanningTask()).model_dump()
    stored["get_planning_task"]["expose"] = ["system_prompt", "command"]
    loaded = PlanningTool.model_validate(stored, context=stored_context()).get_planning_task
    assert isinstance(loaded, GetPlanningTask)
    assert loaded.expose == {Channels.COMMAND}
    assert caplog.text.count("system_prompt") == 1


def test_context_updates_tell_each_agent_what_concerns_it(team, alice):
    bob = team.agent("@Bob", cards=[PlanningTool()])
    create(alice, task(1, "@Alice"), task(2, "@Bob"), task(3, "@Carol"))
    assert numbers_in(alice.context_update()) == ["1", "2", "3"]
    assert numbers_in(bob.context_update()) == ["2"]
    assert alice.context_update() is None
    alice.call("update_planning", update={"update_tasks": [{"id": 1, "status": "started"}]})
    assert alice.context_update().endswith("- Changed: #1 status pending -> started (owner: @Alice)")
    assert bob.context_update() is None
    bob.call("update_planning", update={"delete_tasks": [2]})
    assert alice.context_update().splitlines()[-2:] == [
        "Team task board: 2 tasks.",
        "- Removed: #2 [pending] work 2",
    ]


def test_without_the_filter_an_agent_is_told_of_every_task(team, alice):
    create(alice, task(1, "@Carol"))
    bob = team.agent("@Bob", cards=[PlanningTool(get_planning=GetPlanning(filter_by_agent=False))])
    assert "#1 [pending] work 1" in bob.context_update()


def test_the_commands_are_usable_by_a_person(alice):
    create(
        alice,
        task(1, status="started", description="write the parser"),
        task(2, description="write the lexer for the parser", owner=""),
    )
    assert alice.dispatch("/planning_summary").startswith("Team task board: 2 tasks (@Alice: 1, unassigned: 1).")
    assert alice.dispatch("/get_planning_task 1").startswith("#1 [started] write the parser\nowner: @Alice")
    assert alice.dispatch("/get_planning_task 3") == "No task has the id 3."
    found = alice.dispatch("/search_planning status=started the parser")
    assert found.splitlines() == [
        "#1 [started] write the parser | owner: @Alice | creator: @Alice | keyword match"
    ]
    assert len(alice.dispatch("/search_planning the parser").splitlines()) == 2
    assert len(alice.dispatch("/search_planning top_k=1 the parser").splitlines()) == 1
    assert len(alice.dispatch("/search_planning").splitlines()) == 2
    assert alice.dispatch("/search_planning owner=").startswith("#2 ")
    assert alice.dispatch("/search_planning it's nowhere") == "No task matches."


def test_a_command_called_from_code_answers_native_values(alice):
    create(alice, task(1))
    assert isinstance(alice.commands.callable("get_planning_task")(task_id=1), Task)


def test_commands_come_in_order_and_describe_their_arguments(alice):
    descriptors = alice.commands.descriptors()
    assert [descriptor.name for descriptor in descriptors] == [
        "planning_summary",
        "get_planning_task",
        "search_planning",
    ]
    search = descriptors[-1]
    assert [argument.name for argument in search.args] == ["status", "owner", "creator", "top_k", "query"]
    assert search.args[-1].rest_of_line
    assert all(argument.description for argument in search.args)


def test_t20_instructions_reach_every_callable_summary_included(team):
    instructions = "Only touch tasks of your own."
    card = PlanningTool(
        get_planning=GetPlanning(instructions=instructions, expose=set(GetPlanning.serves)),
        get_planning_task=GetPlanningTask(instructions=instructions),
        update_planning=UpdatePlanning(instructions=instructions),
        search_planning=SearchPlanning(instructions=instructions),
    )
    agent = team.agent("@Bob", cards=[card])
    assert all(instructions in tool.description for tool in agent.tools.values())
    assert all(instructions in descriptor.description for descriptor in agent.commands.descriptors())


def test_the_model_reads_the_limits_and_the_configured_default(team):
    agent = team.agent("@Bob", cards=[PlanningTool(search_top_k=7)])
    description = agent.tools["update_planning"].description
    assert "300" in description
    assert "150" in description
    assert "300 characters" in str(agent.schema("update_planning"))
    assert "7 when left out" in str(agent.schema("search_planning"))


@pytest.fixture
def orphan(team):
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


def test_a_gone_agent_cannot_update(orphan):
    tools, _, _ = orphan
    from cardwright.planning import UpdatePlan

    with pytest.raises(RetriableError, match="shutting down") as refused:
        tools["update_planning"](update=UpdatePlan(delete_tasks=[1]))
    assert refused.value.failure == "agent_gone"


def test_a_gone_agent_has_no_context_but_look_ups_go_on(orphan):
    tools, provider, registry = orphan
    assert provider() is None
    assert tools["get_planning_task"](task_id=1).id == 1
    assert len(tools["search_planning"]()) == 1
    assert registry.dispatch("/search_planning work").startswith("#1 ")


def test_agents_of_one_team_share_the_board(team, alice):
    bob = team.agent("@Bob", cards=[PlanningTool()])
    create(alice, task(1))
    assert bob.call("get_planning_task", task_id=1).id == 1

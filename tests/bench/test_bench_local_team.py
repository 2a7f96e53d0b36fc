"""The bench: what users write the tests of their cards with."""

import gc
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar, override

import pytest
from pydantic import Field

from cardwright.bench import LocalTeam, RetryRequested
from cardwright.core import (
    ActorToolObserver,
    Channels,
    CommandNotRecognized,
    RetriableError,
    ToolCard,
    ToolObserverGone,
    ToolStateEvent,
)
from cardwright.tools import Tool, ToolArgumentValidationError, ToolNotFoundError

from .cards_fixture import (
    AddNote,
    BoardActor,
    BoardLogic,
    BoardState,
    BoardTool,
    Note,
    NoteAdded,
    ProbeTool,
    ShowBoard,
)


@pytest.fixture
def team() -> Iterator[LocalTeam]:
    with LocalTeam() as team:
        yield team


def test_tools_are_called_with_json_values(team: LocalTeam) -> None:
    alice = team.agent("@Alice", cards=[BoardTool()])

    assert list(alice.tools) == ["add_note"]
    assert isinstance(alice.tools["add_note"], Tool)
    assert alice.call("add_note", note={"title": "milk", "stars": 2}) == "added milk"
    assert team.actor("#Board", BoardActor).titles() == ["milk"]


def test_text_of_a_provider_is_read_as_it_came(team: LocalTeam) -> None:
    alice = team.agent("@Alice", cards=[BoardTool()])

    assert alice.call_text("add_note", '{"note": {"title": "milk"}}') == "added milk"
    with pytest.raises(RetryRequested, match="more than once: title"):
        alice.call_text("add_note", '{"note": {"title": "a", "title": "b"}}')


def test_agents_of_one_team_share_tool_actors(team: LocalTeam) -> None:
    card = BoardTool()
    alice = team.agent("@Alice", cards=[card])
    bob = team.agent("@Bob", cards=[card])

    alice.call("add_note", note={"title": "milk"})

    assert bob.dispatch("/board") == "Notes: milk"
    with pytest.raises(ToolObserverGone):
        card.bound_logic()


def test_two_teams_share_nothing(team: LocalTeam) -> None:
    with LocalTeam() as other:
        team.agent("@Alice", cards=[BoardTool()]).call("add_note", note={"title": "milk"})

        assert other.agent("@Alice", cards=[BoardTool()]).dispatch("/board") == "Notes: none"


def test_refused_arguments_are_told_as_the_model_reads_them(team: LocalTeam) -> None:
    alice = team.agent("@Alice", cards=[BoardTool()])

    with pytest.raises(RetryRequested) as asked:
        alice.call("add_note", note={"title": 5, "star": 1})

    assert str(asked.value) == (
        "Tool `add_note` did not run: its arguments were refused.\n"
        "- note.star: is not a declared field\n"
        "- note.title: must be a string"
    )
    assert asked.value.tool == "add_note"
    assert asked.value.failure is None
    assert isinstance(asked.value.__cause__, ToolArgumentValidationError)
    assert alice.dispatch("/board") == "Notes: none"


def test_a_declared_failure_is_told_with_its_id(team: LocalTeam) -> None:
    alice = team.agent("@Alice", cards=[BoardTool()])
    alice.call("add_note", note={"title": "milk"})

    with pytest.raises(RetryRequested, match="choose another title") as asked:
        alice.call("add_note", note={"title": "milk"})

    assert asked.value.failure == "taken"
    assert isinstance(asked.value.__cause__, RetriableError)


def test_a_fault_of_a_tool_is_no_refusal(team: LocalTeam) -> None:
    alice = team.agent("@Alice", cards=[ProbeTool()])

    with pytest.raises(ZeroDivisionError):
        alice.call("divide", by=0)


def test_an_unknown_tool_is_named_with_its_nearest_neighbour(team: LocalTeam) -> None:
    alice = team.agent("@Alice", cards=[BoardTool()])

    with pytest.raises(ToolNotFoundError, match="did you mean 'add_note'") as absent:
        alice.call("add_notes")
    assert absent.value.known == ("add_note",)
    with pytest.raises(ToolNotFoundError, match="there are add_note"):
        alice.schema("zzz")
    with pytest.raises(ToolNotFoundError, match="none is registered"):
        team.agent("@Bob", cards=[]).call("add_note")


def test_an_argument_may_be_called_tool_or_self(team: LocalTeam) -> None:
    def echo(tool: str, self: str) -> str:
        return tool + self

    alice = team.agent("@Alice", cards=[], tools=[Tool.from_function(echo)])

    assert alice.call("echo", tool="a", self="b") == "ab"


def test_schemas_are_copies_of_what_a_model_is_sent(team: LocalTeam) -> None:
    alice = team.agent("@Alice", cards=[BoardTool(add_note=AddNote(instructions="Be brief."))])
    schema = alice.schema("add_note")

    assert schema == alice.tools["add_note"].parameters_schema
    schema.clear()
    assert alice.schema("add_note")["required"] == ["note"]
    assert alice.tools["add_note"].description == (
        "Add a note to the board of the team.\n\nAdditional Instructions:\nBe brief."
    )


def test_asynchronous_tools_run_on_one_loop(team: LocalTeam) -> None:
    alice = team.agent("@Alice", cards=[ProbeTool()])

    first, second = alice.call("probe_later"), alice.call("probe_later", delay=0.001)

    assert first == second
    assert first != threading.current_thread().name


async def test_asynchronous_tools_can_be_called_from_asynchronous_tests() -> None:
    with LocalTeam() as team:
        assert team.agent("@Alice", cards=[ProbeTool()]).call("probe_later")


def test_every_call_has_an_identity(team: LocalTeam) -> None:
    ProbeTool.calls.clear()
    alice = team.agent("@Alice", cards=[ProbeTool()])
    alice.call("probe")
    alice.call("probe_later")

    first, second = ProbeTool.calls

    assert (first.run_id, first.tool_call_id) == (alice.run_id, "call-1")
    assert (second.run_id, second.tool_call_id) == (alice.run_id, "call-2")
    assert first.deadline is None


def test_a_declared_ceiling_is_the_deadline_of_the_call(team: LocalTeam) -> None:
    ProbeTool.calls.clear()
    alice = team.agent("@Alice", cards=[ProbeTool()])

    with pytest.raises(RetryRequested, match=r"did not finish within 0\.05 s"):
        alice.call("hasty")

    assert ProbeTool.calls[0].deadline is not None
    assert ProbeTool.calls[0].expired


def test_commands_are_dispatched_and_called(team: LocalTeam) -> None:
    def shout(text: str) -> str:
        """Say it louder."""
        return text.upper()

    async def wait(seconds: float) -> str:
        return f"waited {seconds}"

    alice = team.agent("@Alice", cards=[BoardTool()], commands=[shout, wait])

    assert alice.dispatch('/note "buy milk"') == "added buy milk"
    assert alice.dispatch("/shout hi") == "HI"
    assert alice.dispatch("/wait 2") == "waited 2.0"
    assert alice.commands.callable("board")() == "Notes: buy milk"
    failed = alice.dispatch("/note")
    assert failed is not None
    assert failed.startswith("Command 'note' failed: ")
    with pytest.raises(CommandNotRecognized):
        alice.dispatch("/etc/passwd")
    with pytest.raises(CommandNotRecognized):
        alice.dispatch("")


def test_context_updates_are_numbered_and_tell_what_changed(team: LocalTeam) -> None:
    alice = team.agent("@Alice", cards=[BoardTool()])
    bob = team.agent("@Bob", cards=[BoardTool()])

    assert alice.context_update() == "**Context update 1** — current state.\n\nNotes: none"
    assert alice.context_update() is None
    bob.call("add_note", note={"title": "milk"})
    assert alice.context_update() == (
        "**Context update 2** — state has changed since the last update.\n\nNew notes: milk"
    )
    assert bob.context_update() == "**Context update 1** — current state.\n\nNotes: milk"


def test_a_trimmed_history_gets_everything_again_under_a_new_number(team: LocalTeam) -> None:
    alice = team.agent("@Alice", cards=[BoardTool()])
    alice.context_update()

    alice.history.clear()
    assert alice.context_update() == "**Context update 2** — current state.\n\nNotes: none"
    alice.forget()
    assert alice.context_update() == "**Context update 1** — current state.\n\nNotes: none"


def test_system_prompts_are_rendered(team: LocalTeam) -> None:
    alice = team.agent("@Alice", cards=[ProbeTool(greeting="Hello."), BoardTool()])

    assert alice.system_prompts() == ["Hello."]


def test_events_come_in_order_and_by_kind(team: LocalTeam) -> None:
    alice = team.agent("@Alice", cards=[BoardTool()])
    alice.call("add_note", note={"title": "milk"})
    team.agent("@Bob", cards=[BoardTool()]).call("add_note", note={"title": "bread"})
    alice.member.notify_event("domain event")

    events = team.events(ToolStateEvent)

    assert [(event.tool_id, event.seq) for event in events] == [("#Board", 1), ("#Board", 2)]
    assert [event.payload for event in events] == [
        NoteAdded(note=Note(title="milk")),
        NoteAdded(note=Note(title="bread")),
    ]
    assert team.events() == [*events, "domain event"]


def test_metadata_is_the_teams(team: LocalTeam) -> None:
    before = team.metadata
    team.metadata = Note(title="customer")

    assert (before, team.metadata) == (None, Note(title="customer"))
    with LocalTeam(metadata=Note(title="first")) as other:
        assert other.metadata == Note(title="first")


def test_members_satisfy_the_protocol_of_agents(team: LocalTeam) -> None:
    alice = team.agent("@Alice", cards=[], role="Planner")

    assert isinstance(alice.member, ActorToolObserver)
    assert (alice.name, alice.address.name, alice.address.role) == ("@Alice", "@Alice", "Planner")
    assert alice.member.orchestrator == team.orchestrator
    assert alice.member.team_id == team.team_id
    assert team.agents == {"@Alice": alice}


def test_cards_that_do_not_fit_together_leave_no_agent(team: LocalTeam) -> None:
    with pytest.raises(ValueError, match="'add_note' is offered by"):
        team.agent("@Alice", cards=[BoardTool(), BoardTool()])

    assert team.agents == {}
    alice = team.agent("@Alice", cards=[BoardTool()])
    with pytest.raises(ValueError, match="@Alice"):
        team.agent("@Alice", cards=[])
    assert team.agents == {"@Alice": alice}


@pytest.mark.parametrize("name", ["", "#Board", "@Orchestrator", "Alice"])
def test_names_of_others_are_refused(team: LocalTeam, name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        team.agent(name, cards=[])


def test_nobody_of_that_name(team: LocalTeam) -> None:
    with pytest.raises(LookupError, match="#Board"):
        team.actor("#Board", BoardActor)


def test_capabilities_that_are_off_are_absent(team: LocalTeam) -> None:
    alice = team.agent(
        "@Alice", cards=[BoardTool(add_note=False, board=ShowBoard(expose={Channels.COMMAND}))]
    )

    assert dict(alice.tools) == {}
    assert alice.context_update() is None
    assert [each.name for each in alice.commands.descriptors()] == ["board"]


def _own_threads(before: set[threading.Thread], patience: float = 0.0) -> set[threading.Thread]:
    """Threads that were not there before; they get `patience` seconds to end."""
    deadline = time.monotonic() + patience
    while (own := set(threading.enumerate()) - before) and time.monotonic() < deadline:
        for thread in own:
            if thread.is_alive():
                thread.join(0.05)
    return own


def test_leaving_stops_everything_promptly() -> None:
    before = set(threading.enumerate())
    with LocalTeam() as team:
        alice = team.agent("@Alice", cards=[BoardTool(), ProbeTool()])
        alice.call("add_note", note={"title": "milk"})
        alice.call("probe_later")
        assert _own_threads(before)
        started = time.monotonic()

    assert time.monotonic() - started < 2.0
    assert not _own_threads(before, patience=5.0)
    assert not alice.address.is_alive()


def test_leaving_through_an_exception_stops_too() -> None:
    before = set(threading.enumerate())
    with pytest.raises(KeyError), LocalTeam() as team:  # noqa: PT012 - the case
        team.agent("@Alice", cards=[BoardTool()])
        raise KeyError

    assert not _own_threads(before, patience=5.0)


def test_a_team_works_without_with_and_may_be_stopped_twice() -> None:
    before = set(threading.enumerate())
    team = LocalTeam()
    team.agent("@Alice", cards=[BoardTool()])
    team.stop()
    team.stop()

    assert not _own_threads(before, patience=5.0)


def test_a_dropped_team_stops_by_itself() -> None:
    before = set(threading.enumerate())
    team: LocalTeam | None = LocalTeam()
    assert team is not None
    alive = weakref.ref(team)
    team.agent("@Alice", cards=[BoardTool()])
    team = None
    gc.collect()

    assert alive() is None
    assert not _own_threads(before, patience=5.0)


def test_a_stopped_team_refuses_further_use() -> None:
    team = LocalTeam()
    team.stop()

    with pytest.raises(RuntimeError, match="stopped"):
        team.agent("@Alice", cards=[])


def test_a_tool_that_cannot_be_described_is_named(team: LocalTeam) -> None:
    def bad(model_dump: Annotated[str, Field(description="x")]) -> str:
        return model_dump

    class Bad(ProbeTool):
        def get_tools(self) -> list[object]:  # type: ignore[override]  # the case
            return [bad]

    with pytest.raises(Exception, match="model_dump"):
        team.agent("@Alice", cards=[Bad()])
    assert team.agents == {}


def test_a_dismissed_agent_leaves_its_name_and_the_tool_actors(team: LocalTeam) -> None:
    alice = team.agent("@Alice", cards=[BoardTool()])
    alice.call("add_note", note={"title": "milk"})

    team.dismiss("@Alice")

    assert not alice.address.is_alive()
    assert team.agent("@Alice", cards=[BoardTool()]).dispatch("/board") == "Notes: milk"
    with pytest.raises(LookupError, match="@Bob"):
        team.dismiss("@Bob")


class BrokenLogic(BoardLogic):
    @override
    def board_state(self) -> BoardState:
        raise ZeroDivisionError("a bug in the state")


class BrokenBoard(BoardTool):
    logic_path: ClassVar[str] = f"{__name__}:BrokenLogic"


def test_a_bug_in_a_state_raises_on_the_bench(team: LocalTeam) -> None:
    alice = team.agent("@Alice", cards=[BrokenBoard()])

    with pytest.raises(ZeroDivisionError, match="a bug in the state"):
        alice.context_update()
    assert alice.history == []


def test_a_bug_in_a_state_is_logged_where_an_agent_must_go_on(
    team: LocalTeam, caplog: pytest.LogCaptureFixture
) -> None:
    alice = team.agent("@Alice", cards=[BrokenBoard()], raises=False)

    assert alice.context_update() is None
    assert "a bug in the state" in caplog.text


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        (["BoardTool"], "a str is no card: give an instance.*names are for agent specs"),
        ([{"card": "BoardTool"}], "a dict is no card"),
        ([BoardTool], r"the class BoardTool is no card: give BoardTool\(\)"),
        (BoardTool(), r"`cards` is a list: give \[BoardTool"),
        (BoardTool, r"give \[BoardTool\(\)\]"),
        ("BoardTool", r"give \[PlanningTool\(\)\]"),
        (None, "`cards` is a list"),
    ],
)
def test_what_is_no_list_of_cards_is_told_what_to_give(
    team: LocalTeam, cards: Sequence[ToolCard], told: str
) -> None:
    with pytest.raises(TypeError, match=told):
        team.agent("@Alice", cards=cards)
    assert team.agents == {}


def test_an_agent_may_be_bound_again_and_stays_one_member(team: LocalTeam) -> None:
    first = team.agent("@Alice", cards=[BoardTool()])
    second = team.agent_again("@Alice", [BoardTool()])
    first.call("add_note", note={"title": "milk"})

    assert second.dispatch("/board") == "Notes: milk"
    assert second.member is first.member
    with pytest.raises(LookupError, match="@Bob"):
        team.agent_again("@Bob", [])

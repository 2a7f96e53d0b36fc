"""The lease of a tree: one command at a time, collected by its owner."""

import logging
from dataclasses import dataclass, field
from typing import override

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from cardwright.actors import ActorAddress, ActorAddressProxy
from cardwright.actors.stored import ActorAddressDict
from cardwright.core import CallContext
from cardwright.workspace.execution import (
    ExecConfig,
    ExecOutcome,
    ExecPayload,
    ExecStart,
    ExecutionDesk,
)

CONFIG = ExecConfig(mode="local", team_id="team", timeout_s=10)
DONE = ExecOutcome(stdout="out", stderr="", exit_code=0)


@dataclass
class Guard:
    """Writes down what the desk has recorded."""

    log: list[str] = field(default_factory=list[str])

    def commit_outside(self) -> None:
        self.log.append("outside")

    def commit_run(self, agent_id: str, command: str) -> None:
        self.log.append(f"run of {agent_id}: {command}")

    def agent_name(self, agent_id: str) -> str:
        return f"@{agent_id}"


class Worker(ActorAddressProxy):
    """An address whose life the test decides."""

    __slots__ = ("alive",)

    def __init__(self) -> None:
        super().__init__(
            ActorAddressDict(
                __actor_address__=True,
                __actor_type__="x",
                agent_id="6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
                name="#defer-x",
                role="ToolActor",
                team_id="6f9619ff-8b86-4d01-b42d-00cf4fc964fe",
                squad_id="",
                is_user_proxy=False,
            )
        )
        self.alive = True

    @override
    def is_alive(self) -> bool:
        return self.alive


class Setting:
    """A desk, its clock, and the workers it had started."""

    def __init__(self, config: ExecConfig | None = CONFIG) -> None:
        self.now = 100.0
        self.guard = Guard()
        self.payloads: list[tuple[str, ExecPayload]] = []
        self.worker = Worker()
        self.failing = False
        self.desk = ExecutionDesk(self.guard, self.spawn, lambda: self.now)
        if config is not None:
            self.desk.configure(config)

    def spawn(self, run_id: str, payload: ExecPayload) -> ActorAddress | None:
        self.payloads.append((run_id, payload))
        if self.failing:
            self.desk.failed(run_id, "no threads left")
            return None
        self.worker = Worker()
        return self.worker

    def start(self, agent: str = "a", cmd: str = "echo hi") -> str:
        start = self.desk.request(agent, cmd)
        assert start.refusal == ""
        return start.run_id


def test_a_start_is_either_a_run_or_a_refusal() -> None:
    with pytest.raises(ValueError, match="either"):
        ExecStart()
    with pytest.raises(ValueError, match="either"):
        ExecStart(run_id="1", refusal="no")


def test_without_a_configuration_commands_are_refused() -> None:
    setting = Setting(None)
    assert setting.desk.request("a", "echo").refusal == (
        "Commands are not available in this workspace."
    )
    assert setting.payloads == []


def test_a_run_holds_the_tree_against_everybody_its_owner_included() -> None:
    setting = Setting()
    run = setting.start("a")
    busy = setting.desk.busy_text()
    assert busy is not None
    assert busy.startswith("workspace busy")
    assert run in busy
    assert "@a" in busy
    assert "Reading still works" in busy
    for agent in ("a", "b"):
        assert setting.desk.request(agent, "echo").refusal == busy


def test_the_end_of_a_run_is_recorded_as_its_owners_and_frees_the_tree() -> None:
    setting = Setting()
    run = setting.start("a", "touch x")
    assert setting.guard.log == ["outside"]
    setting.desk.delivered(run, DONE)
    assert setting.guard.log == ["outside", "run of a: touch x"]
    assert setting.desk.busy_text() is None
    assert setting.desk.status("a", run).outcome == DONE


def test_a_worker_that_cannot_be_started_fails_the_run_and_frees_the_tree() -> None:
    setting = Setting()
    setting.failing = True
    run = setting.start()
    status = setting.desk.status("a", run)
    assert (status.state, status.reason) == ("failed", "no threads left")
    assert status.settled
    assert setting.desk.busy_text() is None


def test_case_44_a_program_that_is_not_allowed_fails_without_holding_the_tree() -> None:
    setting = Setting()
    for cmd in ("psql", "  ", "echo 'open"):
        status = setting.desk.status("a", setting.start("a", cmd))
        assert status.state == "failed"
        assert status.reason
    assert setting.payloads == []
    assert setting.guard.log == []


def test_trap_21_nobody_collects_the_run_of_another() -> None:
    setting = Setting()
    run = setting.start("a")
    for agent, known in (("b", []), ("a", [run])):
        status = setting.desk.status(agent, run if agent == "b" else "00000000")
        assert status.state == "unknown"
        assert status.recent_run_ids == known
    setting.desk.delivered(run, DONE)
    assert setting.desk.status("b", run).outcome is None


def test_trap_25_cards_on_one_tree_agree_on_the_mode() -> None:
    setting = Setting()
    setting.desk.configure(CONFIG.model_copy(update={"timeout_s": 3}))
    with pytest.raises(ValueError, match="'local', not 'bwrap'"):
        setting.desk.configure(CONFIG.model_copy(update={"mode": "bwrap"}))
    setting.start()
    assert setting.payloads[0][1].mode == "local"


def test_the_budget_is_that_of_the_card_and_20_seconds_at_most() -> None:
    setting = Setting()
    for asked, budget in ((None, 10), (3.0, 3), (60.0, 20)):
        run = setting.desk.request("a", "echo", "", asked).run_id
        assert setting.payloads[-1][1].timeout_s == budget
        setting.desk.delivered(run, DONE)


def test_a_call_that_is_sent_twice_begins_one_run() -> None:
    setting = Setting()
    call = CallContext(run_id="r", tool_call_id="t")
    first = setting.desk.request("a", "echo", "", None, call)
    assert setting.desk.request("a", "echo", "", None, call).run_id == first.run_id
    setting.desk.delivered(first.run_id, DONE)
    assert setting.desk.request("a", "echo", "", None, call).run_id == first.run_id
    assert setting.desk.request("b", "echo", "", None, call).run_id != first.run_id
    assert len(setting.payloads) == 2


def test_a_call_that_nobody_waits_for_any_more_begins_nothing() -> None:
    setting = Setting()
    late = setting.desk.request("a", "echo", "", None, CallContext(deadline=0.0))
    assert "took too long" in late.refusal
    assert setting.payloads == []


def test_a_late_run_is_awaited_while_its_worker_lives() -> None:
    setting = Setting()
    run = setting.start()
    setting.now += 15.1
    awaited = setting.desk.busy_text()
    assert awaited is not None
    assert "passed its budget" in awaited
    assert run in awaited


def test_a_lease_counts_from_the_start_of_the_command() -> None:
    setting = Setting()
    run = setting.start()
    assert setting.desk.status("a", run).running_for is None
    setting.now += 14
    setting.desk.started(run)
    setting.desk.started("somebody else")
    setting.now += 14
    assert setting.desk.status("a", run).running_for == 14
    busy = setting.desk.busy_text()
    assert busy is not None
    assert "passed" not in busy


def test_a_lease_whose_worker_died_is_taken_back_with_one_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    setting = Setting()
    run = setting.start()
    setting.worker.alive = False
    assert setting.desk.busy_text() is not None, "the report may be on its way"
    setting.now += 15.1
    with caplog.at_level(logging.WARNING):
        assert setting.desk.busy_text() is None
        assert setting.desk.busy_text() is None
    assert len(caplog.records) == 1
    assert setting.desk.status("a", run).state == "failed"


def test_case_49_a_late_report_never_frees_a_newer_lease() -> None:
    setting = Setting()
    old = setting.start("a", "touch old")
    setting.worker.alive = False
    setting.now += 15.1
    new = setting.start("b", "touch new")
    setting.guard.log.clear()
    setting.desk.delivered(old, DONE)
    assert setting.guard.log == ["outside"], "nobody knows whose changes these are"
    busy = setting.desk.busy_text()
    assert busy is not None
    assert new in busy
    setting.desk.failed("unheard of", "x")
    assert setting.guard.log == ["outside"]


def test_a_forgotten_run_is_unknown_and_not_running() -> None:
    setting = Setting()
    runs: list[str] = []
    for _ in range(140):
        runs.append(setting.start())
        setting.desk.delivered(runs[-1], DONE)
    assert setting.desk.status("a", runs[0]).state == "unknown"
    assert setting.desk.status("a", runs[-1]).state == "done"
    assert setting.desk.status("a", "x").recent_run_ids == runs[-32:]


def test_a_stopping_tree_gives_up_its_run() -> None:
    setting = Setting()
    setting.start()
    setting.desk.close()
    assert setting.desk.busy_text() is None


class Leases(RuleBasedStateMachine):
    """Whatever comes in whatever order: at most one run holds the tree, and each ends once."""

    @initialize()
    def prepare(self) -> None:
        self.setting = Setting()
        self.holder: str | None = None
        self.open: set[str] = set()

    @rule(agent=st.sampled_from("abc"))
    def request(self, agent: str) -> None:
        start = self.setting.desk.request(agent, "echo")
        if start.run_id:
            assert self.holder is None or self._dead()
            self.holder = start.run_id
            self.open.add(start.run_id)
        else:
            assert self.holder is not None

    def _dead(self) -> bool:
        return not self.setting.worker.alive

    @rule(seconds=st.sampled_from([1.0, 16.0]))
    def wait(self, seconds: float) -> None:
        self.setting.now += seconds

    @rule()
    def worker_dies(self) -> None:
        self.setting.worker.alive = False

    @rule(data=st.data(), good=st.booleans())
    def report(self, data: st.DataObject, good: bool) -> None:
        if not self.open:
            return
        run = data.draw(st.sampled_from(sorted(self.open)))
        self.open.discard(run)
        if good:
            self.setting.desk.delivered(run, DONE)
        else:
            self.setting.desk.failed(run, "reason")
        if run == self.holder:
            self.holder = None

    @invariant()
    def the_tree_is_busy_only_for_its_holder(self) -> None:
        busy = self.setting.desk.busy_text()
        if busy is None:
            assert self.holder is None or self._dead()
            self.holder = None
        else:
            assert self.holder is not None
            assert self.holder in busy


TestLeases = Leases.TestCase
TestLeases.settings = settings(max_examples=20, stateful_step_count=20, deadline=None)

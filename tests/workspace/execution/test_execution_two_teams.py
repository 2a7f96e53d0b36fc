"""A command of one team holds the tree against every other team, in this process or another."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from cardwright.bench import LocalAgent, LocalTeam, RetryRequested
from cardwright.sandbox import tree_root
from cardwright.workspace.files import RunClaim, claiming
from cardwright_cards.workspace import WorkspaceExec, WorkspaceTool

CARD = WorkspaceTool(
    workspace_id="common", workspace_exec=WorkspaceExec(mode="local", poll_attempts=0)
)
HOLDER = """
import sys, time
from pathlib import Path
from cardwright.workspace.files import RunClaim
RunClaim(Path(sys.argv[1])).take("@Far", 60)
print("held", flush=True)
time.sleep(60)
"""


def refused(agent: LocalAgent, tool: str, **arguments: str) -> str:
    with pytest.raises(RetryRequested) as refusal:
        agent.call(tool, **arguments)
    return str(refusal.value)


def free(agent: LocalAgent) -> None:
    deadline = monotonic() + 10
    while True:
        try:
            agent.call("workspace_mkdir", path="any")
        except RetryRequested:
            assert monotonic() < deadline
            sleep(0.02)
        else:
            return


def test_the_lease_holds_between_two_teams_on_one_tree(trees: Path) -> None:
    with LocalTeam() as one, LocalTeam() as other:
        anna, bob = one.agent("@Anna", cards=[CARD]), other.agent("@Bob", cards=[CARD])
        bob.call("workspace_write", path="a.txt", content="a\n")
        anna.call("workspace_exec", cmd="sh -c 'sleep 0.6; echo ran > b.txt'")
        assert "workspace busy: a command of @Anna" in refused(
            bob, "workspace_write", path="a.txt", content="b\n"
        )
        assert "workspace busy" in refused(bob, "workspace_exec", cmd="echo hi")
        assert "workspace busy" in refused(bob, "workspace_mkdir", path="folder")
        assert bob.call("workspace_read", path="a.txt") == "1     a"
        free(bob)
        assert bob.call("workspace_read", path="b.txt") == "1     ran"
        # And the other way round.
        bob.call("workspace_exec", cmd="sh -c 'sleep 0.3'")
        assert "a command of @Bob" in refused(anna, "workspace_delete", path="a.txt")
        free(anna)


def test_a_team_that_stops_leaves_no_lease(trees: Path) -> None:
    with LocalTeam() as other:
        bob = other.agent("@Bob", cards=[CARD])
        with LocalTeam() as one:
            one.agent("@Anna", cards=[CARD]).call("workspace_exec", cmd="sh -c 'sleep 5'")
            assert "workspace busy" in refused(bob, "workspace_mkdir", path="folder")
        bob.call("workspace_mkdir", path="folder")


def test_a_killed_process_leaves_no_lease(trees: Path) -> None:
    with LocalTeam() as team:
        bob = team.agent("@Bob", cards=[CARD])
        bob.call("workspace_mkdir", path="any")
        private = trees / ".cardwright" / tree_root("common").name
        holder = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(private)], stdout=subprocess.PIPE
        )
        assert holder.stdout is not None
        with holder, holder.stdout as said:
            assert said.readline() == b"held\n"
            assert "a command of @Far" in refused(bob, "workspace_mkdir", path="folder")
            os.kill(holder.pid, signal.SIGKILL)
        bob.call("workspace_mkdir", path="folder")


def test_a_claim_whose_time_is_over_is_taken_over_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claiming, "_PATIENCE_S", 0.01)
    late, next_one, third = RunClaim(tmp_path), RunClaim(tmp_path), RunClaim(tmp_path)
    late.take("@Late", -1)
    assert next_one.other() is None
    next_one.take("@Next", 60)
    late.renew("@Late", 60)
    late.release()
    claimant = third.other()
    assert claimant is not None
    assert claimant.holder == "@Next"
    next_one.release()
    assert third.other() is None

"""`cardwright team`: stored teams as a person and as a program sees them."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from cardwright.bench import LocalTeam
from cardwright.cli.app import run
from cardwright_cards import PlanningTool

TASK = {"id": 1, "status": "pending", "description": "Write tests", "owner": "@A"}


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    found = f"sqlite:///{tmp_path / 'team.db'}"
    monkeypatch.setenv("CARDWRIGHT_STORE", found)
    return found


@pytest.fixture
def team_id(url: str) -> UUID:
    """A stopped team with a task on its board."""
    team_id = uuid4()
    with LocalTeam(store=url, team_id=team_id) as team:
        team.agent("@A", [PlanningTool()]).call("update_planning", update={"create_tasks": [TASK]})
    return team_id


@pytest.fixture
def follower(team_id: UUID) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "cardwright", "team", "events", str(team_id), "--follow"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ}
    ) as process:
        yield process
        process.kill()


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["team", *arguments]) == 0
    return capsys.readouterr().out


def test_list_and_show(team_id: UUID, capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = json.loads(told(capsys, "list", "--json"))
    assert (row["team"], row["state"]) == (str(team_id), "stopped")
    assert str(team_id) in told(capsys, "list")
    shown = json.loads(told(capsys, "show", str(team_id)[:8], "--json"))
    assert [it["name"] for it in shown["members"]] == ["@Orchestrator", "@A", "#PlanningTool"]
    assert shown["waiting"] == 0
    people = told(capsys, "show", str(team_id))
    assert "#PlanningTool" in people
    lines = [line.split() for line in people.splitlines()]
    assert ["name", "-"] in lines
    assert ["owner", "-"] in lines
    assert " - " in told(capsys, "list")


def test_events_are_a_readable_timeline(team_id: UUID, capsys: pytest.CaptureFixture[str]) -> None:
    lines = told(capsys, "events", str(team_id)).splitlines()
    assert any("@A" in line and "starts as TeamMember" in line for line in lines)
    assert any("#PlanningTool" in line and "knows more: task_list" in line for line in lines)
    stored = [json.loads(it) for it in told(capsys, "events", str(team_id), "--json").splitlines()]
    assert [it["sequence"] for it in stored] == list(range(1, len(stored) + 1))
    later = told(capsys, "events", str(team_id), "--after", str(len(stored) - 1), "--json")
    assert json.loads(later)["sequence"] == len(stored)


def test_events_follow_another_process(
    url: str, team_id: UUID, follower: subprocess.Popen[str]
) -> None:
    assert follower.stdout is not None
    assert "starts as Orchestrator" in follower.stdout.readline()
    with LocalTeam(store=url, team_id=team_id):
        for line in follower.stdout:
            if "TeamResumedEvent" in line:
                break


def test_resume_runs_until_a_signal(team_id: UUID, capsys: pytest.CaptureFixture[str]) -> None:
    command = [sys.executable, "-m", "cardwright", "team", "resume", str(team_id)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert "#PlanningTool, @A" in process.stdout.readline()
        (row,) = json.loads(told(capsys, "list", "--json"))
        assert row["state"] == "running"
        # Deleting what runs elsewhere is refused.
        assert run(["team", "delete", str(team_id), "--yes"]) == 2
        said = capsys.readouterr().err
        assert f"team {team_id} is running in process {process.pid} on " in said
        assert "stop it there, or wait" in said
        assert ":pid:" not in said
        assert "Ctrl-C" in process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        assert "stopped and stored" in process.stdout.read()
        assert process.wait(20) == 0


def test_resume_once_and_delete(
    team_id: UUID,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("CARDWRIGHT_VECTOR_PATH", str(tmp_path))
    for name in (f"{team_id}.sqlite", f"{team_id}.sqlite-wal", "another.sqlite"):
        (tmp_path / name).touch()
    assert "@A" in told(capsys, "resume", str(team_id), "--once")
    assert run(["team", "delete", "", "--yes"]) == 2  # an unset variable of a script
    assert "is deleted" in told(capsys, "delete", str(team_id), "--yes")
    assert not list(tmp_path.glob(f"{team_id}*"))
    assert (tmp_path / "another.sqlite").exists()
    assert json.loads(told(capsys, "list", "--json")) == []
    assert run(["team", "show", str(team_id)]) == 2
    assert "there is no team" in capsys.readouterr().err


def test_a_store_that_is_not_there_is_not_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["team", "list", "--store", f"sqlite:///{tmp_path / 'none.db'}"]) == 2
    assert "check --store" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
    assert run(["team", "resume", "x", "--store", "mysql://x", "--import", "no.such"]) == 2
    assert "--import no.such" in capsys.readouterr().err

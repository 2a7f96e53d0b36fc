"""Trees that somebody prepared or broke, through the card: nothing outside is touched or told."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardwright.bench import LocalAgent, LocalTeam, RetryRequested
from cardwright.cli.app import run
from cardwright.sandbox import resolve_mode
from cardwright.workspace.gate import gate
from cardwright_cards.workspace import WorkspaceExec, WorkspaceTool


@pytest.fixture
def agent(trees: Path) -> Iterator[LocalAgent]:
    card = WorkspaceTool(
        workspace_id="box",
        git_journal=True,
        workspace_exec=WorkspaceExec(mode=resolve_mode("auto")),
    )
    with LocalTeam() as team:
        yield team.agent("@A", cards=[card])


@pytest.fixture
def box(trees: Path, agent: LocalAgent) -> Path:
    return trees / "box"


def told(agent: LocalAgent, tool: str, **arguments: str) -> str:
    return str(agent.call(tool, **arguments))


def refused(agent: LocalAgent, tool: str, **arguments: str) -> str:
    with pytest.raises(RetryRequested) as refusal:
        agent.call(tool, **arguments)
    return str(refusal.value)


def test_a_root_that_was_replaced_by_a_link_shows_and_changes_nothing(
    agent: LocalAgent, box: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "secret.txt").write_text("outside\n")
    told(agent, "workspace_exec", cmd="ls")
    box.rename(box.with_name("moved"))
    box.symlink_to(tmp_path)
    for tool, arguments in (
        ("workspace_read", {"path": "secret.txt"}),
        ("workspace_list", {}),
        ("workspace_glob", {"pattern": "*"}),
        ("workspace_grep", {"pattern": "outside"}),
        ("workspace_write", {"path": "new.txt", "content": "x"}),
        ("workspace_mkdir", {"path": "new"}),
    ):
        assert "outside\n" not in refused(agent, tool, **arguments)
    answer = told(agent, "workspace_exec", cmd="cat secret.txt")
    assert "the folder of the workspace was replaced" in answer
    assert [each.name for each in tmp_path.iterdir()] == ["secret.txt"]
    assert "replaced by a link" in caplog.text
    box.unlink()
    box.with_name("moved").rename(box)
    agent.call("workspace_write", path="new.txt", content="x")
    assert "outside" not in told(agent, "workspace_exec", cmd="cat new.txt")


def test_a_command_cannot_close_the_tree_for_good(agent: LocalAgent, box: Path) -> None:
    agent.call("workspace_write", path="a.txt", content="a\n")
    told(agent, "workspace_exec", cmd="sh -c 'chmod 000 \"$PWD\"'")
    assert stat.S_IMODE(box.stat().st_mode) & stat.S_IRWXU == stat.S_IRWXU
    assert "stdout:\na\n" in told(agent, "workspace_exec", cmd="cat a.txt")


def test_what_a_command_planted_is_not_followed_by_reads(agent: LocalAgent, box: Path) -> None:
    planted = "ln -s /etc/passwd link; ln -s / root; ln -s loop loop"
    assert "(OK)" in told(agent, "workspace_exec", cmd=f"sh -c '{planted}'")
    os.mkfifo(box / "pipe")
    for path in ("pipe", "link", "root/etc/passwd", "loop"):
        for tool in ("workspace_read", "workspace_delete"):
            if (tool, path) not in {("workspace_delete", "link"), ("workspace_delete", "loop")}:
                refused(agent, tool, path=path)
    assert "root:" not in told(agent, "workspace_grep", pattern="root:")


def test_a_lock_that_a_killed_git_left_is_removed_while_the_actor_lives(
    agent: LocalAgent,
    trees: Path,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    agent.call("workspace_write", path="a.txt", content="a\n")
    lock = trees / "box.git" / "index.lock"
    lock.touch()
    agent.call("workspace_write", path="a.txt", content="b\n")
    (refusal,) = {record.getMessage() for record in caplog.records}
    assert "index.lock" in refusal
    assert "\n" not in refusal
    os.utime(lock, (1, 1))
    agent.call("workspace_write", path="a.txt", content="c\n")
    assert not lock.exists()
    assert run(["workspace", "log", "box"]) == 0
    assert capsys.readouterr().out.count("write: a.txt") == 2


def test_a_file_that_nobody_can_read_is_not_changed_either(
    agent: LocalAgent,
    box: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Nor are its bytes taken into memory to find that out, nor does the journal end over it."""
    monkeypatch.setattr(gate, "LARGEST", 100)
    with (box / "huge.bin").open("wb") as file:
        file.truncate(1 << 40)
    assert "larger than 100 bytes" in refused(agent, "workspace_write", path="huge.bin", content="")
    assert "larger" in refused(agent, "workspace_delete", path="huge.bin")
    assert caplog.text.count("unreadable: ['huge.bin']") == 1
    agent.call("workspace_write", path="a.txt", content="a\n")
    assert run(["workspace", "log", "box"]) == 0
    assert "write: a.txt" in capsys.readouterr().out
    assert "larger" in refused(
        agent, "workspace_edit", path="huge.bin", old_string="a", new_string="b"
    )


def test_a_file_that_git_may_not_read_keeps_nothing_else_out_of_the_journal(
    agent: LocalAgent,
    box: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Tests may run as root, who may read everything: the question is answered for it."""
    may = os.access

    def access(file: Path | str, mode: int) -> bool:
        return Path(file).name != "closed.txt" and may(file, mode)

    monkeypatch.setattr(os, "access", access)
    for name in ("closed.txt", "open.txt"):
        (box / name).write_text(f"{name}\n")
    for content in ("a\n", "b\n"):
        agent.call("workspace_write", path="a.txt", content=content)
    assert run(["workspace", "log", "box"]) == 0
    assert "out-of-band: open.txt" in capsys.readouterr().out
    assert caplog.text.count("unreadable: ['closed.txt']") == 1


def test_a_path_is_no_longer_than_the_system_can_use(agent: LocalAgent) -> None:
    path = "a/" * 3000 + "b"
    assert "longer than 4095" in refused(agent, "workspace_write", path=path, content="")


def test_people_are_told_in_words_what_cannot_be_restored(
    agent: LocalAgent, box: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told(agent, "workspace_exec", cmd="sh -c 'echo one > run; chmod 755 run'")
    for commit, file, text in (
        ("zzz", "run", "has no single commit zzz"),
        ("HEAD", "", "name the files"),
        ("HEAD", "../x", "leads out of the workspace"),
    ):
        assert run(["workspace", "restore", "box", commit, file]) == 2
        assert text in capsys.readouterr().err
    (box / "run").unlink()
    assert run(["workspace", "restore", "box", "HEAD", "run"]) == 0
    assert stat.S_IMODE((box / "run").stat().st_mode) & 0o111


def test_a_directory_of_50_000_entries_is_listed_to_its_limit(agent: LocalAgent, box: Path) -> None:
    flat = box / "flat"
    flat.mkdir()
    opened = os.open(flat, os.O_RDONLY)
    try:
        for number in range(50_000):
            os.symlink("nowhere", f"{number:05}", dir_fd=opened)
    finally:
        os.close(opened)
    lines = told(agent, "workspace_list", path="flat").splitlines()
    assert len(lines) == 5001
    assert lines[-1] == "[... truncated: 50000 entries, showing the first 5000 ...]"

"""One commit for each accepted change, by its agent; what came from outside is one of its own."""

import json
import logging
import os
import subprocess
from pathlib import Path

import pytest
from tests.workspace.workspace_support import Team

from cardwright.actors import ActorSystem
from cardwright.cli.app import run
from cardwright.workspace.actor import WorkspaceActor
from cardwright.workspace.files import Tree
from cardwright.workspace.gate import Edit, MutationStatus, Observation
from cardwright.workspace.journal import (
    GitJournal,
    Identity,
    git_dir_for,
    gitignore_seed,
    sanitise_command,
)
from cardwright.workspace.journal.identity import subject

A, B = "id-a", "id-b"


def git(trees: Path, *arguments: str, name: str = "box") -> str:
    done = subprocess.run(
        ["git", f"--git-dir={trees / name}.git", f"--work-tree={trees / name}", *arguments],
        cwd=trees / name,
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stdout


def log(trees: Path, name: str = "box") -> list[str]:
    """Author and subject of every commit, oldest first."""
    return git(trees, "log", "--reverse", "--format=%an|%s", name=name).splitlines()


def accept(tree: WorkspaceActor, agent: str, path: str, content: str) -> None:
    outcome = tree.apply_write(agent, path, content)
    assert outcome.status is MutationStatus.ACCEPTED, outcome.message


def test_what_was_there_is_one_initial_commit_41(trees: Path, team: Team) -> None:
    (trees / "box").mkdir()
    (trees / "box" / "old.txt").write_text("old\n")
    team.tree()
    assert log(trees) == ["out-of-band|out-of-band: 2 files"]
    assert sorted(git(trees, "ls-files").split()) == [".gitignore", "old.txt"]
    assert (trees / "box" / ".gitignore").read_text() == gitignore_seed()


def test_an_existing_ignore_file_is_kept(trees: Path, team: Team) -> None:
    (trees / "box").mkdir()
    (trees / "box" / ".gitignore").write_text("mine\n")
    team.tree()
    assert (trees / "box" / ".gitignore").read_text() == "mine\n"


def test_each_change_is_a_commit_of_its_agent(trees: Path, team: Team) -> None:
    tree = team.tree()
    accept(tree, A, "a.txt", "one\n")
    accept(tree, B, "b.txt", "two\n")
    tree.apply_edit(A, Edit("a.txt", "one", "1"))
    tree.apply_multi_edit(A, [Edit("a.txt", "1", "uno")])
    add = "--- /dev/null\n+++ b/{0}\n@@ -0,0 +1 @@\n+x\n"
    tree.apply_patch(A, add.format("c.txt") + add.format("d.txt"))
    tree.apply_delete(B, "b.txt")
    tree.apply_mkdir(A, "empty")
    tree.apply_edit(A, Edit("a.txt", "uno", "uno"))
    assert log(trees) == [
        "out-of-band|out-of-band: .gitignore",
        "@Anna|write: a.txt",
        "Bob b@x|write: b.txt",
        "@Anna|edit: a.txt",
        "@Anna|multi_edit: a.txt",
        "@Anna|patch: 2 files",
        "Bob b@x|delete: b.txt",
    ]
    assert git(trees, "log", "-1", "--format=%ae|%ce") == "id-b@cardwright|id-b@cardwright\n"
    assert git(trees, "status", "--porcelain") == ""


def test_what_came_from_outside_is_recorded_even_before_a_refusal_41(
    trees: Path, team: Team
) -> None:
    tree = team.tree()
    (trees / "box" / "up load.txt").write_text("from outside\n")
    assert tree.apply_write(A, "up load.txt", "mine").status is MutationStatus.REJECTED
    assert log(trees)[1:] == ["out-of-band|out-of-band: up load.txt"]


def test_ignored_names_are_recorded_when_an_agent_writes_them(trees: Path, team: Team) -> None:
    tree = team.tree()
    accept(tree, A, "node_modules/own.js", "x\n")
    assert log(trees)[1:] == ["@Anna|write: node_modules/own.js"]


def test_attributes_of_the_tree_do_not_change_what_is_stored(trees: Path, team: Team) -> None:
    tree = team.tree()
    accept(tree, A, ".gitattributes", "* text eol=lf\n*.md filter=evil\n")
    accept(tree, A, "a.md", "one\r\ntwo\r\n")
    stored = subprocess.run(
        ["git", f"--git-dir={trees / 'box'}.git", "cat-file", "blob", "HEAD:a.md"],
        capture_output=True,
        check=True,
    ).stdout
    assert stored == b"one\r\ntwo\r\n"


def test_hooks_and_configuration_of_the_host_are_not_run(
    trees: Path, team: Team, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    ran = tmp_path / "ran"
    (hooks / "pre-commit").write_text(f"#!/bin/sh\ntouch {ran}\nexit 1\n")
    (hooks / "pre-commit").chmod(0o755)
    config = tmp_path / "config"
    config.write_text(f"[core]\n\thooksPath = {hooks}\n[commit]\n\tgpgSign = true\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    tree = team.tree()
    accept(tree, A, "a.txt", "one\n")
    assert log(trees)[-1] == "@Anna|write: a.txt"
    assert not ran.exists()


def test_a_repository_in_the_tree_is_left_alone(trees: Path, team: Team) -> None:
    tree = team.tree()
    for folder in (trees / "box", trees / "box" / "sub"):
        folder.mkdir(exist_ok=True)
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
    accept(tree, A, "a.txt", "one\n")
    accept(tree, A, "sub/b.txt", "two\n")
    assert log(trees)[1:] == ["@Anna|write: a.txt", "@Anna|write: sub/b.txt"]


def warnings_of(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [
        record.getMessage()
        for record in caplog.records
        if record.levelno >= logging.WARNING and record.name.startswith("cardwright.workspace")
    ]


@pytest.mark.parametrize("name", ["w1.git", "zz"])
def test_a_journal_that_cannot_be_is_off_with_one_warning_42(
    trees: Path, team: Team, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    (trees / "zz.git").mkdir()
    tree = team.tree(name)
    for number in range(3):
        accept(tree, A, "a.txt", f"{number}\n")
    assert tree.apply_write(B, "a.txt", "mine").status is MutationStatus.REJECTED
    (warning,) = warnings_of(caplog)
    assert "journal" in warning
    assert list((trees / "zz.git").iterdir()) == []


def test_without_git_the_journal_is_off_with_one_warning(
    trees: Path, team: Team, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PATH", str(trees))
    tree = team.tree()
    accept(tree, A, "a.txt", "1\n")
    assert len(warnings_of(caplog)) == 1


def test_git_that_hangs_turns_the_journal_off_with_one_warning(
    trees: Path, team: Team, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    team.tree()
    tools = trees.parent / "tools"
    tools.mkdir()
    (tools / "git").write_text("#!/bin/sh\nexec sleep 60\n")
    (tools / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    journal = GitJournal(Tree(trees / "box"), 0.2)
    journal.open(None)
    journal.commit("write", Identity.of(A, "@Anna"), ["a.txt"])
    assert not journal.is_open
    assert len(warnings_of(caplog)) == 1


def test_the_lock_file_of_a_killed_git_does_not_stop_the_next_start(
    trees: Path, team: Team, caplog: pytest.LogCaptureFixture
) -> None:
    accept(team.tree(), A, "a.txt", "one\n")
    repository = git_dir_for(trees / "box")
    (repository / "index.lock").touch()
    (repository / "refs" / "heads" / "master.lock").touch()
    other = ActorSystem()
    try:
        accept(Team(other).tree(), A, "b.txt", "two\n")
    finally:
        other.shutdown()
    assert log(trees)[-1] == "@Anna|write: b.txt"
    assert warnings_of(caplog) == []


def test_without_a_journal_there_is_no_repository_and_no_warning(
    trees: Path, team: Team, caplog: pytest.LogCaptureFixture
) -> None:
    accept(team.tree(journal=False), A, "a.txt", "one\n")
    assert not git_dir_for(trees / "box").exists()
    assert warnings_of(caplog) == []


def test_names_and_commands_are_made_fit_for_git() -> None:
    assert Identity.of("a b/ü", " <evil>\n@x ") == Identity("evil@x", "a-b--@cardwright")
    assert Identity.of("", "\x00<>").name == "unknown-agent"
    assert sanitise_command("echo a\n\tb") == "echo a b"
    assert len(sanitise_command("x" * 600)) == 501
    assert subject("write", ("a\nb.txt",)) == "write: a b.txt"


def test_the_command_line_lists_shows_and_restores(
    trees: Path, team: Team, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = team.tree()
    accept(tree, A, "a.txt", "one\n")
    accept(tree, A, "a.txt", "two\n")
    assert run(["workspace", "log", "box", "a.txt", "--json"]) == 0
    newest, oldest = json.loads(capsys.readouterr().out)
    assert (oldest["subject"], oldest["author"]) == ("write: a.txt", "@Anna")
    assert run(["workspace", "log", "box"]) == 0
    assert "write: a.txt" in capsys.readouterr().out
    assert run(["workspace", "show", "box", newest["commit"]]) == 0
    assert "-one\n+two\n" in capsys.readouterr().out
    assert run(["workspace", "show", "box", newest["commit"], "b.txt", "a.txt"]) == 0
    assert "-one\n+two\n" in capsys.readouterr().out
    assert run(["workspace", "show", "box", newest["commit"], "b.txt"]) == 0
    assert capsys.readouterr().out == "the commit changed none of these files\n"
    assert run(["workspace", "restore", "box", oldest["commit"][:10], "a.txt"]) == 0
    assert capsys.readouterr().out == "restored: a.txt\n"
    assert (trees / "box" / "a.txt").read_text() == "one\n"
    assert log(trees)[-1] == "restore|restore: a.txt"
    assert tree.apply_write(A, "a.txt", "three\n").status is MutationStatus.REJECTED


def test_restoring_what_did_not_exist_then_says_that_it_is_removed(
    trees: Path, team: Team, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = team.tree()
    accept(tree, A, "a.txt", "one\n")
    accept(tree, A, "b.txt", "new\n")
    accept(tree, A, "a.txt", "two\n")
    assert run(["workspace", "log", "box", "a.txt", "--json"]) == 0
    oldest = json.loads(capsys.readouterr().out)[-1]["commit"]
    assert run(["workspace", "restore", "box", oldest, "a.txt", "b.txt"]) == 0
    told = capsys.readouterr().out
    assert told == "restored: a.txt\nremoved: b.txt (it did not exist then)\n"
    assert not (trees / "box/b.txt").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["log", "nothere"],
        ["log", "../box"],
        ["show", "box", "abcdef0123"],
        ["show", "box", "--output=x"],
        ["restore", "box", "HEAD", "../secret"],
    ],
)
def test_the_command_line_says_what_is_wrong(
    trees: Path, team: Team, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    accept(team.tree(), A, "a.txt", "one\n")
    assert run(["workspace", *arguments]) == 2
    assert "error:" in capsys.readouterr().err


def test_an_observation_is_kept_by_the_actor(team: Team) -> None:
    tree = team.tree(journal=False)
    tree.record_observation(A, "a.txt", Observation("sha", full=True))
    assert tree.observation_for(A, "a.txt") == Observation("sha", full=True)

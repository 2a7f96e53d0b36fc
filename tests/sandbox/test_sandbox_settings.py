"""Folders, limits and environment of commands."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cardwright.sandbox import Limits, tree_root, workspaces_root
from cardwright.sandbox.environment import SANDBOX_PATH, host_environment
from cardwright.sandbox.folders import WorkingFolderError, inner_folder, outer_folder
from cardwright.sandbox.limits import limited


def test_trees_live_below_the_folder_of_the_variable(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CARDWRIGHT_WORKSPACES_ROOT", f"{tmp_path}/trees/")
    assert tree_root("a.b-c_1") == tmp_path / "trees" / "a.b-c_1"
    monkeypatch.delenv("CARDWRIGHT_WORKSPACES_ROOT")
    monkeypatch.chdir(tmp_path)
    assert workspaces_root() == tmp_path / "workspaces"


@pytest.mark.parametrize("name", ["", "..", ".hidden", "a/b", "../../x", "/etc", "a\0", "x" * 129])
def test_trap_13_a_name_never_leads_outside(name: str) -> None:
    with pytest.raises(ValueError, match="no name of a workspace"):
        tree_root(name)


@pytest.fixture
def box(tmp_path: Path) -> Path:
    tree = tmp_path / "box"
    (tree / "a/b").mkdir(parents=True)
    (tree / "file").touch()
    (tree / "out").symlink_to(tmp_path)
    (tree / "in").symlink_to("a")
    (tree / "loop").symlink_to("loop")
    (tmp_path / "box-2").mkdir()
    return tree


def test_working_folders_of_the_tree_are_found(box: Path) -> None:
    assert outer_folder(box, "") == box
    assert outer_folder(box, "a/b") == box / "a/b"
    assert outer_folder(box, "in/b") == box / "a/b"
    assert inner_folder(box, "in") == "/workspace/a"
    assert inner_folder(box, "/workspace/a") == "/workspace/a"
    assert inner_folder(box, "") == "/workspace"


@pytest.mark.parametrize(
    "cwd",
    ["..", "../..", "/", "/etc", "out", "a/../../box-2", "file", "none", "loop", "a\0b", "n" * 300],
)
def test_trap_13_other_folders_are_refused_without_a_path_of_the_host(box: Path, cwd: str) -> None:
    with pytest.raises(WorkingFolderError) as refused:
        outer_folder(box, cwd)
    assert str(box.parent) not in str(refused.value)


def test_case_54_limits_are_set_in_order_of_time_memory_and_files() -> None:
    script = limited(Limits())[2]
    assert script.index("ulimit -t 30") < script.index("ulimit -v 524288")
    assert script.index("ulimit -v 524288") < script.index("ulimit -f 204800")


def test_case_54_macos_cannot_bound_the_address_space(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "ulimit -v" not in limited(Limits())[2]


@pytest.mark.parametrize("shell", ["/bin/sh", "/bin/bash"])
def test_limits_hold_in_the_command(shell: str) -> None:
    words = limited(Limits(cpu_s=7, processes=99, open_files=55), processes=True)
    show = "ulimit -t; ulimit -v; ulimit -c; ulimit -n"
    done = subprocess.run(
        [shell, *words[1:], "sh", "-c", show], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["7", "524288", "0", "55"]
    assert done.stderr == ""


def test_limits_that_are_lower_already_stay(tmp_path: Path) -> None:
    lower = ["sh", "-c", 'ulimit -n 20; exec "$@"', "sh", *limited(Limits()), "sh", "-c"]
    done = subprocess.run(
        [*lower, "ulimit -n"], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout == "20\n"


def test_only_listed_variables_are_handed_on() -> None:
    host = {"PATH": "/bin", "HOME": "/h", "LANG": "C", "OPENAI_API_KEY": "s", "LD_PRELOAD": "x"}
    assert host_environment(host) == {"PATH": "/bin", "HOME": "/h", "LANG": "C"}
    assert host_environment({}) == {"PATH": SANDBOX_PATH}
    assert set(host_environment()) <= set(os.environ) | {"PATH"}


def test_macos_names_its_developer_tools(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(
        "cardwright.sandbox.environment._DEVELOPER_DIRS", ("/nowhere", str(tmp_path))
    )
    assert host_environment({})["DEVELOPER_DIR"] == str(tmp_path)
    assert host_environment({"DEVELOPER_DIR": "/mine"})["DEVELOPER_DIR"] == "/mine"

"""Control groups of both versions, on hierarchies made of ordinary folders."""

from pathlib import Path

import pytest

from cardwright.sandbox import Limits, cgroups
from cardwright.sandbox.cgroups import ControlGroup

LIMITS = Limits(memory=1000, processes=7)


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the hierarchies are mounted; `folders` tells this process where it is."""
    monkeypatch.setattr(cgroups, "_MOUNTS", tmp_path / "mountinfo")
    monkeypatch.setattr(cgroups, "_MINE", tmp_path / "cgroup")
    return tmp_path


def mounted(system: Path, *lines: str) -> None:
    (system / "mountinfo").write_text("".join(f"36 25 0:31 / {line}\n" for line in lines))


def with_files(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """New folders come with these files, as those of the kernel do."""
    make = Path.mkdir

    def mkdir(folder: Path) -> None:
        make(folder)
        for name in names:
            (folder / name).write_text("max")

    monkeypatch.setattr(Path, "mkdir", mkdir)


def test_version_2_bounds_both_in_one_folder(system: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (system / "fs/team").mkdir(parents=True)
    (system / "fs/team/cgroup.subtree_control").write_text("cpu memory pids")
    (system / "cgroup").write_text("0::/team\n")
    mounted(system, f"{system}/fs rw - cgroup2 cgroup2 rw")
    with_files(monkeypatch, "memory.max", "memory.swap.max", "pids.max")
    group = ControlGroup.made(LIMITS)
    (folder,) = group.folders
    assert folder.parent == system / "fs/team"
    assert group.bounds_memory
    assert group.bounds_processes
    assert (folder / "memory.max").read_text() == "1000"
    assert (folder / "memory.swap.max").read_text() == "0"
    assert (folder / "pids.max").read_text() == "7"


def test_version_2_without_delegation_is_tried_beside_this_process(
    system: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (system / "fs/user/app").mkdir(parents=True)
    (system / "fs/user/app/cgroup.subtree_control").write_text("")
    (system / "cgroup").write_text("0::/user/app\n")
    mounted(system, f"{system}/fs rw - cgroup2 cgroup2 rw")
    with_files(monkeypatch, "memory.max", "pids.max")
    assert ControlGroup.made(LIMITS).folders[0].parent == system / "fs/user"


def test_version_1_has_a_folder_for_each_controller(
    system: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("memory/job", "pids", "cpu"):
        (system / name).mkdir(parents=True)
    (system / "cgroup").write_text("4:memory:/job\n5:pids:/\n6:cpu:/\n")
    mounted(
        system,
        *(f"{system}/{name} rw - cgroup cgroup rw,{name}" for name in ("memory", "pids", "cpu")),
    )
    with_files(monkeypatch, "memory.limit_in_bytes", "pids.max", "cgroup.procs")
    group = ControlGroup.made(LIMITS)
    assert [folder.parent for folder in group.folders] == [system / "memory/job", system / "pids"]
    assert (group.folders[0] / "memory.limit_in_bytes").read_text() == "1000"
    assert (group.folders[1] / "pids.max").read_text() == "7"
    for folder in group.folders:
        (folder / "cgroup.procs").write_text("12\n34\n")
    assert group.processes() == {12, 34}


def test_where_nothing_may_be_made_nothing_is_bounded(system: Path) -> None:
    (system / "fs").mkdir()
    (system / "cgroup").write_text("0::/gone\n")
    mounted(system, f"{system}/fs rw - cgroup2 cgroup2 rw")
    group = ControlGroup.made(LIMITS)
    assert group.folders == ()
    assert not group.bounds_memory
    assert group.processes() == set()
    group.remove()


def test_a_folder_that_bounds_nothing_is_removed_again(system: Path) -> None:
    (system / "fs").mkdir()
    (system / "cgroup").write_text("0::/\n")
    mounted(system, f"{system}/fs rw - cgroup2 cgroup2 rw")
    assert ControlGroup.made(LIMITS).folders == ()
    assert list((system / "fs").iterdir()) == []


def test_groups_of_processes_that_were_killed_are_removed(
    system: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (system / "fs/cardwright-4194999-1").mkdir(parents=True)
    (system / "fs/cgroup.subtree_control").write_text("memory")
    (system / "cgroup").write_text("0::/\n")
    mounted(system, f"{system}/fs rw - cgroup2 cgroup2 rw")
    ControlGroup.made(LIMITS)
    assert not (system / "fs/cardwright-4194999-1").exists()

"""Trees that are not plain folders with plain names."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.sandbox.sandbox_support import Running, environment, running, trees, why_not

STRANGE = 'a b:c,"d"=\n\u00fc$(x)'


@pytest.fixture(scope="module", params=["bwrap", "docker", "local"])
def strange(request: pytest.FixtureRequest) -> Iterator[Running]:
    """A sandbox whose tree has a path that no list of options can hold as it is."""
    if reason := why_not(request.param):
        pytest.skip(reason)
    with trees() as root:
        folder = root / STRANGE
        folder.mkdir()
        with (
            environment(CARDWRIGHT_WORKSPACES_ROOT=str(folder)),
            running(request.param, folder) as box,
        ):
            yield box


def test_a_path_of_any_characters_will_do(strange: Running) -> None:
    (strange.tree / "given").write_text("given")
    assert strange.sh("cat given && echo made > made").stdout == "given"
    assert (strange.tree / "made").read_text() == "made\n"
    (strange.tree / STRANGE).mkdir()
    assert strange.actor.exec("ls", STRANGE).exit_code == 0


def test_trap_13_a_working_folder_never_leads_out(strange: Running) -> None:
    (strange.tree / "out").symlink_to(strange.tree.parent)
    (strange.tree / "dangling").symlink_to("nowhere")
    for cwd in ("out", "..", "/", "dangling", "none"):
        done = strange.actor.exec("touch escaped", cwd)
        assert done.exit_code == 1
        assert "working directory" in done.stderr
        assert str(strange.tree) not in done.stderr
    assert not (strange.tree.parent / "escaped").exists()


def test_a_tree_that_is_gone_is_told_and_one_that_came_back_is_used(strange: Running) -> None:
    if strange.mode == "docker" and "CARDWRIGHT_ALL_ESCAPES" not in os.environ:
        pytest.skip("CARDWRIGHT_ALL_ESCAPES=1 tries it here, too: takes a second")
    shutil.rmtree(strange.tree)
    gone = strange.actor.exec("ls")
    assert (gone.exit_code, gone.stdout) == (1, "")
    strange.tree.mkdir()
    assert strange.sh("touch back").exit_code == 0
    assert [path.name for path in strange.tree.iterdir()] == ["back"]


@pytest.mark.parametrize("mode", ["bwrap", "bwrap-of-root", "local"])
def test_a_tree_may_be_a_link_that_is_turned_elsewhere(mode: str) -> None:
    if reason := why_not(mode):
        pytest.skip(reason)
    with trees() as root:
        for name in ("first", "second"):
            (root / name).mkdir()
        (root / "box").symlink_to("first")
        with running(mode, root) as box:
            assert box.sh("touch one").exit_code == 0
            (root / "box").unlink()
            (root / "box").symlink_to("second")
            assert box.sh("touch two").exit_code == 0
        assert [path.name for path in (root / "first").iterdir()] == ["one"]
        assert [path.name for path in (root / "second").iterdir()] == ["two"]


READ_ONLY = """
import sys
from pathlib import Path
from tests.sandbox.sandbox_support import running
for mode in sys.argv[2:]:
    with running(mode, Path(sys.argv[1])) as box:
        seen = box.sh("cat given; : > made")
        print(mode, seen.stdout, seen.exit_code != 0, "ead-only" in seen.stderr)
"""


def test_a_tree_that_is_mounted_read_only_is_read(tmp_path: Path) -> None:
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("needs root, to mount")
    modes = [mode for mode in ("bwrap", "bwrap-of-root", "local") if not why_not(mode)]
    (tmp_path / "box").mkdir()
    (tmp_path / "box/given").write_text("given")
    mount = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"'
    python = [sys.executable, "-c", READ_ONLY, str(tmp_path), *modes]
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", mount, "sh", str(tmp_path / "box"), *python],
        env={
            **os.environ,
            "CARDWRIGHT_WORKSPACES_ROOT": str(tmp_path),
            "PYTHONPATH": str(Path.cwd()),
        },
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.splitlines() == [f"{mode} given True True" for mode in modes]

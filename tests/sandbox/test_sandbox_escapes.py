"""Ways out of a sandbox, tried on every backend that runs on this machine."""

import os
import socket
import subprocess
import threading
from pathlib import Path

import pytest
from tests.sandbox.sandbox_support import (
    BWRAP,
    ISOLATING,
    MIB,
    SECRET,
    SMALL,
    SMALL_CLASSES,
    Running,
    processes_with,
    running,
    trees,
    wait_until,
    why_not,
)

from cardwright.sandbox.cgroups import ControlGroup
from cardwright.sandbox.processes import RUN_VARIABLE, SessionLeftovers

# Files


def test_nothing_outside_the_tree_can_be_read(isolated: Running, outside: Path) -> None:
    paths = [
        str(outside),
        "../outside.txt",
        f"../../../../../../../..{outside}",
        f"/proc/self/root{outside}",
        f"/proc/1/root{outside}",
        "/proc/self/cwd/../outside.txt",
        f"/proc/1/cwd{outside}",
        "/workspace/../outside.txt",
        "/etc/shadow",
        str(Path.home()),
    ]
    seen = isolated.sh('for path in "$@"; do cat "$path" && echo "read: $path"; done', 10, *paths)
    assert seen.stdout == ""


def test_a_link_of_the_tree_leads_nowhere_outside(isolated: Running, outside: Path) -> None:
    (isolated.tree / "link").symlink_to(outside)
    (isolated.tree / "folder").symlink_to(outside.parent)
    assert SECRET not in isolated.sh("cat link folder/outside.txt; ls -la folder/").stdout
    isolated.sh("echo changed > link")
    assert outside.read_text() == SECRET


def test_open_descriptors_of_the_host_are_not_handed_on(isolated: Running, outside: Path) -> None:
    with outside.open() as kept:
        os.set_inheritable(kept.fileno(), True)
        listed = isolated.sh("ls -l /proc/self/fd /proc/1/fd")
    assert "outside.txt" not in listed.stdout


def test_only_the_tree_and_scratch_folders_can_be_written(isolated: Running) -> None:
    folders = ["/", "/usr", "/usr/bin", "/etc", "/lib", "/proc", "/proc/sys"]
    if isolated.mode in BWRAP:
        folders.append("/dev")  # of a container it is private and small
    tried = isolated.sh('for f in "$@"; do : > "$f/written" && echo "$f"; done', 10, *folders)
    assert tried.stdout == ""


def test_settings_of_the_kernel_cannot_be_written(isolated: Running) -> None:
    names = ("kernel/core_pattern", "vm/swappiness", "kernel/hostname", "kernel/modprobe")
    paths = [str(Path("/proc/sys", name)) for name in names]
    # Opened only, so that a hole does no harm.
    tried = isolated.sh('for path in "$@"; do : >> "$path" && echo "$path"; done', 10, *paths)
    assert tried.stdout == ""


def test_mounts_and_namespaces_cannot_be_changed(isolated: Running) -> None:
    attempts = [
        "mount -t tmpfs none /usr",
        "mount -o remount,rw /usr",
        "mount -o remount,rw /proc/sys",
        "mount -t proc proc /workspace",
        "mount --bind /proc /workspace",
        "umount /proc/sys",
        "chroot /proc/1/root true",
        "unshare --user --map-root-user mount -t tmpfs none /usr",
        "nsenter --target 1 --mount true",
        "mknod /workspace/disk b 8 0",
    ]
    tried = isolated.sh('for words in "$@"; do $words && echo "$words"; done', 10, *attempts)
    assert tried.stdout == ""


def test_scratch_folders_are_private_and_bounded(isolated: Running) -> None:
    isolated.sh("echo left > /tmp/left")
    marker = Path("/tmp/left")
    assert not marker.exists()
    filled = isolated.sh(
        "for i in 1 2 3 4 5 6 7 8 9; do head -c 1000000 /dev/zero > /tmp/$i || exit 9; done"
    )
    assert filled.exit_code == 9
    isolated.sh("rm -f /tmp/*")


def test_the_tree_can_be_worked_with(box: Running) -> None:
    (box.tree / "given.txt").write_text("given")
    made = box.sh("cat given.txt; mkdir -p a/b && echo made > a/b/c && rm given.txt")
    assert made.stdout == "given"
    assert (box.tree / "a/b/c").read_text() == "made\n"
    assert not (box.tree / "given.txt").exists()
    facts, tree = (box.tree / "a/b/c").stat(), box.tree.stat()
    assert (facts.st_uid, facts.st_gid) == (tree.st_uid, tree.st_gid)


# Privileges


def test_a_command_holds_no_privilege(isolated: Running) -> None:
    status = isolated.sh("cat /proc/self/status").stdout
    fields = dict(line.split(":\t", 1) for line in status.splitlines())
    assert {fields[name] for name in ("CapEff", "CapPrm", "CapBnd", "CapInh", "CapAmb")} == {
        "0000000000000000"
    }
    assert fields["NoNewPrivs"] == "1"


def test_bubblewrap_runs_as_nobody_inside_and_as_no_known_user_outside(
    isolated: Running, nap: str
) -> None:
    if isolated.mode != "bwrap":
        pytest.skip("of bubblewrap")
    assert isolated.sh("id -u").stdout == "65534\n"
    users: list[str] = []

    def look() -> None:
        # The program itself: on the way to it there is no privilege to lose yet.
        assert wait_until(lambda: processes_with(f"sleep\0{nap}"))
        for pid in processes_with(f"sleep\0{nap}"):
            status = Path(f"/proc/{pid}/status").read_text()
            users.append(status.partition("\nUid:")[2].split()[0])

    looking = threading.Thread(target=look)
    looking.start()
    isolated.sh(f"sleep {nap}", 1.0)
    looking.join()
    assert users
    assert "0" not in users


def test_the_files_of_root_in_the_tree_stay_those_of_root(isolated: Running) -> None:
    if os.geteuid() != 0:
        pytest.skip("needs a tree of root")
    (isolated.tree / "own").write_text("x")
    isolated.sh("echo y >> own")
    assert (isolated.tree / "own").read_text() == "xy\n"
    assert (isolated.tree / "own").stat().st_uid == 0


def test_no_file_of_the_tree_can_be_made_to_run_as_its_owner(isolated: Running) -> None:
    if isolated.mode not in BWRAP:
        pytest.skip("of bubblewrap: a container brings its own filter")
    script = "import os\nmade = os.open('made', os.O_CREAT | os.O_WRONLY, 0o4755)\n"
    assert "PermissionError" in isolated.sh('python3 -c "$1"', 10, script).stderr
    isolated.sh("cp /usr/bin/true t; chmod u+s t; chmod g+s t; install -m 6755 /usr/bin/true u")
    assert [path for path in isolated.tree.iterdir() if path.lstat().st_mode & 0o6000] == []
    assert isolated.sh("chmod 755 t && mkdir -m 700 d && ./t").exit_code == 0


# Network


def test_the_network_of_the_host_cannot_be_reached(isolated: Running) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        port = server.getsockname()[1]
        tried = isolated.actor.exec(f"bash -c 'exec 3<>/dev/tcp/127.0.0.1/{port}'", "", 5.0)
        assert tried.exit_code != 0
        with pytest.raises(TimeoutError):
            server.accept()


def test_only_the_loopback_device_is_there(isolated: Running) -> None:
    devices = isolated.sh("cat /proc/net/dev").stdout.splitlines()[2:]
    assert [line.split(":")[0].strip() for line in devices] == ["lo"]


def test_abstract_sockets_of_the_host_cannot_be_reached(isolated: Running) -> None:
    if isolated.mode not in BWRAP:
        pytest.skip("the image has no Python")
    name = f"cardwright-{os.getpid()}"
    script = f"import socket; socket.socket(socket.AF_UNIX).connect('\\0{name}')"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"\0{name}")
        server.listen()
        tried = isolated.sh('python3 -c "$1"', 10, script)
    assert "ConnectionRefusedError" in tried.stderr


def test_a_network_that_is_granted_can_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    if reason := why_not("bwrap"):
        pytest.skip(reason)
    monkeypatch.setattr(SMALL_CLASSES["bwrap"], "network", True)
    assert SMALL_CLASSES["bwrap"].obstacle() == ""
    with trees() as root, running("bwrap", root) as box:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            tried = box.actor.exec(f"bash -c 'exec 3<>/dev/tcp/127.0.0.1/{port}'", "", 5.0)
        assert tried.exit_code == 0
        assert box.sh("cat /etc/shadow").exit_code != 0


# Processes


def test_processes_of_the_host_cannot_be_signalled_or_traced(isolated: Running) -> None:
    with subprocess.Popen(["sleep", "60"]) as bystander:
        pid = bystander.pid
        isolated.sh(f"kill -9 {pid}; kill -9 {os.getpid()}; cat /proc/{pid}/environ")
        isolated.sh("kill -9 -1")
        assert bystander.poll() is None
        if isolated.mode in BWRAP:
            trace = f"import ctypes; print(ctypes.CDLL(None).ptrace(16, {pid}, 0, 0))"
            assert isolated.sh('python3 -c "$1"', 10, trace).stdout == "-1\n"
        bystander.kill()


def test_only_own_processes_are_seen(isolated: Running) -> None:
    listed = isolated.sh("ls /proc").stdout.split()
    assert len([name for name in listed if name.isdecimal()]) < 8


def test_trap_17_background_children_end_with_the_command(box: Running, nap: str) -> None:
    done = box.sh(
        f"sleep {nap} & setsid sleep {nap} & (setsid sh -c '(sleep {nap} &)' &); echo done"
    )
    assert done.stdout == "done\n"
    assert processes_with(nap) == []


def test_background_children_without_environment_end_too(box: Running, nap: str) -> None:
    if not box.bounded():
        pytest.skip("needs a control group")
    done = box.sh(f"(setsid env -i sh -c 'setsid env -i sleep {nap} & exit' &); echo done")
    assert done.stdout == "done\n"
    assert processes_with(nap) == []


def test_trap_17_ignored_signals_do_not_help_when_time_is_over(box: Running, nap: str) -> None:
    script = f"trap '' TERM INT HUP QUIT; echo partial; setsid sleep {nap} & sleep {nap}"
    # An engine may need a second to begin on a machine that has much to do.
    budget = 2.5 if box.mode == "docker" else 0.5
    late = box.sh(script, budget)
    assert late.timed_out
    assert late.exit_code == 124
    assert late.stdout == "partial\n"
    assert f"timed out after {budget} s" in late.stderr
    assert processes_with(nap) == []
    assert box.sh("echo again").stdout == "again\n"


def test_a_stopped_process_is_ended_too(sampled: Running, nap: str) -> None:
    late = sampled.sh(f"sleep {nap} & kill -STOP $!; kill -STOP $$", 0.5)
    assert late.timed_out
    assert processes_with(nap) == []


def test_a_fork_bomb_is_bounded_and_ended(box: Running, nap: str) -> None:
    if not box.bounded():
        pytest.skip("needs a control group")
    name = f"bomb{nap}"
    bomb = f"b() {{ b '{name}' | b '{name}' & }}; b 2>/dev/null; sleep 0.3; echo survived"
    box.sh(bomb, 2.0)
    assert processes_with(name) == []
    assert box.sh("echo again").stdout == "again\n"


def test_a_memory_bomb_is_ended(box: Running) -> None:
    blown = box.sh("dd if=/dev/zero of=/dev/null bs=900M count=1")
    assert blown.exit_code != 0
    assert box.sh("echo again").stdout == "again\n"


def test_memory_is_bounded_for_all_processes_together(sampled: Running) -> None:
    group = ControlGroup.made(SMALL)
    group.remove()
    if sampled.mode != "docker" and not group.bounds_memory:
        pytest.skip("needs a control group")
    hold = "(dd if=/dev/zero bs=60M count=1 2>/dev/null; echo $? >> codes) | sleep 1 &"
    sampled.sh(f"rm -f codes; {hold * 5} wait", 5.0)
    # A dd that is not killed waits for a reader until its pipe breaks.
    assert "137" in (sampled.tree / "codes").read_text().split()
    assert sampled.sh("echo again").stdout == "again\n"


def test_a_command_that_is_killed_is_told_apart_from_one_that_failed(box: Running) -> None:
    killed = box.sh("kill -9 $$")
    assert killed.exit_code == 137
    assert "ended by signal 9" in killed.stderr


def test_a_busy_loop_is_ended_by_its_time_on_the_processor(sampled: Running) -> None:
    looped = sampled.sh("while :; do :; done", 8.0)
    assert looped.exit_code != 0
    assert not looped.timed_out


# Output, files, terminal, environment


def test_trap_20_huge_output_is_cut_in_the_middle(box: Running) -> None:
    printed = box.sh("echo first; head -c 20000000 /dev/zero; echo; echo last")
    assert printed.exit_code == 0
    assert printed.stdout.startswith("first\n")
    assert printed.stdout.endswith("\nlast\n")
    assert "bytes left out" in printed.stdout
    assert len(printed.stdout) < 20_000


def test_trap_20_output_that_is_no_text_is_replaced(box: Running) -> None:
    printed = box.sh("printf '\\377ok'")
    assert printed.exit_code == 0
    assert printed.stdout == "\ufffdok"


def test_huge_files_are_cut(box: Running) -> None:
    written = box.sh("head -c 3000000 /dev/zero > big")
    assert written.exit_code != 0
    assert (box.tree / "big").stat().st_size <= SMALL.file_size == MIB
    (box.tree / "big").unlink()


def test_standard_input_is_empty(box: Running) -> None:
    assert box.sh("cat", 5.0).exit_code == 0


def test_there_is_no_terminal_to_inject_into(box: Running) -> None:
    assert box.sh("test -t 0 || test -t 1 || test -t 2").exit_code != 0
    assert box.sh("echo injected > /dev/tty").exit_code != 0
    if box.mode != "docker":
        inject = "import fcntl; [fcntl.ioctl(n, 0x5412, b'x') for n in (0, 1, 2)]"
        assert "Error: [Errno" in box.sh('python3 -c "$1"', 10, inject).stderr


def test_secrets_of_the_environment_do_not_leak(box: Running) -> None:
    assert os.environ["OPENAI_API_KEY"] == SECRET
    printed = box.sh("env; cat /proc/self/environ /proc/$$/environ")
    assert SECRET not in printed.stdout
    if box.mode in ISOLATING:
        assert SECRET not in box.sh("cat /proc/1/environ /proc/*/environ").stdout


def test_the_path_of_the_tree_on_the_host_is_not_told(isolated: Running) -> None:
    told = isolated.sh("pwd; env; cat /proc/1/cmdline /proc/self/cmdline; cat /workspace/none")
    assert str(isolated.tree) not in told.stdout + told.stderr


# Trees and runs


def test_a_tree_that_was_replaced_is_the_one_that_is_worked_on(sampled: Running) -> None:
    sampled.sh("touch before")
    sampled.tree.rename(sampled.tree.with_name("moved"))
    sampled.tree.mkdir()
    try:
        assert sampled.sh("ls; touch after").stdout == ""
        assert (sampled.tree / "after").exists()
    finally:
        (sampled.tree / "after").unlink(missing_ok=True)
        sampled.tree.rmdir()
        sampled.tree.with_name("moved").rename(sampled.tree)
    assert "before" in sampled.sh("ls").stdout


def test_processes_of_a_run_are_found_without_a_control_group(nap: str) -> None:
    """What `local` does where it may not make a group: the session, the mark, and descendants."""
    script = f"setsid sleep {nap} & (setsid sh -c '(sleep {nap} &)' &) ; sleep {nap}"
    process = subprocess.Popen(
        ["sh", "-c", script],
        start_new_session=True,
        env={"PATH": os.environ["PATH"], RUN_VARIABLE: nap},
    )
    assert wait_until(lambda: len(processes_with(f"sleep\0{nap}")) == 3)
    assert SessionLeftovers(process, nap, ControlGroup()).end()
    assert processes_with(f"sleep\0{nap}") == []
    process.wait()

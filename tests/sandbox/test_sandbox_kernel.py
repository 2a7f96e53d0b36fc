"""What a sandbox asks of the kernel to get out: calls, devices, links, limits, descriptors."""

import os
import platform
import shutil

import pytest
from tests.sandbox.sandbox_support import BWRAP, Running, processes_with

from cardwright.sandbox import ALLOWED_COMMANDS

# Tried in Perl, since a small image holds it. Each prints what it may do.
_SOCKETS = "for $f (0..45) { for $t (1..3) { print qq($f\\n) if socket(my $s, $f, $t, 0) } }"
_CALLS = (
    "for $words (@ARGV) { ($number, @given) = map { $_ + 0 } split /,/, $words; "
    "print qq($words\\n) if syscall($number, @given, 0) >= 0 }"
)

# Of x86-64: number and arguments of calls that reach further than a sandbox should.
_GETPID = 39
_FORBIDDEN: dict[str, tuple[int, ...]] = {
    "syslog": (103, 10, 0, 0),
    "unshare a user namespace": (272, 0x10000000),
    "unshare a network": (272, 0x40000000),
    "clone a user namespace": (56, 0x10000021, 0, 0, 0, 0),
    "setns": (308, 0, 0),
    "mount": (165, 0, 0, 0, 0, 0),
    "fsopen": (430, 0, 0),
    "open_tree": (428, 0xFFFFFF9C, 0, 1),
    "pivot_root": (155, 0, 0),
    "io_uring_setup": (425, 8, 0),
    "keyctl": (250, 0, 0xFFFFFFFD, 0),
    "add_key": (248, 0, 0, 0, 0, 0xFFFFFFFD),
    "request_key": (249, 0, 0, 0, 0),
    "bpf": (321, 0, 0, 0),
    "perf_event_open": (298, 0, 0, 0, 0, 0),
    "userfaultfd": (323, 0),
    "clock_settime": (227, 0, 0),
    "settimeofday": (164, 0, 0),
    "open_by_handle_at": (304, 0, 0, 0),
    "fanotify_init": (300, 0, 0),
    "kexec_load": (246, 0, 0, 0, 0),
    "init_module": (175, 0, 0, 0),
    "acct": (163, 0),
    "reboot": (169, 0, 0, 0, 0),
    "swapon": (167, 0, 0),
    "sethostname": (170, 0, 0),
    "iopl": (172, 3),
}


@pytest.fixture
def perl(isolated: Running) -> Running:
    if shutil.which("perl") is None:
        pytest.skip("needs Perl")
    return isolated


def test_no_socket_reaches_beyond_the_network_namespace(perl: Running) -> None:
    """Of which vsock is none: it talks to the machine around a virtual machine."""
    opened = perl.sh('perl -e "$1"', 10, _SOCKETS)
    families = {int(line) for line in opened.stdout.split()}
    assert families <= {1, 2, 10, 16}
    assert 1 in families


@pytest.mark.skipif(platform.machine() != "x86_64", reason="numbers of x86-64")
def test_calls_that_reach_too_far_are_refused(perl: Running) -> None:
    calls = {name: ",".join(map(str, call)) for name, call in _FORBIDDEN.items()}
    allowed = f"{_GETPID},0"
    tried = perl.sh('code=$1; shift; perl -e "$code" "$@"', 10, _CALLS, *calls.values(), allowed)
    done = tried.stdout.split()
    assert [name for name, call in calls.items() if call in done] == []
    assert done == [allowed]  # the test itself: what may be done is told


def test_there_are_no_devices_but_harmless_ones(isolated: Running) -> None:
    harmless = "console core fd full mqueue null ptmx pts random shm tty urandom zero"
    listed = isolated.sh("ls /dev").stdout.split()
    assert [name for name in listed if name[:3] != "std" and name not in harmless.split()] == []
    made = isolated.sh("mknod n c 1 3 && echo n; mknod b b 8 0 && echo b; ls")
    assert made.stdout == ""


def test_groups_and_drivers_of_the_system_cannot_be_written(isolated: Running) -> None:
    tried = isolated.sh(
        "for f in /sys/fs/cgroup/*/cgroup.procs /sys/fs/cgroup/cgroup.procs /sys/power/state "
        "/sys/kernel/uevent_helper /proc/1/oom_score_adj /proc/1/mem; "
        'do : >> "$f" && echo "$f"; done'
    )
    assert set(tried.stdout.split()) <= {"/proc/1/oom_score_adj", "/proc/1/mem"}
    if isolated.mode == "docker":
        assert tried.stdout == "" or "mem" not in tried.stdout


def test_no_file_outside_gets_a_second_name_in_the_tree(isolated: Running) -> None:
    tried = isolated.sh("ln /usr/bin/env a; ln -L /proc/self/exe b; ln /proc/self/status c; ls")
    assert tried.stdout == ""


def test_limits_can_be_lowered_only(isolated: Running) -> None:
    script = "ulimit -{} {} && echo {}"
    raised = [script.format(*one) for one in (("n", 99999, "n"), ("f", "unlimited", "f"))]
    raised += [script.format("t", "unlimited", "t"), script.format("c", 1, "c")]
    assert isolated.sh("; ".join(f"({one})" for one in raised)).stdout == ""


def test_a_command_gets_three_descriptors_and_no_other(sampled: Running) -> None:
    given, _write = os.pipe()
    os.set_inheritable(given, True)
    try:
        listed = sampled.sh("ls /proc/self/fd; cat /dev/stdin").stdout.split()
    finally:
        os.close(given)
        os.close(_write)
    assert len(listed) == 4  # the last is of `ls`


def test_the_first_process_tells_nothing_of_the_host(isolated: Running) -> None:
    told = isolated.sh("cat /proc/1/environ /proc/1/cmdline").stdout
    assert os.environ["PATH"] not in told
    assert str(isolated.tree) not in told


def test_shared_memory_is_bounded(isolated: Running) -> None:
    fill = "for i in 1 2 3 4 5 6 7 8 9; do head -c 900000 /dev/zero > /dev/shm/$i || exit 9; done"
    assert isolated.sh(fill).exit_code == 9
    isolated.sh("rm -f /dev/shm/*")


def test_who_kills_the_shell_above_does_not_outlive_the_command(box: Running, nap: str) -> None:
    if box.mode == "local":
        pytest.skip("there the host is above")
    box.sh(f"setsid sleep {nap} & kill -9 $PPID; kill -STOP $PPID; kill -9 -1")
    assert processes_with(nap) == []
    assert box.sh("echo again").stdout == "again\n"


def test_both_streams_may_be_flooded_at_once(sampled: Running) -> None:
    flood = "head -c 60000000 /dev/zero & head -c 60000000 /dev/zero >&2; wait; echo end"
    printed = sampled.sh(flood, 20)
    assert printed.exit_code == 0
    assert printed.stdout.endswith("end\n")
    assert len(printed.stdout) < 20_000
    assert len(printed.stderr) < 20_000


@pytest.mark.parametrize(("signal", "number"), [("TERM", 15), ("SEGV", 11)])
def test_a_command_that_ends_by_a_signal_says_so(
    sampled: Running, signal: str, number: int
) -> None:
    assert sampled.sh(f"kill -{signal} $$").exit_code == 128 + number


def test_trap_19_a_program_that_is_not_installed_is_told_from_a_missing_folder(
    sampled: Running,
) -> None:
    names = sorted(ALLOWED_COMMANDS)
    missing = next((name for name in names if not _inside(sampled, name)), None)
    if missing is None:
        pytest.skip("all of them are installed")
    tried = sampled.actor.exec(f"{missing} --version")
    assert tried.exit_code == 127
    assert missing in tried.stderr
    assert "working directory" not in tried.stderr


def _inside(box: Running, name: str) -> bool:
    return box.sh(f"command -v {name}").exit_code == 0


def test_the_user_of_a_sandbox_outside_is_in_none_of_roots_groups(isolated: Running) -> None:
    if isolated.mode not in BWRAP:
        pytest.skip("of bubblewrap")
    groups = isolated.sh("cat /proc/self/status").stdout.partition("\nGroups:\t")[2]
    assert groups.split("\n")[0].split() in ([], ["65534"])


def test_case_50_a_command_that_deletes_everything_is_held_back_by_the_sandbox_alone(
    isolated: Running,
) -> None:
    kept = isolated.tree.parent / "outside.txt"
    assert isolated.actor.exec("rm -rf /").exit_code == 1  # of rm itself, which wants to be sure
    isolated.sh('rm -rf "$1" /usr/bin/env /etc; rm -rf /workspace/*', 10, str(kept))
    assert kept.exists()
    assert isolated.sh("env").exit_code == 0

"""A real PostgreSQL server on loopback, in a folder of its own, that tests may stop and crash."""

import contextlib
import fcntl
import os
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Generator
from pathlib import Path
from signal import SIGCONT, SIGINT, SIGQUIT, SIGSTOP, Signals
from uuid import uuid4

import psycopg

ACCOUNTS = "postgres", "nobody"
"""PostgreSQL refuses to run as root: the first of these that exists runs it then."""
INSTALL = "apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql"
NO_SERVER = (
    "no PostgreSQL server: put `postgres` and `initdb` (15 or newer) on PATH, or run the tests as "
    "root on Debian, where they install it"
)


def server_programs() -> Path | None:
    """The folder with `postgres` and `initdb`, if there is one."""
    on_path = shutil.which("postgres")
    found = [Path(on_path).resolve().parent] if on_path else []
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in found if (folder / "initdb").exists()), None)


def can_be_had() -> bool:
    """Whether there is a server, installed now if need be and possible."""
    if server_programs() is None and _is_root() and shutil.which("apt-get"):
        _install()
    return server_programs() is not None


def _install() -> None:
    """Install Debian's server, one test process at a time."""
    with Path(tempfile.gettempdir(), "cardwright-apt.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if server_programs() is None:
            subprocess.run(["bash", "-c", INSTALL], check=False, timeout=100)


def roomy_memory() -> str | None:
    """A file system in memory, if it is large: what is tested outlives processes, not power."""
    folder = "/dev/shm"
    if os.access(folder, os.W_OK) and shutil.disk_usage(folder).free > 2**30:
        return folder
    return None


class Server:
    """A PostgreSQL server that tests may stop, crash and start again."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.programs = programs
        self.data = folder / "data"
        self.password = secrets.token_hex()
        self.account = next((a for a in ACCOUNTS if _exists(a)), None) if _is_root() else None
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = int(probe.getsockname()[1])
        self._process: subprocess.Popen[bytes] | None = None
        self.own(folder)
        secret = folder / "password"
        secret.write_text(self.password)
        self.own(secret)
        options = ["-U", "cardwright", "-A", "scram-sha-256", "-E", "UTF8", "--locale=C", "-N"]
        initdb = [str(programs / "initdb"), "-D", str(self.data), f"--pwfile={secret}", *options]
        subprocess.run(initdb, check=True, capture_output=True, user=self.account, cwd=folder)

    def own(self, path: Path) -> None:
        """Give a path to the account that runs the server."""
        if self.account is not None:
            shutil.chown(path, self.account)

    def start(self) -> None:
        """Start it and wait until it answers."""
        self._process = subprocess.Popen(
            [
                *(self.programs / "postgres", "-D", self.data, "-p", str(self.port)),
                *("-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="),
            ],
            stdout=subprocess.DEVNULL,
            stderr=(self.data.parent / "log").open("ab"),
            user=self.account,
            cwd=self.data.parent,
        )
        deadline = time.monotonic() + 30
        while True:
            try:
                psycopg.connect(self.url("postgres"), connect_timeout=2).close()
            except psycopg.OperationalError:
                assert time.monotonic() < deadline, (self.data.parent / "log").read_text()
                time.sleep(0.02)
            else:
                return

    def stop(self, how: Signals = SIGINT) -> None:
        """Stop it in order; `SIGQUIT` is a crash."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(30)
            self._process = None

    def crash(self) -> None:
        """Let it die as with the power gone; it recovers at the next start."""
        self.stop(SIGQUIT)

    def freeze(self) -> list[int]:
        """Stop all its processes as they are; their sockets stay open. Returns them for `thaw`."""
        assert self._process is not None
        mother = str(self._process.pid)
        found = subprocess.run(["pgrep", "-P", mother], capture_output=True, text=True, check=True)
        frozen = [int(mother), *map(int, found.stdout.split())]
        for process in frozen:
            os.kill(process, SIGSTOP)
        return frozen

    def thaw(self, frozen: list[int]) -> None:
        """Let them go on."""
        for process in frozen:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, SIGCONT)

    def url(self, database: str) -> str:
        return f"postgresql://cardwright:{self.password}@127.0.0.1:{self.port}/{database}"

    def run(self, statement: str) -> None:
        """Run a statement as the superuser, outside of any store."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement.encode())

    def create_database(self, options: str = "") -> str:
        """Make an empty database and return its URL."""
        name = f"store_{uuid4().hex}"
        self.run(f"CREATE DATABASE {name} {options}")
        return self.url(name)


def _is_root() -> bool:
    return os.geteuid() == 0


def _exists(account: str) -> bool:
    try:
        pwd.getpwnam(account)
    except KeyError:
        return False
    return True


@contextlib.contextmanager
def running_server(parent: str | None) -> Generator[Server]:
    """A server in a new folder below `parent`; the caller made sure that there is one to be had."""
    programs = server_programs()
    assert programs is not None
    # Not below pytest's folder, which nobody but its owner may enter.
    folder = Path(tempfile.mkdtemp(prefix="cardwright-postgres-", dir=parent))
    server = Server(programs, folder)
    server.start()
    yield server
    server.crash()
    shutil.rmtree(folder, ignore_errors=True)

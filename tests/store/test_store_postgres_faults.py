"""PostgreSQL in trouble: a real server is stopped, crashed and filled under the store."""

import contextlib
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Literal

import psycopg
import pytest
from tests.store.store_server import Server

from cardwright.store import (
    EventStore,
    NewEvent,
    StoreFullError,
    StoreUnavailableError,
    StoreVersionError,
    open_store,
)
from cardwright.store.postgres import connections
from cardwright.store.postgres.connections import Connections
from cardwright.store.postgres.listener import Listener

KILOBYTE = 1024
MEGABYTE = KILOBYTE * KILOBYTE


@pytest.fixture
def database(server: Server) -> str:
    return server.create_database()


@pytest.fixture
def store(database: str) -> Iterator[EventStore]:
    with open_store(database, timeout=1) as opened:
        yield opened


def new(count: int = 1, size: int = 10) -> list[NewEvent]:
    return [NewEvent("x" * size) for _ in range(count)]


def end_sessions(server: Server) -> None:
    """Cut every connection but our own, as an administrator or a network does."""
    server.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
    )


def test_connections_lost_between_calls_are_replaced(server: Server, store: EventStore) -> None:
    store.append("team", new(), expected_sequence=0)
    end_sessions(server)
    assert store.append("team", new(), expected_sequence=1) == 2
    end_sessions(server)
    assert store.get_max_sequence("team") == 2


def test_a_connection_lost_before_the_commit(
    server: Server, database: str, store: EventStore
) -> None:
    """The store waits for a stream that another session holds when both lose their connections."""
    store.append("team", new(), expected_sequence=0)
    with psycopg.connect(database) as holder:
        holder.execute("SELECT 1 FROM cardwright.streams FOR UPDATE")
        killer = threading.Timer(0.3, end_sessions, [server])
        killer.start()
        # Nothing was committed, so the store did it again by itself.
        assert store.append("team", new(), expected_sequence=1) == 2
        killer.join()
        holder.close()
    assert store.get_max_sequence("team") == 2


class Proxy:
    """Stands between store and server, and cuts the line at the next COMMIT when it is told to."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cut: Literal["never", "before", "after"] = "never"
        self.listening = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listening.accept()
                server = socket.create_connection(("127.0.0.1", self.port))
                threading.Thread(target=self._forth, args=(client, server), daemon=True).start()
                threading.Thread(target=self._back, args=(client, server), daemon=True).start()

    def _forth(self, client: socket.socket, server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := client.recv(2**16):
                if b"COMMIT\0" in data and self.cut != "never":
                    cut, self.cut = self.cut, "never"
                    if cut == "after":
                        # The server does its part; the answer goes nowhere.
                        client.shutdown(socket.SHUT_WR)
                        server.sendall(data)
                        time.sleep(0.2)
                    break
                server.sendall(data)
        for line in (client, server):
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def _back(self, client: socket.socket, server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := server.recv(2**16):
                client.sendall(data)


@pytest.mark.parametrize("cut", ["before", "after"])
def test_a_connection_lost_at_the_commit(
    server: Server, database: str, store: EventStore, cut: Literal["before", "after"]
) -> None:
    """Whether it was stored, nobody knows until the same call is repeated."""
    proxy = Proxy(server.port)
    proxied = database.replace(f":{server.port}/", f":{proxy.listening.getsockname()[1]}/")
    events = new(2)
    with open_store(proxied, timeout=2) as far:
        far.append("team", new(), expected_sequence=0, snapshots={"at": "1"})
        proxy.cut = cut
        with pytest.raises(StoreUnavailableError, match="repeat the call"):
            far.append("team", events, expected_sequence=1, snapshots={"at": "3"})
        assert store.get_max_sequence("team") == 1 or cut == "after"
        with store.subscribe("team", after=1) as subscription:
            found = subscription.next(10 if cut == "after" else 0)
        assert (found is not None) == (cut == "after")
        assert far.append("team", events, expected_sequence=1, snapshots={"at": "3"}) == 3
    proxy.listening.close()
    assert [event.event_id for event in store.read("team", after=1)] == [
        event.event_id for event in events
    ]


def test_a_lock_that_stays(database: str, store: EventStore) -> None:
    store.append("team", new(), expected_sequence=0)
    with psycopg.connect(database) as holder:
        holder.execute("SELECT 1 FROM cardwright.streams FOR UPDATE")
        with pytest.raises(StoreUnavailableError, match="in the way"):
            store.append("team", new(), expected_sequence=1)
        assert store.get_max_sequence("team") == 1
    assert store.append("team", new(), expected_sequence=1) == 2


def test_a_server_that_is_away(server: Server, database: str, store: EventStore) -> None:
    store.append("team", new(), expected_sequence=0)
    subscription = store.subscribe("team", after=1)
    server.stop()
    try:
        with pytest.raises(StoreUnavailableError, match="Check that it runs") as caught:
            store.append("team", new(), expected_sequence=1)
        assert server.password not in str(caught.value)
        with pytest.raises(StoreUnavailableError):
            list(store.read("team"))
        with pytest.raises(StoreUnavailableError):
            next(subscription)
        with pytest.raises(StoreUnavailableError):
            open_store(database, timeout=1)
    finally:
        server.start()
    assert store.append("team", new(), expected_sequence=1) == 2
    event = subscription.next(10)
    assert event is not None
    assert event.sequence == 2
    subscription.close()


class Stubborn:
    """Works on one store through every interruption, until everything is done."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.failures = 0
        self.followed: list[str] = []
        self.under_way = threading.Event()
        self.deadline = time.monotonic() + 60

    def persist[T](self, call: Callable[[], T]) -> T:
        """Repeat a call, unchanged, until the store is there."""
        while time.monotonic() < self.deadline:
            try:
                return call()
            except StoreUnavailableError:
                self.failures += 1
                time.sleep(0.005)
        pytest.fail("the store did not come back")

    def write(self, store: EventStore) -> None:
        for number in range(self.rounds):
            events = [NewEvent(f"{number}-{part}") for part in range(3)]
            self.persist(partial(store.append, "team", events, expected_sequence=3 * number))
            if number == self.rounds // 10:
                self.under_way.set()

    def follow(self, url: str) -> None:
        # It may begin amid the first crash.
        with (
            self.persist(partial(open_store, url)) as store,
            self.persist(partial(store.subscribe, "team")) as subscription,
        ):
            for _ in range(3 * self.rounds):
                event = self.persist(partial(subscription.next, 30))
                self.followed.extend([event.payload] if event else [])


def test_crashes_amid_appends_lose_and_repeat_nothing(
    server: Server, database: str, store: EventStore
) -> None:
    """The server crashes twice and restarts once in order, while a writer and a follower work."""
    work = Stubborn(rounds=250)
    threads = [
        threading.Thread(target=work.write, args=[store]),
        threading.Thread(target=work.follow, args=[database]),
    ]
    for thread in threads:
        thread.start()
    assert work.under_way.wait(30)
    for end in (server.crash, server.stop, server.crash):
        end()
        server.start()
        time.sleep(0.1)
    for thread in threads:
        thread.join()
    expected = [f"{number}-{part}" for number in range(work.rounds) for part in range(3)]
    assert [event.payload for event in store.read("team")] == expected
    assert work.followed == expected
    assert work.failures > 0


def deaf(_: Listener) -> None:
    """Stands for a listener that hears nothing."""


def test_notifications_may_get_lost(
    server: Server, database: str, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A follower that hears nothing looks by itself."""
    monkeypatch.setattr(Listener, "start", deaf)
    with open_store(database) as other, other.subscribe("team") as subscription:
        assert subscription.next(0.01) is None
        store.append("team", new(), expected_sequence=0)
        assert subscription.next(10) is not None


@pytest.fixture
def small_disk(server: Server, tmp_path: Path) -> Iterator[Path]:
    """A file system of 32 megabytes that the server may use."""
    folder = server.data.parent / "disk"
    folder.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", str(folder)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("only root may mount a small disk")
    space = folder / "space"
    space.mkdir()
    server.own(space)
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk(server: Server, small_disk: Path) -> None:
    server.run(f"CREATE TABLESPACE small LOCATION '{small_disk}/space'")
    url = server.create_database("TABLESPACE small")
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"\0" * 8 * MEGABYTE)
    last = 0
    with open_store(url) as store:
        error: StoreFullError | None = None
        while error is None:
            try:
                last = store.append("team", new(200, KILOBYTE), expected_sequence=last)
            except StoreFullError as full:
                error = full
        assert "Free space" in str(error)
        assert error.retryable
        ballast.unlink()
        assert store.append("team", new(200, KILOBYTE), expected_sequence=last) == last + 200
        assert len(list(store.read("team"))) == last + 200
    server.run(f"DROP DATABASE {url.rpartition('/')[2]}")
    server.run("DROP TABLESPACE small")


def test_rights_and_versions(server: Server, database: str, store: EventStore) -> None:
    store.append("team", new(), expected_sequence=0)
    with psycopg.connect(database, autocommit=True) as admin:
        admin.execute("CREATE ROLE guest LOGIN PASSWORD 'hush'")
        guest = database.replace(f"cardwright:{server.password}", "guest:hush")
        with pytest.raises(StoreVersionError, match="Grant"):
            open_store(guest)
        admin.execute("GRANT USAGE ON SCHEMA cardwright TO guest")
        admin.execute("GRANT ALL ON ALL TABLES IN SCHEMA cardwright TO guest")
        with open_store(guest) as limited:
            assert limited.append("team", new(), expected_sequence=1) == 2
        admin.execute("UPDATE cardwright.layout SET version = 99")
        with pytest.raises(StoreVersionError, match="newer"):
            open_store(database)


def test_a_wrong_password_is_not_repeated(server: Server, database: str) -> None:
    with pytest.raises(StoreUnavailableError, match="password authentication failed") as caught:
        open_store(database.replace(server.password, "hush"))
    assert "hush" not in str(caught.value)


def test_an_encoding_that_cannot_hold_unicode(server: Server) -> None:
    url = server.create_database("ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(StoreVersionError, match="UTF8"):
        open_store(url)


def test_durability_does_not_depend_on_the_server_s_defaults(
    server: Server, database: str, caplog: pytest.LogCaptureFixture
) -> None:
    name = database.rpartition("/")[2]
    server.run(f"ALTER DATABASE {name} SET synchronous_commit = off")
    with Connections(database, 1).connect() as connection:
        assert connection.execute("SHOW synchronous_commit").fetchone() == ("on",)
    assert "without fsync" not in caplog.text


def test_more_threads_than_connections(database: str) -> None:
    store = open_store(database, timeout=30)
    threads = [
        threading.Thread(
            target=store.append, args=(f"t{n}", new()), kwargs={"expected_sequence": 0}
        )
        for n in range(30)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [store.get_max_sequence(f"t{n}") for n in range(30)] == [1] * 30
    store.close()


def test_connections_that_stay_in_use(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST", 1)
    with open_store(database, timeout=0.2) as store:
        store.append("team", new(), expected_sequence=0)
        with psycopg.connect(database) as holder:
            holder.execute("SELECT 1 FROM cardwright.streams FOR UPDATE")
            waiting = threading.Thread(target=expect_unavailable, args=[store])
            waiting.start()
            expect_unavailable(store)
            waiting.join()


def expect_unavailable(store: EventStore) -> None:
    with pytest.raises(StoreUnavailableError, match="Try again"):
        store.append("team", new(), expected_sequence=1)

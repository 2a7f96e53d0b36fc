"""SQLite in trouble: each cause gives one clear error, and the store goes on when it is gone."""

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.store.sqlite_faults import PAGE, hold_lock, locked, overwrite

from cardwright.store import (
    CorruptStoreError,
    EventStore,
    NewEvent,
    StoreError,
    StoreFullError,
    StoreUnavailableError,
    StoreVersionError,
    open_store,
)
from cardwright.store.session import Session
from cardwright.store.sqlite import SqliteEngine
from cardwright.store.sqlite.file import StoreFile

KILOBYTE = 1024
MEGABYTE = KILOBYTE * KILOBYTE


def new(count: int = 1, size: int = 10) -> list[NewEvent]:
    return [NewEvent("x" * size) for _ in range(count)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "team.db"


def opened(path: Path, timeout: float = 0.3) -> EventStore:
    return open_store(f"sqlite:///{path}", timeout=timeout)


def filled(path: Path, count: int = 200) -> None:
    """A store with a log in one file, closed in order."""
    with opened(path) as store:
        store.append("team", new(count, 500), expected_sequence=0, snapshots={"board": "s" * 500})
        store.create_team("team", "r" * 500)


def test_a_locked_database(path: Path) -> None:
    with opened(path) as store:
        store.append("team", new(), expected_sequence=0)
        with locked(path):
            with pytest.raises(StoreUnavailableError, match="locked by another process"):
                store.append("team", new(), expected_sequence=1)
            assert len(list(store.read("team"))) == 1
        assert store.append("team", new(), expected_sequence=1) == 2


def test_a_lock_that_is_let_go_in_time_is_waited_for(path: Path) -> None:
    with opened(path, timeout=20) as store:
        process = hold_lock(path, "BEGIN IMMEDIATE")
        threading.Timer(0.2, process.kill).start()
        assert store.append("team", new(), expected_sequence=0) == 1
        process.communicate()


def test_a_database_locked_for_readers_too(path: Path) -> None:
    filled(path)
    with locked(path, "PRAGMA locking_mode = EXCLUSIVE;BEGIN EXCLUSIVE"):
        with pytest.raises(StoreUnavailableError, match="locked by another process") as caught:
            opened(path)
        assert caught.value.retryable
    with opened(path) as store:
        assert store.get_max_sequence("team") == 200


@pytest.mark.parametrize("content", [b"garbage " * 2000, b"short", b"SQLite format 3\x00" * 300])
def test_a_garbage_file(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(CorruptStoreError, match=r"team\.db is damaged .*backup"):
        opened(path)
    assert path.read_bytes() == content


def test_a_database_of_another_program(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE events (mine)")
    with pytest.raises(StoreVersionError, match="another program"):
        opened(path)


def test_a_store_of_a_newer_version(path: Path) -> None:
    filled(path)
    with contextlib.closing(sqlite3.connect(path)) as newer:
        newer.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreVersionError, match="newer version"):
        opened(path)


def everything(store: EventStore) -> object:
    """Read all there is."""
    return (
        list(store.read("team")),
        store.load_snapshots("team"),
        store.load_team("team"),
        store.get_max_sequence("team"),
    )


def test_a_truncated_last_page(path: Path) -> None:
    filled(path)
    whole = path.read_bytes()
    os.truncate(path, len(whole) - PAGE // 2)
    with pytest.raises(CorruptStoreError), opened(path) as store:
        everything(store)
    path.write_bytes(whole)
    with opened(path) as store:
        everything(store)


def test_a_page_destroyed_while_the_store_is_open(path: Path) -> None:
    """The error does not stick: the bytes are put back, and the same store reads them."""
    filled(path)
    whole = path.read_bytes()
    with opened(path) as store:
        overwrite(path, -PAGE, b"\xff" * PAGE)
        with pytest.raises(CorruptStoreError, match="backup"):
            everything(store)
        overwrite(path, 0, whole)
        everything(store)
        assert store.append("team", new(), expected_sequence=200) == 201


@pytest.mark.parametrize("junk", [b"\x00", b"\xff", b"x"])
def test_no_destroyed_page_goes_unnoticed(path: Path, junk: bytes) -> None:
    """Whatever page is overwritten, reading fails or gives exactly what was stored."""
    filled(path, count=30)
    whole = path.read_bytes()
    with opened(path) as store:
        truth = everything(store)
    noticed = 0
    for page in range(len(whole) // PAGE):
        overwrite(path, page * PAGE, junk * PAGE)
        try:
            with opened(path) as store:
                assert everything(store) == truth
        except (CorruptStoreError, StoreVersionError):
            noticed += 1
        for extra in path.parent.glob("team.db-*"):
            extra.unlink()
        path.write_bytes(whole)
    assert noticed >= 5


def test_a_changed_payload_is_noticed(path: Path) -> None:
    """SQLite itself would not: the page stays well-formed."""
    filled(path)
    whole = path.read_bytes()
    for letter, name in ((b"x", "Event"), (b"s", "Snapshot"), (b"r", "team")):
        overwrite(path, whole.index(letter * 500) + 250, b"!")
        with opened(path) as store, pytest.raises(CorruptStoreError, match=name):
            everything(store)
        overwrite(path, 0, whole)


def change(path: Path, statement: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()


@pytest.mark.parametrize("sequence", [1, 100, 200])
def test_a_lost_event_is_noticed(path: Path, sequence: int) -> None:
    """Nothing is skipped, at the end of the log either; the events before it can be read."""
    filled(path)
    change(path, f"DELETE FROM events WHERE sequence = {sequence}")
    with opened(path) as store:
        assert len(list(store.read("team", limit=sequence - 1))) == sequence - 1
        with pytest.raises(CorruptStoreError, match=f"Event {sequence} .* missing"):
            list(store.read("team"))
        with store.subscribe("team") as subscription, pytest.raises(CorruptStoreError):
            list(subscription)


def test_a_damaged_record_does_not_hide_the_others(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    filled(path)
    with opened(path) as store:
        store.create_team("other", "{}")
    change(path, "UPDATE teams SET payload = 'changed' WHERE team_id = 'team'")
    with opened(path) as store:
        assert [team.team_id for team in store.list_teams()] == ["other"]
        assert "'team' is damaged" in caplog.text
        with pytest.raises(CorruptStoreError):
            store.load_team("team")


def test_a_snapshot_ahead_of_a_shortened_log(path: Path) -> None:
    """The log was restored from an older copy than the snapshots."""
    filled(path)
    change(path, "UPDATE streams SET last_sequence = 100")
    with opened(path) as store, pytest.raises(CorruptStoreError, match="newer than the log"):
        store.load_snapshots("team")


def test_a_damaged_card(path: Path) -> None:
    with opened(path) as store:
        (digest,) = store.save_cards(['{"a": 1}'])
    change(path, "UPDATE cards SET payload = '{}'")
    with opened(path) as store, pytest.raises(CorruptStoreError, match=digest):
        store.load_cards([digest])


def test_an_emptied_file_is_no_new_store(path: Path) -> None:
    with opened(path) as store:
        store.append("team", new(), expected_sequence=0)
        copy = path.with_name("copy.db")
        for name in ("team.db", "team.db-wal"):
            shutil.copy(path.with_name(name), path.with_name(name.replace("team", "copy")))
    os.truncate(copy, 0)
    with pytest.raises(CorruptStoreError, match="empty"):
        opened(copy)


def test_a_file_moved_away_takes_no_writes_along(path: Path) -> None:
    """An open file without a name would acknowledge events that nobody finds again."""
    with opened(path) as store:
        store.append("team", new(), expected_sequence=0)
        aside = path.rename(path.with_name("aside.db"))
        calls: list[Callable[[], object]] = [
            lambda: store.append("team", new(), expected_sequence=1),
            lambda: store.get_max_sequence("team"),
        ]
        for call in calls:
            with pytest.raises(StoreUnavailableError, match="moved or replaced"):
                call()
        path.write_bytes(aside.read_bytes())
        with pytest.raises(StoreUnavailableError, match="moved or replaced"):
            store.append("team", new(), expected_sequence=1)
        aside.rename(path)
        assert store.append("team", new(), expected_sequence=1) == 2


def test_a_failed_operation_does_not_harm_its_neighbours(path: Path) -> None:
    """One commit serves all that waited for it; what one of them breaks is broken for it alone."""
    engine = SqliteEngine(str(path), timeout=20)
    outcomes: dict[int, object] = {}

    def insert(number: int) -> None:
        wrong = "INSERT INTO nowhere VALUES (1, ?)"
        right = "INSERT INTO cards VALUES (?, 'x')"
        statement = wrong if number == 3 else right

        def operation(session: Session) -> int:
            session.run(statement, str(number))
            if number == 5:
                raise RuntimeError("after writing")
            return number

        try:
            outcomes[number] = engine.write(operation)
        except (StoreError, RuntimeError) as error:
            outcomes[number] = type(error)

    with locked(path):
        threads = [threading.Thread(target=insert, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
    for thread in threads:
        thread.join()
    rows = engine.read(lambda session: session.rows("SELECT hash FROM cards ORDER BY hash"))
    engine.close()
    assert outcomes.pop(3) is CorruptStoreError
    assert outcomes.pop(5) is RuntimeError
    assert outcomes == {number: number for number in (0, 1, 2, 4, 6, 7)}
    assert [row[0] for row in rows] == ["0", "1", "2", "4", "6", "7"]


def fill(store: EventStore, last: int) -> int:
    """Append until the disk is full, and return the last acknowledged sequence."""
    error: StoreFullError | None = None
    while error is None:
        events, states = new(4, 10 * KILOBYTE), {"at": str(last)}
        try:
            last = store.append("team", events, expected_sequence=last, snapshots=states)
        except StoreFullError as full:
            error = full
    assert "Free space" in str(error)
    assert error.retryable
    return last


def test_a_full_disk(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"\0" * MEGABYTE)
    with opened(small_disk / "team.db") as store:
        last = fill(store, 0)
        assert len(list(store.read("team"))) == last
        with pytest.raises(StoreFullError):
            store.append("team", new(4, 10 * KILOBYTE), expected_sequence=last)
        ballast.unlink()
        again = fill(store, last)
        assert again > last > 0
        snapshot = store.load_snapshot("team", "at")
        assert snapshot is not None
        assert snapshot.sequence == again
    with opened(small_disk / "team.db") as store:
        assert store.get_max_sequence("team") == again


def test_a_full_disk_at_birth(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    with contextlib.suppress(OSError):
        ballast.write_bytes(b"\0" * 3 * MEGABYTE)
    with pytest.raises(StoreFullError):
        opened(small_disk / "team.db")
    ballast.unlink()
    with opened(small_disk / "team.db") as store:
        assert store.append("team", new(), expected_sequence=0) == 1


def test_a_read_only_disk(small_disk: Path) -> None:
    path = small_disk / "team.db"
    with opened(path) as store:
        store.append("team", new(), expected_sequence=0)
    remount = ["mount", "-o", "remount,ro", str(small_disk)]
    subprocess.run(remount, check=True)
    with pytest.raises(StoreUnavailableError, match="Let this user write"):
        opened(path)
    with pytest.raises(StoreUnavailableError, match="Let this user write"):
        opened(small_disk / "other.db")
    subprocess.run([*remount[:2], "remount,rw", str(small_disk)], check=True)
    with opened(path) as store:
        assert store.append("team", new(), expected_sequence=1) == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder(tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    with pytest.raises(StoreUnavailableError, match="Let this user write"):
        opened(folder / "team.db")
    folder.chmod(0o700)
    opened(folder / "team.db").close()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnavailableError, match="folder"):
        opened(tmp_path / "file" / "team.db")
    with pytest.raises(StoreUnavailableError):
        opened(tmp_path)
    with opened(tmp_path / "new" / "folders" / "team.db") as store:
        assert store.append("team", new(), expected_sequence=0) == 1


LIMITED = """
import resource, sys
from cardwright.store import NewEvent, StoreFullError, open_store
unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
with open_store(sys.argv[1]) as store:
    last = store.append("team", [NewEvent("{}")], expected_sequence=0)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, unlimited))
    try:
        while True:
            last = store.append("team", [NewEvent("x" * 10_000)], expected_sequence=last)
    except StoreFullError as error:
        assert "Free space" in str(error), error
    assert len(list(store.read("team"))) == last
    resource.setrlimit(resource.RLIMIT_FSIZE, (unlimited, unlimited))
    assert store.append("team", [NewEvent("x" * 10_000)], expected_sequence=last) == last + 1
print(last)
"""


def test_a_file_size_limit(path: Path) -> None:
    """What a full disk looks like to those who may not mount one; quotas are alike."""
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, f"sqlite:///{path}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    with opened(path) as store:
        assert store.get_max_sequence("team") == int(done.stdout) + 1


def test_an_acknowledged_event_is_synced(path: Path) -> None:
    """The connection that writes asks for a sync of the log at each commit."""
    with contextlib.closing(StoreFile(str(path), 1).connect()) as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)

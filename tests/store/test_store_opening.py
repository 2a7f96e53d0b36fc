"""Opening by URL, and what that loads."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from cardwright.store import (
    EventStore,
    NewEvent,
    StoreClosedError,
    StoreError,
    errors,
    open_store,
)

type Run = Callable[..., subprocess.CompletedProcess[str]]


def test_a_relative_and_an_absolute_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with open_store("sqlite:///a%20team.db") as store:
        store.append("team", [NewEvent("{}")], expected_sequence=0)
    with open_store(f"sqlite:///{tmp_path}/a team.db") as store:
        assert store.get_max_sequence("team") == 1


@pytest.mark.parametrize(
    "url",
    [
        "hush",
        "mysql://root:hush@host/db",
        "postgresql://me:hush@host:notaport/%zz?x=hush",
        "sqlite://hush.db",
        "sqlite:///",
        "sqlite:///:memory:",
        "sqlite:///a.db?mode=ro",
    ],
)
def test_an_unusable_url_is_not_repeated(url: str) -> None:
    with pytest.raises(ValueError, match=r"URL|sqlite:///") as caught:
        open_store(url)
    assert "hush" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_sqlite_does_not_load_the_driver_of_postgres(python: Run, tmp_path: Path) -> None:
    script = (
        "import sys, cardwright.store as s\n"
        f"with s.open_store('sqlite:///{tmp_path}/x.db'): pass\n"
        "assert not [m for m in sys.modules if m.startswith('psycopg')]\n"
    )
    done = python("-c", script)
    assert done.returncode == 0, done.stderr


def test_without_the_extra_the_error_says_what_to_install(
    python: Run,
) -> None:
    script = (
        "import sys, importlib.util as u, cardwright.store.opening as o\n"
        "o.find_spec = lambda name: None\n"
        "try: o.open_store('postgresql://me:hush@host/db')\n"
        "except ImportError as error: print(error)\n"
    )
    done = python("-c", script)
    assert "pip install 'cardwright[postgres]'" in done.stdout
    assert "hush" not in done.stdout


def test_an_unclosed_store_lets_the_program_end(python: Run, tmp_path: Path) -> None:
    script = (
        "from cardwright.store import NewEvent, open_store\n"
        f"store = open_store('sqlite:///{tmp_path}/x.db')\n"
        "store.append('team', [NewEvent('{}')], expected_sequence=0)\n"
        "subscription = store.subscribe('team')\n"
    )
    assert python("-c", script, timeout=20).returncode == 0


def test_the_error_tree_is_drawn_as_it_is() -> None:
    drawn = errors.__doc__ or ""
    classes = [
        c for c in vars(errors).values() if isinstance(c, type) and issubclass(c, StoreError)
    ]
    assert len(classes) == 14
    for error in classes:
        assert error.__name__ in drawn


def test_a_store_is_a_context_manager(store: EventStore, stream: str) -> None:
    with store as same:
        assert same is store
        same.append(stream, [NewEvent("{}")], expected_sequence=0)


def _append(store: EventStore) -> None:
    store.append("a", [NewEvent("{}")], expected_sequence=0)


def _look(store: EventStore) -> None:
    store.get_max_sequence("a")


def _read(store: EventStore) -> None:
    list(store.read("a"))


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork")
@pytest.mark.parametrize("use", [_append, _look, _read])
def test_a_forked_process_is_refused(
    store: EventStore, use: Callable[[EventStore], object]
) -> None:
    assert store.get_max_sequence("never") == 0
    child = os.fork()
    if not child:
        try:
            use(store)
        except StoreClosedError:
            os._exit(7)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert store.get_max_sequence("never") == 0

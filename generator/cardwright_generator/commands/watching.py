"""`cardwright generate --watch`: regenerate whenever a spec or the project's settings change."""

import signal
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import typer

from cardwright_generator.project import Project

from .console import say
from .refusal import Refusal, project

QUIET_MS = 200
"""Saves that follow each other faster are one change."""


def watch(here: Project, regenerate: Callable[[Project], int]) -> int:
    """Regenerate now and after each change, until the user interrupts it.

    What is wrong with a spec or with the settings is said, and the next change is waited for.
    Raises `Refusal` when watchfiles is not installed or there is no folder of specs.
    """
    if not here.specs_dir.is_dir():
        message = f"there is no folder {here.specs}/ to watch: make it, or run `cardwright new`"
        raise Refusal(message)
    with _until_interrupted() as stopped:
        say("watching", f"{here.specs}/ and pyproject.toml; Ctrl-C ends it")
        _attempt(here, regenerate)
        for changed in _changes(here, stopped):
            here = _attempt(here, regenerate)
            say("changed", f"{', '.join(changed)}; waiting for more")
    return 0


@contextmanager
def _until_interrupted() -> Generator[Event]:
    """Set by the first Ctrl-C, so that a run is finished; the second one is as usual."""
    stopped = Event()

    def stop(*_: object) -> None:
        if stopped.is_set():
            raise KeyboardInterrupt
        stopped.set()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield stopped
    finally:
        signal.signal(signal.SIGINT, before)


def _attempt(here: Project, regenerate: Callable[[Project], int]) -> Project:
    try:
        now = project()
        regenerate(now)
    except typer.TyperException as refused:
        say("refused:", refused.message)
        return here
    return now


def _changes(here: Project, stopped: Event) -> Iterator[list[str]]:
    """The files of each change; the watch is set anew when an editor replaced pyproject.toml."""
    try:
        from watchfiles import watch as wait
    except ImportError as missing:
        message = "`--watch` needs watchfiles: install `cardwright[generator]`"
        raise Refusal(message) from missing
    settings = here.root / "pyproject.toml"
    while not stopped.is_set():
        waiting = wait(
            *(here.specs_dir, settings),
            watch_filter=lambda _, path: Path(path).suffix in {".yaml", ".yml", ".toml"},
            stop_event=stopped,
            debounce=QUIET_MS,
        )
        for seen in waiting:
            paths = {Path(path) for _, path in seen}
            yield sorted(here.relative(path) for path in paths)
            if settings in paths:
                break

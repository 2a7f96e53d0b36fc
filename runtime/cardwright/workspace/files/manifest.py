"""What a batch is about to do, so that the next start can finish or undo it."""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass

NAME = "manifest.json"
_DRAFT = "manifest.draft"
_UNDO = "undo"
_CREATE = os.O_CREAT | os.O_TRUNC | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Step:
    """One file of a batch.

    `before` and `after` are digests, `None` where nothing is there; `new` and `old` are the names
    in the staging folder of what comes and of what was displaced.
    """

    path: str
    before: str | None
    after: str | None
    new: str
    old: str


def remember(descriptor: int, steps: Sequence[Step]) -> None:
    """Make the plan durable in the open staging folder; from here on it will be finished."""
    opened = os.open(_DRAFT, _CREATE, 0o600, dir_fd=descriptor)
    with os.fdopen(opened, "w", encoding="utf-8") as file:
        json.dump([asdict(step) for step in steps], file)
        file.flush()
        os.fsync(file.fileno())
    os.rename(_DRAFT, NAME, src_dir_fd=descriptor, dst_dir_fd=descriptor)
    os.fsync(descriptor)


def forget(descriptor: int) -> None:
    """The batch is complete, or undone: the plan must never be followed again."""
    with suppress(FileNotFoundError):
        os.unlink(NAME, dir_fd=descriptor)
        os.fsync(descriptor)


def must_be_undone(descriptor: int) -> None:
    """The batch in the open staging folder has failed: it is undone, never finished."""
    os.close(os.open(_UNDO, _CREATE, 0o600, dir_fd=descriptor))
    os.fsync(descriptor)


def is_to_be_undone(descriptor: int) -> bool:
    """Whether the batch in the open staging folder has failed."""
    return _UNDO in os.listdir(descriptor)


def recall(descriptor: int) -> list[Step]:
    """The plan in an open staging folder; empty when there is none."""
    try:
        opened = os.open(NAME, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=descriptor)
    except FileNotFoundError:
        return []
    with os.fdopen(opened, encoding="utf-8") as file:
        return [Step(**item) for item in json.load(file)]

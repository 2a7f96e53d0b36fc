"""What writers that were killed left behind is finished or undone at the next start."""

import logging
import os
import re
import shutil
from contextlib import suppress
from pathlib import Path
from time import time

from .facts import Kind
from .locking import TreeLock
from .manifest import Step, forget, is_to_be_undone, recall
from .staging import abandoned
from .steps import Overtaken, Stepper, digest_at
from .swapping import move
from .tree import Tree

logger = logging.getLogger(__name__)

# A file staged inside the tree by a writer that cannot use the private folder.
_STAGED = re.compile(r"\..+\.[0-9a-f]{32}\.tmp")
GRACE_SECONDS = 30.0


def is_staging_name(name: str) -> bool:
    """Whether a whole file name is that of a staged file: `.<name>.<32 hex>.tmp`."""
    return _STAGED.fullmatch(name) is not None


def recover(tree: Tree, lock: TreeLock) -> None:
    """Finish or undo the batches of killed writers, and remove what they had staged."""
    with lock():
        for folder in abandoned(tree.private):
            _settle(tree, folder)
            shutil.rmtree(folder, ignore_errors=True)


def sweep(tree: Tree, grace: float = GRACE_SECONDS) -> int:
    """Remove staged files from inside the tree that are older than `grace` seconds.

    Returns:
        How many were removed.
    """
    limit, removed = time() - grace, 0
    for entry in tree.walk():
        old = entry.mtime_ns / 1e9 < limit
        if old and entry.kind is Kind.FILE and is_staging_name(entry.name):
            with suppress(OSError), tree.place(entry.path, follow=False) as place:
                os.unlink(place.name, dir_fd=place.parent)
                removed += 1
    return removed


def _settle(tree: Tree, folder: Path) -> None:
    try:
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return
    try:
        steps = recall(opened)
        if steps:
            _finish_or_undo(Stepper(tree, opened), steps, opened)
            forget(opened)
    except (OSError, ValueError, TypeError, KeyError):
        logger.warning("An unfinished change in %s cannot be settled.", tree.name, exc_info=True)
    finally:
        os.close(opened)


def _finish_or_undo(stepper: Stepper, steps: list[Step], opened: int) -> None:
    states = {step.path: stepper.state(step) for step in steps}
    pending = [step for step in steps if not _is_done(step, states[step.path], opened)]
    overtaken = any(states[step.path] != step.before for step in pending)
    if overtaken or is_to_be_undone(opened):
        logger.warning("An unfinished batch is undone.")
        _undo(stepper, [step for step in steps if step not in pending], opened)
        return
    for step in pending:
        try:
            stepper.take(step, [])
        except Overtaken:
            logger.warning("%s changed while an unfinished batch was settled.", step.path)


def _is_done(step: Step, state: str | None, opened: int) -> bool:
    if state == step.after:
        return True
    # Where a file was, the batch may have made a directory for the next one.
    displaced = step.after is None and state not in {step.before, None}
    return displaced and digest_at(opened, step.old) == step.before


def _undo(stepper: Stepper, done: list[Step], opened: int) -> None:
    for step in reversed(done):
        # A swap that was cut short has left the old file under the name of the new one.
        if step.before is not None and digest_at(opened, step.new) == step.before:
            move((opened, step.new), (opened, step.old))
        stepper.take_back(step)

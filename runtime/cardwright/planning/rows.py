"""The lines in which lists and context updates show a task."""

from cardwright_cards.planning.types import TaskRow

from .tasks import one_line, owner_label


def headline(row: TaskRow) -> str:
    """Number, status and description."""
    return f"#{row.id} [{row.status}] {one_line(row.description)}"


def people(row: TaskRow) -> str:
    """Owner and, where known, creator."""
    owner = f"owner: {owner_label(row.owner)}"
    return f"{owner} | creator: {row.creator}" if row.creator else owner


def task_line(row: TaskRow) -> str:
    """The whole row; the output only if there is one."""
    parts = [headline(row), people(row)]
    if row.output:
        parts.insert(1, f"output: {one_line(row.output)}")
    return " | ".join(parts)


def moves(old: TaskRow, new: TaskRow) -> list[str]:
    """What differs between two versions of one row, a phrase for each field that moved."""
    found: list[str] = []
    if old.status != new.status:
        found.append(f"status {old.status} -> {new.status} (owner: {owner_label(new.owner)})")
    if old.owner != new.owner:
        found.append(f"owner {owner_label(old.owner)} -> {owner_label(new.owner)}")
    if old.creator != new.creator:
        found.append(f"creator {old.creator or 'unknown'} -> {new.creator or 'unknown'}")
    if old.description != new.description:
        found.append(f"description: {one_line(new.description)}")
    if old.output != new.output:
        found.append(f"output: {one_line(new.output)}" if new.output else "output cleared")
    return found

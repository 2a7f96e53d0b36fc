"""A task as the card hands it out."""

from typing import override

from cardwright_cards.planning.types import TaskBase

UNASSIGNED = "unassigned"
"""What stands for an empty owner wherever a person or a model reads it."""


def owner_label(owner: str) -> str:
    """The owner as shown: a name, or `unassigned`."""
    return owner or UNASSIGNED


def one_line(text: str) -> str:
    """The text with every run of white space as one blank, so that a task never fills two lines."""
    return " ".join(text.split())


class Task(TaskBase):
    """A task that a person can read: its text form is what a command prints."""

    @override
    def __str__(self) -> str:
        lines = [
            f"#{self.id} [{self.status}] {one_line(self.description)}",
            f"owner: {owner_label(self.owner)}",
            f"creator: {self.creator or 'unknown'}",
            f"updated: {self.updated_at.isoformat(sep=' ', timespec='seconds')}",
        ]
        if self.dependencies:
            lines.append(f"after: {', '.join(f'#{other}' for other in self.dependencies)}")
        if self.output:
            lines.append(f"output: {one_line(self.output)}")
        return "\n".join(lines)

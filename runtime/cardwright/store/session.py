"""What the operations need from a database: one open transaction, and who runs it."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from cardwright.store.pulse import Pulse

type Row = tuple[Any, ...]
"""One row; what its columns hold is fixed by the statement that stands beside its use."""

type Operation[T] = Callable[["Session"], T]
"""What is to happen inside one transaction. It may run again, so it has no other effects."""


class Session(Protocol):
    """An open transaction. Parameters are written `?`.

    `$now` is the database's time in microseconds; `$lock` keeps the rows of a SELECT for us.
    """

    def rows(self, statement: str, *parameters: object) -> list[Row]:
        """Return all rows of a query."""
        ...

    def run(self, statement: str, *parameters: object) -> None:
        """Run a statement for its effect."""
        ...

    def run_many(self, statement: str, rows: Iterable[Row]) -> None:
        """Run a statement once per row of parameters."""
        ...

    def announce(self, stream: str) -> None:
        """Wake the subscribers of a stream, in every process, once this is committed."""
        ...


class Engine(Protocol):
    """Runs operations in transactions of one database and turns its failures into ours."""

    pulse: Pulse
    poll_seconds: float
    """How long a subscriber waits for the pulse before it looks by itself."""

    def read[T](self, operation: Operation[T]) -> T:
        """Run an operation on one consistent view, without writing."""
        ...

    def write[T](self, operation: Operation[T]) -> T:
        """Run an operation and return when its effect is durable; raising undoes it."""
        ...

    def follow(self) -> None:
        """Start what wakes subscribers when another process writes."""
        ...

    def close(self) -> None:
        """Let go of the database."""
        ...


def first(rows: list[Row]) -> Row | None:
    """Return the only row, if there is one."""
    return rows[0] if rows else None

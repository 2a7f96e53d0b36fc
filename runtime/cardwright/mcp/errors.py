"""The one error of this folder, and how library errors are read.

MCPConnectionError   the server cannot be reached: not started, refused, silent or gone
"""

from collections.abc import Iterator
from typing import cast


class MCPConnectionError(ConnectionError):
    """The server of a card cannot be reached; the message names it and the reason."""


def leaves(error: BaseException | None) -> Iterator[BaseException]:
    """The errors of a group, and those that a translated error was made from."""
    if error is None:
        return
    if isinstance(error, BaseExceptionGroup):
        for member in cast("BaseExceptionGroup[BaseException]", error).exceptions:
            yield from leaves(member)
        return
    yield error
    yield from leaves(error.__cause__)

"""What a missing extra says."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

INSTALL: Final = "pip install 'cardwright[mcp]'"

_PACKAGES: Final = frozenset({"pydantic_ai", "fastmcp", "mcp"})


@contextmanager
def mcp_extra() -> Generator[None]:
    """Name the install command when a package of the extra is absent; any other error passes.

    Raises:
        ImportError: The extra is not installed.
    """
    try:
        yield
    except ImportError as error:
        absent = _absent(error)
        if absent not in _PACKAGES:
            raise
        message = f"MCP servers need the extra `mcp`: {INSTALL}"
        raise ImportError(message, name=absent) from error


def _absent(error: BaseException | None) -> str | None:
    """The package whose absence an error, or the one it was made from, reports."""
    if isinstance(error, ModuleNotFoundError):
        return (error.name or "").partition(".")[0]
    return None if error is None else _absent(error.__cause__)

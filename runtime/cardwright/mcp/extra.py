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
    except ModuleNotFoundError as error:
        if error.name not in _PACKAGES:
            raise
        raise ImportError(
            f"MCP servers need the extra `mcp`: {INSTALL}", name=error.name
        ) from error

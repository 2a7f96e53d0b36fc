"""Which backends there are, and what each needs."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Final

from .environment import (
    PGVECTOR_URL,
    WEAVIATE_API_KEY,
    WEAVIATE_URL,
    default_backend,
    pgvector_url,
    vector_folder,
    weaviate_api_key,
    weaviate_url,
)
from .extra import vector_extras
from .models import CollectionOptions
from .protocol import VectorStore

_TEAM: Final = re.compile(r"[A-Za-z0-9_-]{1,200}")


@dataclass(frozen=True, slots=True)
class _Backend:
    make: Callable[[str], VectorStore]
    packages: tuple[str, ...]
    url: Callable[[], str | None] | None = None
    variables: str = ""


def make_backend(name: str, team_id: str) -> VectorStore:
    """The backend of that name for a team; it connects when it is used.

    Raises:
        ValueError: there is no such backend, or its address is not set.
        MissingVectorExtraError: its client library is not installed.
    """
    backend = _known(name)
    if backend.url is not None and backend.url() is None:
        raise ValueError(
            f"the vector backend {name!r} needs {backend.variables} in the environment"
        )
    with vector_extras():
        return backend.make(team_id)


def is_server(name: str) -> bool:
    """Whether a backend is reached over the network, so that any call of it may take its time.

    Raises:
        ValueError: there is no such backend.
    """
    return _known(name).url is not None


def known_servers() -> list[str]:
    """The backends of servers that the environment names."""
    return [name for name, it in BACKENDS.items() if it.url is not None and it.url() is not None]


def require_vector_store(config: CollectionOptions, card_name: str) -> None:
    """Check, before any actor is made, that the backend of a collection can be used at all.

    Only what the configuration names, or the environment turned on, is checked.

    Raises:
        ValueError: no such backend, or no address of its server: the text names the card, the
            variables and the remedy.
        MissingVectorExtraError: a server is named and its client library is not installed.
    """
    name = config.backend or default_backend()
    backend = _known(name)
    if backend.url is None:
        return
    if backend.url() is None:
        raise ValueError(
            f"{card_name} keeps its vectors in {name}: export {backend.variables}, "
            "or choose the backend 'inmemory'"
        )
    with vector_extras():
        for package in backend.packages:
            import_module(package)


def require_weaviate_configured(config: CollectionOptions, card_name: str) -> None:
    """As `require_vector_store`, for collections in Weaviate only; all others pass.

    Raises:
        ValueError: the collection is kept in Weaviate and no address is exported.
        MissingVectorExtraError: it is, and the client library is not installed.
    """
    if (config.backend or default_backend()) == "weaviate":
        require_vector_store(config, card_name)


def _known(name: str) -> _Backend:
    if name not in BACKENDS:
        raise ValueError(f"no vector backend {name!r}: there are {', '.join(BACKENDS)}")
    return BACKENDS[name]


def team_file(team_id: str) -> Path:
    """Where the collections of a team lie that are kept in this machine's memory.

    Raises:
        ValueError: the id is no name of a file.
    """
    if not _TEAM.fullmatch(team_id):
        raise ValueError("the id of a team holds letters, digits, - and _ only")
    return vector_folder() / f"{team_id}.sqlite"


def _in_memory(team_id: str) -> VectorStore:
    from .memory import InMemoryBackend

    return InMemoryBackend(team_id, team_file(team_id))


def _approximate(team_id: str) -> VectorStore:
    from .approximate import ApproximateIndex
    from .memory import InMemoryBackend

    return InMemoryBackend(team_id, team_file(team_id), ApproximateIndex)


def _pgvector(team_id: str) -> VectorStore:
    from .pgvector_backend import PgVectorBackend

    return PgVectorBackend(pgvector_url() or "", team_id)


def _weaviate(team_id: str) -> VectorStore:
    from .weaviate_backend import WeaviateBackend

    return WeaviateBackend(weaviate_url() or "", weaviate_api_key(), team_id=team_id)


BACKENDS: Final[Mapping[str, _Backend]] = {
    "inmemory": _Backend(_in_memory, ("numpy",)),
    "usearch": _Backend(_approximate, ("numpy", "usearch")),
    "pgvector": _Backend(_pgvector, ("psycopg", "pgvector"), pgvector_url, PGVECTOR_URL),
    "weaviate": _Backend(
        _weaviate,
        ("weaviate",),
        weaviate_url,
        f"{WEAVIATE_URL} (and {WEAVIATE_API_KEY} if need be)",
    ),
}
"""Backends by the name that a collection gives."""

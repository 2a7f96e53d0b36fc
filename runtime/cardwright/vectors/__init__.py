"""The vector store: collections of texts that a team's cards search by meaning, by words, or both.

Other domains use `find_store`, `VectorClient`, `LexicalIndex` and `fuse`; importing this loads
neither numpy nor any client library, so keyword work needs no extra.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from cardwright_cards.common import CollectionConfig
from cardwright_cards.vector_store import VectorStoreTool

from .actor import VS_ACTOR_NAME, VectorStoreActor
from .backends import require_vector_store, require_weaviate_configured
from .client import STORE_CARD, SemanticSearch, VectorClient, find_store
from .embedding import EmbeddingFailedError, EmbeddingProvider, EmbeddingService, embedding_service
from .embedding_actor import EmbeddingActor
from .environment import default_backend, weaviate_api_key, weaviate_url
from .forgetting import forget_team
from .lexical import LexicalIndex
from .models import (
    CollectionOptions,
    CollectionRecord,
    CollectionStatus,
    EmbeddingError,
    EmbeddingRequest,
    EmbeddingResult,
    KnownText,
    SearchHit,
    SearchResult,
    TextEntry,
    VectorEntry,
    VectorStoreConfig,
    VectorStoreState,
)
from .protocol import VectorStore
from .ranking import DEFAULT_ALPHA, OVERFETCH, fuse

if TYPE_CHECKING:
    from .approximate import ApproximateIndex
    from .index import VectorIndex
    from .memory import InMemoryBackend
    from .pgvector_backend import PgVectorBackend
    from .weaviate_backend import WeaviateBackend

__all__ = [
    "DEFAULT_ALPHA",
    "OVERFETCH",
    "STORE_CARD",
    "VS_ACTOR_NAME",
    "ApproximateIndex",
    "CollectionConfig",
    "CollectionOptions",
    "CollectionRecord",
    "CollectionStatus",
    "EmbeddingActor",
    "EmbeddingError",
    "EmbeddingFailedError",
    "EmbeddingProvider",
    "EmbeddingRequest",
    "EmbeddingResult",
    "EmbeddingService",
    "InMemoryBackend",
    "KnownText",
    "LexicalIndex",
    "PgVectorBackend",
    "SearchHit",
    "SearchResult",
    "SemanticSearch",
    "TextEntry",
    "VectorClient",
    "VectorEntry",
    "VectorIndex",
    "VectorStore",
    "VectorStoreActor",
    "VectorStoreConfig",
    "VectorStoreState",
    "VectorStoreTool",
    "WeaviateBackend",
    "default_backend",
    "embedding_service",
    "find_store",
    "forget_team",
    "fuse",
    "require_vector_store",
    "require_weaviate_configured",
    "weaviate_api_key",
    "weaviate_url",
]

_HEAVY: Final = {
    "ApproximateIndex": "approximate",
    "InMemoryBackend": "memory",
    "PgVectorBackend": "pgvector_backend",
    "VectorIndex": "index",
    "WeaviateBackend": "weaviate_backend",
}
"""What needs a package of an extra -> its module."""


def __getattr__(name: str) -> object:
    module = _HEAVY.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .extra import vector_extras

    with vector_extras():
        return getattr(import_module(f"{__name__}.{module}"), name)

"""From texts to vectors: providers, and the service that batches, retries and gives up in time.

The store's workers and the clients of its consumers touch `embedding_service`.
"""

from .errors import EmbeddingFailedError, TextRefusedError
from .providers import EmbeddingProvider, provider_of
from .service import EmbeddingService, embedding_service

__all__ = [
    "EmbeddingFailedError",
    "EmbeddingProvider",
    "EmbeddingService",
    "TextRefusedError",
    "embedding_service",
    "provider_of",
]

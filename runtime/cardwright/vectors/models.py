"""What travels to and from the store actor, and what is stored of it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Protocol
from uuid import uuid4

from pydantic import Field

from cardwright.actors import BaseConfig, BaseState, SerializableBaseModel


@dataclass(frozen=True, slots=True)
class TextEntry:
    """A text to be found by meaning: what a domain hands to the store."""

    ref_type: str
    """Free label, such as `task` or `entity`."""
    ref_id: str
    """Names the entry inside its collection; the same id again replaces it."""
    text: str


@dataclass(frozen=True, slots=True)
class KnownText:
    """A stored text without its vector: enough to see whether it must be embedded anew."""

    text: str
    model: str
    """The embedding model that its vector is from; empty when whoever added it did not say."""


class CollectionStatus(StrEnum):
    """Whether all that a collection was given can be found."""

    READY = "ready"
    INDEXING = "indexing"
    ERROR = "error"


class CollectionOptions(Protocol):
    """What is asked of a collection; the card's `CollectionConfig` is one."""

    @property
    def backend(self) -> str | None:
        """Name of the backend; None takes the one of the environment."""
        ...

    @property
    def dimension(self) -> int | None:
        """Numbers in a vector; None takes those of the embedding model."""
        ...

    @property
    def persistence(self) -> str:
        """`actor_state` or `workspace`."""
        ...

    @property
    def workspace_path(self) -> str | None:
        """The folder of a collection that is kept in a workspace."""
        ...

    @property
    def tenant(self) -> str | None:
        """Partition of the cluster, for Weaviate."""
        ...


class CollectionRecord(SerializableBaseModel):
    """A collection as the store keeps it: everything resolved."""

    dimension: int = Field(ge=1)
    backend: str
    persistence: Literal["actor_state", "workspace"] = "actor_state"
    workspace_path: str | None = None
    tenant: str | None = None


class VectorEntry(SerializableBaseModel):
    """A text with its vector; an empty vector means that the text is still to be embedded."""

    ref_type: str
    ref_id: str
    text: str
    vector: list[float]


class SearchHit(SerializableBaseModel):
    """An entry near the query; `score` is their cosine, 0 for anything that points away."""

    ref_type: str
    ref_id: str
    text: str
    score: float


class SearchResult(SerializableBaseModel):
    """Hits, best first, and whether some entries could not be looked at yet."""

    hits: list[SearchHit]
    status: CollectionStatus
    indexing_pending: int = Field(default=0, ge=0)


class VectorStoreConfig(BaseConfig):
    """Names the embedding model; addresses and keys of servers come from the environment."""

    embedding_model: str = "text-embedding-3-small"
    embedding_provider: Literal["openai", "azure", "local", "hashing"] = "openai"


class PendingEntry(SerializableBaseModel):
    """A text that has no vector yet."""

    collection: str
    ref_type: str
    ref_id: str
    text: str
    failed: bool = False
    """Whether embedding it was given up; the next change of the collection tries it again."""
    refused: str = ""
    """Why the provider refuses this very text: it is tried again only when it is put again, or the
    store is resumed."""

    @property
    def key(self) -> str:
        """Its key in the state."""
        return pending_key(self.collection, self.ref_id)


def pending_key(collection: str, ref_id: str) -> str:
    """The key under which the state holds the pending text of an entry."""
    return f"{collection}\n{ref_id}"


class VectorStoreState(BaseState):
    """Which collections there are and what is still to be embedded; never a vector.

    Vectors live in the collection's backend, so publishing a change costs what was changed.
    """

    collection_configs: dict[str, CollectionRecord] = {}
    pending_entries: dict[str, PendingEntry] = {}


class EmbeddingRequest(SerializableBaseModel):
    """A batch for one worker. No `Message`: the ledger of the team holds no texts twice."""

    collection: str
    entries: list[PendingEntry]
    request_id: str = Field(default_factory=lambda: str(uuid4()))
    embedding_model: str = "text-embedding-3-small"
    embedding_provider: str = "openai"


class EmbeddingResult(SerializableBaseModel):
    """The entries of the batch that have vectors, and why others were refused."""

    collection: str
    entries: list[VectorEntry]
    request_id: str
    refused: dict[str, str] = {}
    """Reference id -> what the provider said."""


class EmbeddingError(SerializableBaseModel):
    """Why a batch has no vectors."""

    collection: str
    error: str
    request_id: str

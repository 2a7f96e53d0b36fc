"""The one owner of a team's vectors."""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast, override

from cardwright.actors import ActorAddress, Akgent, BaseConfig, SerializableBaseModel
from cardwright.core import RetriableError
from cardwright.core.logic import TOOL_ACTOR_ROLE

from .backends import make_backend
from .checks import require_model_dimension, require_same
from .embedding import embedding_service
from .embedding_actor import EmbeddingActor
from .environment import default_backend
from .models import (
    CollectionOptions,
    CollectionRecord,
    CollectionStatus,
    EmbeddingError,
    EmbeddingRequest,
    EmbeddingResult,
    KnownText,
    PendingEntry,
    SearchResult,
    TextEntry,
    VectorEntry,
    VectorStoreConfig,
    VectorStoreState,
    pending_key,
)
from .pending import PendingTexts
from .protocol import VectorStore

_logger = logging.getLogger(__name__)

VS_ACTOR_NAME: Final = "#VectorStore"
WORKERS: Final = 2
"""Batches that are embedded at the same time."""
BATCH: Final = 128
"""Texts of one batch; what comes meanwhile waits and goes together."""
MAX_PENDING: Final = 200_000
"""Texts that may wait; more are refused."""
_FAULTS: Final = "the vector store could not %s collection %r"


class ResumePending(SerializableBaseModel):
    """Tells the actor, once it is resumed, to go on embedding."""


class WorkerEnded(SerializableBaseModel):
    """Tells the actor that a worker has ended: its outcome, if any, came before this."""

    request_id: str


@dataclass(frozen=True, slots=True)
class _Flight:
    worker: ActorAddress
    entries: Sequence[PendingEntry]


class VectorStoreActor(Akgent[VectorStoreConfig, VectorStoreState]):
    """Keeps named collections for the other tool actors of the team; models never see it.

    Vectors are in the collection's backend, before anybody is told that they are; the state holds
    the texts that are still to be embedded. So a resumed store opens what is there and embeds what
    is pending, and nothing twice. Backends are made when a collection first needs them.
    """

    _backends: dict[str, VectorStore]
    _opened: set[str]
    _flights: dict[str, _Flight]
    _pending: PendingTexts

    @override
    def on_start(self) -> None:
        self._backends, self._opened, self._flights = {}, set(), {}
        super().on_start()
        self.state = VectorStoreState()
        self._pending = PendingTexts(self.state)
        self.state.observer(self)

    @override
    def init_state(self, state: VectorStoreState) -> None:
        """Install a fresh or a restored state: backends are opened anew, pending texts go on."""
        self._close_backends()
        self._flights.clear()
        super().init_state(state)
        self._pending = PendingTexts(self.state)
        if self._pending.has_waiting:
            # Behind whatever is in the inbox: the team may be in the middle of its revival.
            self.myAddress.tell(ResumePending())

    @override
    def on_stop(self) -> None:
        self._close_backends()
        super().on_stop()

    def embedding(self) -> tuple[str, str]:
        """Provider and model of this store's vectors."""
        return self._settings.embedding_provider, self._settings.embedding_model

    def create_collection(self, name: str, config: CollectionOptions) -> None:
        """Open a collection, with what it holds already; again is no change.

        Raises:
            ValueError: it exists with another configuration, or the dimension is none of the model.
            ImportError: the backend's package is not installed; the text has the install command.
            Exception: what the backend's server raises.
        """
        record = self._resolved(config)
        known = self.state.collection_configs.get(name)
        if known is not None:
            require_same(name, known, record)
        self._backend(record.backend).create_collection(name, record)
        self._opened.add(name)
        if known is None:
            self.state.collection_configs[name] = record
            self._publish()

    def add(self, collection: str, entries: Sequence[VectorEntry]) -> None:
        """Put entries: with a vector now, those without one as soon as a worker has made it.

        Raises:
            RetriableError: no such collection, a vector that does not fit, or too much is pending.
        """
        if not entries:
            return
        self._require(collection)
        bare = [entry for entry in entries if not entry.vector]
        self._refuse_flood(len(bare))
        self._insert(collection, [entry for entry in entries if entry.vector], "")
        self._enqueue(collection, bare)
        self._publish()

    def put_texts(self, collection: str, entries: Sequence[TextEntry]) -> None:
        """Have texts embedded, unless they are: the same text under the same id costs nothing.

        Raises:
            RetriableError: no such collection, or too much is pending.
        """
        self._require(collection)
        newest = {entry.ref_id: entry for entry in entries}
        blank = [ref_id for ref_id, entry in newest.items() if not entry.text.strip()]
        changed = self._changed(collection, [it for it in newest.values() if it.text.strip()])
        self._refuse_flood(len(changed))
        if blank:
            self.remove(collection, blank)
        if changed or self._pending.status(collection) is CollectionStatus.ERROR:
            self._enqueue(collection, changed)
            self._publish()

    def sync_texts(self, collection: str, entries: Sequence[TextEntry]) -> None:
        """Have the collection hold exactly these texts: removes the others, embeds what is missing.

        Raises:
            RetriableError: no such collection, or too much is pending.
        """
        self._require(collection)
        wanted = {entry.ref_id for entry in entries}
        there = {*self._store_of(collection).texts(collection), *self._pending.ids_of(collection)}
        self.remove(collection, sorted(there - wanted))
        self.put_texts(collection, entries)

    def remove(self, collection: str, ref_ids: Collection[str]) -> None:
        """Remove entries, and texts of theirs that are pending; unknown ids are ignored.

        Raises:
            RetriableError: no such collection.
        """
        if not ref_ids:
            return
        self._require(collection)
        self._pending.drop_all(collection, ref_ids)
        try:
            self._store_of(collection).remove(collection, ref_ids)
        except Exception:
            _logger.warning(_FAULTS, "remove from", collection, exc_info=True)
        self._publish()

    def search(
        self,
        collection: str,
        query_vector: Sequence[float],
        top_k: int,
        allowed: Collection[str] | None = None,
        ref_types: Collection[str] | None = None,
    ) -> SearchResult:
        """The nearest entries of a collection, best first, of those that the filters let through.

        A text that is still pending is not found; the result says how many there are.

        Raises:
            RetriableError: no such collection, or the vector or `top_k` does not fit.
        """
        self._require(collection)
        self._look_for_lost()
        try:
            hits = self._store_of(collection).search(
                collection, query_vector, top_k, allowed=allowed, ref_types=ref_types
            )
        except ValueError as error:
            raise RetriableError(str(error)) from error
        except Exception:
            _logger.warning(_FAULTS, "search", collection, exc_info=True)
            hits = []
        return SearchResult(
            hits=hits,
            status=self._pending.status(collection),
            indexing_pending=self._pending.open(collection),
        )

    def receiveMsg_EmbeddingResult(self, result: EmbeddingResult) -> None:
        """Store the vectors of a batch, except those whose text was replaced meanwhile."""
        flight = self._flights.pop(result.request_id, None)
        if flight is None:
            return
        self._set_refused_aside(flight, result.refused)
        current = {it.ref_id: it for it in flight.entries if self._pending.is_current(it)}
        wanted = [made for made in result.entries if made.ref_id in current]
        try:
            self._store_of(result.collection).add(result.collection, wanted, self._model)
        except Exception as error:  # noqa: BLE001 - said by `_fail`, whatever the backend raises
            self._fail(flight, result.collection, str(error))
        else:
            self._pending.drop_all(result.collection, [made.ref_id for made in wanted])
            self._pending.give_up(flight.entries)  # whatever of it has no vector
            self._publish()
        self._pump()

    def receiveMsg_EmbeddingError(self, failure: EmbeddingError) -> None:
        """Set the texts of a batch aside; the next change tries them again."""
        flight = self._flights.pop(failure.request_id, None)
        if flight is not None:
            self._fail(flight, failure.collection, failure.error)
            self._pump()

    def receiveMsg_WorkerEnded(self, ended: WorkerEnded) -> None:
        """Set the texts of a worker aside that ended without a word."""
        flight = self._flights.pop(ended.request_id, None)
        if flight is not None:
            self._fail(flight, flight.entries[0].collection, "the worker ended without a result")
            self._pump()

    def receiveMsg_ResumePending(self, _message: ResumePending) -> None:
        """Go on with what was pending, except what is there already."""
        for entry in list(self.state.pending_entries.values()):
            self._drop_if_embedded(entry)
        self._publish()
        self._pump()

    @property
    def _settings(self) -> VectorStoreConfig:
        config = cast("BaseConfig", self.config)  # a store made by hand may have a plain one
        return config if isinstance(config, VectorStoreConfig) else VectorStoreConfig()

    @property
    def _model(self) -> str:
        return embedding_service(*self.embedding()).name

    def _resolved(self, config: CollectionOptions) -> CollectionRecord:
        service = embedding_service(*self.embedding())
        dimension = config.dimension or service.dimension
        if dimension is None:
            raise ValueError(
                f"say the dimension of the collection: that of {service.name} is unknown"
            )
        require_model_dimension(service.name, service.dimension, dimension)
        return CollectionRecord(
            dimension=dimension,
            backend=config.backend or default_backend(),
            persistence="workspace" if config.persistence == "workspace" else "actor_state",
            workspace_path=config.workspace_path,
            tenant=config.tenant,
        )

    def _backend(self, name: str) -> VectorStore:
        if name not in self._backends:
            self._backends[name] = make_backend(name, str(self.team_id))
        return self._backends[name]

    def _require(self, collection: str) -> None:
        if collection not in self.state.collection_configs:
            raise RetriableError(f"collection {collection!r} does not exist: create it first")

    def _store_of(self, collection: str) -> VectorStore:
        """The backend of a collection, which is opened there if this process did not yet."""
        record = self.state.collection_configs[collection]
        store = self._backend(record.backend)
        if collection not in self._opened:
            store.create_collection(collection, record)
            self._opened.add(collection)
        return store

    def _insert(self, collection: str, entries: Sequence[VectorEntry], model: str) -> None:
        if not entries:
            return
        try:
            self._store_of(collection).add(collection, entries, model)
        except ValueError as error:
            raise RetriableError(str(error)) from error
        except Exception:
            _logger.warning(_FAULTS, "add to", collection, exc_info=True)
            return
        self._pending.drop_all(collection, [entry.ref_id for entry in entries])

    def _changed(self, collection: str, entries: Sequence[TextEntry]) -> list[TextEntry]:
        """The entries whose text is neither stored with a vector of this model nor pending."""
        known = self._store_of(collection).texts(collection, [entry.ref_id for entry in entries])
        model = self._model
        return [
            entry
            for entry in entries
            if self._pending.text_of(collection, entry.ref_id) != entry.text
            and not _is_stored(known, entry, model)
        ]

    def _enqueue(self, collection: str, entries: Sequence[TextEntry | VectorEntry]) -> None:
        self._pending.retry_failed()
        for entry in entries:
            self._pending.put(
                PendingEntry(
                    collection=collection,
                    ref_type=entry.ref_type,
                    ref_id=entry.ref_id,
                    text=entry.text,
                )
            )
        self._pump()

    def _pump(self) -> None:
        """Give waiting texts to workers."""
        self._look_for_lost()
        while self._pending.has_waiting and len(self._flights) < WORKERS:
            self._start_worker(self._pending.take(BATCH))

    def _start_worker(self, entries: Sequence[PendingEntry]) -> None:
        provider, model = self.embedding()
        collection = entries[0].collection
        request = EmbeddingRequest(
            collection=collection,
            entries=list(entries),
            embedding_model=model,
            embedding_provider=provider,
        )
        name = f"#embed-{collection}-{request.request_id[:12]}"
        worker = self.createActor(
            EmbeddingActor, config=BaseConfig(name=name, role=TOOL_ACTOR_ROLE)
        )
        self._flights[request.request_id] = _Flight(worker, entries)
        worker.tell(request)

    def _look_for_lost(self) -> None:
        """Have workers that ended looked after, behind the outcome that they may have told."""
        for request_id, flight in self._flights.items():
            if not flight.worker.is_alive():
                self.myAddress.tell(WorkerEnded(request_id=request_id))

    def _set_refused_aside(self, flight: _Flight, refused: Mapping[str, str]) -> None:
        for entry in flight.entries:
            if entry.ref_id in refused:
                reason = refused[entry.ref_id]
                self._pending.refuse(entry, reason)
                _logger.warning(
                    "the text of %r in %r is not searched by meaning: %s",
                    entry.ref_id,
                    entry.collection,
                    reason,
                )

    def _fail(self, flight: _Flight, collection: str, error: str) -> None:
        _logger.warning("%d texts of %r have no vector: %s", len(flight.entries), collection, error)
        self._pending.give_up(flight.entries)
        self._publish()

    def _drop_if_embedded(self, entry: PendingEntry) -> None:
        """Forget a pending text whose vector was stored just before the process died."""
        if entry.collection not in self.state.collection_configs:
            self._pending.drop(entry.key)
            return
        try:
            known = self._store_of(entry.collection).texts(entry.collection, [entry.ref_id])
        except Exception:
            _logger.warning(_FAULTS, "open", entry.collection, exc_info=True)
            return
        text = TextEntry(entry.ref_type, entry.ref_id, entry.text)
        if _is_stored(known, text, self._model):
            self._pending.drop(pending_key(entry.collection, entry.ref_id))

    def _refuse_flood(self, more: int) -> None:
        if len(self._pending) + more > MAX_PENDING:
            raise RetriableError(
                f"{len(self._pending)} texts wait to be embedded already: send these later"
            )

    def _close_backends(self) -> None:
        for store in self._backends.values():
            store.close()
        self._backends.clear()
        self._opened.clear()

    def _publish(self) -> None:
        self.state.notify_state_change()


def _is_stored(known: Mapping[str, KnownText], entry: TextEntry, model: str) -> bool:
    there = known.get(entry.ref_id)
    return there is not None and (there.text, there.model) == (entry.text, model)

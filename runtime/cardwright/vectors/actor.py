"""The one owner of a team's vectors."""

import logging
from collections import Counter
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Final, cast, override

from cardwright.actors import (
    ActorAddress,
    BaseConfig,
    SerializableBaseModel,
)
from cardwright.actors.later import Later
from cardwright.core import RetriableError
from cardwright.core.logic import TOOL_ACTOR_ROLE

from .backends import is_server
from .checks import require_same
from .embedding_actor import EmbeddingActor
from .entries import fitting, is_stored, newest_texts, require_storable
from .hosting import CollectionHost
from .lane import Operation, Step, step
from .models import (
    CollectionOptions,
    CollectionRecord,
    CollectionStatus,
    EmbeddingError,
    EmbeddingRequest,
    EmbeddingResult,
    KnownText,
    PendingEntry,
    SearchHit,
    SearchResult,
    TextEntry,
    VectorEntry,
    VectorStoreState,
)
from .pending import PendingTexts
from .protocol import VectorStore

_logger = logging.getLogger(__name__)

VS_ACTOR_NAME: Final = "#VectorStore"
WORKERS: Final = 2
"""Batches of one backend that are embedded or stored at the same time."""
BATCH: Final = 128
"""Texts of one batch; what comes meanwhile waits and goes together."""
MAX_PENDING: Final = 200_000
"""Texts that may wait; more are refused."""
ANSWER_S: Final = 20.0
"""Seconds for which somebody waits for the hits of a search."""
_DRAIN_S: Final = 3.0
# Seconds that a stopping store gives to what it has begun on servers.
_FAULTS: Final = "the vector store could not %s collection %r"


class ResumePending(SerializableBaseModel):
    """Tells the actor, once it is resumed, to go on embedding."""


class WorkerEnded(SerializableBaseModel):
    """Tells the actor that a worker has ended: its outcome, if any, came before this."""

    request_id: str


@dataclass(frozen=True, slots=True)
class _Flight:
    """A batch that a worker embeds, or whose vectors are being stored."""

    worker: ActorAddress
    collection: str
    backend: str
    entries: Sequence[PendingEntry]


@dataclass(frozen=True, slots=True)
class _Gathered:
    """Texts that wait for a server together."""

    collection: str
    entries: dict[str, TextEntry]
    later: Later[None]


class VectorStoreActor(CollectionHost):
    """Keeps named collections for the other tool actors of the team; models never see it.

    Vectors are in the collection's backend, before anybody is told that they are; the state holds
    the texts that are still to be embedded. So a resumed store opens what is there and embeds what
    is pending, and nothing twice. What a server has to do is done off this actor's thread, in the
    order in which it was asked for; whoever asked is answered when it is done.
    """

    _gathered: dict[str, _Gathered]
    _flights: dict[str, _Flight]
    _landing: dict[str, _Flight]
    _unchecked: set[str]
    _checking: set[str]
    _pending: PendingTexts

    @override
    def on_start(self) -> None:
        self._forget_work()
        super().on_start()
        self.state = VectorStoreState()
        self._pending = PendingTexts(self.state)
        self.state.observer(self)

    @override
    def init_state(self, state: VectorStoreState) -> None:
        """Install a fresh or a restored state: backends are opened anew, pending texts go on."""
        self._close_backends(RetriableError("the vector store was set back: send it again"))
        self._forget_work()
        super().init_state(state)
        self._pending = PendingTexts(self.state)
        self._unchecked = set(self._pending.waiting)
        if self._unchecked:
            # Behind whatever is in the inbox: the team may be in the middle of its revival.
            self.myAddress.tell(ResumePending())

    @override
    def on_stop(self) -> None:
        self._drain(_DRAIN_S)
        self._close_backends(self._akgent_ref.dead())
        super().on_stop()

    def create_collection(self, name: str, config: CollectionOptions) -> None:
        """Open a collection, with what it holds already; again is no change.

        Raises:
            ValueError: it exists with another configuration, or the dimension is none of the model.
            ImportError: the backend's package is not installed; the text has the install command.
            RetriableError: too much waits for the backend's server.
            Exception: what the backend's server raises.
        """
        record = self._resolved(config)
        known = self._record_of(name)
        if known is not None:
            require_same(name, known, record)
        self._require_room(record.backend)
        self._creating[name] = record
        return self._do(record.backend, self._creation(name, record))

    def add(self, collection: str, entries: Sequence[VectorEntry]) -> None:
        """Put entries: with a vector now, those without one as soon as a worker has made it.

        Raises:
            RetriableError: no such collection, a vector that does not fit, or too much is pending.
        """
        if not entries:
            return None
        backend = self._backend_of(collection)
        for entry in entries:
            require_storable(entry)
        return self._do(backend, self._addition(collection, list(entries)))

    def put_texts(self, collection: str, entries: Sequence[TextEntry]) -> None:
        """Have texts embedded, unless they are: the same text under the same id costs nothing.

        Raises:
            RetriableError: no such collection, or too much is pending.
        """
        backend = self._backend_of(collection)
        newest = newest_texts(entries)
        if not is_server(backend):
            return self._do(backend, self._putting(collection, newest))
        return cast("None", self._gather(backend, collection, newest))

    def sync_texts(self, collection: str, entries: Sequence[TextEntry]) -> None:
        """Have the collection hold exactly these texts: removes the others, embeds what is missing.

        Raises:
            RetriableError: no such collection, or too much is pending.
        """
        backend = self._backend_of(collection)
        return self._do(backend, self._syncing(collection, newest_texts(entries)))

    def remove(self, collection: str, ref_ids: Collection[str]) -> None:
        """Remove entries, and texts of theirs that are pending; unknown ids are ignored.

        Raises:
            RetriableError: no such collection.
        """
        if not ref_ids:
            return None
        backend = self._backend_of(collection)
        return self._do(backend, self._removal(collection, list(ref_ids)))

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
        backend = self._backend_of(collection)
        self._look_for_lost()

        def ask(store: VectorStore) -> list[SearchHit]:
            return store.search(
                collection, query_vector, top_k, allowed=allowed, ref_types=ref_types
            )

        return self._do(backend, self._looking(collection, ask, monotonic() + ANSWER_S))

    def receiveMsg_EmbeddingResult(self, result: EmbeddingResult) -> object:
        """Store the vectors of a batch, except those whose text was replaced meanwhile."""
        flight = self._flights.pop(result.request_id, None)
        if flight is None:
            return None
        self._landing[result.request_id] = flight
        return self._do(flight.backend, self._storing(flight, result))

    def receiveMsg_EmbeddingError(self, failure: EmbeddingError) -> None:
        """Set the texts of a batch aside; the next change tries them again."""
        flight = self._flights.pop(failure.request_id, None)
        if flight is not None:
            self._fail(flight, failure.error)
            self._pump()

    def receiveMsg_WorkerEnded(self, ended: WorkerEnded) -> None:
        """Set the texts of a worker aside that ended without a word."""
        flight = self._flights.pop(ended.request_id, None)
        if flight is not None:
            self._fail(flight, "the worker ended without a result")
            self._pump()

    def receiveMsg_ResumePending(self, _message: ResumePending) -> None:
        """Go on with what was pending, except what is there already."""
        self._pump()

    def _creation(self, name: str, record: CollectionRecord) -> Operation[None]:
        try:
            yield from step(lambda shelf: shelf.open(name, record))
        finally:
            self._creating.pop(name, None)
        if name not in self.state.collection_configs:
            self.state.collection_configs[name] = record
            self._publish()

    def _addition(self, collection: str, entries: Sequence[VectorEntry]) -> Operation[None]:
        self._require(collection)
        bare = [entry for entry in entries if not entry.vector]
        self._refuse_flood(len(bare))
        yield from self._insertion(collection, [entry for entry in entries if entry.vector])
        self._enqueue(collection, bare)
        self._publish()

    def _insertion(self, collection: str, entries: Sequence[VectorEntry]) -> Operation[None]:
        if not entries:
            return
        try:
            yield from self._at(collection, lambda store: store.add(collection, entries))
        except ValueError as error:
            raise RetriableError(str(error)) from error
        except Exception:
            _logger.warning(_FAULTS, "add to", collection, exc_info=True)
            return
        self._pending.drop_all(collection, [entry.ref_id for entry in entries])

    def _putting(self, collection: str, newest: Mapping[str, TextEntry]) -> Operation[None]:
        self._require(collection)
        blank = [ref_id for ref_id, entry in newest.items() if not entry.text.strip()]
        full = [entry for entry in newest.values() if entry.text.strip()]
        changed = yield from self._changed(collection, full)
        self._refuse_flood(len(changed))
        if blank:
            yield from self._removal(collection, blank)
        if changed or self._pending.status(collection) is CollectionStatus.ERROR:
            self._enqueue(collection, changed)
            self._publish()

    def _changed(
        self, collection: str, entries: Sequence[TextEntry]
    ) -> Generator[Step, object, list[TextEntry]]:
        """The entries whose text is neither stored with a vector of this model nor pending."""
        model, ids = self._model, [entry.ref_id for entry in entries]
        known: Mapping[str, KnownText] = {}
        try:
            known = yield from self._at(collection, lambda store: store.texts(collection, ids))
        except Exception:
            _logger.warning(_FAULTS, "read", collection, exc_info=True)
            self._unchecked.add(collection)  # so none of them is embedded before it is compared
        return [
            entry
            for entry in entries
            if self._pending.text_of(collection, entry.ref_id) != entry.text
            and not is_stored(known, entry, model)
        ]

    def _syncing(self, collection: str, wanted: Mapping[str, TextEntry]) -> Operation[None]:
        self._require(collection)
        there = set(self._pending.ids_of(collection))
        try:
            there |= (yield from self._at(collection, lambda store: store.texts(collection))).keys()
        except Exception:
            _logger.warning(_FAULTS, "read", collection, exc_info=True)
        yield from self._removal(collection, sorted(there - wanted.keys()))
        yield from self._putting(collection, wanted)

    def _removal(self, collection: str, ref_ids: Sequence[str]) -> Operation[None]:
        self._require(collection)
        if not ref_ids:
            return
        self._pending.drop_all(collection, ref_ids)
        try:
            yield from self._at(collection, lambda store: store.remove(collection, ref_ids))
        except Exception:
            _logger.warning(_FAULTS, "remove from", collection, exc_info=True)
        self._publish()

    def _looking(
        self, collection: str, ask: Callable[[VectorStore], list[SearchHit]], until: float
    ) -> Operation[SearchResult]:
        self._require(collection)
        hits: list[SearchHit] = []
        try:
            if monotonic() < until:  # else nobody waits any more
                hits = yield from self._at(collection, ask)
        except ValueError as error:
            raise RetriableError(str(error)) from error
        except Exception:
            _logger.warning(_FAULTS, "search", collection, exc_info=True)
        return SearchResult(
            hits=hits,
            status=self._pending.status(collection),
            indexing_pending=self._pending.open(collection),
        )

    def _storing(self, flight: _Flight, result: EmbeddingResult) -> Operation[None]:
        """Store what a worker has made, and make room for the next one."""
        collection, model = result.collection, self._model
        self._set_refused_aside(flight, result.refused)
        current = {it.ref_id for it in flight.entries if self._pending.is_current(it)}
        wanted = [made for made in result.entries if made.ref_id in current]
        try:
            try:
                yield from self._at(collection, lambda store: store.add(collection, wanted, model))
            except ValueError:
                # One vector that does not fit refuses them all: set it aside alone.
                record = self.state.collection_configs[collection]
                wanted, bad = fitting(record, collection, wanted)
                self._set_refused_aside(flight, bad)
                yield from self._at(collection, lambda store: store.add(collection, wanted, model))
        except Exception as error:  # noqa: BLE001 - said by `_fail`, whatever the backend raises
            self._unchecked.add(collection)  # a server may have done it and not said so
            self._fail(flight, str(error))
        else:
            self._pending.drop_all(collection, [made.ref_id for made in wanted])
            self._pending.give_up(flight.entries)  # whatever of it has no vector
            self._publish()
        finally:
            self._landing.pop(result.request_id, None)
        self._pump()

    def _check(self, collection: str) -> Operation[None]:
        """Forget pending texts whose vectors are there: stored before the process died, say."""
        ids, model = self._pending.waiting_ids(collection), self._model
        try:
            known = yield from self._at(collection, lambda store: store.texts(collection, ids))
        except Exception:
            _logger.warning(_FAULTS, "read", collection, exc_info=True)
            self._pending.give_up(self._pending.rows(collection, ids))
        else:
            self._unchecked.discard(collection)
            for row in self._pending.rows(collection, ids):
                if is_stored(known, TextEntry(row.ref_type, row.ref_id, row.text), model):
                    self._pending.drop(row.key)
        finally:
            self._checking.discard(collection)
        self._publish()
        self._pump()

    def _gather(
        self, backend: str, collection: str, newest: Mapping[str, TextEntry]
    ) -> Later[None]:
        """Put texts with those that wait last for the server, if they do: a flood is one wait."""
        lane, last = self._lane(backend), self._gathered.get(backend)
        if last is not None and last.collection == collection and lane.is_last(last.later):
            self._refuse_flood(len(last.entries) + len(newest))
            last.entries.update(newest)
            return last.later
        entries = dict(newest)
        later = lane.submit(self._putting(collection, entries))
        self._gathered[backend] = _Gathered(collection, entries, later)
        return later

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
        """Give waiting texts to workers, once it is known that they have no vectors."""
        if self._stopping:
            return
        self._look_for_lost()
        for collection in self._pending.waiting:
            record = self.state.collection_configs.get(collection)
            if record is None:
                self._pending.drop_all(collection, self._pending.waiting_ids(collection))
            elif collection in self._unchecked - self._checking:
                self._checking.add(collection)
                self._do(record.backend, self._check(collection))
        while batch := self._pending.take(BATCH, self._held()):
            self._start_worker(batch)

    def _held(self) -> set[str]:
        """Collections of which no batch may be embedded now."""
        busy = Counter(it.backend for it in (*self._flights.values(), *self._landing.values()))
        records = self.state.collection_configs
        full = {name for name in records if busy[records[name].backend] >= WORKERS}
        return full | self._unchecked

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
        backend = self.state.collection_configs[collection].backend
        self._flights[request.request_id] = _Flight(worker, collection, backend, entries)
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

    def _fail(self, flight: _Flight, error: str) -> None:
        count = len(flight.entries)
        _logger.warning("%d texts of %r have no vector: %s", count, flight.collection, error)
        self._pending.give_up(flight.entries)
        self._publish()

    def _refuse_flood(self, more: int) -> None:
        if len(self._pending) + more > MAX_PENDING:
            raise RetriableError(
                f"{len(self._pending)} texts wait to be embedded already: send these later"
            )

    def _forget_work(self) -> None:
        self._gathered, self._flights, self._landing = {}, {}, {}
        self._unchecked, self._checking = set(), set()

"""Where the operations of the store actor are carried out."""

from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import cast, override

from cardwright.actors import ActorDeadError, Akgent, BaseConfig
from cardwright.core import RetriableError

from .backends import is_server, make_backend
from .checks import require_model_dimension
from .embedding import embedding_service
from .environment import default_backend
from .lane import Lane, Operation, Shelf, Step, at_once, step
from .models import CollectionOptions, CollectionRecord, VectorStoreConfig, VectorStoreState
from .protocol import VectorStore


@dataclass(frozen=True, slots=True)
class StepDone:
    """Tells the actor that the thread of a lane has done a step."""

    lane: Lane


class CollectionHost(Akgent[VectorStoreConfig, VectorStoreState]):
    """An actor whose collections lie in this process or on servers.

    What a server has to do is done off the actor's thread, in the order in which it was asked for.
    """

    _shelves: dict[str, Shelf]
    _lanes: dict[str, Lane]
    _creating: dict[str, CollectionRecord]

    @override
    def on_start(self) -> None:
        self._shelves, self._lanes, self._creating = {}, {}, {}
        super().on_start()

    def embedding(self) -> tuple[str, str]:
        """Provider and model of this store's vectors."""
        return self._settings.embedding_provider, self._settings.embedding_model

    def receiveMsg_StepDone(self, done: StepDone) -> None:
        """Continue what waited for a step on a server."""
        if any(lane is done.lane for lane in self._lanes.values()):
            done.lane.advance()

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

    def _do[T](self, backend: str, operation: Operation[T]) -> T:
        """Carry out an operation: here and now, or on a server and answered later."""
        if is_server(backend):
            return cast("T", self._lane(backend).submit(operation))
        if (shelf := self._shelves.get(backend)) is None:
            shelf = self._shelves[backend] = Shelf(self._maker(backend))
        return at_once(operation, shelf)

    def _lane(self, backend: str) -> Lane:
        if (lane := self._lanes.get(backend)) is None:
            lane = self._lanes[backend] = Lane(backend, self._maker(backend), self._wake)
        return lane

    def _maker(self, backend: str) -> Callable[[], VectorStore]:
        return partial(make_backend, backend, str(self.team_id))

    def _wake(self, lane: Lane) -> None:
        """Have a lane advance; called on its thread."""
        with suppress(ActorDeadError):
            self.myAddress.tell(StepDone(lane))

    def _at[R](
        self, collection: str, work: Callable[[VectorStore], R]
    ) -> Generator[Step, object, R]:
        """A step on the backend of a collection, which is opened there if it is not."""
        record = self.state.collection_configs[collection]
        return step(lambda shelf: work(shelf.open(collection, record)))

    def _record_of(self, collection: str) -> CollectionRecord | None:
        return self.state.collection_configs.get(collection) or self._creating.get(collection)

    def _backend_of(self, collection: str) -> str:
        """The backend of a collection that exists or is being created, with room for more work."""
        record = self._record_of(collection)
        if record is None:
            raise no_such(collection)
        self._require_room(record.backend)
        return record.backend

    def _require_room(self, backend: str) -> None:
        if is_server(backend):
            self._lane(backend).require_room()

    def _require(self, collection: str) -> None:
        """Refuse a collection that is not there, or whose creation has failed."""
        if collection not in self.state.collection_configs:
            raise no_such(collection)

    def _close_backends(self, reason: Exception) -> None:
        for lane in self._lanes.values():
            lane.close(reason)
        for shelf in self._shelves.values():
            shelf.close()
        self._lanes.clear()
        self._shelves.clear()
        self._creating.clear()

    def _drain(self, seconds: float) -> None:
        """Finish what was begun on servers, as far as there is time."""
        deadline = monotonic() + seconds
        for lane in self._lanes.values():
            lane.drain(deadline - monotonic())

    def _publish(self) -> None:
        self.state.notify_state_change()


def no_such(collection: str) -> RetriableError:
    """What a call of a collection that nobody created is answered."""
    return RetriableError(f"collection {collection!r} does not exist: create it first")

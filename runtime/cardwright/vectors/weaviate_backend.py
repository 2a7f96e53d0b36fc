"""Collections in a Weaviate cluster that teams share."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import batched
from typing import Final, final, override

from weaviate import WeaviateClient
from weaviate.classes.config import (
    Configure,
    DataType,
    Property,
    Tokenization,
    VectorDistances,
)
from weaviate.classes.data import DataObject
from weaviate.classes.query import Filter, MetadataQuery, Sort
from weaviate.classes.tenants import Tenant
from weaviate.collections import Collection as Handle
from weaviate.collections.classes.batch import ErrorObject
from weaviate.collections.classes.filters import FilterReturn
from weaviate.collections.classes.internal import Object
from weaviate.collections.classes.types import WeaviateProperties
from weaviate.exceptions import UnexpectedStatusCodeError, WeaviateQueryError

from .checks import require_batch, require_dimension, require_known, require_same, require_top_k
from .identifiers import object_id
from .models import CollectionRecord, KnownText, SearchHit, VectorEntry
from .protocol import Vector, VectorStore
from .weaviate_cluster import cluster

type _Handle = Handle[WeaviateProperties, None]
type _Object = Object[WeaviateProperties, None]

SCORE_DIGITS: Final = 6
# How the description of a collection of ours begins; its own name follows.
_MARK: Final = "Cardwright: "
_PROPERTIES: Final = ("ref_type", "ref_id", "text", "team_id", "model")
_NAME: Final = re.compile(r"[A-Za-z][_0-9A-Za-z]{0,199}")
# Objects of one request; the cluster's own limit for an answer is 10,000.
_PAGE: Final = 1000
# Ties at the cut: the cluster breaks them in its own way, so a few more are asked for.
_SPARE: Final = 16


@final
class WeaviateBackend(VectorStore):
    """Objects with a vector of ours and the team as a property, which every request filters by.

    A tenant, if there is one, is a partition of the cluster besides that. Checked against a local
    server that speaks Weaviate's protocol, never against a real cluster.
    """

    def __init__(
        self,
        url: str,
        api_key: str | None = None,
        tenant: str | None = None,
        team_id: str | None = None,
    ) -> None:
        """Connect when first used.

        Args:
            url: http or https address of the cluster.
            api_key: its key.
            tenant: partition for collections that name none.
            team_id: whose vectors these are.

        Raises:
            ValueError: there is no team, or the address has no scheme.
        """
        if not team_id:
            raise ValueError("a vector store belongs to a team: team_id is empty")
        self._cluster = cluster(url, api_key)
        self._tenant = tenant
        self._team = team_id
        self._open: dict[str, CollectionRecord] = {}

    @override
    def create_collection(self, name: str, record: CollectionRecord) -> None:
        if name in self._open:
            require_same(name, self._open[name], record)
            return
        tenant = record.tenant or self._tenant
        collections = self._cluster.client().collections
        if collections.exists(_class_name(name)):
            self._refuse_other(name)
        else:
            _create(self._cluster.client(), name, with_tenants=tenant is not None)
        if tenant is not None:
            collections.use(_class_name(name)).tenants.create([Tenant(name=tenant)])
        self._open[name] = record

    @override
    def add(self, collection: str, entries: Sequence[VectorEntry], model: str = "") -> None:
        handle = self._handle(collection)
        require_batch(collection, self._open[collection].dimension, entries)
        objects = [self._object(collection, entry, model) for entry in _newest(entries)]
        for page in batched(objects, _PAGE):
            failed = handle.data.insert_many(page).errors
            if failed:
                raise RuntimeError(f"Weaviate refused {len(failed)} objects: {_first(failed)}")

    @override
    def remove(self, collection: str, ref_ids: Collection[str]) -> None:
        handle = self._handle(collection)
        for page in batched(ref_ids, _PAGE):  # an empty filter would be refused
            handle.data.delete_many(where=self._mine() & _any_of("ref_id", page))

    @override
    def search(
        self,
        collection: str,
        vector: Vector,
        top_k: int,
        *,
        allowed: Collection[str] | None = None,
        ref_types: Collection[str] | None = None,
    ) -> list[SearchHit]:
        require_top_k(top_k)
        handle = self._handle(collection)
        require_dimension(collection, self._open[collection].dimension, vector)
        if (allowed is not None and not allowed) or (ref_types is not None and not ref_types):
            return []
        where = self._mine()
        if allowed is not None:
            where &= _any_of("ref_id", allowed)
        if ref_types is not None:
            where &= _any_of("ref_type", ref_types)
        found = handle.query.near_vector(
            near_vector=list(vector),
            limit=top_k + _SPARE,
            filters=where,
            return_metadata=MetadataQuery(distance=True),
        )
        hits = sorted(map(_hit, found.objects), key=lambda hit: (-hit.score, hit.ref_id))
        return hits[:top_k]

    @override
    def texts(
        self, collection: str, ref_ids: Collection[str] | None = None
    ) -> Mapping[str, KnownText]:
        handle = self._handle(collection)
        found = self._all(handle) if ref_ids is None else self._some(handle, ref_ids)
        return {
            _text(one, "ref_id"): KnownText(_text(one, "text"), _text(one, "model"))
            for one in found
        }

    @override
    def list_collections(self) -> list[str]:
        found = self._cluster.client().collections
        described = {key: config.description or "" for key, config in found.list_all().items()}
        named = {
            key: text.removeprefix(_MARK)
            for key, text in described.items()
            if text.startswith(_MARK) and self._holds(found.use(key))
        }
        return sorted({*named.values(), *self._open})

    @override
    def delete_by_team(self, collection: str, team_id: str) -> int:
        collections = self._cluster.client().collections
        there = collections.exists(_class_name(collection))
        require_known(collection, (collection,) if there else ())
        handle = self._partition(collections.use(_class_name(collection)), collection)
        return _delete(handle, team_id)

    @override
    def delete_team(self, team_id: str) -> int:
        if team_id == self._team:
            self._open.clear()
        return sum(_delete(part, team_id) for part in self._parts())

    @override
    def teams(self) -> set[str]:
        return {team for part in self._parts() for team in _teams_of(part)}

    @override
    def close(self) -> None:
        # The connection is shared by the teams of this process and closed at its end.
        self._open.clear()

    def _parts(self) -> Iterator[_Handle]:
        """All collections of ours, or their tenants where they have some."""
        collections = self._cluster.client().collections
        for key, config in collections.list_all(simple=False).items():
            if not (config.description or "").startswith(_MARK):
                continue
            handle = collections.use(key)
            if config.multi_tenancy_config.enabled:
                yield from (handle.with_tenant(name) for name in handle.tenants.get())
            else:
                yield handle

    def _refuse_other(self, name: str) -> None:
        """Refuse a name that differs from a known one in the case of its first letter only."""
        handle = self._cluster.client().collections.use(_class_name(name))
        told = handle.config.get(simple=True).description or ""
        known = told.removeprefix(_MARK)
        if told.startswith(_MARK) and known != name:
            raise ValueError(f"Weaviate takes {name!r} for the collection {known!r}: rename it")

    def _mine(self) -> FilterReturn:
        return Filter.by_property("team_id").equal(self._team)

    def _handle(self, collection: str) -> _Handle:
        require_known(collection, self._open)
        found = self._cluster.client().collections.use(_class_name(collection))
        return self._partition(found, collection)

    def _partition(self, handle: _Handle, collection: str) -> _Handle:
        record = self._open.get(collection)
        tenant = self._tenant if record is None else record.tenant or self._tenant
        return handle if tenant is None else handle.with_tenant(tenant)

    def _object(
        self, collection: str, entry: VectorEntry, model: str
    ) -> DataObject[dict[str, str], None]:
        tenant = self._open[collection].tenant or self._tenant
        return DataObject(
            properties={
                "ref_type": entry.ref_type,
                "ref_id": entry.ref_id,
                "text": entry.text,
                "team_id": self._team,
                "model": model,
            },
            uuid=object_id(self._team, collection, entry.ref_id, tenant),
            vector=entry.vector,
        )

    def _some(self, handle: _Handle, ref_ids: Collection[str]) -> Iterator[_Object]:
        for page in batched(ref_ids, _PAGE):
            where = self._mine() & _any_of("ref_id", page)
            yield from handle.query.fetch_objects(filters=where, limit=_PAGE).objects

    def _all(self, handle: _Handle) -> Iterator[_Object]:
        """All objects of the team, page by page in the order of their ids."""
        where = self._mine()
        while True:
            page = handle.query.fetch_objects(
                filters=where, limit=_PAGE, sort=Sort.by_property("ref_id", ascending=True)
            ).objects
            yield from page
            if len(page) < _PAGE:
                return
            where = self._mine() & Filter.by_property("ref_id").greater_than(
                _text(page[-1], "ref_id")
            )

    def _holds(self, handle: _Handle) -> bool:
        """Whether the team has something in this part of a collection."""
        part = handle if self._tenant is None else handle.with_tenant(self._tenant)
        try:
            return bool(part.query.fetch_objects(filters=self._mine(), limit=1).objects)
        except WeaviateQueryError:  # it is partitioned, and this store names no tenant of it
            return False


def _class_name(collection: str) -> str:
    if not _NAME.fullmatch(collection):
        raise ValueError(
            f"Weaviate takes no collection named {collection!r}: use letters, digits and _"
        )
    return collection[0].upper() + collection[1:]


def _create(client: WeaviateClient, name: str, *, with_tenants: bool) -> None:
    """Create a collection; that another process was faster is fine."""
    try:
        client.collections.create(
            _class_name(name),
            description=f"{_MARK}{name}",
            properties=[
                # A field is one token: otherwise `task-1` would match `task` and `1`.
                Property(name=one, data_type=DataType.TEXT, tokenization=Tokenization.FIELD)
                for one in _PROPERTIES
            ],
            vector_config=Configure.Vectors.self_provided(
                vector_index_config=Configure.VectorIndex.hnsw(
                    distance_metric=VectorDistances.COSINE
                )
            ),
            multi_tenancy_config=Configure.multi_tenancy(enabled=with_tenants),
        )
    except UnexpectedStatusCodeError:
        if not client.collections.exists(_class_name(name)):
            raise


def _delete(part: _Handle, team_id: str) -> int:
    whole = 0
    # The cluster deletes a limited number of objects in one request.
    while gone := part.data.delete_many(
        where=Filter.by_property("team_id").equal(team_id)
    ).successful:
        whole += gone
    return whole


def _teams_of(part: _Handle) -> Iterator[str]:
    """The teams of a part: one request for each of them, whatever they hold."""
    order, last = Sort.by_property("team_id", ascending=True), ""
    while True:
        behind = Filter.by_property("team_id").greater_than(last)
        found = part.query.fetch_objects(filters=behind, sort=order, limit=1).objects
        if not found:
            return
        last = _text(found[0], "team_id")
        yield last


def _any_of(name: str, values: Collection[str]) -> FilterReturn:
    return Filter.by_property(name).contains_any(list(values))


def _newest(entries: Sequence[VectorEntry]) -> list[VectorEntry]:
    """The last entry of each id."""
    return list({entry.ref_id: entry for entry in entries}.values())


def _first(errors: Mapping[int, ErrorObject]) -> str:
    return next(iter(errors.values())).message


def _text(found: _Object, name: str) -> str:
    value = found.properties.get(name)
    return value if isinstance(value, str) else ""


def _score(found: _Object) -> float:
    distance = found.metadata.distance
    # Without a distance nothing is known: that is no perfect hit. A distance of 0 is one.
    return 0.0 if distance is None else min(max(round(1.0 - distance, SCORE_DIGITS), 0.0), 1.0)


def _hit(found: _Object) -> SearchHit:
    return SearchHit.model_construct(
        ref_type=_text(found, "ref_type"),
        ref_id=_text(found, "ref_id"),
        text=_text(found, "text"),
        score=_score(found),
    )

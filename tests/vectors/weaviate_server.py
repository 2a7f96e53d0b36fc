"""A local server that speaks as much of Weaviate's REST and gRPC protocol as our backend uses.

It refuses what a cluster would (unknown collections, missing tenants, empty filters, vectors of
another length) and is no proof of how a real cluster behaves.
"""

import json
import struct
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from math import sqrt
from typing import Any, cast, override

import grpc  # type: ignore[import-untyped] # its stubs are a package of their own
from weaviate.proto.v1 import (
    base_pb2,
    base_search_pb2,
    batch_delete_pb2,
    batch_pb2,
    properties_pb2,
    search_get_pb2,
    tenants_pb2,
    weaviate_pb2_grpc,
)

MAX_DELETED = 50
"""Objects of one deletion: small, so that the limit of a cluster is met."""


@dataclass
class Stored:
    properties: dict[str, str]
    vector: tuple[float, ...]


@dataclass
class StoredClass:
    config: dict[str, Any]
    parts: dict[str, dict[str, Stored]] = field(default_factory=dict[str, dict[str, Stored]])

    @property
    def has_tenants(self) -> bool:
        settings = cast("dict[str, bool]", self.config.get("multiTenancyConfig") or {})
        return settings.get("enabled", False)


class Cluster:
    """What the cluster holds, and what it was asked."""

    def __init__(self) -> None:
        self.classes: dict[str, StoredClass] = {}
        self.lock = threading.RLock()
        self.keys: list[str | None] = []
        self.without_distance = False

    def clear(self) -> None:
        with self.lock:
            self.classes.clear()
            self.keys.clear()
            self.without_distance = False

    def part(self, name: str, tenant: str, context: grpc.ServicerContext) -> dict[str, Stored]:
        found = self.classes.get(name)
        if found is None:
            context.abort(grpc.StatusCode.NOT_FOUND, f"no class {name}")
            raise AssertionError("abort raises")
        if found.has_tenants != bool(tenant) or (tenant and tenant not in found.parts):
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, f"tenant {tenant!r} of {name}")
        return found.parts.setdefault(tenant, {})


def matches(stored: Stored, filters: base_pb2.Filters) -> bool:
    """Whether an object passes; operators that the backend does not use are refused."""
    operators = base_pb2.Filters.Operator
    if filters.operator == operators.OPERATOR_AND:
        return all(matches(stored, part) for part in filters.filters)
    value = stored.properties.get(filters.target.property, "")
    if filters.operator == operators.OPERATOR_EQUAL:
        return value == filters.value_text
    if filters.operator == operators.OPERATOR_GREATER_THAN:
        return value > filters.value_text
    assert filters.operator == operators.OPERATOR_CONTAINS_ANY, filters.operator
    assert filters.value_text_array.values, "a cluster refuses an empty list"
    return value in filters.value_text_array.values


def distance(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    lengths = sqrt(sum(x * x for x in one)) * sqrt(sum(x * x for x in other))
    if not lengths:
        return 1.0
    return 1.0 - sum(x * y for x, y in zip(one, other, strict=True)) / lengths


def unpacked(vector_bytes: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(vector_bytes) // 4}f", vector_bytes)


def sent_vector(message: batch_pb2.BatchObject | base_search_pb2.NearVector) -> tuple[float, ...]:
    """The vector of an object or a query, in either of the two places."""
    return unpacked(message.vectors[0].vector_bytes if message.vectors else message.vector_bytes)


class Service(weaviate_pb2_grpc.WeaviateServicer):
    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    @override
    def BatchObjects(self, request: Any, context: grpc.ServicerContext) -> Any:
        reply = batch_pb2.BatchObjectsReply()
        with self._cluster.lock:
            for index, sent in enumerate(request.objects):
                part = self._cluster.part(sent.collection, sent.tenant, context)
                vector = sent_vector(sent)
                lengths = {len(one.vector) for one in part.values()} or {len(vector)}
                if lengths != {len(vector)}:
                    error = f"vector lengths don't match: {len(vector)}"
                    reply.errors.add(index=index, error=error)
                    continue
                properties = dict(sent.properties.non_ref_properties.items())
                part[sent.uuid] = Stored(properties, vector)
        return reply

    @override
    def BatchDelete(self, request: Any, context: grpc.ServicerContext) -> Any:
        with self._cluster.lock:
            part = self._cluster.part(request.collection, request.tenant, context)
            gone = [key for key, one in part.items() if matches(one, request.filters)]
            for key in gone[:MAX_DELETED]:
                del part[key]
        done = len(gone[:MAX_DELETED])
        return batch_delete_pb2.BatchDeleteReply(matches=len(gone), successful=done)

    @override
    def TenantsGet(self, request: Any, context: grpc.ServicerContext) -> Any:
        found = self._cluster.classes[request.collection]
        reply = tenants_pb2.TenantsGetReply()
        for name in found.parts:
            status = tenants_pb2.TenantActivityStatus.TENANT_ACTIVITY_STATUS_ACTIVE
            reply.tenants.add(name=name, activity_status=status)
        return reply

    @override
    def Search(self, request: Any, context: grpc.ServicerContext) -> Any:
        reply = search_get_pb2.SearchReply()
        with self._cluster.lock:
            part = self._cluster.part(request.collection, request.tenant, context)
            found = [it for it in part.items() if matches(it[1], request.filters)]
        far: dict[str, float] = {}
        if request.HasField("near_vector"):
            query = sent_vector(request.near_vector)
            far = {key: distance(query, one.vector) for key, one in found}
            found.sort(key=lambda it: far[it[0]])
        elif request.sort_by:
            found.sort(key=lambda it: it[1].properties[request.sort_by[0].path[0]])
        for key, one in found[: request.limit or 10]:
            result = reply.results.add()
            result.metadata.id = key
            if key in far and request.metadata.distance and not self._cluster.without_distance:
                result.metadata.distance = far[key]
                result.metadata.distance_present = True
            for name, value in one.properties.items():
                text = properties_pb2.Value(text_value=value)
                result.properties.non_ref_props.fields[name].CopyFrom(text)
        return reply


class Rest(BaseHTTPRequestHandler):
    cluster: Cluster

    def do_GET(self) -> None:
        self.cluster.keys.append(self.headers.get("Authorization"))
        path = self.path.removeprefix("/v1").partition("?")[0]
        name = path.removeprefix("/schema/")
        classes = self.cluster.classes
        if path == "/meta":
            self._say({"version": "1.32.0", "hostname": "local", "modules": {}})
        elif path == "/schema":
            self._say({"classes": [one.config for one in classes.values()]})
        elif path == "/.well-known/ready":
            self._say({})
        elif name in classes:
            self._say(classes[name].config)
        else:
            self._say({}, 404)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        path = self.path.removeprefix("/v1")
        with self.cluster.lock:
            if path == "/schema":
                self._make(body)
                return
            found = self.cluster.classes[path.split("/")[2]]
            if not found.has_tenants:
                self._say({"error": [{"message": "multi-tenancy is not enabled"}]}, 422)
                return
            for tenant in body:
                found.parts.setdefault(tenant["name"], {})
            self._say(body)

    def _make(self, body: dict[str, Any]) -> None:
        if body["class"] in self.cluster.classes:
            self._say({"error": [{"message": "class already exists"}]}, 422)
            return
        self.cluster.classes[body["class"]] = StoredClass(_completed(body))
        self._say(body)

    def _say(self, body: object, status: int = 200) -> None:
        payload = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    @override
    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


def _completed(body: dict[str, Any]) -> dict[str, Any]:
    """A class as the cluster tells it, with what it adds by itself."""
    inverted = {
        "bm25": {"b": 0.75, "k1": 1.2},
        "cleanupIntervalSeconds": 60,
        "stopwords": {"preset": "en", "additions": None, "removals": None},
    }
    added = {
        "invertedIndexConfig": inverted,
        "replicationConfig": {"factor": 1, "asyncEnabled": False},
        "shardingConfig": {
            **dict.fromkeys(("virtualPerPhysical", "desiredVirtualCount"), 128),
            "actualVirtualCount": 128,
            "desiredCount": 1,
            "actualCount": 1,
            "key": "_id",
            "strategy": "hash",
            "function": "murmur3",
        },
    }
    properties = [
        {"indexFilterable": True, "indexSearchable": True, **one} for one in body["properties"]
    ]
    vectors = {name: _hnsw(one) for name, one in body.get("vectorConfig", {}).items()}
    return {**added, **body, "properties": properties, "vectorConfig": vectors}


def _hnsw(config: dict[str, Any]) -> dict[str, Any]:
    numbers = ("cleanupIntervalSeconds", "dynamicEfMin", "dynamicEfMax", "dynamicEfFactor", "ef")
    more = ("efConstruction", "flatSearchCutoff", "maxConnections", "vectorCacheMaxObjects")
    index = {**dict.fromkeys([*numbers, *more], 100), "skip": False}
    return {**config, "vectorIndexConfig": {**index, **config.get("vectorIndexConfig", {})}}


class LocalWeaviate:
    """The running server."""

    def __init__(self) -> None:
        self.cluster = Cluster()
        handler = type("Handler", (Rest,), {"cluster": self.cluster})
        self._rest = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self._rest.serve_forever, args=(0.02,), daemon=True).start()
        self._grpc = grpc.server(ThreadPoolExecutor(8))
        module = cast("Any", weaviate_pb2_grpc)  # generated without annotations
        register = cast("Callable[[Service, object], None]", module.add_WeaviateServicer_to_server)
        register(Service(self.cluster), self._grpc)
        self.grpc_port = self._grpc.add_insecure_port("127.0.0.1:0")
        self._grpc.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._rest.server_address[1]}"

    def stop(self) -> None:
        self._rest.shutdown()
        self._rest.server_close()
        self._grpc.stop(None)

"""One connection per cluster and process."""

import atexit
import os
import threading
from collections.abc import Callable
from time import monotonic
from typing import Final
from urllib.parse import urlsplit

import weaviate
from weaviate.classes.init import AdditionalConfig, Auth, Timeout

from .environment import checked_url

GRPC_PORT: Final = "CARDWRIGHT_WEAVIATE_GRPC_PORT"
_DEFAULT_GRPC_PORT: Final = "50051"
_HTTPS_PORT: Final = 443
_HTTP_PORT: Final = 8080
_TIMEOUT: Final = Timeout(init=5, query=15, insert=30)
# Seconds for which a cluster that did not answer is not tried again.
_DEAD_S: Final = 15.0

type Address = tuple[str, str | None, int]


class Cluster:
    """The client of one address and key, connected when it is first used."""

    def __init__(self, address: Address) -> None:
        """Connect later."""
        self._address = address
        self._client: weaviate.WeaviateClient | None = None
        self._lock = threading.Lock()
        self._dead: tuple[float, Exception] | None = None

    def client(self) -> weaviate.WeaviateClient:
        """The connected client.

        Raises:
            ConnectionError: the cluster did not answer, now or a moment ago.
        """
        with self._lock:
            if self._client is None:
                self._client = self._connected()
            return self._client

    def close(self) -> None:
        """Disconnect; the next use connects again."""
        with self._lock:
            if self._client is not None:
                self._client.close()
            self._client = None

    def _connected(self) -> weaviate.WeaviateClient:
        if self._dead is not None and monotonic() < self._dead[0]:
            raise ConnectionError(f"Weaviate did not answer a moment ago: {self._dead[1]}")
        try:
            return _connect(*self._address)
        except Exception as error:
            self._dead = (monotonic() + _DEAD_S, error)
            raise ConnectionError(f"Weaviate cannot be reached: {error}") from error


def _connect(url: str, api_key: str | None, grpc_port: int) -> weaviate.WeaviateClient:
    parts = urlsplit(url)
    secure = parts.scheme == "https"
    host = str(parts.hostname)
    return weaviate.connect_to_custom(
        http_host=host,
        http_port=parts.port or (_HTTPS_PORT if secure else _HTTP_PORT),
        http_secure=secure,
        grpc_host=host,
        grpc_port=grpc_port,
        grpc_secure=secure,
        auth_credentials=Auth.api_key(api_key) if api_key else None,
        additional_config=AdditionalConfig(timeout=_TIMEOUT),
        # The checks would also ask the package index for a newer client.
        skip_init_checks=True,
    )


_clusters: Final[dict[Address, Cluster]] = {}
_lock: Final = threading.Lock()


def cluster(url: str, api_key: str | None) -> Cluster:
    """The cluster at an address; the port of gRPC comes from the environment.

    Raises:
        ValueError: the address has no http(s) scheme, or the port is no number.
    """
    port = os.environ.get(GRPC_PORT, "").strip() or _DEFAULT_GRPC_PORT
    if not port.isdecimal():
        raise ValueError(f"{GRPC_PORT} must be a number")
    address = (checked_url(url), api_key or None, int(port))
    with _lock:
        return _clusters.setdefault(address, Cluster(address))


def close_all() -> None:
    """Disconnect from all clusters."""
    with _lock:
        for known in _clusters.values():
            known.close()


_at_exit: Final[Callable[[], None]] = atexit.register(close_all)

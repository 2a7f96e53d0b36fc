"""The event store: what a team did and knows, kept so that nothing acknowledged is ever lost.

`open_store` gives an `EventStore` on SQLite or PostgreSQL. It keeps text and ids, no actor classes.
"""

from cardwright.store.errors import (
    CardNotFoundError,
    ConcurrencyError,
    CorruptStoreError,
    FencedError,
    LeaseHeldError,
    StaleCursorError,
    StoreClosedError,
    StoreError,
    StoreFullError,
    StoreUnavailableError,
    StoreVersionError,
    StreamGone,
    TeamExistsError,
    TeamNotFoundError,
)
from cardwright.store.opening import open_store
from cardwright.store.protocol import EventStore
from cardwright.store.records import Lease, NewEvent, Snapshot, StoredEvent, TeamRecord
from cardwright.store.subscription import Subscription

__all__ = [
    "CardNotFoundError",
    "ConcurrencyError",
    "CorruptStoreError",
    "EventStore",
    "FencedError",
    "Lease",
    "LeaseHeldError",
    "NewEvent",
    "Snapshot",
    "StaleCursorError",
    "StoreClosedError",
    "StoreError",
    "StoreFullError",
    "StoreUnavailableError",
    "StoreVersionError",
    "StoredEvent",
    "StreamGone",
    "Subscription",
    "TeamExistsError",
    "TeamNotFoundError",
    "TeamRecord",
    "open_store",
]

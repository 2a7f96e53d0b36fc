"""Stable ids of stored objects."""

import json
from typing import Final
from uuid import UUID, uuid5

_NAMESPACE: Final = UUID("5f0c1f1e-7d2b-5c57-9a51-6f2f4f6a8f0d")


def object_id(team_id: str, collection: str, ref_id: str, tenant: str | None = None) -> UUID:
    """The id of an entry: the same for the same team, tenant, collection and reference."""
    # As JSON, so that no two lists of parts give one text.
    return uuid5(_NAMESPACE, json.dumps([team_id, tenant or "", collection, ref_id]))

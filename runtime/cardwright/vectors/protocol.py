"""What every backend does, whatever it stands on."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from .models import CollectionRecord, KnownText, SearchHit, VectorEntry

type Vector = Sequence[float]


class VectorStore(Protocol):
    """The vectors of one team, in named collections.

    - **Isolated.** No operation sees or touches an entry of another team, and a store without a
      team does not exist. Two teams may use the same collection names and reference ids.
    - **Upserts.** `add` replaces entries of the same `ref_id`; object ids are stable.
    - **All or nothing.** A batch with a wrong vector changes nothing.
    - **Full.** A search gives `top_k` hits if as many entries pass its filters: filters come first.
    - **Stable.** Scores are rounded to six decimals, from 0 to 1; equal ones stand in one order:
      that of first adding, or where a server does not know it, that of their ids.
    - **Durable** where the backend says so: a call that returned survives the death of the process.

    A store belongs to one thread at a time. Unknown collections, wrong dimensions and vectors with
    numbers that are not finite are a `ValueError` that says what to change; whatever a server
    refuses or fails at is raised as its library raises it.
    """

    def create_collection(self, name: str, record: CollectionRecord) -> None:
        """Open a collection, with what it holds already; make it if it is not there.

        Raises:
            ValueError: it exists with another dimension.
        """
        ...

    def add(self, collection: str, entries: Sequence[VectorEntry], model: str = "") -> None:
        """Put entries, all of them with vectors, made by the embedding model `model`."""
        ...

    def remove(self, collection: str, ref_ids: Collection[str]) -> None:
        """Remove entries; unknown ids and an empty list are nothing to do."""
        ...

    def search(
        self,
        collection: str,
        vector: Vector,
        top_k: int,
        *,
        allowed: Collection[str] | None = None,
        ref_types: Collection[str] | None = None,
    ) -> list[SearchHit]:
        """The nearest entries, best first.

        Args:
            collection: where to search.
            vector: the query.
            top_k: how many hits at most; at least 1.
            allowed: only these reference ids, if given.
            ref_types: only these labels, if given.
        """
        ...

    def texts(
        self, collection: str, ref_ids: Collection[str] | None = None
    ) -> Mapping[str, KnownText]:
        """What is stored under these reference ids, or all of it."""
        ...

    def list_collections(self) -> list[str]:
        """Names of the collections that hold something of the team, or that it opened; sorted."""
        ...

    def delete_by_team(self, collection: str, team_id: str) -> int:
        """Delete what a team has in a collection, and return how many entries went.

        For whoever clears up after a team that is gone; works without opening the collection.

        Raises:
            ValueError: there is no such collection.
        """
        ...

    def delete_team(self, team_id: str) -> int:
        """Delete all that a team has, in every collection, and return how many entries went."""
        ...

    def teams(self) -> set[str]:
        """Ids of all teams that have something here: for whoever looks for what was left behind."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...

"""How other tool actors and cards reach the store, and never fail because of it."""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, Self

from cardwright.actors import ActorAddress, Orchestrator
from cardwright.actors.proxies import ask_proxy, tell_proxy

from .actor import VS_ACTOR_NAME, VectorStoreActor
from .embedding import EmbeddingService, embedding_service
from .extra import MissingVectorExtraError
from .models import CollectionOptions, TextEntry
from .ranking import OVERFETCH

_logger = logging.getLogger(__name__)

STORE_CARD: Final = "VectorStoreTool"
"""The card that brings the store into a team."""
DECLINED: Final = "Search by meaning is off here: use mode keyword."
"""What a card with `vector_store=False` answers to a search in mode `vector`."""
_ANSWER_S: Final = 20.0


class TeamAgent(Protocol):
    """Who may look for the store: a tool actor, or the observer of a card."""

    @property
    def orchestrator(self) -> ActorAddress | None:
        """Address of the team's orchestrator."""
        ...


def find_store(
    agent: TeamAgent, vector_store: bool | str, *, needed_by: str
) -> ActorAddress | None:
    """The store that a card's `vector_store` field names, if the team has it.

    Args:
        agent: whose team is meant.
        vector_store: `False` wants none; `True` takes the store of the usual name if there is one
            (of its absence the factory warns); a name insists on it.
        needed_by: who asks, for the texts.

    Raises:
        RuntimeError: the named store is not in the team.
    """
    if vector_store is False:
        return None
    name = VS_ACTOR_NAME if vector_store is True else vector_store
    found = None
    if agent.orchestrator is not None:
        found = ask_proxy(agent.orchestrator, Orchestrator).get_team_member(name)
    if found is None and vector_store is not True:
        raise RuntimeError(
            f"{needed_by} needs the vector store {name!r}, which is not in the team: "
            f"add {STORE_CARD}(vector_store_name={name!r}) to one of its agents"
        )
    if found is None:
        _logger.info(
            "%s searches by keywords only: add %s for semantic search, or say vector_store=False",
            needed_by,
            STORE_CARD,
        )
    return found


@dataclass(frozen=True, slots=True)
class VectorClient:
    """One collection of the store: writes return at once, reads wait, and both only warn.

    For any thread. `semantic_scores` embeds the query where it is called: on the agent's thread,
    not on that of a shared tool actor.
    """

    store: ActorAddress
    collection: str
    service: EmbeddingService

    @classmethod
    def open(cls, store: ActorAddress, collection: str, config: CollectionOptions) -> Self | None:
        """Open the collection in the store; None, with a warning, if that fails.

        Raises:
            MissingVectorExtraError: what the backend or the model needs is not installed.
        """
        try:
            asked = ask_proxy(store, VectorStoreActor)
            asked.create_collection(collection, config)
            return cls(store, collection, embedding_service(*asked.embedding()))
        except MissingVectorExtraError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the domain goes on without
            _logger.warning("no semantic search in %r: %s", collection, error)
            return None

    def put(self, entries: Sequence[TextEntry]) -> None:
        """Have texts embedded and found; one that is known already costs nothing."""
        if entries:
            self._tell("put_texts", list(entries))

    def remove(self, ref_ids: Collection[str]) -> None:
        """Remove entries."""
        if ref_ids:
            self._tell("remove", list(ref_ids))

    def sync(self, entries: Sequence[TextEntry]) -> None:
        """Have the collection hold exactly these texts: for actors that were resumed."""
        self._tell("sync_texts", list(entries))

    def semantic_scores(
        self,
        query: str,
        top_k: int,
        *,
        allowed: Collection[str] | None = None,
        ref_types: Collection[str] | None = None,
        threshold: float = 0.0,
    ) -> dict[str, float]:
        """Cosine by reference id, best first; empty, with a warning, if anything fails.

        Args:
            query: what to search for; a blank one finds nothing.
            top_k: how many hits the caller will show; twice as many are looked for.
            allowed: only these ids, if given: the store filters before it cuts.
            ref_types: only these labels, if given.
            threshold: the least cosine.
        """
        if not query.strip() or (allowed is not None and not allowed):
            return {}
        try:
            vector = self.service.embed_query(query)
            result = ask_proxy(self.store, VectorStoreActor, _ANSWER_S).search(
                self.collection, vector, top_k * OVERFETCH, allowed, ref_types
            )
        except Exception as error:  # noqa: BLE001 - the keyword leg answers alone
            _logger.warning("no semantic hits in %r: %s", self.collection, error)
            return {}
        return {hit.ref_id: hit.score for hit in result.hits if hit.score >= threshold}

    def _tell(self, method: str, argument: Sequence[object]) -> None:
        try:
            getattr(tell_proxy(self.store), method)(self.collection, argument)
        except Exception as error:  # noqa: BLE001 - the index never fails a change of the domain
            _logger.warning("the index of %r is not up to date: %s", self.collection, error)


@dataclass(frozen=True, slots=True)
class SemanticSearch:
    """What a card has for searching by meaning: a collection, or why there is none."""

    client: VectorClient | None = None
    refusal: str = ""
    """What to tell a caller who insists on it; empty if nothing is to be done about it."""

    @classmethod
    def of(
        cls,
        agent: TeamAgent,
        vector_store: bool | str,
        collection: str,
        config: CollectionOptions,
        *,
        needed_by: str,
    ) -> Self:
        """Open a collection in the store that a card's `vector_store` field names.

        Only a named store is insisted on: without it, or without its packages, nothing is bound.

        Raises:
            RuntimeError: the named store is not in the team.
            MissingVectorExtraError: what the named store needs is not installed.
        """
        if vector_store is False:
            return cls(refusal=DECLINED)
        store = find_store(agent, vector_store, needed_by=needed_by)
        if store is None:
            return cls()
        try:
            return cls(VectorClient.open(store, collection, config))
        except MissingVectorExtraError as missing:
            if vector_store is not True:
                raise
            _logger.warning("no semantic search in %r: %s", collection, missing)
            return cls(refusal=f"No search by meaning: {missing}. Use mode keyword.")

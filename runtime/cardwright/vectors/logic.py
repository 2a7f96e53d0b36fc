"""VectorStoreTool's behaviour: it brings the store into the team, and nothing else."""

from typing import final, override

from cardwright_cards.vector_store.contract import VectorStoreContract

from .models import VectorStoreConfig


@final
class VectorStoreLogic(VectorStoreContract):
    """Creates the store actor that the card names; other cards find it by that name."""

    @override
    def bind(self) -> None:
        card = self.card
        self.store_actor(
            VectorStoreConfig(
                embedding_model=card.embedding_model, embedding_provider=card.embedding_provider
            )
        )

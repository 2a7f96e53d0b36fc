# Generated from specs/vector_store.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""What the logic of `VectorStoreTool` must implement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Never

from cardwright.core import ActorToolObserver, CardLogic

from .card import VectorStoreTool

if TYPE_CHECKING:
    from cardwright.core import ActorAddress, BaseConfig

type VectorStoreFailure = Never
"""This card declares no failure that the model can fix."""


class VectorStoreContract(CardLogic[VectorStoreTool, ActorToolObserver, VectorStoreFailure]):
    """Base of `VectorStoreLogic`: one method per endpoint of the spec."""

    def store_actor(self, config: BaseConfig) -> ActorAddress:
        """Get or create `{vector_store_name}`, named and filed under this team."""
        return self.tool_actor(
            f"{self.card.vector_store_name}", "cardwright.vectors.actor:VectorStoreActor", config
        )

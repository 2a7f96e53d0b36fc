# Generated from specs/vector_store.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""`VectorStoreTool` and the params of its capabilities."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, cast, override

from pydantic import Field

from cardwright.core import ActorToolObserver, ToolCard

if TYPE_CHECKING:
    from .contract import VectorStoreContract


class VectorStoreTool(ToolCard):
    """Brings semantic search into a team.

    One store of embedding vectors per team and name, for the cards that search by meaning. It serves nothing to a model: the planning and the graph card find it by its name, put their texts into collections of their own and search them. Addresses and keys of servers come from the environment.
    """

    logic_path: ClassVar[str] = "cardwright.vectors.logic:VectorStoreLogic"
    observer_type: ClassVar[type[object] | None] = ActorToolObserver

    vector_store_name: Annotated[
        str,
        Field(
            description="Name of the store in the team, beginning with a hash sign. Cards with several names bring several stores.",
            pattern="^#.+$",
        ),
    ] = "#VectorStore"
    embedding_model: Annotated[
        str,
        Field(
            description='Embedding model of the provider. With a prefix, as in "cohere:embed-v4.0", any model that pydantic-ai knows. The providers local and hashing have one model each.',
            min_length=1,
        ),
    ] = "text-embedding-3-small"
    embedding_provider: Annotated[
        Literal["openai", "azure", "local", "hashing"],
        Field(
            description="Who embeds. local runs a small model on this machine without a key; hashing compares words only and is meant for tests."
        ),
    ] = "openai"

    @property
    def logic(self) -> "VectorStoreContract":
        """The bound logic; raises `ToolObserverGone` when the card is not bound."""
        return cast("VectorStoreContract", self.bound_logic())

    @override
    def get_tools(self) -> list[Callable[..., object]]:
        return []

# Generated from specs/common.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""Types that several cards share."""

from typing import Annotated, Literal

from pydantic import Field

from cardwright.core import Data


class CollectionConfig(Data):
    """Where the vectors of a card's texts are kept."""

    dimension: Annotated[
        int | None,
        Field(description="Length of a vector; null takes that of the embedding model.", ge=1),
    ] = None
    backend: Annotated[
        Literal["inmemory", "usearch", "pgvector", "weaviate"] | None,
        Field(
            description="Where they are searched; null takes weaviate if its address is exported, otherwise inmemory."
        ),
    ] = None
    persistence: Annotated[
        Literal["actor_state", "workspace"],
        Field(
            description="Where a collection in memory is stored: with the team, or as files of a workspace."
        ),
    ] = "actor_state"
    workspace_path: Annotated[
        str | None, Field(description="Folder of the workspace that keeps the files.")
    ] = None
    tenant: Annotated[str | None, Field(description="Partition of a Weaviate collection.")] = None

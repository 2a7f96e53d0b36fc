# Generated from specs/metadata.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""What the logic of `MetadataTool` must implement."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Never

from cardwright.core import ActorToolObserver, CardLogic

from .card import MetadataTool

if TYPE_CHECKING:
    from .card import RenderMetadata

type MetadataFailure = Never
"""This card declares no failure that the model can fix."""


class MetadataContract(CardLogic[MetadataTool, ActorToolObserver, MetadataFailure]):
    """Base of `MetadataLogic`: one method per endpoint of the spec."""

    @abstractmethod
    def team_metadata(self, config: RenderMetadata) -> str:
        """Show the metadata of the team."""

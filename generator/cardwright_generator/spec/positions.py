"""Where each node of a YAML document stands."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cardwright_generator.spec.diagnostics import NodePath

type Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Positions:
    """Places of keys and values by path (line and column, from 1).

    A path that is not in the document stands where the nearest part above it stands.
    """

    keys: Mapping[NodePath, Place] = field(default_factory=dict[NodePath, Place])
    values: Mapping[NodePath, Place] = field(default_factory=dict[NodePath, Place])

    def key(self, path: NodePath) -> Place:
        """Place of the key that leads to a node (of the item itself in a list)."""
        return self._nearest(self.keys, path)

    def value(self, path: NodePath) -> Place:
        """Place of a node."""
        if path in self.values:
            return self.values[path]
        return self._nearest(self.keys, path)

    def _nearest(self, places: Mapping[NodePath, Place], path: NodePath) -> Place:
        while path not in places:
            if not path:
                return (1, 1)
            path = path[:-1]
        return places[path]

"""Shortest paths between entities: what is looked at once serves all pairs of a search."""

from collections.abc import Mapping

from cardwright_cards.knowledge_graph.types import Entity, Relation

from .adjacency import Links, neighbours
from .index import GraphIndex

type Path = list[Entity | Relation]
"""Entity, relation, entity and so on."""


class _Ball:
    """The entities around one, as far as was looked, with their distance."""

    __slots__ = ("_ways", "ahead", "centre", "distance", "edge", "radius")

    def __init__(self, ways: Mapping[str, Links], centre: str) -> None:
        self._ways = ways
        self.centre = centre
        self.distance = {centre: 0}
        self.radius = 0
        self.edge = [centre]
        """What is `radius` away."""
        self.ahead = len(ways[centre])
        """Relations at the edge."""

    def grow(self) -> None:
        """Look one hop further."""
        ways, distance = self._ways, self.distance
        self.radius += 1
        radius, fresh = self.radius, list[str]()
        for name in self.edge:
            for other in ways[name].values():
                if other not in distance:
                    distance[other] = radius
                    fresh.append(other)
        self.edge = fresh
        self.ahead = sum([len(ways[name]) for name in fresh])


class Paths:
    """Finds shortest paths, also between several pairs, without looking anywhere twice.

    From both ends it goes on where fewer relations lie ahead, so six hops touch few entities and a
    hub is gone through only if there is no other way.
    """

    def __init__(self, index: GraphIndex) -> None:
        """Paths of the graph as it is now: it must not change meanwhile."""
        self._index, self._tied = index, index.tied
        self._balls: dict[str, _Ball] = {}

    def between(self, start: str, end: str) -> Path | None:
        """The shortest undirected path; None if there is none.

        Of several it is the one with the older first relation, then the older second one and so on.
        """
        if not self._tied.may_be_tied(start, end):
            return None
        head, inner_start = self._only_way(start, end)
        tail, inner_end = self._only_way(end, inner_start)
        inner = self._inner(inner_start, inner_end)
        return None if inner is None else [*head, *inner, *reversed(tail)]

    def _only_way(self, name: str, goal: str) -> tuple[Path, str]:
        """The first steps of a path from an entity that has one relation, and where they lead."""
        links = self._tied.links[name]
        if name == goal or len(links) != 1:
            return [], name
        ref_id, other = next(iter(links.items()))
        return [self._index.nodes[name].entity, self._index.edges[ref_id].relation], other

    def _inner(self, start: str, end: str) -> Path | None:
        """A path between entities that have several relations each."""
        near, far = self._ball(start), self._ball(end)
        while (hops := _hops(near, far)) is None:
            less = near if near.ahead <= far.ahead else far
            less.grow()
            if not less.edge:
                self._tied.note_island(less.distance)
                return None
        return self._walk(near, far, hops)

    def _ball(self, name: str) -> _Ball:
        found = self._balls.get(name)
        if found is None:
            found = self._balls[name] = _Ball(self._tied.ways, name)
        return found

    def _walk(self, near: _Ball, far: _Ball, hops: int) -> Path:
        """From the start on, always by the oldest relation that leads nearer to the end."""
        path: Path = [self._index.nodes[near.centre].entity]
        here, unknown = near.centre, self._beyond(near, far, hops)
        for left in range(hops - 1, -1, -1):
            nearer = unknown.get(left)
            ref_id, here = next(
                (ref_id, other)
                for ref_id, other in self._tied.links[here].items()
                if (far.distance.get(other) == left if nearer is None else other in nearer)
            )
            path += [self._index.edges[ref_id].relation, self._index.nodes[here].entity]
        return path

    def _beyond(self, near: _Ball, far: _Ball, hops: int) -> dict[int, set[str]]:
        """What lies on shortest paths, by hops that are left, where `far` was not looked at."""
        found: dict[int, set[str]] = {}
        last = {name for name in far.edge if near.distance.get(name) == hops - far.radius}
        for left in range(far.radius + 1, hops):
            beside = neighbours(self._tied.ways, last)
            last = {name for name in beside if near.distance.get(name) == hops - left}
            found[left] = last
        return found


def _hops(near: _Ball, far: _Ball) -> int | None:
    """How long the shortest path is, if both were looked at far enough to know."""
    for one, other in ((near, far), (far, near)):
        if other.centre in one.distance:
            return one.distance[other.centre]
    one, other = (near, far) if len(near.edge) <= len(far.edge) else (far, near)
    rest = [other.distance[name] for name in one.edge if name in other.distance]
    return one.radius + min(rest) if rest else None

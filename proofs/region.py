"""Sets of integer points given by differences: x - y <= c, with "" standing for 0.

Closed under shortest paths.  Over the integers a system of difference constraints has a solution exactly when its
graph has no negative cycle, and it entails x - y <= c exactly when the shortest path from x to y is at most c; so
both tests are decisions.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["Region"]


class Region:
    """A nonempty set of integer points; immutable."""

    __slots__ = ("_distance",)

    def __init__(self, distance: dict[str, dict[str, int]] | None = None) -> None:
        self._distance = distance or {}

    def entails(self, x: str, y: str, c: int) -> bool:
        """Whether x - y <= c at every point."""
        if x == y:
            return c >= 0
        bound = self._distance.get(x, {}).get(y)
        return bound is not None and bound <= c

    def add(self, x: str, y: str, c: int) -> Region | None:
        """The points that also satisfy x - y <= c; None if there are none."""
        if self.entails(x, y, c):
            return self
        back = 0 if x == y else self._distance.get(y, {}).get(x)
        if back is not None and back + c < 0:
            return None
        into = {x: 0, **{u: row[x] for u, row in self._distance.items() if x in row}}
        out = {y: 0, **self._distance.get(y, {})}
        distance = {u: dict(row) for u, row in self._distance.items()}
        for u, a in into.items():
            row = distance.setdefault(u, {})
            for v, b in out.items():
                if u != v and (v not in row or a + c + b < row[v]):
                    row[v] = a + c + b
        return Region(distance)

    def all(self, constraints: Iterable[tuple[str, str, int]]) -> Region | None:
        """The points that satisfy every constraint as well; None if there are none."""
        region: Region | None = self
        for constraint in constraints:
            region = region.add(*constraint) if region is not None else None
        return region

    def pinned(self, x: str, avoid: set[str]) -> tuple[str, int] | None:
        """A variable and a constant whose sum is x at every point, if there is one outside ``avoid``."""
        for y, c in sorted(self._distance.get(x, {}).items()):
            if y not in avoid and self._distance.get(y, {}).get(x) == -c:
                return y, c
        return None

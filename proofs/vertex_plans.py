"""Which vertices decide which part: the grids of D1, D2, S4, S5 and X2, for a given n.

Nothing here is trusted: grids are thinned out by the claim's own hypotheses, coverage.py checks that they decide the
part, and a counterexample is confirmed by evaluate.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from proofs.batch import value_of
from proofs.case import OutsideTable
from proofs.coverage import families_of
from proofs.degree import Cell
from proofs.grid import Axis, Grid, environment, kept
from proofs.statement import Claim
from proofs.vertices import causal_maps, composites, covering_pairs, kernels_of, map_pairs, monotone_cone

__all__ = ["PLANS", "Plan"]

Ints = NDArray[np.int64]
IN_FULL = 3  # up to this n no choice is reduced to rows
ALL_WORDS = 3  # up to this n words of one and two layers are tried in full
Pool = dict[str, Ints]  # candidates for one layer: (K, n, n) for a kernel, (K,) for a coefficient


@dataclass(frozen=True)
class Plan:
    """``grids(claim, n)`` for n up to ``max_n``; ``note``: a restriction of the parameters that they cover."""

    grids: Callable[[Claim, int], Iterator[Grid]]
    max_n: int
    note: str = ""


# --- choices --------------------------------------------------------------------------------------


def _axis(
    kind: str, pools: Mapping[str, Ints], layer: int | None = None, groups: Sequence[tuple[str, ...]] = ()
) -> Axis:
    """Kernels or numbers in the cells of each function, in those of one layer if it is a family."""
    cells: dict[Cell, Ints] = {}
    at = () if layer is None else (layer,)
    for name, values in pools.items():
        for place in np.ndindex(values.shape[1:]):
            cells[name, (*at, *(int(x) + 1 for x in place))] = np.ascontiguousarray(values[(slice(None), *place)])
    return Axis(kind, cells, tuple(groups))


def _free(n: int, symbol: str, layer: int | None) -> Axis:
    """Causal kernels of which an assertion needs one row: all of them for n <= 3, from there the maps min(i, c)."""
    if n <= IN_FULL:
        return _axis("maps", {symbol: kernels_of(causal_maps(n))}, layer)
    return _axis("rows", {symbol: kernels_of(np.minimum(np.arange(n), np.arange(n)[:, None]))}, layer)


def _unmasked(n: int, symbol: str) -> Axis:
    """Kernels that may read the future: all maps for n <= 3, from there those of which all rows read one position."""
    if n <= IN_FULL:
        return _axis("unmasked", {symbol: kernels_of(np.array(list(product(range(n), repeat=n))))})
    return _axis("rows", {symbol: kernels_of(np.repeat(np.arange(n)[:, None], n, axis=1))})


def _free_pairs(n: int, lower: str, upper: str, layer: int) -> Axis:
    """Ordered pairs of which an assertion needs one row: all for n <= 3, from there min(i, a) <= min(i, b)."""
    pairs = kernels_of(map_pairs(n, "neither") if n <= IN_FULL else covering_pairs(n))
    kind = "maps" if n <= IN_FULL else "rows"
    return _axis(kind, {lower: pairs[:, 0], upper: pairs[:, 1]}, layer, ((lower, upper),))


def _all_of(**pools: Ints) -> Pool:
    """Every combination of candidates of the functions of one layer."""
    chosen = np.array(list(product(*(range(len(p)) for p in pools.values()))))
    return {name: pool[chosen[:, at]] for at, (name, pool) in enumerate(pools.items())}


_UNIT = np.array([0, 1])


@dataclass(frozen=True)
class _Layers:
    """Layers 1, 2, ... of a part, each any candidate of the pool that the hypotheses allow.

    top: the choices for the layer above the last of them, given its number; counted: whether T counts that layer.
    """

    claim: Claim
    part: str
    base: Mapping[str, int]
    pool: Pool
    groups: tuple[tuple[str, ...], ...]
    top: Callable[[int], tuple[Axis, ...]]
    counted: bool = True
    spread: int = 0

    def grids(self, *others: Axis, through: Sequence[str] = ()) -> Iterator[Grid]:
        """One word for each composite; and for n <= 3, as a control of that, all words of one and of two layers."""
        two = {**self.base, "T": 2}
        layer = _axis("words", self.pool, 1, self.groups)
        layer = layer.taken(kept(layer, self.claim, self.part, two))
        words = self._words(layer, two)
        depth = words.shape[1]
        below = [_at_layer(layer, t + 1, words[:, t]) for t in range(depth)]
        joint = [replace(layer, cells={cell: v for axis in below for cell, v in axis.cells.items()})] if depth else []
        yield self._grid(depth, (*others, *joint), (*self.pool, *through), self.spread)
        if self.base["n"] <= ALL_WORDS:
            everything = np.arange(layer.size)
            for length in (1, 2):
                free = [_at_layer(layer, t + 1, everything) for t in range(length)]
                yield self._grid(length, (*others, *free), (), None)

    def _grid(self, depth: int, axes: tuple[Axis, ...], through: tuple[str, ...], spread: int | None) -> Grid:
        ints = {**self.base, "T": depth + self.counted}
        top = (axis.taken(chosen) for axis, chosen in zip(self.top(depth + 1), self._allowed_on_top, strict=True))
        return Grid(self.part, ints, (*axes, *top), through, spread)

    @cached_property
    def _allowed_on_top(self) -> tuple[Ints, ...]:
        """What the hypotheses allow of a top layer, seen where it is the only one."""
        alone = {**self.base, "T": int(self.counted)}
        return tuple(kept(axis, self.claim, self.part, alone) for axis in self.top(1))

    def _words(self, layer: Axis, ints: Mapping[str, int]) -> Ints:
        """A word for each composite of the families whose rollouts the part reads."""
        env, span = environment([layer], ints), range(1, ints["n"] + 1)
        maps = []
        for family in families_of(self.claim.part(self.part).asserts, list(self.pool)):
            rows = [[np.broadcast_to(value_of(family, env, 1, i, j), layer.size) for j in span] for i in span]
            kernels = np.array(rows).transpose(2, 0, 1)
            if not (kernels.max(axis=2) == 1).all() or not (np.abs(kernels).sum(axis=2) == 1).all():
                raise OutsideTable("a layer whose vertices are no maps")
            maps.append(kernels.argmax(axis=2))
        return composites(np.stack(maps, axis=1)).words


def _at_layer(layer: Axis, t: int, chosen: Ints) -> Axis:
    """Candidates of layer 1, chosen and moved to layer t."""
    return replace(
        layer, cells={(name, (t, *args[1:])): values[chosen] for (name, args), values in layer.cells.items()}
    )


# --- the statements -------------------------------------------------------------------------------


def _monotone_closure(claim: Claim, n: int) -> Iterator[Grid]:
    """S4."""
    maps, cone, base = kernels_of(causal_maps(n)), _cone(n), {"n": n, "H": 3, "T": 1}
    upper = _axis("maps", {"U": maps})
    yield Grid("identity", base, ())
    yield Grid("product", base, (upper.taken(kept(upper, claim, "product", base)), _axis("cone", {"L": cone})))
    heads = np.zeros((4, 3), dtype=np.int64)
    heads[1:] = np.eye(3, dtype=np.int64)
    several = np.zeros((3 * len(cone), 3, n, n), dtype=np.int64)
    for h in range(3):
        several[h * len(cone) : (h + 1) * len(cone), h] = cone
    yield Grid("average", base, (_axis("cone", {"alpha": heads}), _axis("cone", {"B": several})))
    one = (_axis("unit", {"lambda": _UNIT}, 1), _axis("cone", {"A": cone}, 1))
    yield Grid("transitions", base, one, alone=True)
    yield from _Layers(claim, "rollouts", base, {"R": maps}, (), lambda t: (), counted=False).grids()


def _cone(n: int) -> Ints:
    """The apex, then the directions."""
    return np.concatenate([np.zeros((1, n, n), dtype=np.int64), monotone_cone(n)])


def _comparison(claim: Claim, n: int) -> Iterator[Grid]:
    """S5, with c_t in {0, 1}."""
    maps = kernels_of(causal_maps(n))

    def top(t: int) -> tuple[Axis, ...]:
        return _free_pairs(n, "R", "S", t), _axis("unit", {"c": _UNIT}, t)

    pool = _all_of(R=maps, S=maps, c=_UNIT)
    yield from _Layers(claim, "rollouts", {"n": n, "T": 1}, pool, (("R", "S"),), top).grids()


def _causal_mask(claim: Claim, n: int) -> Iterator[Grid]:
    """D1: any monotone matrix below, any causal kernel inserted, one row of whatever lies above."""
    base = {"n": n, "s": 1, "u": 1, "T": 1}
    below, above = _axis("cone", {"R": _cone(n)}, 1), _free(n, "Q", 1)
    inserted = _axis("maps", {"N": kernels_of(causal_maps(n))})
    yield Grid("any depth", base, (below, above, inserted), ("R", "Q"))
    yield Grid("bottom", base, (above, inserted), ("Q",))
    yield Grid("top, last row", base, (below, _unmasked(n, "M")), ("R",))
    pool = _all_of(A=kernels_of(causal_maps(n)), **{"lambda": _UNIT})

    def top(t: int) -> tuple[Axis, ...]:
        return _free(n, "A", t), _axis("unit", {"lambda": _UNIT}, t)

    yield from _Layers(claim, "one more layer", base, pool, (), top, counted=False, spread=1).grids()


def _residual(claim: Claim, n: int) -> Iterator[Grid]:
    """D2: pairs of coefficients (0, 0), (0, 1), (1, 1); any top kernel, and one row of whatever lies above."""
    base, pairs = {"n": n, "T": 1, "u": 1}, ("lambda", "mu")
    yield from _mixed(claim, n, "rollouts", base, pairs).grids(_free(n, "Q", 1), through=("Q",))
    yield from _mixed(claim, n, "attention only", base, ("lambda",)).grids()
    yield from _mixed(claim, n, "identity", base, ("lambda",)).grids()


def _mixed(claim: Claim, n: int, part: str, base: Mapping[str, int], coefficients: tuple[str, ...]) -> _Layers:
    numbers = _all_of(**dict.fromkeys(coefficients, _UNIT))
    pool = _all_of(A=kernels_of(causal_maps(n)), **dict.fromkeys(coefficients, _UNIT))

    def top(t: int) -> tuple[Axis, ...]:
        return _free(n, "A", t), _axis("unit", numbers, t, (coefficients,))

    return _Layers(claim, part, base, pool, (coefficients,), top)


def _prefix_mask(claim: Claim, n: int) -> Iterator[Grid]:
    """X2, a layer inserted: maps f(i) <= max(i, b), for the lower one those that its rising tails leave."""
    for b in range(1, n):
        base = {"n": n, "b": b, "r": n, "T": 1}
        reach = np.maximum(np.arange(n), b - 1)
        maps = kernels_of(np.array(list(product(*[range(last + 1) for last in reach]))))
        row = kernels_of(np.minimum(np.arange(n)[:, None], reach))
        above = _axis("maps", {"U": maps}) if n <= IN_FULL else _axis("rows", {"U": row})
        below = _axis("maps", {"B": maps})
        yield Grid(
            "primacy", base, (above, _axis("maps", {"N": maps}), below.taken(kept(below, claim, "primacy", base)))
        )


PLANS: dict[str, Plan] = {
    "S4": Plan(_monotone_closure, 6, "H <= 3"),
    "S5": Plan(_comparison, 5, "c_t in {0, 1}"),
    "D1": Plan(_causal_mask, 6),
    "D2": Plan(_residual, 6),
    "X2": Plan(_prefix_mask, 4, "1 <= b < n"),
}

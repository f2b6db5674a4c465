"""S7, vertices: the 0/1 tails of monotone causal kernels, and what they compose to.

    vertices of {monotone causal kernels}    = nondecreasing maps f(i) <= i:                 Catalan(n)
    vertices of {causal kernels}             = all maps f(i) <= i:                           n!
    vertices of {A precedes B}               = pairs f <= g, of which both, the lower or the upper is nondecreasing
    vertices of {0 <= lambda <= lambda' <= 1} = (0, 0), (0, 1), (1, 1)

The tails F(i, k), 2 <= k <= i <= n, are constrained by an order only (each lies between two others, or 0 and 1), so
they fill an order polytope, whose vertices are its 0/1 points.  A kernel with 0/1 tails puts each row i on one
position f(i); products of such kernels are composites of maps, so what products of any number of layers can reach is
a finite set, found here by composing until nothing new appears.  Source: S7; Stanley 1986 for the polytope.

Exact here: everything, in integers.  Numeric here: nothing.  Not covered: kernels shared by several layers, for which
the vertices are enough only in one direction.

Maps are rows of integer arrays, positions counted from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import Literal

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "COEFFICIENT_PAIRS",
    "Composites",
    "causal_maps",
    "composites",
    "covering_pairs",
    "kernels_of",
    "map_pairs",
    "maps_by_brute_force",
    "monotone_cone",
    "monotone_maps",
    "pairs_by_brute_force",
]

Ints = NDArray[np.int64]
Monotone = Literal["both", "lower", "upper", "neither"]

COEFFICIENT_PAIRS = ((0, 0), (0, 1), (1, 1))


def causal_maps(n: int) -> Ints:
    """All maps f(i) <= i, shape (n!, n): the vertices of the causal kernels.

    >>> len(causal_maps(4))
    24
    """
    return np.array(list(product(*[range(i + 1) for i in range(n)])), dtype=np.int64)


def monotone_maps(n: int) -> Ints:
    """The nondecreasing maps f(i) <= i, shape (Catalan(n), n), each row of maps extended by what may follow it.

    >>> [len(monotone_maps(n)) for n in range(1, 7)]
    [1, 2, 5, 14, 42, 132]
    """
    maps: list[tuple[int, ...]] = [()]
    for i in range(n):
        maps = [(*f, value) for f in maps for value in range(f[-1] if f else 0, i + 1)]
    return np.array(maps, dtype=np.int64)


def map_pairs(n: int, monotone: Monotone = "both") -> Ints:
    """Pairs f <= g of maps f(i), g(i) <= i, shape (pairs, 2, n); ``monotone`` says which must be nondecreasing.

    >>> [[len(map_pairs(n, which)) for n in range(1, 5)] for which in ("both", "lower", "upper")]
    [[1, 3, 14, 84], [1, 3, 15, 105], [1, 3, 16, 127]]
    """
    lower = monotone_maps(n) if monotone in ("both", "lower") else causal_maps(n)
    upper = monotone_maps(n) if monotone in ("both", "upper") else causal_maps(n)
    first, second = np.nonzero((lower[:, None] <= upper[None]).all(axis=2))
    return np.stack([lower[first], upper[second]], axis=1)


def kernels_of(maps: Ints) -> Ints:
    """The kernels A_ij = [j = f(i)], shape (..., n, n)."""
    kernels: Ints = (maps[..., None] == np.arange(maps.shape[-1])).astype(np.int64)
    return kernels


def monotone_cone(n: int) -> Ints:
    """Matrices whose nonnegative combinations are all the real matrices with F(i, k) <= F(i + 1, k).

    For each k the tails F(1, k) <= ... <= F(n, k) are a constant of either sign plus steps [i >= m], m >= 2; entries
    are differences of neighbouring tails.  Shape (n (n + 1), n, n).
    """
    found = []
    for k in range(n):
        for start in range(n):
            step = np.zeros((n, n + 1), dtype=np.int64)
            step[start:, k] = 1
            found += [step, -step] if start == 0 else [step]
    tails = np.stack(found)
    return tails[:, :, :-1] - tails[:, :, 1:]


# --- the oracle: every 0/1 array of tails -------------------------------------------------------------------------


def maps_by_brute_force(n: int, *, monotone: bool = True) -> Ints:
    """The same maps from all 2^{n(n-1)/2} arrays of 0/1 tails that satisfy every inequality of the definition."""
    return _maps_of(n, _tails(n, monotone=monotone))


def pairs_by_brute_force(n: int, monotone: Monotone = "both") -> Ints:
    """The same pairs from all pairs of 0/1 tails A <= B: A has a 1 only where B has."""
    lower = _tails(n, monotone=monotone in ("both", "lower"))
    upper = _tails(n, monotone=monotone in ("both", "upper"))
    first, second = np.nonzero((lower[:, None] & ~upper[None]) == 0)
    return np.stack([_maps_of(n, lower[first]), _maps_of(n, upper[second])], axis=1)


def _cells(n: int) -> dict[tuple[int, int], int]:
    """The bit of each free tail F(i, k), 1 <= k <= i < n counted from 0."""
    return {cell: bit for bit, cell in enumerate((i, k) for i in range(1, n) for k in range(1, i + 1))}


def _tails(n: int, *, monotone: bool) -> Ints:
    """All 0/1 tails as bit patterns, one inequality after the other."""
    bits = _cells(n)
    found = np.arange(1 << len(bits), dtype=np.int64)
    for (i, k), bit in bits.items():
        larger = [bits[cell] for cell in ((i, k - 1), *([(i + 1, k)] if monotone else [])) if cell in bits]
        for other in larger:
            found = found[(found >> bit & 1) <= (found >> other & 1)]
    return found


def _maps_of(n: int, tails: Ints) -> Ints:
    """f(i) = the number of k >= 2 with F(i, k) = 1."""
    maps = np.zeros((len(tails), n), dtype=np.int64)
    for (i, _), bit in _cells(n).items():
        maps[:, i] += tails >> bit & 1
    return maps


# --- composites ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Composites:
    """What products of layers reach: ``states`` (S, m, n), and for each a shortest word (S, L) of layers that leads
    there, the first nearest the input, filled up with layers that do nothing.
    """

    states: Ints
    words: Ints


def composites(layers: Ints) -> Composites:
    """All tuples of m maps that arise from the identity by putting layers, shape (G, m, n), on top of one another.

    A layer on top of a product P sends row i to P(layer(i)), in each of the m products at once.  Every state is
    extended by every layer, so the set is closed.  Raises `ValueError` unless some layer is m identities, and where a
    map reads the future.
    """
    count, m, n = layers.shape
    maps, table = causal_maps(n), _composition_table(n)
    if (layers > np.arange(n)).any():
        raise ValueError("Argument 'layers' must be maps f(i) <= i, not maps that read the future.")
    idle = np.nonzero((layers == np.arange(n)).all(axis=(1, 2)))[0]
    if not len(idle):
        raise ValueError("Argument 'layers' must contain the identity, not only layers that move something.")
    generators = _numbers(layers)
    states = np.full((1, m), len(maps) - 1, dtype=np.int64)
    words: list[tuple[int, ...]] = [()]
    seen = np.zeros(len(maps) ** m, dtype=bool)
    seen[-1] = True
    new = np.array([0])
    while len(new):
        extended = table[states[new][:, None], generators[None]].reshape(-1, m)
        codes = extended @ (len(maps) ** np.arange(m, dtype=np.int64))
        at = _first_of_each(codes, seen)
        seen[codes[at]] = True
        words += [(*words[new[a // count]], int(a % count)) for a in at]
        new = np.arange(len(states), len(states) + len(at))
        states = np.concatenate([states, extended[at]])
    longest = max(map(len, words))
    return Composites(maps[states], np.array([_filled(word, longest, int(idle[0])) for word in words], dtype=np.int64))


def _first_of_each(codes: Ints, seen: NDArray[np.bool_]) -> Ints:
    """Where each code that was not seen before occurs first."""
    first = np.full(len(seen), -1, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    return np.sort(first[(first >= 0) & ~seen])


def _numbers(maps: Ints) -> Ints:
    """The place of each map in `causal_maps`, by mixed radix: position i has i + 1 values."""
    number = np.zeros(maps.shape[:-1], dtype=np.int64)
    for i in range(maps.shape[-1]):
        number = number * (i + 1) + maps[..., i]
    return number


@cache
def _composition_table(n: int) -> Ints:
    """[p, r]: the number of the map i -> p(r(i)), for the maps p and r of these numbers."""
    maps = causal_maps(n)
    return np.stack([_numbers(p[maps]) for p in maps])


def _filled(word: Sequence[int], length: int, idle: int) -> list[int]:
    return [*word, *[idle] * (length - len(word))]


def covering_pairs(n: int) -> Ints:
    """Pairs of maps min(i, a) <= min(i, b) for a <= b: every row takes every pair of values it can, shape (., 2, n)."""
    ends = [(a, a) for a in range(n)] + list(combinations(range(n), 2))
    return np.array([[[min(i, a) for i in range(n)], [min(i, b) for i in range(n)]] for a, b in ends], dtype=np.int64)

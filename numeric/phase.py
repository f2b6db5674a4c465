"""The phase diagram of profiles: which shape, over effective depth and slope, or over layers and λ.

One ALiBi head of slope m, the same in all layers. Over (m, S): T layers of λ = S/T, or continuous depth S (C2).
Over (T, λ): at one slope. Each cell is decided by `numeric.hop_mixture`: in floats beyond a proven rounding, else in
balls, else it is undecided. The boundaries that U7, U8 prove (arXiv:2602.16837):

    U7   m = 0, n ≥ 3: a U iff n (1 − λ + λ/n)^T > (n − 1)(1 − λ + λ/(n − 1))^T; continuous S < n (n − 1) ln(n/(n − 1))
    U8   n → ∞: no hump near the end iff λ e^−m (T + 1) ≤ 2; continuous S e^−m ≤ 2
         the last token exceeds the one before iff λ e^−m (T (1 − e^−m) + 1) ≤ 1; continuous S e^−m (1 − e^−m) ≤ 1

U8's first: K ~ Binomial(T, ρλ), ρ = e^−m, c_2/c_1 = (T − 1)/2 · ρλ/(1 − ρλ) ≤ 1; its second (1 − ρ) c_1/c_0 ≤ 1.

Numeric here: boundaries in floats. Exact here: a cell's λ is the float nearest S/T, and means exactly that.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from numeric.hop_laws import MOST_DEPTH, Binomial, Hops, Poisson
from numeric.hop_mixture import Answer, decide_labels
from numeric.kernel import SLOPE_LIMIT
from numeric.refuse import flag, integer, positions, real, refusal
from numeric.shape import LABELS

__all__ = [
    "Phase",
    "checked_axis",
    "depth_phase",
    "even",
    "hump_mixing",
    "law_at",
    "layer_phase",
    "ratios",
    "spike_mixing",
    "u_mixing",
    "whole",
]

Progress = Callable[[int, int], None]
MOST_CELLS = 200  # along either axis
MOST_LENGTH = 2048
MOST_LAYERS = 1000


@dataclass(frozen=True)
class Phase:
    """Labels over a grid: ``answers[row][column]`` at ``up[row]``, ``across[column]``.

    axes : depth (across: slopes m; up: S) or layers (across: T; up: λ). n : length. layers : T, None at continuous
    depth and for the axes layers. slope : m for the axes layers, else None.
    """

    axes: Literal["depth", "layers"]
    n: int
    layers: int | None
    slope: float | None
    across: tuple[float, ...]
    up: tuple[float, ...]
    answers: tuple[tuple[Answer, ...], ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many cells have each label that occurs, in the order of `numeric.shape`."""
        found = Counter(cell.label for row in self.answers for cell in row)
        return {label: found[label] for label in LABELS if found[label]}

    @property
    def by(self) -> dict[str, int]:
        """How many cells floats, balls and nothing decided."""
        found = Counter(cell.by for row in self.answers for cell in row)
        return {name: found[name] for name in ("floats", "balls", "nothing")}

    def mixing(self, row: int, column: int) -> float | None:
        """λ of a cell; None at continuous depth."""
        if self.axes == "layers":
            return self.up[row]
        return None if self.layers is None else self.up[row] / self.layers


def depth_phase(
    slopes: Sequence[float],
    depths: Sequence[float],
    *,
    n: int,
    layers: int | None,
    bits: int = 512,
    progress: Progress | None = None,
) -> Phase:
    """Labels over slopes m ∈ [0, 700] (columns) and effective depths S (rows), each increasing.

    layers : T layers of λ = S/T, S ≤ T; None is continuous depth, S ≤ 600. n : at most 2048. bits : the largest
    precision of balls. Raises InputError.

    >>> depth_phase([0.0, 1.0], [0.5, 9.0], n=16, layers=12).counts
    {'primacy': 1, 'recency': 1, 'U': 1, 'other': 1}
    """
    length = _length(n)
    across, up = checked_axis(slopes, "slopes", 0, SLOPE_LIMIT), checked_axis(depths, "depths", 0, _deepest(layers))
    laws = [law_at(depth, layers) for depth in up]
    columns = []
    for slope in across:
        columns.append(decide_labels(slope, laws, n=length, bits=bits))
        if progress is not None:
            progress(len(columns), len(across))
    return Phase("depth", length, layers, None, across, up, tuple(zip(*columns, strict=True)))


def layer_phase(
    layers: Sequence[int],
    mixing: Sequence[float],
    *,
    n: int,
    slope: float,
    bits: int = 512,
) -> Phase:
    """Labels over numbers of layers T ≥ 1 (columns) and λ ∈ [0, 1] (rows), each increasing, at one slope m.

    n, bits : as for `depth_phase`. Raises InputError.

    >>> layer_phase([1, 24], [0.25, 1.0], n=16, slope=0.0).counts
    {'flat': 1, 'primacy': 1, 'recency': 1, 'U': 1}
    """
    length = _length(n)
    for count in layers:
        integer(count, "layers", 1)
    across, up = checked_axis(layers, "layers", 1, MOST_LAYERS), checked_axis(mixing, "mixing", 0, 1)
    found = decide_labels(slope, [Binomial(int(t), lam) for lam in up for t in across], n=length, bits=bits)
    rows = (found[at : at + len(across)] for at in range(0, len(found), len(across)))
    return Phase("layers", length, None, float(slope), across, up, tuple(map(tuple, rows)))


def law_at(depth: float, layers: int | None) -> Hops:
    """The law of K at effective depth S: of T layers of λ = S/T, or at continuous depth."""
    return Poisson(depth) if layers is None else Binomial(layers, depth / layers)


# --- axes -----------------------------------------------------------------------------------------------------------


def ratios(low: float, high: float, count: int) -> tuple[float, ...]:
    """``count`` ≥ 2 numbers from low > 0 to high in equal ratios, both ends included; one number where they are equal.

    >>> ratios(1, 4, 3)
    (1.0, 2.0, 4.0)
    """
    return (low,) if low == high else tuple(np.geomspace(low, high, count).tolist())


def even(low: float, high: float, count: int) -> tuple[float, ...]:
    """``count`` ≥ 2 numbers from low to high in equal steps, both ends included; one number where they are equal."""
    return (low,) if low == high else tuple(np.linspace(low, high, count).tolist())


def whole(low: int, high: int, count: int) -> tuple[int, ...]:
    """At most ``count`` integers from low to high, both ends included, as even as integers can be.

    >>> whole(1, 9, 4)
    (1, 4, 6, 9)
    """
    return tuple(sorted({round(x) for x in even(low, high, min(count, high - low + 1))}))


def checked_axis(values: Sequence[float], name: str, low: float, high: float) -> tuple[float, ...]:
    """1 to 200 numbers in [low, high], each larger than the one before. Raises InputError."""
    found = tuple(float(real(x, name, f"entry {at}, counted from 1")) for at, x in enumerate(values, start=1))
    if not 1 <= len(found) <= MOST_CELLS:
        raise flag(name, f"be 1 to {MOST_CELLS} numbers", f"{len(found)}")
    for at, x in enumerate(found):
        if not low <= x <= high:
            raise refusal(name, f"lie in [{low:g}, {high:g}]", x, f"entry {at + 1}, counted from 1")
        if at and x <= found[at - 1]:
            raise refusal(name, "increase", x, f"entry {at + 1}, counted from 1")
    return found


def _length(n: int) -> int:
    if positions(n) > MOST_LENGTH:
        raise refusal("n", f"be at most {MOST_LENGTH}", n)
    return n


def _deepest(layers: int | None) -> float:
    if layers is None:
        return MOST_DEPTH
    if integer(layers, "layers", 1) > MOST_LAYERS:
        raise refusal("layers", f"be at most {MOST_LAYERS}", layers)
    return layers


# --- boundaries: the λ, or at continuous depth (layers = None) the S, at which the shape changes ----------------------


def u_mixing(n: int, layers: int | None) -> float:
    """U7, m = 0: a U below it, for n ≥ 3 and T ≥ 2; beyond it primacy. 1 if T = 1, where the end is a spike.

    >>> round(u_mixing(256, None), 3)
    255.499
    """
    if integer(n, "n", 2) and layers is None:
        return n * (n - 1) * math.log1p(1 / (n - 1))
    # with r = (n/(n − 1))^{1/T} the U7 condition is linear in λ: λ (r (1 − 1/n) − (1 − 1/(n − 1))) < r − 1
    less = math.expm1(math.log1p(1 / (n - 1)) / integer(layers, "layers", 1))  # r − 1
    return less / (less * (1 - 1 / n) + 1 / (n * (n - 1)))


def hump_mixing(slope: float, layers: int | None) -> float:
    """U8: beyond it a hump near the end, as n → ∞. May exceed 1: then no λ makes one."""
    return 2 * math.exp(slope) / (1 if layers is None else layers + 1)


def spike_mixing(slope: float, layers: int | None) -> float:
    """U8: up to it the last token's share is at least that of the one before, as n → ∞. ∞ for m = 0, S continuous."""
    away = -math.expm1(-slope)
    below = away if layers is None else layers * away + 1
    return math.exp(slope) / below if below else math.inf

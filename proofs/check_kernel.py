"""Somebody's own kernel, one or T of them: is it causal, do its rows sum to 1, is it stochastically monotone?

    monotone:  F(i, k) ≤ F(i+1, k) for all i and k ≥ 2,   F(i, k) = Σ_{j≥k} A_ij

What is no causal kernel is refused with the cell named. The rest is described. Exact here: every comparison, on the
numbers as the file gives them. Three-valued: a positive defect that is no larger than what the file's own rounding
explains (twice the largest row-sum defect plus the rounding of the entries) is undecided; where every row sums to 1
exactly nothing was rounded, and the answer is yes or no. Numeric here: the size of a defect, the profile.
Not covered: which rounding a file went through; kernels that read the future.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numeric.refuse import flag, shown
from numeric.three_valued import all_of
from proofs.diagonals import Diagonals
from proofs.kernel_file import NAME, KernelFile, Layer
from proofs.layer_pairs import order_of_layers
from proofs.positive_minors import totally_positive

__all__ = ["Description", "RowSum", "Worst", "describe"]

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class RowSum:
    """The row whose sum is furthest from 1, counted from 1, and by how much."""

    layer: int
    row: int
    defect: Fraction


@dataclass(frozen=True)
class Worst:
    """F(i, k) − F(i+1, k) = defect > 0, all counted from 1; ``explained`` is what rounding accounts for there."""

    layer: int
    i: int
    k: int
    defect: float
    explained: float

    @property
    def beyond_rounding(self) -> bool:
        return self.explained == 0 or self.defect > self.explained


@dataclass(frozen=True)
class Description:
    """T causal kernels of size n. monotone: one answer per layer, None where it is undecided.

    worst: the largest defect there is, or None. diagonals: which are positive, which below 1, by the file's numbers.
    alike: whether all layers are the same. positive: whether all are totally positive of order 2. rising, falling:
    whether later layers are the more, or the less, local. matrices: float64 (n, n), one per layer.
    """

    size: int
    stacked: bool
    row_sum: RowSum
    layers_monotone: tuple[bool | None, ...]
    worst: Worst | None
    diagonals: Diagonals
    alike: bool
    positive: bool | None
    rising: bool | None
    falling: bool | None
    matrices: tuple[FloatArray, ...]

    @property
    def monotone(self) -> bool | None:
        """Whether every layer is monotone."""
        return all_of(self.layers_monotone)


def describe(file: KernelFile, tolerance: Fraction, *, renormalise: bool = False) -> Description:
    """What is known of the kernels in a file; InputError, with the cell, for what is no causal kernel.

    tolerance: how far a row sum may be from 1. renormalise: divide each row by its sum first.
    """
    layers = [_described(layer, t, file.stacked, tolerance, renormalise) for t, layer in enumerate(file.layers(), 1)]
    worst = [x.worst for x in layers if x.worst is not None]
    positive, leaving = zip(*(x.diagonal for x in layers), strict=True)
    furthest = max((x.row_sum for x in layers), key=lambda s: s.defect)
    rising, falling = order_of_layers(file, furthest.defect)
    return Description(
        file.size,
        file.stacked,
        furthest,
        tuple(x.monotone for x in layers),
        max(worst, key=lambda w: (w.beyond_rounding, w.defect), default=None),
        Diagonals(positive, leaving, shared=not file.stacked),
        all(x.same(layers[0]) for x in layers[1:]),
        all_of([x.positive for x in layers]),
        rising,
        falling,
        tuple(x.matrix for x in layers),
    )


@dataclass(frozen=True)
class _Described:
    """The same of one layer."""

    row_sum: RowSum
    worst: Worst | None
    diagonal: tuple[bool, bool]
    positive: bool | None
    matrix: FloatArray

    @property
    def monotone(self) -> bool | None:
        return True if self.worst is None else (False if self.worst.beyond_rounding else None)

    def same(self, other: _Described) -> bool:
        return bool((self.matrix == other.matrix).all())


def _described(layer: Layer, t: int, stacked: bool, tolerance: Fraction, renormalise: bool) -> _Described:
    where = f", layer {t}" if stacked else ""
    _require_causal(layer, where)
    ends = [(int(row.sum()), int(row[-1])) for row in map(layer.row, range(layer.size))]
    totals = [total for total, _ in ends]
    row_sum = _require_sums(totals, layer.scale, tolerance, t, where)
    wholes = totals if renormalise else [layer.scale] * layer.size
    matrix = layer.values / layer.values.sum(axis=1, keepdims=True) if renormalise else layer.values
    worst = _worst(layer, wholes, row_sum.defect, t)
    return _Described(row_sum, worst, _diagonal([own for _, own in ends], wholes), totally_positive(layer), matrix)


def _diagonal(entries: list[int], wholes: list[int]) -> tuple[bool, bool]:
    """Whether every diagonal entry is positive, and whether all but the first are below 1."""
    return min(entries) > 0, all(x < whole for x, whole in zip(entries[1:], wholes[1:], strict=True))


# --- what is refused ------------------------------------------------------------------------------------------------


def _require_causal(layer: Layer, where: str) -> None:
    values, signs = layer.values, layer.signs()
    missing = np.isnan(values)
    below = np.tri(layer.size, dtype=bool)
    masked = np.where(below, missing | (signs == 0), True).all(axis=1)
    if masked.any():
        row = int(np.argmax(masked)) + 1
        raise flag(NAME, "have rows that sum to 1", "a fully masked row", f"row {row}{where}, counted from 1")
    _refuse(missing, "be a number everywhere", values, where)
    _refuse(np.isinf(values), "be finite everywhere", values, where)
    _refuse(~below & (signs != 0), "read no later position", values, where)
    _refuse(signs < 0, "be nonnegative", values, where)


def _refuse(bad: NDArray[np.bool_], requirement: str, values: FloatArray, where: str) -> None:
    if bad.any():
        i, j = (int(x) for x in np.argwhere(bad)[0])
        found = shown(values[i, j]) if values[i, j] else "a number too small for a float"
        raise flag(NAME, requirement, found, f"row {i + 1}, column {j + 1}{where}, counted from 1")


def _require_sums(totals: list[int], scale: int, tolerance: Fraction, layer: int, where: str) -> RowSum:
    """The row furthest from sum 1, refused beyond the tolerance."""
    at = max(range(len(totals)), key=lambda i: abs(totals[i] - scale))
    defect = Fraction(abs(totals[at] - scale), scale)
    if defect > tolerance:
        requirement = f"have rows that sum to 1 within {float(tolerance):g}"
        raise flag(NAME, requirement, _rounded(Fraction(totals[at], scale)), f"row {at + 1}{where}, counted from 1")
    return RowSum(layer, at + 1, defect)


def _rounded(x: Fraction) -> str:
    try:
        return repr(float(x))
    except OverflowError:
        return "a number too large for a float"


# --- monotone -------------------------------------------------------------------------------------------------------


def _worst(layer: Layer, denominators: list[int], defect: Fraction, t: int) -> Worst | None:
    """The largest F(i, k) − F(i+1, k) > 0, tails over the rows' denominators; one beyond rounding before any other."""
    worst: Worst | None = None
    upper = _tails(layer, 0)
    for i in range(1, layer.size):
        lower, upper = upper, _tails(layer, i)
        excess, unit = _excess(lower, upper, denominators[i - 1], denominators[i])
        # the largest first: where it is beyond rounding, no other cell of the row need be looked at
        for k in sorted(np.flatnonzero(excess > 0).tolist(), key=excess.__getitem__, reverse=True):
            here = Worst(t, i, k + 2, excess[k] / unit, _explained(layer, lower, upper, k + 1, defect))
            if worst is None or (here.beyond_rounding, here.defect) > (worst.beyond_rounding, worst.defect):
                worst = here
            if here.beyond_rounding:
                break
    return worst


def _excess(lower: NDArray[Any], upper: NDArray[Any], below: int, above: int) -> tuple[NDArray[Any], int]:
    """unit · (F(i, k) − F(i+1, k)) for k = 2..i as exact integers, and the unit."""
    if below == above:
        return lower[1:] - upper[1:-1], below
    return lower[1:] * above - upper[1:-1] * below, below * above


def _tails(layer: Layer, i: int) -> NDArray[Any]:
    """scale · F(i, k) for k = 0..i, exact integers."""
    return np.add.accumulate(layer.row(i)[::-1])[::-1]


def _explained(layer: Layer, lower: NDArray[Any], upper: NDArray[Any], k: int, defect: Fraction) -> float:
    """By how much rounding may have turned the two tails from k on against each other; 0 where no row was rounded.

    A row-sum defect is rounding made visible, so the largest one counts for either row.
    """
    if defect == 0:
        return 0.0
    entries = len(lower) - k + len(upper) - k
    mass = (lower[k] + upper[k]) / layer.scale
    return float(2 * defect + layer.absolute * entries) + float(layer.relative) * float(mass)

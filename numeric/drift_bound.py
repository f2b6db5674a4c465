"""How far drift can fail where kernels are not quite monotone: D8.

    η(A) = max over i < i', k of (F_A(i, k) − F_A(i', k))^+,     η(A) = 0 iff A is stochastically monotone

The rollout of t layers has η ≤ E_t = 1 − Π_{s≤t} (1 − λ_s η(A_s)) ≤ Σ_{s≤t} λ_s η(A_s). A layer on top of T layers
raises no tail of the profile by more than E_T, whatever its kernel and its λ; raising λ_1, …, λ_T to 1 raises none by
more than Σ_t (1 − λ_t) δ_t E_{t−1}, δ_t = max_i (1 − A^(t)_ii). With η = 0 these are D1 and D2: the drift is one-sided.

Exact here: kernels known to be monotone, whose η is 0. Numeric here: the others, in floats, moved up by what rounding
may have taken: a tail errs by at most n · 2^−53, a difference of two by twice that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numeric.kernel import Dense
from numeric.order import tails
from numeric.refuse import flag, square
from numeric.schedule import Mixing, mixing_values

__all__ = ["DriftBound", "drift_bound", "monotonicity_gap"]

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class DriftBound:
    """gaps : η(A_t), (T,). on_top, raised : by how much a tail of the profile can go the wrong way, at most."""

    gaps: tuple[float, ...]
    on_top: float
    raised: float

    def loosened(self, defect: float) -> DriftBound:
        """For kernels whose rows sum to 1 ± defect, where these bounds are for the rows divided by their sums.

        Every path through T + 1 layers weighs between (1 − defect)^(T+1) and (1 + defect)^(T+1) times what it does.
        """
        count = len(self.gaps) + 1
        slack = (1 + defect) ** count - (1 - defect) ** count
        return DriftBound(self.gaps, self.on_top + slack, self.raised + slack)


def monotonicity_gap(a: FloatArray) -> float:
    """η of a causal kernel (n, n), from above: 0 only if its floats show no defect that rounding could not have hidden.

    >>> monotonicity_gap(np.array([[1.0, 0.0], [0.5, 0.5]])) < 1e-15
    True
    """
    n = len(square(a, "a"))
    if n < 2:
        return 0.0
    rows = tails(a)[:, 1:]
    highest = np.maximum.accumulate(rows, axis=0)
    return float(max(0.0, (highest[:-1] - rows[1:]).max()) + 2 * n * 2.0**-53)


def _facts(matrices: Iterable[FloatArray], known: Sequence[bool | None]) -> tuple[FloatArray, FloatArray]:
    """η and δ, (T,) each, layer by layer. Raises InputError unless all are causal kernels of one size."""
    sizes: set[int] = set()
    gaps, leave = list[float](), list[float]()
    for number, a in enumerate(matrices):
        sizes.add(Dense(a).size)
        sure = known[number] if number < len(known) else None
        gaps.append(0.0 if sure else monotonicity_gap(a))
        leave.append((1 - np.diagonal(a)).max())
    if len(sizes) > 1:
        raise flag("matrices", "have one size in common", f"{min(sizes)} and {max(sizes)}")
    return np.array(gaps), np.array(leave)


def drift_bound(
    matrices: Iterable[FloatArray], lam: Mixing, *, monotone: Sequence[bool | None] | None = None
) -> DriftBound:
    """The bounds for causal kernels (T,) of one size, layer 1 first, with λ_1 … λ_T; each is looked at once, so that
    they may come one by one.

    monotone : True for the layers that are known to be, exactly. Raises InputError for a length that differs.
    """
    gaps, leave = _facts(matrices, () if monotone is None else monotone)
    layers = len(gaps)
    if monotone is not None and len(monotone) != layers:
        raise flag("monotone", f"have one answer per layer ({layers})", f"{len(monotone)} of them")
    mixing = mixing_values(lam, layers)
    moved = np.minimum(mixing * gaps, 1.0)
    room = (4 * layers + 4) * 2.0**-53  # absolute: E_t is a difference from 1
    below = np.append(0.0, 1 - np.cumprod(1 - moved) + room * (np.cumsum(moved) > 0))  # E_0, …, E_T from above
    raised = float(((1 - mixing) * leave * below[:-1]).sum()) * (1 + room)
    return DriftBound(tuple(gaps.tolist()), min(1.0, float(below[-1])), min(1.0, raised))

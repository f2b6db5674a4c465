"""One layer of the second-moment model: what going backward through it does to the mean products E⟨g_i, g_i'⟩.

    attention   g_j ← g_j + (1/σ_j) Σ_h W_hᵀ Σ_i A^h_ij g_i     W_h of mean 0, E⟨W_hᵀa, W_h'ᵀb⟩ = c_hh' ⟨a, b⟩
    MLP         g_i ← g_i + M_iᵀ g_i                  mean 0, E⟨M_iᵀa, M_i'ᵀb⟩ = m_i m_i' κ_ii' ⟨a, b⟩, κ_ii = 1

so with G(i, i') = E⟨g_i, g_i'⟩, D = diag(1/σ_j) and ∘ entry by entry

    attention   G ← G + Σ_hh' c_hh' D A_hᵀ G A_h' D       MLP   G ← G + (m mᵀ ∘ κ) ∘ G

Maps of different layers are independent. Those of one layer's heads are where c is diagonal, c_hh = s_h², as Q1
has it; a trained model's heads share directions, and c then has other entries. Going backward the MLP is met first; in
a parallel block both act on the same G. Theory Q1, beyond arXiv:2602.16837.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numeric.kernel import Alibi, HeadAverage, Kernel
from numeric.refuse import flag, real, refusal, several, square, vector

__all__ = ["MomentLayer", "checked_layers"]

FloatArray = NDArray[np.float64]
# 1 + m² and s²/σ² are at most this: a hundred of them in a row stay within what a rescaled row can lose in one layer
LARGEST = 1e12
SMALLEST_NORM = 1e-6
ROUNDING = 1e-9  # computed inner products of some thousand numbers miss Cauchy-Schwarz, and semidefiniteness, by less


@dataclass(frozen=True, init=False, eq=False)
class MomentLayer:
    """Heads A_h, gains s_h² (heads,) or c (heads, heads), norms σ, MLP strengths m and their coherence κ.

    heads : single heads, all causal kernels for one n. gains : number or (heads,), in [0, 1e12]; or (heads, heads),
    symmetric and positive semidefinite up to rounding, the diagonal in [0, 1e12]. norm : σ, number or
    (n,), at least 1e−6. mlp : m, number or (n,), in [0, 1e6]. coherence : κ, a number in [0, 1] for all pairs, or
    (n, n), symmetric with unit diagonal and entries in [−1, 1]. Of κ it is not
    checked whether it is positive semidefinite; squares that come out negative for it are refused where they do.
    parallel : whether MLP and attention read the same stream.

    Raises InputError for anything else.
    """

    heads: tuple[Kernel, ...]
    gains: FloatArray
    norm: FloatArray
    mlp: FloatArray
    coherence: FloatArray
    parallel: bool

    def __init__(
        self,
        heads: Sequence[Kernel],
        gains: ArrayLike,
        *,
        norm: ArrayLike = 1.0,
        mlp: ArrayLike = 0.0,
        coherence: ArrayLike = 1.0,
        parallel: bool = False,
    ) -> None:
        if isinstance(heads, Kernel) or not all(isinstance(head, Kernel) for head in heads):
            raise refusal("heads", "be a sequence of kernels", heads)
        for number, head in enumerate(heads, start=1):
            if isinstance(head, HeadAverage) or (isinstance(head, Alibi) and head.slopes.size > 1):
                raise flag("heads", "be single heads", f"an average of several (head {number})")
        if not isinstance(parallel, bool):
            raise refusal("parallel", "be True or False", parallel)
        values = {
            "heads": tuple(heads),
            "gains": _per_head(gains, len(heads)),
            "norm": _in_range(norm, "norm", SMALLEST_NORM, LARGEST),
            "mlp": _in_range(mlp, "mlp", 0.0, LARGEST**0.5),
            "coherence": _coherence(coherence),
            "parallel": parallel,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def require(self, n: int) -> None:
        """Raises InputError unless everything is defined for n positions."""
        for head in self.heads:
            head.require(n)
        for name in ("norm", "mlp", "coherence"):
            value: FloatArray = getattr(self, name)
            if value.ndim and len(value) != n:
                raise refusal(name, f"be a number or {n} numbers, one per position", len(value))


def checked_layers(layers: Sequence[MomentLayer], n: int) -> tuple[MomentLayer, ...]:
    """The layers, layer 1 first, each defined for n positions. Raises InputError otherwise."""
    found = tuple(layers)
    for number, layer in enumerate(found, start=1):
        if not isinstance(layer, MomentLayer):
            raise refusal("layers", "be moment layers", layer, f"layer {number}")
        layer.require(n)
    return found


def _per_head(gains: ArrayLike, heads: int) -> FloatArray:
    if np.ndim(gains) == 2:
        return _between_heads(gains, heads)
    found = _in_range(gains, "gains", 0.0, LARGEST)
    if found.ndim and found.size != heads:
        raise flag("gains", f"be a number or one number per head ({heads})", f"{found.size} of them")
    return np.broadcast_to(found, (heads,))


def _between_heads(gains: ArrayLike, heads: int) -> FloatArray:
    found = square(gains, "gains")
    if len(found) != heads:
        raise flag("gains", f"have one row per head ({heads})", f"{len(found)} of them")
    own = np.sqrt(_in_range(np.diag(found).copy(), "gains", 0.0, LARGEST))
    if not np.array_equal(found, found.T) or (np.abs(found) > (1 + ROUNDING) * np.outer(own, own)).any():
        raise flag("gains", "be inner products: symmetric, |c_hh'| <= sqrt(c_hh c_h'h')", "not so")
    least = float(np.linalg.eigvalsh(found)[0])
    if least < -ROUNDING * np.trace(found):
        raise flag("gains", "be inner products: positive semidefinite", f"with the eigenvalue {least:.3g}")
    return found


def _in_range(values: ArrayLike, name: str, low: float, high: float) -> FloatArray:
    if isinstance(values, np.ndarray) and values.ndim == 0:
        values = values.item()
    found = vector(values, name) if several(values) else np.float64(real(values, name))
    outside = (found < low) | (found > high)
    if np.any(outside):
        raise refusal(name, f"lie in [{low:g}, {high:g}]", np.atleast_1d(found)[int(np.argmax(outside))])
    return np.asarray(found)


def _coherence(values: ArrayLike) -> FloatArray:
    if not several(values):
        return _in_range(values, "coherence", 0.0, 1.0)
    found = square(values, "coherence")
    if not (np.abs(found) <= 1).all() or not (np.diag(found) == 1).all():
        raise flag("coherence", "have a unit diagonal and entries in [-1, 1]", "others")
    if not np.array_equal(found, found.T):
        raise flag("coherence", "be symmetric", "not so")
    return found

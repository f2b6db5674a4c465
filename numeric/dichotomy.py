"""Infinite depth: does every row of the rollout end on the first token (collapse), or not, or is that undecided?

Decided exactly, from whether Σ λ_t is finite, which λ_t are 1, and what is known of δ_{t,i} = 1 − A^(t)_ii:

  a shared kernel    some A_ii = 1, i ≥ 2: no collapse (I1). Otherwise collapse if Σ λ_t = ∞ (I3, I4). If Σ λ_t < ∞,
                     the number K of hops equals the number k of layers with λ_t = 1 with positive probability and is
                     never smaller, so collapse iff (A^k)_{i1} = 1 for every i (C1), that is, iff no row i ≥ 2 has
                     A_ii > 0 and no path to token 1 is longer than k.
  δ_{t,i} ≥ ε > 0    collapse if Σ λ_t = ∞ (I3, I4), or if ε λ_t = 1 in n − 1 layers (I5). No collapse if Σ λ_t < ∞ and
                     every λ_t < 1 (I2). Otherwise a layer with λ_t = 1 may carry all rows to token 1, or not.
  nothing            no collapse if Σ λ_t < ∞ and every λ_t < 1 (I2), else undecided.

Theory section 4; arXiv:2602.16837. Not covered: kernels that change with the layer and are known one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from numeric.endless import Endless
from numeric.shared_kernel import SharedKernel

__all__ = ["Dichotomy", "decide_collapse"]

Verdict = Literal["collapse", "no collapse", "undecided"]


@dataclass(frozen=True)
class Dichotomy:
    """verdict; statements : names of those that decide it; reason : one sentence; needed : what would decide it."""

    verdict: Verdict
    statements: tuple[str, ...]
    reason: str
    needed: str = ""


def decide_collapse(lam: Endless, n: int, known: SharedKernel | Fraction | None) -> Dichotomy:
    """Whether P^(T)_{i1} → 1 for every row i ≤ n. known : a shared kernel of n positions, ε in (0, 1], or nothing."""
    if n == 1:
        return Dichotomy("collapse", ("I1",), "one position: P_11 = 1 at every depth")
    if isinstance(known, SharedKernel):
        return _shared(lam, known)
    return _bounded(lam, n, known) if known is not None else _unknown(lam)


def _shared(lam: Endless, kernel: SharedKernel) -> Dichotomy:
    if (row := kernel.still) is not None:
        return Dichotomy("no collapse", ("I1",), f"row {row} never moves: A_{row},{row} = 1, so its diagonal stays 1")
    if lam.summable is False:
        return Dichotomy("collapse", ("I3", "I4"), "Σ λ_t = ∞, and 1 − A_ii > 0 for every row i ≥ 2 of the kernel")
    paths = kernel.longest
    if paths is not None and paths <= lam.ones:
        reason = f"{_layers(lam.ones)} with λ_t = 1, and no path of the kernel to token 1 is longer"
        return Dichotomy("collapse", ("C1",), reason)
    if lam.summable is None:
        return _ended(lam)
    if lam.ones == 0:
        return _summable()
    if (row := kernel.waits) is not None:
        reason = f"Σ λ_t < ∞, and no factor 1 − λ_t (1 − A_ii) of row {row} vanishes, since A_{row},{row} > 0"
        return Dichotomy("no collapse", ("I2",), reason)
    reason = f"Σ λ_t < ∞, and some row is {_hops(paths)} from token 1, more than the {_layers(lam.ones)} with λ_t = 1"
    return Dichotomy("no collapse", ("C1",), reason)


def _bounded(lam: Endless, n: int, epsilon: Fraction) -> Dichotomy:
    if lam.summable is False:
        return Dichotomy("collapse", ("I3", "I4"), f"Σ λ_t = ∞, and 1 − A_ii ≥ {epsilon} for every layer and row i ≥ 2")
    if epsilon == 1 and lam.ones >= n - 1:
        return Dichotomy("collapse", ("I5",), f"{_layers(lam.ones)} with λ_t = 1 and A_ii = 0, at least n − 1")
    if lam.summable is None:
        return _ended(lam)
    if lam.ones == 0:
        return _summable()
    return _vanishing(lam) if epsilon < 1 else _vanishing(lam, "the kernels of the layers with λ_t = 1")


def _unknown(lam: Endless) -> Dichotomy:
    if lam.summable is None:
        return _ended(lam)
    if lam.summable:
        return _summable() if lam.ones == 0 else _vanishing(lam)
    reason = (
        "Σ λ_t = ∞, but nothing is known of 1 − A_ii, and Σ λ_t = ∞ alone gives no collapse: with λ_t = 1 and "
        "A_ii = 1 − 1/(t+1)² the diagonal tends to 1/2"
    )
    needed = (
        "a kernel, a bound 1 − A_ii ≥ ε > 0 for every layer and row i ≥ 2 (--epsilon), or whether Σ λ_t (1 − A_ii) = ∞"
    )
    return Dichotomy("undecided", ("I4",), reason, needed)


def _summable() -> Dichotomy:
    reason = "Σ λ_t < ∞ and every λ_t < 1: P_ii ≥ Π (1 − λ_t) > 0 for all kernels"
    return Dichotomy("no collapse", ("I2",), reason)


def _vanishing(lam: Endless, needed: str = "") -> Dichotomy:
    reason = f"Σ λ_t < ∞, but {_layers(lam.ones)} with λ_t = 1 may carry every row to token 1, if A_ii = 0 there"
    softmax = "whether A_ii > 0 for one row i ≥ 2 wherever λ_t = 1, as for every softmax: then there is no collapse"
    return Dichotomy("undecided", ("I2",), reason, needed or softmax)


def _ended(lam: Endless) -> Dichotomy:
    reason = f"the list of λ_t ends at layer {len(lam.head)}, and what follows decides"
    return Dichotomy("undecided", ("I2", "I3"), reason, "how the list goes on: LIST then RULE")


def _layers(count: int) -> str:
    return f"{count} layer" if count == 1 else f"{count} layers"


def _hops(count: int | None) -> str:
    return f"{count} hop" if count == 1 else f"{count} hops"

"""p^(T) = e_n R_T ⋯ R_1, R_t = (1 − λ_t) I + λ_t A_t: the last row of the attention rollout.

Row j of the result is the share of token j in the last output (S1; arXiv:2602.16837). `profile_by_rows` uses T
row recursions v ← (1 − λ_t) v + λ_t (v A_t), t = T … 1, from v = e_n, and never a matrix; `profile_dense` multiplies
the n × n matrices and is kept as its oracle. `profile` takes stacks of uniform and ALiBi heads through all layers in
one sweep over the positions (`numeric.sweep`), where that is quicker, and every other stack row by row. Layer 1,
kernels[0], is the one nearest the input.

By convention: T = 0 gives e_n, n = 1 gives (1), λ_t = 0 skips its layer. Numeric here: every entry is a sum of
products of nonnegative numbers. By rows its relative error is at most T times that of one row recursion, plus
3T · 2^−53; a sweep errs by `numeric.sweep.sweep_roundings` in the worst case, and sets shares below 1e−270 to 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, overload

import numpy as np
from numpy.typing import NDArray

from numeric.kernel import Kernel
from numeric.refuse import flag, positions, refusal
from numeric.schedule import Mixing, mixing_values
from numeric.sweep import swept

__all__ = ["checked_stack", "profile", "profile_by_rows", "profile_dense"]

FloatArray = NDArray[np.float64]


@overload
def profile(kernels: Sequence[Kernel], lam: Mixing, *, n: int, bound: Literal[False] = False) -> FloatArray: ...
@overload
def profile(
    kernels: Sequence[Kernel], lam: Mixing, *, n: int, bound: Literal[True]
) -> tuple[FloatArray, FloatArray]: ...
def profile(
    kernels: Sequence[Kernel], lam: Mixing, *, n: int, bound: bool = False
) -> FloatArray | tuple[FloatArray, FloatArray]:
    """p_j = (R_T ⋯ R_1)_{nj} without a matrix where the kernels are known by structure; O(T n) per head.

    kernels : (T,) kernels, layer 1 first (one shared kernel is [kernel] * T). lam : one number for every layer, a
    schedule, or (T,) numbers, in [0, 1]. n : length, at least 1. Returns p : (n,), position 0 first; with ``bound`` the
    pair (p, b) of `numeric.error_bound`, |p_j − exact_j| ≤ b_j proven, which is sharper and slower.
    Raises InputError for anything else, before work starts.

    >>> from numeric.kernel import Uniform
    >>> profile([Uniform()] * 2, 0.5, n=3)
    array([0.31944444, 0.23611111, 0.44444444])
    """
    if not isinstance(bound, bool):
        raise refusal("bound", "be True or False", bound)
    if bound:
        from numeric.error_bound import bounded_profile

        return bounded_profile(kernels, lam, n=n)
    layers, mixing = checked_stack(kernels, lam, n)
    p = swept(layers, mixing.tolist(), n)
    return profile_by_rows(kernels, lam, n=n) if p is None else p


def profile_by_rows(kernels: Sequence[Kernel], lam: Mixing, *, n: int) -> FloatArray:
    """The same last row by T row recursions, one layer after the other: any kernel, O(T n) per ALiBi head."""
    layers, mixing = checked_stack(kernels, lam, n)
    v = np.zeros(n)
    v[-1] = 1.0
    for kernel, share in zip(reversed(layers), reversed(mixing.tolist()), strict=True):
        if share > 0:
            v = (1 - share) * v + share * kernel.apply(v)
    return v


def profile_dense(kernels: Sequence[Kernel], lam: Mixing, *, n: int) -> FloatArray:
    """The same last row from the product of n × n matrices, bottom layer first: the oracle, O(T n³)."""
    layers, mixing = checked_stack(kernels, lam, n)
    rollout = np.eye(n)
    for kernel, share in zip(layers, mixing, strict=True):
        rollout = ((1 - share) * np.eye(n) + share * kernel.matrix(n)) @ rollout
    return np.asarray(rollout[-1])


def checked_stack(kernels: Sequence[Kernel], lam: Mixing, n: int) -> tuple[tuple[Kernel, ...], FloatArray]:
    """The kernels and λ_1 … λ_T, if they are such for n positions. Raises InputError for anything else."""
    if isinstance(kernels, Kernel):
        raise flag("kernels", "be a list with one kernel per layer", "a single kernel (use [kernel] * T)")
    if not isinstance(kernels, (list, tuple)):
        raise refusal("kernels", "be a list with one kernel per layer", kernels)
    length = positions(n)
    for layer, kernel in enumerate(kernels, start=1):
        if not isinstance(kernel, Kernel):
            raise refusal("kernels", "be kernels", kernel, f"layer {layer}")
        if kernel.size is not None and kernel.size != length:
            raise refusal("n", f"be {kernel.size}, the length of the kernel", length, f"layer {layer}")
        kernel.require(length)
    return tuple(kernels), mixing_values(lam, len(kernels))

"""One sweep over the positions for a whole stack of ALiBi heads, from n down to 1: all layers advance together.

What layer t makes of position i needs its input at i and one number per head, U = Σ_{i'>i} q^{i'−i−1} x_{i'}: the state
that crosses a position is T × H numbers, and no row of n numbers per head is ever held. With z_i, a, s, q as in
`numeric.alibi_stack`, v the row that enters the layer and x = v/z,

    out_i = (1 − λ) v_i + Σ_h λα a x_i + Σ_h λα s U_h,    U_h ← q U_h + x_i.

`sweep` does this in NumPy: layer t stands t positions above the layer below it, so that one step takes every layer one
position on. `numeric.sweep_numba` is the same sum as compiled loops; `numeric.profile.profile_by_rows` is the oracle of
both.

Numeric here: all terms are nonnegative, so relative errors add up; U is rounded at each of up to n steps, where
`profile_by_rows` needs 12 log₂ n roundings. `sweep_roundings` counts the worst case; roundings that are like chance
leave the square root of it. Shares below 1e−270 become 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from numeric.alibi_stack import FLUSH, AlibiStack, alibi_stack, geometric_sums
from numeric.kernel import Kernel

__all__ = ["compiled", "suited", "sweep", "sweep_roundings", "swept"]

FloatArray = NDArray[np.float64]
Sweep = Callable[[AlibiStack, int], FloatArray]
TABLE = 1 << 18  # numbers S worked out at once, 2 MB
# from this many heads × layers × positions on compiled loops are worth the moment it takes to load them
COMPILED_FROM = 1 << 17
# microseconds: a step of `sweep`, and its part per layer and head; a layer of rows, and its part per head and position
STEP, STEP_HEAD, ROW, ROW_HEAD = 30.0, 0.006, 200.0, 0.06


def swept(layers: Sequence[Kernel], shares: Sequence[float], n: int) -> FloatArray | None:
    """The profile by the sweep that suits its size; None where rows are quicker or a head is neither uniform nor ALiBi.

    layers, shares : checked kernels and λ, layer 1 first.
    """
    stack = alibi_stack(layers, shares, n)
    found = None if stack is None else suited(stack, n)
    return None if stack is None or found is None else found(stack, n)


def suited(stack: AlibiStack, n: int) -> Sweep | None:
    """The sweep that suits the size of the work; None where the row recursion does."""
    depth, heads = stack.own.shape
    fast = compiled() if depth * heads * n >= COMPILED_FROM else None
    if fast is not None:
        return fast
    by_steps = (n + depth) * (STEP + STEP_HEAD * depth * heads)
    by_rows = depth * (ROW + ROW_HEAD * heads * n)
    return sweep if by_steps < by_rows else None


def sweep_roundings(layers: Sequence[Kernel], shares: Sequence[float], n: int) -> float | None:
    """How many roundings of 2^−53 an entry of `swept` may carry, all layers together; None where that gives no row.

    Each layer: 100 for exponentials within 4 units in the last place, their quotients and products, one for each head
    that is added up, and those of U. A step takes U to U + (x − δU), which rounds once relative to the new U, at least
    (1 − δ) U, and δU, δ and the difference relative to δU: 10 times δ/(1 − δ) = e^m − 1. Beyond m = 1 it is q U + x,
    10 in all. x ≤ 1e8, so U is below 1e−270 after 650/m steps.
    """
    stack = alibi_stack(layers, shares, n)
    if stack is None or suited(stack, n) is None:
        return None
    m = stack.slopes
    each = np.where(m <= 1, 1 + 10 * np.expm1(np.minimum(m, 1)), 10)
    most = (each * np.minimum(n, np.ceil(650 / np.maximum(m, 1e-9)))).max(axis=1)
    return float((100 + m.shape[1] + most[stack.row]).sum())


@cache
def compiled() -> Sweep | None:
    """The compiled sweep, or None where numba (the extra ``fast``) is not installed."""
    try:
        from numeric.sweep_numba import sweep_compiled
    except ImportError:
        return None
    return sweep_compiled


def sweep(stack: AlibiStack, n: int) -> FloatArray:
    """p : (n,), the last row of the rollout, in n + layers steps of NumPy."""
    depth, heads = stack.own.shape
    p, state, v = np.zeros(n), np.zeros((depth, heads)), np.zeros(depth)
    step = _stepper(stack, state)
    chunk = max(16, TABLE // (len(stack.slopes) * heads))
    for last in range(n - 1, -depth, -chunk):  # where the top layer stands; the bottom one is at most at n − 1 + depth
        first = max(last - chunk + 1, 1 - depth)
        table = _sums(stack, first, last - first + depth)
        for top in range(last, first - 1, -1):
            v[0] = top == n - 1
            v[: max(0, -top)] = 0.0  # these layers have passed position 0
            out = step(v, table[:, top - first : top - first + depth])
            out[out < FLUSH] = 0.0
            v[1:] = out[:-1]
            if 0 <= top + depth - 1 < n:
                p[top + depth - 1] = out[-1]
        state[state < FLUSH] = 0.0
        if not state.any() and not v[1:].any():
            break  # nothing is carried: every earlier position has share 0
    return p


def _stepper(stack: AlibiStack, state: FloatArray) -> Callable[[FloatArray, FloatArray], FloatArray]:
    """(v, S) ↦ out, each layer at its own position, and ``state`` past it.

    v, out : (layers,). S : (rows, layers, heads).
    """
    layers, shared = np.arange(len(state)), len(stack.slopes) == 1
    keep, loss = (part if shared else part[stack.row] for part in (stack.keep, stack.loss))
    x, lost = np.empty_like(state), np.empty_like(state)  # in place: at this size an allocation costs a third more

    def step(v: FloatArray, table: FloatArray) -> FloatArray:
        np.multiply(stack.other, table[0] if shared else table[stack.row, layers], out=x)
        np.add(x, stack.own, out=x)
        np.divide(v[:, None], x, out=x)
        out = stack.stay * v + np.einsum("th,th->t", stack.at, x) + np.einsum("th,th->t", stack.on, state)
        np.multiply(loss, state, out=lost)
        np.subtract(x, lost, out=x)
        np.multiply(state, keep, out=state)
        np.add(state, x, out=state)
        return np.asarray(out)

    return step


def _sums(stack: AlibiStack, first: int, count: int) -> FloatArray:
    """S : (rows, count, heads) from position ``first`` on, 0 before position 0, which has no row."""
    before = max(0, -first)
    sums = np.zeros((len(stack.slopes), count, stack.slopes.shape[1]))
    sums[:, before:] = geometric_sums(stack.slopes, first + before, count - before)
    return sums

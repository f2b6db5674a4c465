"""One sweep over the positions for a whole stack of ALiBi heads, from n down to 1: all layers advance together.

What layer t makes of position i needs its input at i and one number per head, U = Σ_{i'>i} q^{i'−i−1} x_{i'}: the state
that crosses a position is T × H numbers, and no row of n numbers per head is ever held. With z_i, a, s, q as in
`numeric.alibi_stack`, v the row that enters the layer and x = v/z,

    out_i = (1 − λ) v_i + Σ_h λα a x_i + Σ_h λα s U_h,    U_h ← q U_h + x_i.

`sweep` does this in NumPy: layer t stands t positions above the layer below it, so that one step takes every layer one
position on. `numeric.sweep_numba` is the same sum as compiled loops; `numeric.profile.profile_by_rows` is the oracle of
both.

Numeric here: all terms are nonnegative and one step of U rounds it twice, so an entry errs relatively by at most about
(2 n + 20) · 2^−53 per layer beyond the parameters' own rounding, and by less than √n · 2^−53 where roundings are like
chance; `profile_by_rows` has 12 log₂ n + 10 instead. Shares below 1e−270 become 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from numeric.alibi_stack import FLUSH, AlibiStack, alibi_stack, geometric_sums
from numeric.kernel import Kernel

__all__ = ["compiled", "suited", "sweep", "swept"]

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

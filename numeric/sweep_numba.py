"""The sweep of `numeric.sweep` as compiled loops: blocks of positions in the cache, all layers before the next block.

A block of the row goes through all layers in place, the top one first; what crosses to the next block is one number
per layer and head. Four positions are taken at once, so that the state is read and written once for all four and one
division serves four: 1/z_0 = z_1 (z_2 z_3) / (z_0 z_1 z_2 z_3), which cannot overflow since z lies in
[1e−8, 1e8] (`numeric.alibi_stack`) but for position 0, where it is at least 1e−182. Needs numba, the extra `fast`.

Numeric here: the operations are those of `numeric.sweep`, but for the division (six roundings instead of one), for
multiply-adds that may be fused, and for the order in which heads are added up; no other freedom is given to the
compiler, for it would turn u − δu into (1 − δ)u.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from numeric.alibi_stack import FLUSH, LANES, SETTLED, AlibiStack, geometric_sums
from numeric.jit import compiled

__all__ = ["sweep_compiled"]

FloatArray = NDArray[np.float64]
Heads = tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]  # q, 1 − q, a, s, λα a, λα s
BLOCK = 256  # positions: S of 112 heads is 230 kB, within a second-level cache
SHORTEST = 32  # where every layer has slopes of its own, S of a block is that many times larger
TABLE = 1 << 17  # numbers S worked out at once: 1 MB, within a second-level cache


def _add(total: float, term: float) -> float:
    return total + term


# sums of nonnegative terms may be taken in any order: eight at a time, for instance
_plus = compiled(_add, fastmath={"reassoc", "contract"})


def _moving_heads(v: FloatArray, out: FloatArray, sums: FloatArray, u: FloatArray, heads: Heads) -> None:
    """Adds to ``out`` what heads whose S still changes give to a block v of the row, and takes their sums u past it.

    v, out : (positions,), a multiple of 4 of them. sums : (positions, at least heads), S. u, heads : (heads,).
    """
    q, delta, a, s, e, g = heads
    for j in range(v.size - 4, -1, -4):
        v0, v1, v2, v3 = v[j], v[j + 1], v[j + 2], v[j + 3]
        o0 = o1 = o2 = o3 = d0 = d1 = d2 = d3 = 0.0
        for h in range(u.size):
            z0, z1 = a[h] + s[h] * sums[j, h], a[h] + s[h] * sums[j + 1, h]
            z2, z3 = a[h] + s[h] * sums[j + 2, h], a[h] + s[h] * sums[j + 3, h]
            low, high = z0 * z1, z2 * z3
            inverse = 1.0 / (low * high)
            low, high = inverse * high, inverse * low
            r0, r1, r2, r3 = low * z1, low * z0, high * z3, high * z2
            d0, d1, d2, d3 = _plus(d0, e[h] * r0), _plus(d1, e[h] * r1), _plus(d2, e[h] * r2), _plus(d3, e[h] * r3)
            x = u[h]
            o3 = _plus(o3, g[h] * x)
            x = q[h] * x + (r3 * v3 - delta[h] * x)
            o2 = _plus(o2, g[h] * x)
            x = q[h] * x + (r2 * v2 - delta[h] * x)
            o1 = _plus(o1, g[h] * x)
            x = q[h] * x + (r1 * v1 - delta[h] * x)
            o0 = _plus(o0, g[h] * x)
            u[h] = q[h] * x + (r0 * v0 - delta[h] * x)
        out[j], out[j + 1] = out[j] + (o0 + d0 * v0), out[j + 1] + (o1 + d1 * v1)
        out[j + 2], out[j + 3] = out[j + 2] + (o2 + d2 * v2), out[j + 3] + (o3 + d3 * v3)


def _settled_heads(v: FloatArray, out: FloatArray, u: FloatArray, heads: Heads) -> None:
    """The same for heads whose z is 1, but for what they give to their own position."""
    q, delta, _, _, _, g = heads
    for j in range(v.size - 4, -1, -4):
        v0, v1, v2, v3 = v[j], v[j + 1], v[j + 2], v[j + 3]
        o0 = o1 = o2 = o3 = 0.0
        for h in range(u.size):
            x = u[h]
            o3 = _plus(o3, g[h] * x)
            x = q[h] * x + (v3 - delta[h] * x)
            o2 = _plus(o2, g[h] * x)
            x = q[h] * x + (v2 - delta[h] * x)
            o1 = _plus(o1, g[h] * x)
            x = q[h] * x + (v1 - delta[h] * x)
            o0 = _plus(o0, g[h] * x)
            u[h] = q[h] * x + (v0 - delta[h] * x)
        out[j], out[j + 1], out[j + 2], out[j + 3] = out[j] + o0, out[j + 1] + o1, out[j + 2] + o2, out[j + 3] + o3


def _flush(x: FloatArray) -> float:
    """Sets what is below `FLUSH` to 0; returns the sum of the rest."""
    total = 0.0
    for i in range(x.size):
        x[i] = x[i] if x[i] >= FLUSH else 0.0
        total = _plus(total, x[i])
    return total


def _sweep(
    p: FloatArray, sums: FloatArray, moving: NDArray[np.int64], state: FloatArray, settled: FloatArray,
    stay: FloatArray, row: NDArray[np.int64], heads: Heads,
) -> float:  # fmt: skip
    """Takes len(moving) blocks p of the row through all layers, the last block first; returns the sum of the state.

    sums : (rows, positions, heads), S; moving : (blocks, rows), how many heads have not settled; state : (layers,
    heads), changed in place; settled : (layers, heads + 1), Σ of ``at`` from a head on.
    """
    keep, loss, own, other, at, on = heads
    size = p.size // moving.shape[0]
    out = np.empty(size)
    carried = 0.0
    for block in range(moving.shape[0] - 1, -1, -1):
        v = p[block * size : (block + 1) * size]
        carried = 0.0
        for t in range(stay.size):
            r, u = row[t], state[t]
            k = moving[block, r]
            diagonal = stay[t] + settled[t, k]
            for j in range(size):
                out[j] = diagonal * v[j]
            flat = keep[r, :k], loss[r, :k], own[t, :k], other[t, :k], at[t, :k], on[t, :k]
            steep = keep[r, k:], loss[r, k:], own[t, k:], other[t, k:], at[t, k:], on[t, k:]
            if k > 0:
                _moving_compiled(v, out, sums[r, block * size : (block + 1) * size], u[:k], flat)
            _settled_compiled(v, out, u[k:], steep)
            _flush_compiled(out)
            v[:] = out
            carried += _flush_compiled(u)
    return carried


_moving_compiled = compiled(_moving_heads, fastmath={"contract"})
_settled_compiled = compiled(_settled_heads, fastmath={"contract"})
_flush_compiled = compiled(_flush)
_sweep_compiled = compiled(_sweep)


def sweep_compiled(stack: AlibiStack, n: int) -> FloatArray:
    """p : (n,), the last row of the rollout, as `numeric.sweep.sweep` has it; serial, in some MB beyond p."""
    rows, heads = stack.slopes.shape
    size = min(BLOCK, -(-n // 4) * 4, max(SHORTEST, TABLE // (rows * heads) // 4 * 4))
    blocks = -(-n // size)
    p = np.zeros(blocks * size)  # positions n and beyond hold 0, and give 0 to those before
    p[n - 1] = 1.0
    state = np.zeros(stack.own.shape)
    settled = np.zeros((len(state), heads + 1))
    settled[:, :-1] = np.cumsum(stack.at[:, ::-1], axis=1)[:, ::-1]
    parts = (stack.keep, stack.loss, stack.own, stack.other, stack.at, stack.on)
    step = max(1, TABLE // (rows * heads * size))
    for last in range(blocks, 0, -step):
        start = max(0, last - step)
        moving = _moving(stack.slopes, np.arange(start, last) * size)
        table = geometric_sums(stack.slopes[:, : moving.max()], start * size, (last - start) * size)
        part = p[start * size : last * size]
        if _sweep_compiled(part, table, moving, state, settled, stack.stay, stack.row, parts) == 0:
            break  # nothing is carried: every earlier position has share 0
    return p[:n]


def _moving(slopes: FloatArray, lowest: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many heads, from the flattest on, have not settled at position ``lowest``: (blocks, rows), whole lanes."""
    counts = np.array([[np.searchsorted(m * i, SETTLED) for m in slopes] for i in lowest])
    return np.asarray(-(-counts // LANES) * LANES, dtype=np.int64)

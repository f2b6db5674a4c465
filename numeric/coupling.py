"""f_u(i) = min{j : R_i1 + … + R_ij ≥ u}, u uniform on (0, 1]: a causal layer R as a random map, a rollout as paths.

Row i of R is the law of f_u(i), and f_u(i) ≤ i; f_u is nondecreasing for every u iff R is stochastically monotone.
With u_1 … u_T independent, one per layer, f_1(f_2(… f_T(n))) has the profile as its law. Rollouts that share the
uniforms are compared path by path: whatever hypotheses S5 asks for (each layer ≼ the other's, below the top one of the
two monotone), the path of the lower rollout never lies above the other's, which is D1 and D2 again. Sampling itself
asks nothing of a kernel but to be causal. (One u for all layers is wrong: it correlates the steps.) Theory S6.

Exact here: a tie u = R_i1 + … + R_ij reads j; no path leaves its row; more λ with the same kernel never moves a path
up by rounding. Numeric here: the partial sums carry the rounding of one row and n additions, so about (n + 40) · 2^−53
of the mass may fall on a neighbouring position, and kernels whose tails are equal in two rows may part for that share
of all u. The empirical law obeys `dkw_bound`. Not covered: enclosures; they are in `numeric.ball`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numeric.kernel import Kernel
from numeric.refuse import flag, integer, numbers, positions, real, refusal
from numeric.schedule import Mixing, mixing_values

__all__ = ["coupled_paths", "coupling_map", "dkw_bound", "draw_uniforms", "endpoint_law", "rollout_paths"]

FloatArray = NDArray[np.float64]
Paths = NDArray[np.int64]


def coupled_paths(
    architectures: Sequence[tuple[Sequence[Kernel], Mixing]], *, n: int, paths: int, seed: int
) -> tuple[Paths, ...]:
    """Paths of several architectures that share every u: one array (paths, T + 1) per (kernels, lam), T common to all.

    Column t is the position after the t uppermost layers: column 0 is n − 1, the last column the token read, all
    counted from 0. A layer that one architecture lacks is a layer with λ_t = 0, which moves nothing.
    n, paths : at least 1. seed : integer ≥ 0; the same seed gives the same uniforms (`draw_uniforms`).

    >>> from numeric.kernel import Uniform
    >>> less, more = coupled_paths([([Uniform()] * 3, 0.25), ([Uniform()] * 3, 0.5)], n=9, paths=100, seed=1)
    >>> bool((more <= less).all())
    True
    """
    if not isinstance(architectures, (list, tuple)) or not architectures:
        raise refusal("architectures", "be a list of pairs (kernels, lam)", architectures)
    for at, pair in enumerate(architectures, start=1):
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[0], (list, tuple)):
            raise refusal("architectures", "be pairs of a list of kernels and lam", pair, f"entry {at}, from 1")
    depths = sorted({len(kernels) for kernels, _ in architectures})
    if len(depths) > 1:
        raise flag("architectures", "have one common number of layers", f"{depths[0]} and {depths[-1]}")
    u = draw_uniforms(paths, depths[0], seed)
    return tuple(rollout_paths(kernels, lam, u, n=n) for kernels, lam in architectures)


def draw_uniforms(paths: int, layers: int, seed: int) -> FloatArray:
    """Independent u in (0, 1], (paths, layers), column 0 for layer 1, from NumPy's PCG64 with this seed."""
    size = (integer(paths, "paths", 1), integer(layers, "layers", 0))
    # random() is in [0, 1): turned round, so that u = 0, which a position of weight 0 would satisfy, never occurs
    return 1.0 - np.random.Generator(np.random.PCG64(integer(seed, "seed", 0))).random(size)


def rollout_paths(kernels: Sequence[Kernel], lam: Mixing, uniforms: ArrayLike, *, n: int) -> Paths:
    """The paths n, f_T(n), f_{T−1}(f_T(n)), … as positions from 0 : (paths, T + 1), a function of the uniforms.

    kernels : (T,), layer 1 first. lam : as in `profile`. uniforms : (paths, T) in (0, 1], column 0 for layer 1. T = 0
    gives one column of n − 1, n = 1 gives zeros. Raises InputError for anything else, before work starts.

    >>> from numeric.kernel import Uniform
    >>> rollout_paths([Uniform(), Uniform()], 1, [[0.5, 0.75], [1.0, 1.0]], n=4)
    array([[3, 2, 1],
           [3, 3, 3]])
    """
    length = positions(n)
    layers = _checked(kernels, length)
    shares = mixing_values(lam, len(layers))
    u = numbers(uniforms, "uniforms", 2)
    if u.shape[1] != len(layers) or u.shape[0] == 0:
        raise flag("uniforms", f"have a row and one column per layer ({len(layers)})", f"shape {u.shape}")
    if ((u <= 0) | (u > 1)).any():
        raise refusal("uniforms", "lie in (0, 1]", u[(u <= 0) | (u > 1)][0])
    out = np.full((u.shape[0], len(layers) + 1), length - 1, dtype=np.int64)
    for step, t in enumerate(reversed(range(len(layers)))):
        out[:, step + 1] = _step(layers[t], float(shares[t]), out[:, step], u[:, t], length)
    return out


def coupling_map(kernel: Kernel, lam: float, u: float, *, n: int) -> Paths:
    """The map f_u of R = (1 − λ) I + λ A on all positions: (n,), f_u(i) ≤ i counted from 0; lam in [0, 1], u in (0, 1].

    >>> from numeric.kernel import Uniform
    >>> coupling_map(Uniform(), 0.75, 0.5, n=4)
    array([0, 1, 1, 2])
    """
    length = positions(n)
    (checked,) = _checked([kernel], length)
    share = float(mixing_values([lam], 1)[0])
    level = real(u, "u")
    if not 0 < level <= 1:
        raise refusal("u", "lie in (0, 1]", u)
    return _step(checked, share, np.arange(length), np.full(length, level), length)


def endpoint_law(paths: Paths, *, n: int) -> FloatArray:
    """The share of paths that end at each position: (n,), an empirical profile. paths : (paths, T + 1) in 0 … n − 1."""
    length = positions(n)
    if not isinstance(paths, np.ndarray) or paths.ndim != 2 or paths.dtype.kind != "i" or paths.size == 0:
        raise refusal("paths", "be an integer array with 2 axes", paths)
    if paths.min() < 0 or paths.max() >= length:
        raise flag("paths", f"lie in 0 … {length - 1}", f"from {paths.min()} to {paths.max()}")
    return np.asarray(np.bincount(paths[:, -1], minlength=length) / len(paths))


def dkw_bound(paths: int, alpha: float) -> float:
    """√(ln(2/α) / (2N)): sup_k |F_N(k) − F(k)| exceeds it with probability at most α, F_N the tails of N paths.

    paths : N, at least 1. alpha : in (0, 1]. Dvoretzky, Kiefer and Wolfowitz with Massart's constant; any law.

    >>> round(dkw_bound(20_000, 0.05), 4)
    0.0096
    """
    level = real(alpha, "alpha")
    if not 0 < level <= 1:
        raise refusal("alpha", "lie in (0, 1]", alpha)
    return math.sqrt(math.log(2 / level) / (2 * integer(paths, "paths", 1)))


def _checked(kernels: Sequence[Kernel], n: int) -> tuple[Kernel, ...]:
    if not isinstance(kernels, (list, tuple)):
        raise refusal("kernels", "be a list with one kernel per layer", kernels)
    for layer, kernel in enumerate(kernels, start=1):
        if not isinstance(kernel, Kernel):
            raise refusal("kernels", "be kernels", kernel, f"layer {layer}")
        kernel.require(n)
    return tuple(kernels)


def _step(kernel: Kernel, share: float, positions: Paths, u: FloatArray, n: int) -> Paths:
    """f_{u[k]}(positions[k]) for every k; rows are worked out only for positions that occur."""
    if share == 0:
        return positions
    out = positions.copy()
    order = np.argsort(positions, kind="stable")
    occurring, first = np.unique(positions[order], return_index=True)
    for i, group in zip(occurring.tolist(), np.split(order, first[1:]), strict=True):
        unit = np.zeros(n)
        unit[i] = 1.0
        # R_i1 + … + R_ij = λ (A_i1 + … + A_ij) for j < i; what is left, the residual included, stays at i
        below = share * np.cumsum(kernel.apply(unit)[:i])
        out[group] = np.searchsorted(below, u[group], side="left")
    return out

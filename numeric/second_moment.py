"""q_j ∝ √G(j, j): the profile of a gradient by second moments, for layers whose value–output maps are independent.

G starts as e_n e_nᵀ at the last position and goes back through the layers, T … 1, by the two updates of
`numeric.moment_layer`. Paths through the same layers and heads add up before they are squared, others after; the linear
rollout adds up all of them. Theory Q1–Q3, beyond arXiv:2602.16837.

`second_moment`           A_hᵀ G A_h by two row recurrences, O(T H n²), and n × n numbers: for BLOOM-176B's 112
                          heads, compiled, 6 times as fast as with matrices at n = 256, 11 times at 512
`second_moment_dense`     the same with matrices, O(T H n³): the oracle
`diagonal_moment`         κ = 0 with the off-diagonal left out, O(T H n) and rows only: v ← (1 + m²) v,
                          v_j ← v_j + (1/σ_j²) Σ_h s_h² Σ_i (A^h_ij)² v_i
`sampled_moment`          the model itself, with Gaussian maps drawn

Numeric here: with κ ≥ 0 all terms are nonnegative, so relative errors add up over layers as those of `Kernel.apply`
do, twice per layer. G is divided by its largest entry after each layer and the logarithm kept, so that nothing
overflows however deep the stack; entries below 1e−308 of the largest become 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import cast

import numpy as np
from numpy.typing import NDArray

from numeric.kernel import Alibi, Kernel, Prefix, Uniform
from numeric.moment_layer import ROUNDING, MomentLayer, checked_layers
from numeric.recurrence import alibi_factors, backward_sums
from numeric.refuse import flag, integer, positions

__all__ = ["Moments", "diagonal_moment", "sampled_moment", "second_moment", "second_moment_dense"]

FloatArray = NDArray[np.float64]
OverHeads = Callable[[FloatArray, Sequence[Kernel], FloatArray], FloatArray]  # (gains, heads, G) -> Σ c A^T G A
Part = tuple[FloatArray, FloatArray, FloatArray, float]  # of a prefix kernel: `_parts`
# from this many heads × positions² on compiled loops are worth the moment it takes to load them
COMPILED_FROM = 1 << 17


@dataclass(frozen=True)
class Moments:
    """profile : q (n,), nonnegative with sum 1. squares : G(j, j) (n,), divided by e^log_scale."""

    profile: FloatArray
    squares: FloatArray
    log_scale: float


def second_moment(layers: Sequence[MomentLayer], *, n: int) -> Moments:
    """q from the whole of G by row recurrences, compiled ones where numba is installed and the work is worth it.

    layers : layer 1 first, the one nearest the input; none gives e_n. n : positions.
    Raises InputError for anything else.

    >>> from numeric.kernel import Uniform
    >>> second_moment([MomentLayer([Uniform()], 1.0)], n=2).squares
    array([0.2, 1. ])
    """
    return _moments(layers, positions(n), _by_recurrences)


def second_moment_dense(layers: Sequence[MomentLayer], *, n: int) -> Moments:
    """As `second_moment`, with the matrix of every head."""
    return _moments(layers, positions(n), _by_matrices)


def _moments(layers: Sequence[MomentLayer], n: int, over_heads: OverHeads) -> Moments:
    stack = checked_layers(layers, n)
    found = np.zeros((n, n))
    found[-1, -1] = 1.0
    log_scale = 0.0
    for layer in reversed(stack):
        mlp = _mlp(layer, found, n)
        inverse = np.broadcast_to(1 / layer.norm, (n,))
        heads = over_heads(layer.gains, layer.heads, found if layer.parallel else found + mlp)
        found = found + inverse[:, None] * heads * inverse + mlp
        largest = float(np.abs(found).max())
        found, log_scale = found / largest, log_scale + math.log(largest)
    return _named(np.diag(found).copy(), log_scale)


def _mlp(layer: MomentLayer, found: FloatArray, n: int) -> FloatArray:
    """(m mᵀ ∘ κ) ∘ G."""
    m = np.broadcast_to(layer.mlp, (n,))
    coherence = layer.coherence
    if coherence.ndim == 0:
        coherence = coherence + (1 - coherence) * np.eye(n)
    return np.asarray(np.outer(m, m) * coherence * found)


def _named(squares: FloatArray, log_scale: float) -> Moments:
    # of semidefinite c and κ none is negative but by rounding, where heads cancel: within what c itself may miss
    if squares.min() < -ROUNDING:
        at = int(squares.argmin())
        raise flag("coherence", "be positive semidefinite", f"one by which G(j, j) < 0 for j = {at} from 0")
    squares = np.maximum(squares, 0.0)
    roots = np.sqrt(squares)
    return Moments(roots / math.fsum(roots), squares, log_scale)


# --- Σ_h s_h² A_hᵀ G A_h ---------------------------------------------------------------------------------------------


def _by_matrices(gains: FloatArray, heads: Sequence[Kernel], found: FloatArray) -> FloatArray:
    matrices = [head.matrix(len(found)) for head in heads]
    left = [a.T @ found for a in matrices]
    return sum((x @ a for x, a in zip(_mixed(gains, left), matrices, strict=True)), np.zeros_like(found))


def _mixed(gains: FloatArray, left: Sequence[FloatArray]) -> Sequence[FloatArray]:
    """Σ_h c_hh' X_h for each h'."""
    if gains.ndim == 1:
        return [gain * x for gain, x in zip(gains, left, strict=True)]
    return list(np.tensordot(gains, np.array(left), axes=(0, 0)))


def _by_recurrences(gains: FloatArray, heads: Sequence[Kernel], found: FloatArray) -> FloatArray:
    """Prefix heads by recurrences, all together where loops are compiled; others by their matrices."""
    n = len(found)
    parts = [_parts(head, n) for head in heads]
    if gains.ndim == 1:
        prefix = [(gain, part) for gain, part in zip(gains, parts, strict=True) if part is not None]
        loops = compiled_products() if len(prefix) * n * n >= COMPILED_FROM else None
        if loops is not None:
            others = [k for k, part in enumerate(parts) if part is None]
            rest = _by_matrices(gains[others], [heads[k] for k in others], found)
            return np.asarray(rest + loops(found, *_arrays(prefix)))
    products = [_product(head, part, n) for head, part in zip(heads, parts, strict=True)]
    right = [times(found) for times in products]  # G A_h, the transpose of A_hᵀ G
    total = np.zeros_like(found)
    for times, columns in zip(products, _mixed(gains, right), strict=True):
        total += times(columns.T)
    return total


def _product(head: Kernel, part: Part | None, n: int) -> Callable[[FloatArray], FloatArray]:
    """X ↦ XA for rows X."""
    if part is not None:
        return lambda rows: _times(rows, part)
    matrix = head.matrix(n)
    return lambda rows: np.asarray(rows @ matrix)


def _arrays(prefix: Sequence[tuple[float, Part]]) -> tuple[FloatArray, ...]:
    """Factors of the heads (heads, n), q and gains (heads,), as the compiled loops take them."""
    parts = [part for _, part in prefix]
    diagonal, off, weights = (np.array([part[k] for part in parts]) for k in range(3))
    return diagonal, off, weights, np.exp([-part[3] for part in parts]), np.array([gain for gain, _ in prefix])


@cache
def compiled_products() -> Callable[..., FloatArray] | None:
    """The compiled loops, or None where numba (the extra ``fast``) is not installed."""
    try:
        from numeric.moment_numba import products
    except ImportError:
        return None
    return cast("Callable[..., FloatArray]", products)


def _times(rows: FloatArray, part: Part) -> FloatArray:
    """X ↦ XA for X (rows, n) and a prefix kernel: a diagonal term and one backward sum."""
    diagonal, off, weights, slope = part
    sums = backward_sums(np.ascontiguousarray(off * rows), np.full(len(rows), slope))
    return np.asarray(diagonal * rows + weights * sums)


def _parts(kernel: Kernel, n: int) -> Part | None:
    """A_ii, c_i, w_j and m with A_ij = c_i e^{−m(i−j−1)} w_j for j < i; None for kernels of another kind."""
    if isinstance(kernel, (Alibi, Uniform)):
        slope = float(kernel.slopes[0]) if isinstance(kernel, Alibi) else 0.0
        content = float(kernel.content[0]) if isinstance(kernel, Alibi) else kernel.content
        diagonal, off = alibi_factors(np.array([[slope]]), np.array([[content]]), n)
        return diagonal[0], off[0], np.ones(n), slope
    if isinstance(kernel, Prefix):
        w = kernel.weights / kernel.weights.max()
        own = math.exp(kernel.content) * w
        before = backward_sums(w[None, ::-1], np.zeros(1))[0, ::-1]
        z = own + before
        z[0], own[0] = 1.0, 1.0  # the first position can only read itself
        return own / z, 1 / z, w, 0.0
    return None


# --- κ = 0: the diagonal alone --------------------------------------------------------------------------------------


def diagonal_moment(layers: Sequence[MomentLayer], *, n: int) -> Moments:
    """q from v_j alone, as if what different positions carry were uncorrelated: O(T H n) for prefix kernels.

    A million tokens of ALiBi heads take 0.05 s a head and layer on one core, and 130 MB in all. The coherence of the
    layers is not used. Where G is diagonal it is exact for one layer; later it leaves out what
    paths of one head through two positions add up to, which with κ = 0 and m > 0 dies out against the diagonal (Q3).
    Raises InputError as `second_moment` does.
    """
    length = positions(n)
    stack = checked_layers(layers, length)
    v = np.zeros(length)
    v[-1] = 1.0
    log_scale = 0.0
    for layer in reversed(stack):
        mlp = layer.mlp**2 * v
        below = v if layer.parallel else v + mlp
        heads = _squared_heads(layer, below)
        v = v + mlp + heads / layer.norm**2
        largest = float(v.max())
        v, log_scale = v / largest, log_scale + math.log(largest)
    return _named(v, log_scale)


def _squared_heads(layer: MomentLayer, v: FloatArray) -> FloatArray:
    """Σ_i Σ_h s_h² (A^h_ij)² v_i, and where heads are not independent Σ_hh' c_hh' A^h_ij A^h'_ij v_i by matrices."""
    if layer.gains.ndim == 1:
        rows = (gain * _squared_row(head, v) for gain, head in zip(layer.gains, layer.heads, strict=True))
        return sum(rows, np.zeros(v.size))
    matrices = np.array([head.matrix(v.size) for head in layer.heads])
    return np.asarray(np.einsum("hij,gij,hg,i->j", matrices, matrices, layer.gains, v, optimize=True))


def _squared_row(kernel: Kernel, v: FloatArray) -> FloatArray:
    """Σ_i A_ij² v_i: of a prefix kernel with squared factors and twice the slope."""
    parts = _parts(kernel, v.size)
    if parts is None:
        return np.asarray(v @ kernel.matrix(v.size) ** 2)
    diagonal, off, weights, slope = parts
    return np.asarray(diagonal**2 * v + weights**2 * backward_sums((off**2 * v)[None, :], np.array([2 * slope]))[0])


# --- the model itself -----------------------------------------------------------------------------------------------


def sampled_moment(
    layers: Sequence[MomentLayer], *, n: int, width: int, samples: int, seed: int
) -> tuple[FloatArray, FloatArray]:
    """Mean and standard error of ‖g_j‖², (n,) each, over draws of the maps: entries of W_h are N(0, s_h²/width), and
    M_i = m_i Σ_k L_ik Z_k with κ = L Lᵀ and Z of entries N(0, 1/width).

    Raises InputError as `second_moment` does, and for a coherence that is not positive semidefinite.
    """
    length, d = positions(n), integer(width, "width", 1)
    stack = checked_layers(layers, length)
    roots = [_root(layer, length) for layer in stack]
    matrices = [[head.matrix(length) for head in layer.heads] for layer in stack]
    draw = np.random.default_rng(seed)
    found = np.empty((integer(samples, "samples", 2), length))
    for sample in found:
        g = np.zeros((length, d))
        g[-1, 0] = 1.0
        for layer, root, heads in zip(reversed(stack), reversed(roots), reversed(matrices), strict=True):
            g = _drawn(layer, root, heads, g, draw)
        sample[:] = (g * g).sum(axis=1)
    return found.mean(axis=0), found.std(axis=0, ddof=1) / math.sqrt(len(found))


def _drawn(
    layer: MomentLayer, root: FloatArray, heads: Sequence[FloatArray], g: FloatArray, draw: np.random.Generator
) -> FloatArray:
    """One layer with its maps drawn; g (n, width)."""
    n, d = g.shape
    maps = np.einsum("ik,kab->iab", root, draw.standard_normal((n, d, d))) / math.sqrt(d)
    moved = np.broadcast_to(layer.mlp, (n,))[:, None] * np.einsum("iab,ib->ia", maps, g)
    below = g if layer.parallel else g + moved
    total = g + moved
    mix = np.diag(np.sqrt(layer.gains)) if layer.gains.ndim == 1 else _square_root(layer.gains, "gains")
    draws = np.tensordot(mix, draw.standard_normal((len(heads), d, d)), axes=1) / math.sqrt(d)
    for w, a in zip(draws, heads, strict=True):
        total = total + (a.T @ below) @ w / np.broadcast_to(layer.norm, (n,))[:, None]
    return np.asarray(total)


def _root(layer: MomentLayer, n: int) -> FloatArray:
    """L with L Lᵀ = κ."""
    kappa = layer.coherence
    if kappa.ndim == 0:
        kappa = kappa + (1 - kappa) * np.eye(n)
    return _square_root(kappa, "coherence")


def _square_root(matrix: FloatArray, name: str) -> FloatArray:
    """L with L Lᵀ = matrix, by eigenvalues: it may be singular, as κ = 1 is."""
    values, vectors = np.linalg.eigh(matrix)
    # what rounding leaves of a zero eigenvalue: n roundings of a matrix whose norm is at most n times its largest entry
    if values[0] < -(len(matrix) ** 2) * 2.0**-52 * np.abs(matrix).max():
        raise flag(name, "be positive semidefinite", f"with the eigenvalue {values[0]:.3g}")
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))

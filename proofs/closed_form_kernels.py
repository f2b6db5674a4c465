"""The kernels of a closed form as row recursions v ↦ vA over a ring.

    general   A_ij symbols, each row's first column (or diagonal) 1 minus the others
    uniform   A_ij = 1/i
    prefix    A_ij = w_j/W_i = u_j (1 − u_{j+1}) ⋯ (1 − u_i), u_i = w_i/W_i, so u_1 = 1; polynomials in u_2 … u_n
    alibi     A_ij = q^(j−1)/(1 + q + … + q^(i−1)), q = e^m
    content   A_ii = e/(i − 1 + e), A_ij = 1/(i − 1 + e) for j < i: uniform weights, the diagonal one times e = e^d

Any u_2 … u_n in (0, 1) belong to weights w, which are free up to a common factor; so the polynomial in u is the unique
one. Its like for ALiBi: 1 + q + … + q^(i−1) is the product of the cyclotomic Φ_d(q), d | i, d > 1, all irreducible.
Each layer has its own letters (index t first) or all layers share one kernel (no index t). Theory 0, S1, D4, U6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from proofs.closed_form_ring import Letter, Poly, Quotient, Ring

__all__ = ["KERNELS", "Row", "kernel_letters", "kernel_rows"]

KERNELS = ("general", "uniform", "prefix", "alibi", "content")
Row = list[Quotient]
Step = Callable[[Row, int], Row]  # (v, first) -> the entries first … n of vA; those before stay 0


def kernel_letters(kernel: str, n: int, layers: tuple[tuple[int, ...], ...], eliminate: str) -> Iterator[Letter]:
    """The letters of the kernels; ``layers`` holds the index of each kernel: (1,), …, (T,), or () for a shared one."""
    for t in layers:
        if kernel == "general":
            yield from (Letter("A", (*t, i, j)) for i in range(2, n + 1) for j in _free(i, eliminate))
        elif kernel == "prefix":
            yield from (Letter("u", (*t, i)) for i in range(2, n + 1))
        elif kernel in ("alibi", "content"):
            yield Letter("q" if kernel == "alibi" else "e", t)


def _free(i: int, eliminate: str) -> range:
    """The columns of row i that are not eliminated."""
    return range(2, i + 1) if eliminate == "first" else range(1, i)


def kernel_rows(ring: Ring, kernel: str, n: int, t: tuple[int, ...], eliminate: str) -> Step:
    """v ↦ vA for the kernel with index ``t``."""
    if kernel == "general":
        return _general(ring, n, t, eliminate)
    if kernel == "prefix":
        return _prefix(ring, n, t)
    return _prefix_weights(ring, _WEIGHTED[kernel](ring, n, t))


def _general(ring: Ring, n: int, t: tuple[int, ...], eliminate: str) -> Step:
    one = ring.constant(1)
    entries = {(1, 1): one}
    for i in range(2, n + 1):
        out = 1 if eliminate == "first" else i
        free = {(i, j): ring.letter("A", *t, i, j) for j in _free(i, eliminate)}
        entries |= {**free, (i, out): one - sum(free.values())}

    def step(v: Row, first: int) -> Row:
        moved = [ring.quotient(ring.constant(0)) for _ in v]
        for i in range(first, n + 1):
            if v[i - 1].above != 0:
                for j in range(first, i + 1):
                    moved[j - 1] += v[i - 1].scaled(entries[i, j])
        return moved

    return step


def _prefix(ring: Ring, n: int, t: tuple[int, ...]) -> Step:
    one = ring.constant(1)
    shares = [one, *(ring.letter("u", *t, i) for i in range(2, n + 1))]

    def step(v: Row, first: int) -> Row:
        moved = [ring.quotient(ring.constant(0)) for _ in v]
        later = moved[0]  # Σ_{k ≥ i} v_k (1 − u_i) ⋯ (1 − u_k)
        for i in range(n, first - 1, -1):
            here = later + v[i - 1]
            moved[i - 1] = here.scaled(shares[i - 1])
            later = here.scaled(one - shares[i - 1])
        return moved

    return step


@dataclass(frozen=True)
class _Weighted:
    """A_ij = w_j / Z_i for j < i, A_ii = c w_i / Z_i, Z_1 = c w_1."""

    weights: list[Poly]
    inverses: dict[int, Quotient]  # i -> 1 / Z_i, i ≥ 2
    own: Poly  # c


def _prefix_weights(ring: Ring, kernel: _Weighted) -> Step:
    def step(v: Row, first: int) -> Row:
        moved = [ring.quotient(ring.constant(0)) for _ in v]
        later = moved[0]  # Σ_{k > i} v_k / Z_k
        for i in range(len(v), first - 1, -1):
            if i == 1:  # A_11 = 1, whatever divides the weights
                moved[0] = v[0] + later.scaled(kernel.weights[0])
                break
            share = v[i - 1] * kernel.inverses[i]
            moved[i - 1] = (share.scaled(kernel.own) + later).scaled(kernel.weights[i - 1])
            later = later + share
        return moved

    return step


def _uniform(ring: Ring, n: int, t: tuple[int, ...]) -> _Weighted:
    one = ring.constant(1)
    return _Weighted([one] * n, {i: ring.quotient(ring.constant(Fraction(1, i))) for i in range(2, n + 1)}, one)


def _alibi(ring: Ring, n: int, t: tuple[int, ...]) -> _Weighted:
    from flint import fmpz_poly

    one, q = ring.constant(1), ring.letter("q", *t)
    number = {}
    for d in range(2, n + 1):
        coefficients = fmpz_poly.cyclotomic(d).coeffs()
        number[d] = ring.factor(sum((int(c) * q**k for k, c in enumerate(coefficients)), ring.constant(0)))
    inverses = {i: ring.quotient(one, {number[d]: 1 for d in range(2, i + 1) if i % d == 0}) for i in range(2, n + 1)}
    return _Weighted([q**k for k in range(n)], inverses, one)


def _content(ring: Ring, n: int, t: tuple[int, ...]) -> _Weighted:
    one, e = ring.constant(1), ring.letter("e", *t)
    inverses = {i: ring.quotient(one, {ring.factor(e + i - 1): 1}) for i in range(2, n + 1)}
    return _Weighted([one] * n, inverses, e)


_WEIGHTED = {"uniform": _uniform, "alibi": _alibi, "content": _content}

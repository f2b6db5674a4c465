"""Hypothesis strategies for λ, causal kernels, monotone kernels and ordered pairs, for your own property tests.

    from hypothesis import given
    from numeric.strategies import mixing, monotone_kernels

    @given(monotone_kernels(5), mixing(3))
    def test_something(kernel, lam): ...

All values are exact (`fractions.Fraction`, in tuples), valid by construction and never filtered. A kernel is a tuple of
n rows of length n with zeros beyond the diagonal. Entries of one object share a small denominator q, also drawn; q = 1
gives the 0/1 kernels, the vertices of S7, and every vertex and the interior can be reached. Each object is two
draws however large it is (q, and one byte per free cell), so thousands of cases are cheap. Shrinking leads to q = 1 and
zero tails: kernels that read token 1 only, λ = 0, weights 1.

How a monotone kernel is built: its tails F(i, k), 2 ≤ k ≤ i, are filled row by row, each clamped between
F(i − 1, k) and F(i, k − 1). Every array of tails that is nondecreasing in i and nonincreasing in k is a fixed point of
clamping, so nothing is left out, and nothing else comes out.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Literal

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.refuse import integer, refusal

__all__ = [
    "causal_kernels",
    "content_factor_pairs",
    "content_factors",
    "distance_pairs",
    "distance_weights",
    "kernel_families",
    "mixing",
    "mixing_pairs",
    "monotone_kernels",
    "ordered_pairs",
    "prefix_weights",
    "sizes",
    "weights_with_ratio",
]

Row = tuple[Fraction, ...]
Matrix = tuple[Row, ...]
Monotone = Literal["lower", "upper", "both", "neither"]
Tails = list[list[int]]  # [i][k], i = 0 … n − 1, k = 0 … n: q · F, with F(i, 0) = q and F(i, k) = 0 for k > i


def mixing(layers: int) -> SearchStrategy[Row]:
    """λ = (λ_1, …, λ_layers) in [0, 1]; both ends occur often."""
    return _cells(integer(layers, "layers", 0), 6).map(lambda drawn: tuple(_over(x, drawn[0]) for x in drawn[1]))


def mixing_pairs(layers: int) -> SearchStrategy[tuple[Row, Row]]:
    """(λ, λ') with λ_t ≤ λ'_t for every layer t; equality occurs."""

    def pair(drawn: tuple[int, list[int]]) -> tuple[Row, Row]:
        q, x = drawn
        ends = [sorted(two) for two in zip(x[:layers], x[layers:], strict=True)]
        return tuple(_over(a, q) for a, _ in ends), tuple(_over(b, q) for _, b in ends)

    return _cells(2 * integer(layers, "layers", 0), 6).map(pair)


def prefix_weights(n: int) -> SearchStrategy[Row]:
    """w = (w_1, …, w_n) > 0, small rationals in any order: numerators 1 to 8, denominators 1 to 4."""
    size = integer(n, "n", 1)
    return st.binary(min_size=size, max_size=size).map(lambda drawn: tuple(_weight(b) for b in drawn))


def content_factors() -> SearchStrategy[Fraction]:
    """e > 0, the factor of the diagonal weight: 1 (no content), below and above it."""
    return st.integers(0, 31).map(_weight)


def content_factor_pairs() -> SearchStrategy[tuple[Fraction, Fraction]]:
    """(e, e') with 0 < e ≤ e'; equality occurs."""

    def pair(drawn: bytes) -> tuple[Fraction, Fraction]:
        low, high = sorted(_weight(b) for b in drawn)
        return low, high

    return st.binary(min_size=2, max_size=2).map(pair)


def weights_with_ratio(n: int) -> SearchStrategy[tuple[Row, Row]]:
    """(w, w'), positive weights with w'_j / w_j nondecreasing in j, so that A_w ≼ A_w' (D3(b))."""
    size = integer(n, "n", 1)

    def pair(drawn: bytes) -> tuple[Row, Row]:
        w = tuple(_weight(b) for b in drawn[:size])
        ratio = sorted(_weight(b) for b in drawn[size:])
        return w, tuple(x * r for x, r in zip(w, ratio, strict=True))

    return st.binary(min_size=2 * size, max_size=2 * size).map(pair)


def distance_weights(n: int, *, nonincreasing: bool = True) -> SearchStrategy[Row]:
    """a = (a_0, …, a_{n−1}), a_0 > 0, the others ≥ 0, of a distance kernel A_ij ∝ a_{i−j}; zeros occur.

    nonincreasing : True promises a_0 ≥ a_1 ≥ … (windows among them), so that the kernel is stochastically monotone
    (D3(d)); False promises no order.
    """
    size = integer(n, "n", 1)

    def weights(drawn: bytes) -> Row:
        a = [_weight(drawn[0]), *(_weight_or_zero(b) for b in drawn[1:])]
        return tuple(sorted(a, reverse=True) if nonincreasing else a)

    return st.binary(min_size=size, max_size=size).map(weights)


def distance_pairs(n: int) -> SearchStrategy[tuple[Row, Row]]:
    """(a, a') with a'_d / a_d nonincreasing where a_d > 0, and a'_d = 0 where a_d = 0: then A_a ≼ A_a' (D3(e)).

    These are all the pairs with a'_d a_c ≥ a'_c a_d for d < c, the order of a itself being free.
    """
    size = integer(n, "n", 1)

    def pair(drawn: bytes) -> tuple[Row, Row]:
        a = (_weight(drawn[0]), *(_weight_or_zero(b) for b in drawn[1:size]))
        ratio = sorted([_weight(drawn[size]), *(_weight_or_zero(b) for b in drawn[size + 1 :])], reverse=True)
        return a, tuple(x * r for x, r in zip(a, ratio, strict=True))

    return st.binary(min_size=2 * size, max_size=2 * size).map(pair)


def causal_kernels(n: int) -> SearchStrategy[Matrix]:
    """A causal kernel: nonnegative rows that sum to 1 and read no later position. Zeros inside occur."""
    size = integer(n, "n", 1)
    return _cells(_free(size), max(6, size)).map(lambda drawn: _kernel(_sorted_tails(size, *drawn), drawn[0]))


def monotone_kernels(n: int) -> SearchStrategy[Matrix]:
    """A stochastically monotone causal kernel: F(i, k) ≤ F(i + 1, k)."""
    size = integer(n, "n", 1)
    return _cells(_free(size), max(6, size)).map(lambda drawn: _kernel(_clamped_tails(size, *drawn), drawn[0]))


def kernel_families(n: int, layers: int, *, monotone: bool = False) -> SearchStrategy[tuple[Matrix, ...]]:
    """A causal kernel for each layer, stochastically monotone if ``monotone``; two draws for all of them."""
    size, depth = integer(n, "n", 1), integer(layers, "layers", 0)
    free, tails = _free(size), _clamped_tails if monotone else _sorted_tails

    def family(drawn: tuple[int, list[int]]) -> tuple[Matrix, ...]:
        q, x = drawn
        return tuple(_kernel(tails(size, q, x[t * free : (t + 1) * free]), q) for t in range(depth))

    return _cells(depth * free, max(6, size)).map(family)


def ordered_pairs(n: int, monotone: Monotone = "both") -> SearchStrategy[tuple[Matrix, Matrix]]:
    """(A, B), causal kernels with A ≼ B; equality occurs.

    monotone : which of the two is promised to be stochastically monotone: "lower" A, "upper" B, "both", or "neither"
    (no promise). The other one is any causal kernel on its side.
    """
    size = integer(n, "n", 1)
    if monotone not in ("lower", "upper", "both", "neither"):
        raise refusal("monotone", "be lower, upper, both or neither", monotone)

    def pair(drawn: tuple[int, list[int]]) -> tuple[Matrix, Matrix]:
        q, x = drawn
        half = len(x) // 2
        first = (_clamped_tails if monotone in ("lower", "both") else _sorted_tails)(size, q, x[:half])
        second = (_clamped_tails if monotone in ("upper", "both") else _sorted_tails)(size, q, x[half:])
        # the smaller and the larger of two families of tails are tails, and monotone if both are
        lower = first if monotone == "lower" else _cellwise(min, first, second)
        upper = second if monotone == "upper" else _cellwise(max, first, second)
        return _kernel(lower, q), _kernel(upper, q)

    return _cells(2 * _free(size), max(6, size)).map(pair)


def sizes(max_n: int, max_T: int) -> SearchStrategy[tuple[int, int]]:
    """(n, T) with 1 ≤ n ≤ max_n, 0 ≤ T ≤ max_T; three quarters have n ≥ 4 and T ≥ 2 where the maxima allow it."""
    top_n, top_T = integer(max_n, "max_n", 1), integer(max_T, "max_T", 0)
    pairs = [(n, layers) for n in range(1, top_n + 1) for layers in range(top_T + 1)]
    small = [pair for pair in pairs if pair[0] < 4 or pair[1] < 2]
    large = [pair for pair in pairs if pair[0] >= 4 and pair[1] >= 2]
    copies = -(-3 * len(small) // len(large)) if large else 0  # rounded up
    return st.sampled_from(small + large * copies)


def _free(n: int) -> int:
    """The number of free tails F(i, k), 2 ≤ k ≤ i ≤ n."""
    return n * (n - 1) // 2


def _cells(count: int, largest: int) -> SearchStrategy[tuple[int, list[int]]]:
    """A denominator q ≤ largest and ``count`` integers in 0 … q."""
    draws = st.tuples(st.integers(1, largest), st.binary(min_size=count, max_size=count))
    return draws.map(lambda drawn: (drawn[0], [byte % (drawn[0] + 1) for byte in drawn[1]]))


def _sorted_tails(n: int, q: int, cells: list[int]) -> Tails:
    """Tails of any causal kernel: each row's free cells, largest first."""
    return [[q, *sorted(cells[i * (i - 1) // 2 : i * (i + 1) // 2], reverse=True), *[0] * (n - i)] for i in range(n)]


def _clamped_tails(n: int, q: int, cells: list[int]) -> Tails:
    """Tails of a monotone causal kernel: each cell clamped between the one above it and the one to its left."""
    above = [q, *[0] * n]
    rows = [above]
    at = 0
    for i in range(1, n):
        row = above.copy()
        for k in range(1, i + 1):
            row[k] = max(above[k], min(row[k - 1], cells[at]))
            at += 1
        rows.append(row)
        above = row
    return rows


def _cellwise(choose: Callable[[int, int], int], a: Tails, b: Tails) -> Tails:
    return [[choose(x, y) for x, y in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)]


def _kernel(tails: Tails, q: int) -> Matrix:
    """A_ij = F(i, j) − F(i, j + 1)."""
    return tuple(tuple(_over(x - y, q) for x, y in pairwise(row)) for row in tails)


@cache
def _over(p: int, q: int) -> Fraction:
    return Fraction(p, q)


@cache
def _weight(byte: int) -> Fraction:
    return Fraction(1 + byte % 8, 1 + byte // 8 % 4)


def _weight_or_zero(byte: int) -> Fraction:
    """0 for a quarter of all bytes and for the one that shrinking leads to."""
    return Fraction(0) if byte % 4 == 0 else _weight(byte // 4)

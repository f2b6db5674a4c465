"""Closed forms derived by hand, by U2, and by the exact profiles of numeric; cases at the edges."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod
from typing import Any

import pytest

from numeric.exact import ExactPrefix, exact_profile
from numeric.schedule import Geometric, Power
from proofs.closed_form import KERNELS, ClosedForm, Entry, derive
from proofs.closed_form_ring import Letter

ONE = Fraction(1)


def named(form: ClosedForm, position: int) -> dict[frozenset[tuple[Letter, int]], Fraction]:
    """monomial -> coefficient, with letters instead of their numbers."""
    entry = form.entries[position - 1]
    assert entry.denominator == ()
    return {frozenset((form.letters[k], power) for k, power in m): c for c, m in entry.numerator}


def letters(*pairs: tuple[str, tuple[int, ...]]) -> frozenset[tuple[Letter, int]]:
    return frozenset((Letter(base, indices), 1) for base, indices in pairs)


@pytest.mark.parametrize("T", range(5))
def test_two_positions_diagonal_eliminated(T: int) -> None:
    # p_2 = Π (1 − λ_t A_{t,2,1}), expanded over the set of layers that move
    expected = {
        letters(*(("lambda", (t,)) for t in moved), *(("A", (t, 2, 1)) for t in moved)): Fraction((-1) ** size)
        for size in range(T + 1)
        for moved in combinations(range(1, T + 1), size)
    }
    form = derive(2, T, eliminate="diagonal")
    assert named(form, 2) == expected
    first = {m: -c for m, c in expected.items() if m}
    assert named(form, 1) == first


@pytest.mark.parametrize("n", range(2, 6))
def test_one_layer(n: int) -> None:
    # p_j = λ A_{1,n,j} for 2 ≤ j < n, p_n = 1 − λ + λ A_{1,n,n}
    form = derive(n, 1)
    for j in range(2, n):
        assert named(form, j) == {letters(("lambda", (1,)), ("A", (1, n, j))): 1}
    moved = letters(("lambda", (1,)), ("A", (1, n, n)))
    assert named(form, n) == {frozenset(): 1, letters(("lambda", (1,))): -1, moved: 1}


def test_three_positions_two_layers_attention_only() -> None:
    # e_3 A² by hand: p_3 = A_33², p_2 = A_32 A_22 + A_33 A_32, p_1 = 1 − p_2 − p_3
    form = derive(3, 2, shared=True, lam=1)
    square = frozenset({(Letter("A", (3, 3)), 2)})
    p2 = {letters(("A", (2, 2)), ("A", (3, 2))): 1, letters(("A", (3, 2)), ("A", (3, 3))): 1}
    assert named(form, 3) == {square: 1}
    assert named(form, 2) == p2
    assert named(form, 1) == {frozenset(): 1, square: -1, **dict.fromkeys(p2, -1)}


def test_uniform_formula() -> None:
    # U2: p_{j+1} = C(N, j) Σ_k (−1)^k C(N−j, k) μ_{j+k}, μ_k = Π (1 − λ_t + λ_t/(k+1)), N = n − 1
    rng = random.Random(2)
    for n, T in product(range(1, 6), range(4)):
        lam = [Fraction(rng.randint(0, 7), 7) for _ in range(T)]
        mu = [prod((1 - x + x / (k + 1) for x in lam), start=ONE) for k in range(n)]
        form = derive(n, T, kernel="uniform", lam=lam)
        for j, entry in enumerate(form.entries):
            expected = comb(n - 1, j) * sum(
                ((-1) ** k * comb(n - 1 - j, k) * mu[j + k] for k in range(n - j)), Fraction(0)
            )
            assert entry.value((), {}) == expected


def test_exact_profile_agrees() -> None:
    lam = (Fraction(1, 3), Fraction(3, 4))
    weights, q = (ONE, Fraction(3), Fraction(1, 2)), Fraction(7, 5)
    values = {Letter("u", (i,)): weights[i - 1] / sum(weights[:i]) for i in (2, 3)} | {Letter("q"): q, Letter("e"): q}
    for kernel, exact in (
        ("prefix", ExactPrefix(weights)),
        ("alibi", ExactPrefix((q, q**2, q**3))),
        ("content", ExactPrefix((1, 1, 1), e=q)),
    ):
        form = derive(3, 2, kernel=kernel, shared=True, lam=lam)
        assert tuple(e.value(form.letters, values) for e in form.entries) == exact_profile([exact] * 2, lam, n=3)


def test_mixing_rules_are_exact() -> None:
    half: Any = Fraction(1, 2)
    for rule in (Power(half, 1), Geometric(half, Fraction(1, 3)), 0.1, half, [half, 0.25]):
        form = derive(3, 2, kernel="uniform", lam=rule)
        assert tuple(e.value((), {}) for e in form.entries) == exact_profile([ExactPrefix((1, 1, 1))] * 2, rule, n=3)


def test_lowest_terms() -> None:
    # Φ_2 Φ_4 divides 1 + q + q² + q³ but not the numerators of one layer; λ = 0 leaves no denominator at all
    form = derive(4, 1, kernel="alibi")
    assert [len(e.denominator) for e in form.entries] == [2, 2, 2, 2]
    assert all(e.denominator == () for e in derive(4, 3, kernel="alibi", lam=0).entries)
    assert [e.numerator for e in derive(4, 3, kernel="content", lam=0).entries] == [(), (), (), ((ONE, ()),)]


@pytest.mark.parametrize(("kernel", "shared"), list(product(KERNELS, (False, True))))
def test_edges(kernel: str, shared: bool) -> None:
    for lam in (None, "lambda", 0, 1):
        assert derive(1, 3, kernel=kernel, shared=shared, lam=lam).entries == (Entry(1, ((ONE, ()),)),)
        assert derive(2, 0, kernel=kernel, shared=shared, lam=lam).entries == (Entry(1, ()), Entry(2, ((ONE, ()),)))

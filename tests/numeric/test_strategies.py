"""numeric.strategies: what comes out is valid, nothing is missing, and it shrinks to something small."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis.strategies import SearchStrategy

from numeric import strategies
from numeric.exact import ExactDense
from numeric.order import monotonicity_defect, precedes
from numeric.refuse import InputError
from numeric.strategies import (
    _clamped_tails,
    _kernel,
    causal_kernels,
    content_factors,
    mixing,
    mixing_pairs,
    monotone_kernels,
    ordered_pairs,
    prefix_weights,
    sizes,
)

Row = tuple[Fraction, ...]
Matrix = tuple[Row, ...]
F = Fraction


def drawn(strategy: SearchStrategy[Any], examples: int = 1000) -> list[Any]:
    out: list[Any] = []

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(strategy)
    def collect(value: Any) -> None:
        out.append(value)

    collect()
    return out


@given(causal_kernels(5))
def test_causal_kernels_are_causal(a: Matrix) -> None:
    assert all(isinstance(x, Fraction) for row in a for x in row)
    assert ExactDense(a).size == 5


@given(monotone_kernels(6))
def test_monotone_kernels_are_causal_and_monotone(a: Matrix) -> None:
    assert ExactDense(a).size == 6 and monotonicity_defect(a)[0] == 0


@pytest.mark.parametrize("promise", ["lower", "upper", "both", "neither"])
def test_ordered_pairs_keep_their_promise(promise: strategies.Monotone) -> None:
    pairs = drawn(ordered_pairs(4, promise), 300)
    assert all(ExactDense(a).size == ExactDense(b).size == 4 and precedes(a, b) for a, b in pairs)
    lower = [monotonicity_defect(a)[0] == 0 for a, _ in pairs]
    upper = [monotonicity_defect(b)[0] == 0 for _, b in pairs]
    assert all(lower) or promise in ("upper", "neither")
    assert all(upper) or promise in ("lower", "neither")
    # what is not promised must not hold always: no hypothesis is met by accident
    assert not all(lower) or promise in ("lower", "both")
    assert not all(upper) or promise in ("upper", "both")
    assert sum(a != b for a, b in pairs) > 200 and any(a == b for a, b in pairs)


def test_mixing_lies_in_the_unit_interval_and_meets_both_ends() -> None:
    values = [x for lam in drawn(mixing(3)) for x in lam]
    assert all(0 <= x <= 1 for x in values)
    for end in (0, 1):
        assert values.count(Fraction(end)) > len(values) / 10
    assert sum(0 < x < 1 for x in values) > len(values) / 4


def test_mixing_pairs_are_ordered() -> None:
    pairs = drawn(mixing_pairs(3))
    assert all(0 <= x <= y <= 1 for low, high in pairs for x, y in zip(low, high, strict=True))
    assert any(low == high for low, high in pairs) and sum(low != high for low, high in pairs) > 700


def test_weights_and_factors_are_positive() -> None:
    assert all(len(w) == 5 and min(w) > 0 for w in drawn(prefix_weights(5), 300))
    factors = drawn(content_factors(), 300)
    assert min(factors) < 1 < max(factors) and 1 in factors and min(factors) > 0


def vertices(n: int) -> set[Matrix]:
    """The kernels of all nondecreasing maps f with f(i) ≤ i (S7)."""
    maps = product(*(range(i + 1) for i in range(n)))
    monotone = [f for f in maps if list(f) == sorted(f)]
    return {tuple(tuple(Fraction(f[i] == j) for j in range(n)) for i in range(n)) for f in monotone}


def test_every_vertex_of_the_monotone_polytope_comes_out() -> None:
    # Catalan(4) = 14
    corners = vertices(4)
    assert len(corners) == 14
    assert corners <= set(drawn(monotone_kernels(4), 2000))


def test_every_point_of_the_lattice_is_reached() -> None:
    # every array of tails in {0, ½, 1} for n = 3, given as cells, is left as it is
    for f22, f32, f33 in product(range(3), repeat=3):
        if f22 <= f32 and f33 <= f32:
            assert strategies._clamped_tails(3, 2, [f22, f32, f33])[1:] == [[2, f22, 0, 0], [2, f32, f33, 0]]


def test_the_interior_of_the_monotone_polytope_comes_out() -> None:
    """Tails that rise and fall strictly are a fixed point of clamping, so their own cells draw them."""
    q, cells = 7, [1, 4, 1, 6, 3, 1]
    kernel = _kernel(_clamped_tails(4, q, cells), q)
    rows = ((7, 0, 0, 0), (6, 1, 0, 0), (3, 3, 1, 0), (1, 3, 2, 1))
    assert kernel == tuple(tuple(Fraction(x, q) for x in row) for row in rows)
    assert _clamped_tails(4, q, [2, 4, 1, 6, 3, 1]) != _clamped_tails(4, q, cells)


def test_most_sizes_are_worth_something_and_the_ends_occur() -> None:
    pairs = drawn(sizes(7, 5))
    assert all(1 <= n <= 7 and 0 <= layers <= 5 for n, layers in pairs)
    assert sum(n >= 4 and layers >= 2 for n, layers in pairs) >= len(pairs) / 2
    assert (1, 0) in pairs and (7, 5) in pairs
    assert set(drawn(sizes(1, 0), 5)) == {(1, 0)}
    assert set(drawn(sizes(3, 1))) == {(n, layers) for n in (1, 2, 3) for layers in (0, 1)}


@pytest.mark.parametrize("strategy", [monotone_kernels(1), causal_kernels(1)])
def test_one_position(strategy: SearchStrategy[Matrix]) -> None:
    assert set(drawn(strategy, 5)) == {((Fraction(1),),)}


def test_no_layers() -> None:
    assert set(drawn(mixing(0), 5)) == {()} and set(drawn(mixing_pairs(0), 5)) == {((), ())}


def test_shrinking_leads_to_the_smallest_kernel() -> None:
    first = tuple(tuple(Fraction(j == 0) for j in range(4)) for _ in range(4))
    assert find(monotone_kernels(4), lambda a: True) == first
    assert find(causal_kernels(4), lambda a: True) == first
    assert find(mixing(3), lambda lam: True) == (F(0),) * 3
    assert find(prefix_weights(3), lambda w: True) == (F(1),) * 3
    # one cell is needed: one entry moves, and the denominator stays 1
    half = find(monotone_kernels(3), lambda a: a[2][0] < 1)
    assert half == ((F(1), F(0), F(0)), (F(1), F(0), F(0)), (F(0), F(1), F(0)))


def test_the_same_seed_gives_the_same_cases() -> None:
    assert drawn(ordered_pairs(5, "both"), 50) == drawn(ordered_pairs(5, "both"), 50)


@pytest.mark.parametrize(
    "call",
    [lambda: monotone_kernels(0), lambda: causal_kernels(True), lambda: mixing(-1), lambda: prefix_weights(0),
     lambda: ordered_pairs(3, "some"),  # type: ignore[arg-type]
     lambda: ordered_pairs(0, "both"), lambda: sizes(0, 1), lambda: sizes(1, -1)],
)  # fmt: skip
def test_bad_sizes_are_refused_at_once(call: Callable[[], object]) -> None:
    with pytest.raises(InputError, match="must"):
        call()

"""numeric.exact against the slow obvious Fraction rollout, and the float route against it."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq, fmpz
from hypothesis import given

from numeric.exact import ExactAverage, ExactDense, ExactKernel, ExactPrefix, exact_profile, from_flint, to_flint
from numeric.kernel import Dense, Prefix
from numeric.profile import profile
from numeric.refuse import InputError
from numeric.schedule import Geometric, Power
from numeric.strategies import causal_kernels, content_factors, mixing, prefix_weights

Row = tuple[Fraction, ...]
Matrix = tuple[Row, ...]
F = Fraction


def exactly(*values: int) -> Row:
    return tuple(F(x) for x in values)


def plain_prefix(w: Sequence[Fraction], e: Fraction) -> Matrix:
    rows = []
    for i in range(len(w)):
        weights = [*w[:i], e * w[i], *[F(0)] * (len(w) - i - 1)]
        rows.append(tuple(x / sum(weights) for x in weights))
    return tuple(rows)


def plain_profile(kernels: Sequence[Matrix], lam: Sequence[Fraction], n: int) -> Row:
    """The last row of the product of n × n matrices, bottom layer first."""
    eye = [[F(i == j) for j in range(n)] for i in range(n)]
    rollout = eye
    for a, share in zip(kernels, lam, strict=True):
        r = [[(1 - share) * eye[i][j] + share * a[i][j] for j in range(n)] for i in range(n)]
        rollout = [[sum((r[i][k] * rollout[k][j] for k in range(n)), F(0)) for j in range(n)] for i in range(n)]
    return tuple(rollout[-1])


@given(prefix_weights(5), content_factors(), causal_kernels(5), mixing(3))
def test_the_recursion_is_the_product_of_matrices(w: Row, e: Fraction, rows: Matrix, lam: Row) -> None:
    average = ExactAverage([ExactPrefix(w, e), ExactDense(rows)], (F(1, 3), F(2, 3)))
    mixed = tuple(
        tuple(F(1, 3) * x + F(2, 3) * y for x, y in zip(r, s, strict=True))
        for r, s in zip(plain_prefix(w, e), rows, strict=True)
    )
    kernels: list[ExactKernel | Matrix] = [rows, ExactPrefix(w, e), average]
    p = exact_profile(kernels, lam, n=5)
    assert p == plain_profile([rows, plain_prefix(w, e), mixed], lam, 5)
    assert sum(p) == 1


@given(prefix_weights(7), causal_kernels(7), mixing(2))
def test_floats_round_the_exact_profile(w: Row, rows: Matrix, lam: Row) -> None:
    exact = exact_profile([ExactPrefix(w), rows], lam, n=7)
    kernels = [Prefix([float(x) for x in w]), Dense(np.array(rows, dtype=np.float64))]
    p = profile(kernels, lam, n=7)
    # two layers, each within 8 log2 7 + 10 + 7 roundings, and the roundings of the input
    assert max(abs(F(x) - y) for x, y in zip(p.tolist(), exact, strict=True)) <= 2 * 60 * F(1, 2**53)


def test_conventions() -> None:
    assert exact_profile([], [], n=3) == exactly(0, 0, 1)
    assert exact_profile([ExactPrefix((F(7),), F(3))], F(1, 2), n=1) == exactly(1)
    assert exact_profile([ExactPrefix((1, 1))], 0, n=2) == exactly(0, 1)
    assert exact_profile([ExactPrefix((1, 1))], 1, n=2) == (F(1, 2), F(1, 2))


def test_schedules_are_exact() -> None:
    # 1 − E[pos] shrinks by 1 − λ/2 per layer for the uniform kernel (I7)
    for rule in (Geometric(1, F(1, 3)), Power(1, 2)):
        p = exact_profile([ExactPrefix((1,) * 5)] * 3, rule, n=5)
        a, b, c = rule.exact(3)
        assert sum(j * x for j, x in enumerate(p)) == 4 * (1 - a / 2) * (1 - b / 2) * (1 - c / 2)


def test_theory_d1_needs_a_monotone_layer_below() -> None:
    # layer 1 = A_{w,e}, w = (1, ½, ⅛), e = 2; top prefix (1, 7, 1), λ = 1: F(3, 2) goes from 54/126 to 55/126
    below, top = ExactPrefix((1, F(1, 2), F(1, 8)), 2), ExactPrefix((1, 7, 1))
    assert 1 - exact_profile([below], 1, n=3)[0] == F(54, 126)
    assert 1 - exact_profile([below, top], 1, n=3)[0] == F(55, 126)


def test_theory_d6_ratios() -> None:
    # w = (1, 1, 1) then (1, 3, 1), λ = ½: the ratios p^(2)/p^(1) are 33/20, 39/20, 3/5
    one, two = ExactPrefix((1, 1, 1)), ExactPrefix((1, 3, 1))
    p, q = exact_profile([one], F(1, 2), n=3), exact_profile([one, two], F(1, 2), n=3)
    assert [y / x for x, y in zip(p, q, strict=True)] == [F(33, 20), F(39, 20), F(3, 5)]


def test_conversions_are_exact() -> None:
    assert to_flint(F(-2, 6)) == fmpq(-1, 3) and from_flint(fmpq(-1, 3)) == F(-1, 3)
    assert from_flint(to_flint(0.1)) == F(0.1) != F(1, 10)
    assert from_flint(to_flint(10**400)) == 10**400


EYE = ((F(1), F(0)), (F(0), F(1)))
REFUSED: list[tuple[Callable[[], object], Callable[[], object], str]] = [
    (lambda: ExactPrefix(()), lambda: ExactPrefix((1,)), "weights"),
    (lambda: ExactPrefix((1, 0)), lambda: ExactPrefix((1, F(1, 10**50))), "entry 2"),
    (lambda: ExactPrefix((1,), 0), lambda: ExactPrefix((1,), F(1, 9)), "'e' must be positive"),
    (lambda: ExactPrefix((1, "2")), lambda: ExactPrefix((1, 2)), "real number"),  # type: ignore[arg-type]
    (lambda: ExactDense(((1, 0), (F(1, 2), F(1, 3)))), lambda: ExactDense(EYE), "row 2"),
    (lambda: ExactDense(((0, 1), (0, 1))), lambda: ExactDense(EYE), "row 1, column 2"),
    (lambda: ExactDense(((1, 0), (2, -1))), lambda: ExactDense(((1, 0), (1, 0))), "nonnegative"),
    (lambda: ExactDense(((1, 0),)), lambda: ExactDense(((1,),)), "square"),
    (lambda: ExactAverage([]), lambda: ExactAverage([ExactDense(EYE)]), "at least one"),
    (lambda: ExactAverage([ExactPrefix((1,)), ExactDense(EYE)]), lambda: ExactAverage([ExactDense(EYE)] * 2), "length"),
    (lambda: ExactAverage([ExactDense(EYE)], [0.9]), lambda: ExactAverage([ExactDense(EYE)], [1]), "sum 1"),
    (lambda: ExactAverage([ExactDense(EYE)], [1, 0]), lambda: ExactAverage([ExactDense(EYE)] * 2, [1, 0]), "per head"),
    (lambda: exact_profile([EYE], 2, n=2), lambda: exact_profile([EYE], 1, n=2), "'lam'"),
    (lambda: exact_profile([EYE], [1, 1], n=2), lambda: exact_profile([EYE], [1], n=2), "per layer"),
    (lambda: exact_profile([EYE], 1, n=3), lambda: exact_profile([EYE], 1, n=2), "'n' must be 2"),
    (lambda: exact_profile(ExactDense(EYE), 1, n=2), lambda: exact_profile((EYE,), 1, n=2), "per layer"),  # type: ignore[arg-type]
    (lambda: ExactDense(EYE).apply([1]), lambda: ExactDense(EYE).apply([1, 0]), "2 entries"),
]


@pytest.mark.parametrize(("refused", "accepted", "message"), REFUSED)
def test_bad_input_is_refused(refused: Callable[[], object], accepted: Callable[[], object], message: str) -> None:
    accepted()
    with pytest.raises(InputError, match=message):
        refused()


def test_a_dense_kernel_can_be_stored_after_use() -> None:
    kernel = ExactDense(((1, 0), (F(1, 3), F(2, 3))))
    assert kernel.apply((0, 1)) == (F(1, 3), F(2, 3))
    again = pickle.loads(pickle.dumps(kernel))
    assert again == kernel and again.apply((F(1, 2), F(1, 2))) == (F(2, 3), F(1, 3))


@given(prefix_weights(5), content_factors(), causal_kernels(5), mixing(5))
def test_rows_over_one_denominator(w: Row, e: Fraction, rows: Matrix, v: Row) -> None:
    """(y, f) with xA = y/f for integers x, and vA for rationals v, as they follow from the matrix."""
    heads: list[tuple[ExactKernel, Matrix]] = [(ExactPrefix(w, e), plain_prefix(w, e)), (ExactDense(rows), rows)]
    mean = tuple(
        tuple((x + 3 * y) / 4 for x, y in zip(a, b, strict=True)) for a, b in zip(heads[0][1], rows, strict=True)
    )
    heads.append((ExactAverage([heads[0][0], heads[1][0]], (F(1, 4), F(3, 4))), mean))
    for kernel, matrix in heads:
        y, f = kernel.scaled_row([fmpz(k - 2) for k in range(5)])
        assert f > 0
        assert [from_flint(fmpq(x, f)) for x in y] == [
            sum(((i - 2) * matrix[i][j] for i in range(5)), F(0)) for j in range(5)
        ]
        assert kernel.apply(v) == tuple(sum((v[i] * matrix[i][j] for i in range(5)), F(0)) for j in range(5))

"""The routes of the benchmark of rows: equal fractions, enclosures that contain them, and rows that do neither."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest
from flint import arb

from proofs import row_benchmark
from proofs.row_benchmark import Work, row_timings


def test_routes_agree() -> None:
    found = list(row_timings(11, 1))
    assert [t.route for t in found] == ["fraction", "first", "exact", "iv", "arb"]
    assert all(t.same and t.seconds > 0 for t in found)


def test_the_first_row_finds_the_integers_again() -> None:
    work = Work(5)
    row, again = row_benchmark.in_integers_first(work), row_benchmark.in_integers(work)
    again()
    kept = work.kernels[0].integers
    again()
    assert work.kernels[0].integers is kept
    row()
    assert work.kernels[0].integers is not kept


def test_the_oracle_is_the_product_of_matrices() -> None:
    work = Work(5)
    rollout = [[Fraction(int(i == j)) for j in range(5)] for i in range(5)]
    for kernel, share in zip(work.kernels, work.lam, strict=True):
        R = [[(1 - share) * (i == j) + share * Fraction(kernel.rows[i][j]) for j in range(5)] for i in range(5)]
        rollout = [[sum((R[i][k] * rollout[k][j] for k in range(5)), Fraction(0)) for j in range(5)] for i in range(5)]
    assert list(row_benchmark.in_fractions(work)()) == rollout[-1]


@pytest.mark.parametrize(
    ("route", "change"),
    [
        ("first", lambda x: x + Fraction(1, 10**40)),
        ("exact", lambda x: x + Fraction(1, 10**40)),
        ("iv", lambda x: x * (1 + 2.0**-30)),  # wider than 11 layers blur it: about 2^−47
        ("arb", lambda x: x * arb(1 + 2.0**-30)),
    ],
)
def test_a_row_that_differs_is_noticed(
    route: str, change: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared, agree = row_benchmark._ROUTES[route]

    def wrong(work: Work) -> Callable[[], Sequence[Any]]:
        return lambda: [change(x) for x in prepared(work)()]

    monkeypatch.setitem(row_benchmark._ROUTES, route, (wrong, agree))
    assert [t.route for t in row_timings(11, 1) if not t.same] == [route]

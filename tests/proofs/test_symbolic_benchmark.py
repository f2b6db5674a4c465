"""The routes of the benchmark of symbols: the same rows, and what differs in one term is told apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from proofs import symbolic_benchmark
from proofs.symbolic_benchmark import ROUTES, by_bytes, by_flint, by_rings, by_sympy, timings

SIZES = [(1, 1), (2, 3), (3, 2), (4, 3)]
ALIKE = ("sympy", "rings", "flint", "bytes", "derive")


def same(found: list[Any], expected: list[Any]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(found, expected, strict=True))


@pytest.mark.parametrize(("n", "T"), SIZES)
def test_all_routes_agree(n: int, T: int) -> None:
    forms = [symbolic_benchmark._form(route, ROUTES[route](n, T), n, T) for route in ALIKE]
    assert tuple(ROUTES) == ALIKE
    assert all(same(form, forms[0]) for form in forms)
    assert [t.same for t in timings(n, T, 1)] == [True] * 5


def test_the_common_form_by_hand() -> None:
    """n = 2, T = 1: p_1 = λ − λ A, p_2 = 1 − λ + λ A; bit 0 is λ, bit 1 is A."""
    for route in ALIKE:
        first, second = symbolic_benchmark._form(route, ROUTES[route](2, 1), 2, 1)
        assert first.tolist() == [[1, 1], [3, -1]]
        assert second.tolist() == [[0, 1], [1, -1], [3, 1]]


@pytest.mark.parametrize(
    ("route", "change"),
    [
        ("rings", lambda p: p + 1),
        ("rings", lambda p: p * 2),
        ("flint", lambda p: p - p.context().gens()[0]),
        ("flint", lambda p: -p),
        ("sympy", lambda p: p - 1),
    ],
)
def test_an_entry_that_differs_is_noticed(
    route: str, change: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = ROUTES[route]
    monkeypatch.setitem(ROUTES, route, lambda n, T: [*right(n, T)[:-1], change(right(n, T)[-1])])
    found = list(timings(3, 2, 1))
    assert not all(t.same for t in found)


def test_powers_are_refused() -> None:
    for route, row in (("rings", by_rings(2, 1)), ("flint", by_flint(2, 1)), ("sympy", by_sympy(2, 1))):
        with pytest.raises(ArithmeticError, match="power above 1"):
            symbolic_benchmark._form(route, [row[0] * row[0]], 2, 1)


def test_a_term_that_is_missing_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though it is missing everywhere: the number of terms is known."""
    for route in ROUTES:
        monkeypatch.setitem(ROUTES, route, lambda n, T: [*by_bytes(n, T)[:-1], by_bytes(n, T)[-1][1:]])
    monkeypatch.setattr(
        symbolic_benchmark, "_form", lambda route, row, n, T: [symbolic_benchmark._of_bytes(x, n, T) for x in row]
    )
    assert not any(t.same for t in timings(3, 2, 1))

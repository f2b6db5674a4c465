"""Sums with what does not depend on their index in front: the same values, and no index is lost on the way."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpq
from hypothesis.internal.conjecture import providers

from proofs.case import Case, Table
from proofs.compiled import Environment, compiled, hoisted
from proofs.notation import n
from proofs.term import Bracket, Sum, Symbol, Term, Times, index, total
from proofs.verification import verify

a, b, c = Symbol("a", 1), Symbol("b", 1), Symbol("c", 2)
i, k = index("i"), index("k")
NESTED = total("k", 1, n, total("l", 1, "k", a("i") * b("k") * c("k", "l") * b("l")))
CASE = Case.of(3, {"i": 2}, a=[2, 3, 5], b=[7, Fraction(1, 2), -1], c=[[1, 0, 0], [4, 9, 0], [2, 6, 8]])


def value(term: Term, case: Case) -> tuple[fmpq, dict[str, int]]:
    env = Environment.of(case)
    return compiled(term)(env), env.ints


def test_a_nested_sum_by_hand() -> None:
    by_hand = 3 * (7 * 1 * 7 + Fraction(1, 2) * (4 * 7 + 9 * Fraction(1, 2)) - (2 * 7 + 6 * Fraction(1, 2) - 8))
    assert value(NESTED, CASE) == (fmpq(*by_hand.as_integer_ratio()), {"n": 3, "i": 2})


def test_factors_stand_in_front_of_the_sum_that_they_do_not_depend_on() -> None:
    front, rest = hoisted(NESTED).parts  # type: ignore[attr-defined]
    assert front == a("i") and isinstance(rest, Sum) and isinstance(rest.body, Times)
    assert isinstance(rest.body.parts[-1], Sum)
    assert hoisted(rest) == rest


@pytest.mark.parametrize("shadowed", [False, True])
def test_a_factor_in_front_may_lie_outside_its_table_where_the_sum_is_zero(shadowed: bool) -> None:
    """a(0) has no value, and no term of the sum reads it."""
    guarded = total("k", 1, n, Times((Bracket(((k, i - 1),)), a(i - 1))))
    case = Case.of(3, {"i": 1, **({"k": 7} if shadowed else {})}, a=[2, 3, 5])
    assert isinstance(hoisted(guarded), Times)
    assert value(guarded, case) == (fmpq(0), {"n": 3, **dict(case.indices)})
    assert value(guarded, Case.of(3, {"i": 3}, a=[2, 3, 5]))[0] == 6


def test_equal_tables_have_one_hash() -> None:
    assert Table([1, [Fraction(2), 3]]) == Table([Fraction(1), [2, 3]])
    assert hash(Table([1, [Fraction(2), 3]])) == hash(Table([Fraction(1), [2, 3]]))
    assert len({Table([1, 2]), Table([Fraction(1), 2]), Table([Fraction(1, 2), 2])}) == 2


def test_cases_are_drawn_without_reading_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(providers, "_get_local_constants", lambda: pytest.fail("modules were read for constants"))
    assert verify("S1", quick=True).verdict == "proved"

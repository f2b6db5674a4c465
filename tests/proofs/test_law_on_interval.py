"""What is said of a law on [0, 1], at finitely many points: true of laws and continuous functions, not of others."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb

import pytest

from proofs.case import Case, Table
from proofs.checker import Refused, check
from proofs.evaluate import evaluate
from proofs.law_on_interval import between, continuous, in_interval, near_polynomials
from proofs.lemmas.shift_steps import shift_lemmas
from proofs.lemmas.uniqueness_steps import at_most_one, one_expectation
from proofs.notation import number
from proofs.outside import OUTSIDE
from proofs.steps import Exponential, Step
from proofs.term import (
    And,
    Exists,
    ExistsFn,
    Exp,
    ForAll,
    ForAllFn,
    Formula,
    Implies,
    Lambda,
    Range,
    Relation,
    Symbol,
    as_index,
    as_term,
)

f, x, M, mu = Symbol("f", 1), Symbol("x", 1), Symbol("M", 1), Symbol("mu", 0)
HALF = Fraction(1, 2)
GRID = [Fraction(q, 12) for q in range(13)]
CROWDED = [HALF + Fraction(sign, 2**q) for q in range(1, 7) for sign in (-1, 1)]
DEGREE = 8


def tent(at: Fraction) -> Fraction:
    return abs(at - HALF)


def jump(at: Fraction) -> Fraction:
    return Fraction(at > HALF)


def bernstein(function: Callable[[Fraction], Fraction]) -> list[Fraction]:
    """The coefficients of sum_j f(j / N) C(N, j) x^j (1 - x)^{N - j}."""
    N = DEGREE
    return [
        sum((function(Fraction(j, N)) * comb(N, j) * comb(N - j, k - j) * (-1) ** (k - j) for j in range(k + 1)), 0)
        for k in range(N + 1)
    ]


def among(formula: Formula, last: int) -> Formula:
    """The formula inside its quantifiers, but for those over points, which go up to ``last``."""
    match formula:
        case ForAll(rng, body) if rng.var in ("q", "r"):
            return ForAll(Range(rng.var, rng.low, as_index(last)), among(body, last))
        case ForAll(_, body) | ForAllFn(_, body) | Exists(_, body) | ExistsFn(_, body):
            return among(body, last)
        case Implies(Relation("<"), body):
            return among(body, last)
        case Implies(hypothesis, body):
            return Implies(among(hypothesis, last), among(body, last))
        case And(parts):
            return And(tuple((name, among(part, last)) for name, part in parts))
    return formula


def holds(formula: Formula, points: list[Fraction], function: Callable[[Fraction], Fraction], **more: object) -> bool:
    case = Case.of(1, {"N": DEGREE}, x=points, f=[function(at) for at in points], **more)  # type: ignore[arg-type]
    return evaluate(among(formula, len(points)), case).holds


@pytest.mark.parametrize(("eta", "near"), [(Fraction(1, 5), True), (Fraction(1, 7), True), (Fraction(1, 8), False)])
def test_bernstein_polynomials_are_near(eta: Fraction, near: bool) -> None:
    """That of degree 8 is within 35/256 of |x - 1/2|, which it meets at x = 1/2."""
    shown = Table(bernstein(tent), start=(0,))
    assert holds(near_polynomials(f, x), GRID, tent, eta=eta, a=shown) == near
    told = Implies(in_interval(x), Implies(continuous(f, x), near_polynomials(f, x)))
    assert OUTSIDE["Weierstrass"].formula == ForAllFn(x, ForAllFn(f, told))


@pytest.mark.parametrize("delta", [Fraction(1, 3), Fraction(1, 30)])
def test_a_jump_is_not_continuous(delta: Fraction) -> None:
    formula = continuous(f, x)
    assert holds(formula, CROWDED, tent, eta=delta, delta=delta)
    assert not holds(formula, CROWDED, jump, eta=HALF, delta=delta)
    assert not holds(formula, CROWDED, tent, eta=delta, delta=Fraction(0))


def test_an_expectation_is_between_and_other_numbers_are_not() -> None:
    """X uniform on 0, 1/2, 1: E |X - 1/2| = 1/3; the polynomial lies above, as |x - 1/2| is convex."""
    formula, support = between(mu(), f, x, M), [Fraction(0), HALF, Fraction(1)]
    moments = Table([sum((at**k for at in support), Fraction(0)) / 3 for k in range(DEGREE + 1)], start=(0,))
    above = bernstein(tent)
    below = [above[0] - Fraction(1, 5), *above[1:]]

    def met(value: Fraction, coefficients: list[Fraction]) -> bool:
        return holds(formula, GRID, tent, mu=value, a=Table(coefficients, start=(0,)), M=moments)

    assert met(Fraction(1, 3), above) and met(Fraction(1, 3), below)
    assert not met(HALF, above) and not met(Fraction(0), below)


def test_moments_of_another_mass_leave_a_choice() -> None:
    """Where M_0 = 1 is known of M_k = exp(-k) it is enough; where M_0 = exp(1), nothing is."""
    for shift in (0, 1):
        moments = Lambda(("k",), Exp(as_term(shift) - number("k")))
        mass = Step("whole mass", Relation("=", Exp(as_term(shift) - number(0)), as_term(1)), Exponential())
        steps = (*shift_lemmas(), mass, one_expectation("one expectation", moments))
        if shift:
            with pytest.raises(Refused, match="whole mass"):
                check(steps, at_most_one(moments), (), {})
            with pytest.raises(Refused, match="whole mass"):
                check((*steps[:-2], steps[-1]), at_most_one(moments), (), {})
        else:
            check(steps, at_most_one(moments), (), {})

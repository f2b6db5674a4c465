"""Half the 1-norm of the difference of two rows, as a bound over all test functions 0 <= g <= 1.

    1/2 sum_j |p_j - q_j| <= c   if   sum_j p_j = sum_j q_j   and   sum_j g_j (p_j - q_j) <= c   for every such g

|x - y| is written ([y <= x] - [x <= y]) (x - y); the tests that matter are [q_j <= p_j] and 1 - [p_j <= q_j].
"""

from __future__ import annotations

from fractions import Fraction

from proofs.laws import half_norm
from proofs.lemmas.comparison_steps import value
from proofs.notation import every, layers, n, rollout
from proofs.steps import (
    Both,
    Chain,
    Compared,
    Generalise,
    Identity,
    Induction,
    Nonnegative,
    Step,
    item,
    real_cases,
    use,
)
from proofs.substitute import apply
from proofs.term import (
    And,
    Compare,
    Fn,
    ForAll,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Lambda,
    Relation,
    Symbol,
    Term,
    as_term,
    index,
    total,
)

__all__ = ["norm_lemmas", "rows_of", "tested", "tests", "unit"]

c, x, y, z = Symbol("c*", 0), Symbol("x*", 0), Symbol("y*", 0), Symbol("z*", 0)
g, p, q, F = Symbol("g*", 1), Symbol("p*", 1), Symbol("q*", 1), Symbol("F*", 3)
j, r, s = index("j"), index("r"), index("s")
_HALF = Fraction(1, 2)


def unit(function: Fn, low: int, high: Index | None) -> And:
    """0 <= g_k <= 1 for low <= k <= high."""
    at_k = apply(function, (index("k"),))
    return And((
        ("nonnegative", every("k", low, high, Relation("<=", as_term(0), at_k))),
        ("at most one", every("k", low, high, Relation("<=", at_k, as_term(1)))),
    ))  # fmt: skip


def tests(bound: Term, difference: Term, low: int = 1, high: Index | None = n) -> ForAllFn:
    """``difference``, which speaks of g*, is at most ``bound`` for every test function g*."""
    return ForAllFn(g, Implies(unit(g, low, high), Relation("<=", difference, bound)))


def tested(first: Fn, second: Fn) -> Term:
    """sum_j g_j (p_j - q_j)."""
    return total("j", 1, n, g("j") * (apply(first, (j,)) - apply(second, (j,))))


def rows_of(family: Fn, low: int, high: Index | str) -> ForAll:
    """Every row of the kernels low, ..., high of a family sums to 1."""
    row = Relation("=", total("j", 1, n, family("t", "i", "j")), as_term(1))
    return layers(low, high, every("i", 1, n, row))


# --- lemmas ---------------------------------------------------------------------------------------

_at_most_one = Relation("<=", Compare(x(), y()), as_term(1))
_above = Lambda(("k",), Compare(q("k"), p("k")))
_not_below = Lambda(("k",), as_term(1) - Compare(p("k"), q("k")))


def _rises_to_one() -> Step:
    one, zero = (Relation("=", Compare(x(), y()), as_term(v)) for v in (1, 0))
    return Step("comparison at most one", ForAllFn(x, ForAllFn(y, _at_most_one)), Generalise(("x*", "y*"), (
        Step("by cases", _at_most_one, real_cases(
            x(), y(), "case",
            (Step("one", one, Compared(use("case"))), Step("of one", _at_most_one, Chain((use("one"),)))),
            (
                Step("zero", zero, Compared(use("case"))),
                Step("of zero", _at_most_one, Nonnegative((item(),), (item(use("zero")),))),
            ),
        )),
    )))  # fmt: skip


def _test(label: str, function: Lambda, first: Fn, second: Fn) -> tuple[Step, ...]:
    """``function``, [x_k <= y_k] or 1 less that, is a test function; x and y are ``first`` and ``second``."""
    low, high = (part for _, part in unit(function, 1, n).parts)
    rises = item(use("comparison at most one", fns=(value(first("k")), value(second("k")))))
    is_one = item(times=Compare(first("k"), second("k")))
    complement = function is _not_below
    return (
        Step(f"{label}: at least 0", low, Nonnegative((rises if complement else is_one,))),
        Step(f"{label}: at most 1", high, Nonnegative((is_one if complement else rises,))),
        Step(label, unit(function, 1, n), Both((f"{label}: at least 0", f"{label}: at most 1"))),
    )


def _positive_part() -> Step:
    """z (x - y) is at most the positive part of x - y for 0 <= z <= 1."""
    bracket, difference = Compare(y(), x()), x() - y()
    goal = Relation("<=", z() * difference, bracket * difference)
    claim: Formula = Implies(Relation("<=", as_term(0), z()), Implies(Relation("<=", z(), as_term(1)), goal))
    for symbol in (z, y, x):
        claim = ForAllFn(symbol, claim)
    one, zero = (Relation("=", bracket, as_term(v)) for v in (1, 0))
    return Step("positive part", claim, Generalise(("x*", "y*", "z*", "at least 0", "at most 1"), (
        Step("by cases", goal, real_cases(
            y(), x(), "case",
            (
                Step("one", one, Compared(use("case"))),
                Step("of one", goal, Nonnegative(
                    (item(use("at most 1"), use("case")),), (item(use("one"), times=-difference),)
                )),
            ),
            (
                Step("zero", zero, Compared(use("case"))),
                Step("of zero", goal, Nonnegative(
                    (item(use("at least 0"), use("case")),), (item(use("zero"), times=-difference),)
                )),
            ),
        )),
    )))  # fmt: skip


def _norm() -> Step:
    equal = Relation("=", total("j", 1, n, p("j")), total("j", 1, n, q("j")))
    goal = Relation("<=", half_norm(p, q), c())
    claim: Formula = Implies(equal, Implies(tests(c(), tested(p, q)), goal))
    for symbol in (c, q, p):
        claim = ForAllFn(symbol, claim)
    return Step("half norm", claim, Generalise(("p*", "q*", "c*", "equal", "tests"), (
        *_test("test above", _above, q, p),
        *_test("test not below", _not_below, p, q),
        Step("both tests", goal, Nonnegative(
            (
                item(use("tests", fns=(_above,), given=("test above",)), times=_HALF),
                item(use("tests", fns=(_not_below,), given=("test not below",)), times=_HALF),
            ),
            (item(use("equal"), times=-_HALF),),
        )),
    )))  # fmt: skip


def _rows() -> Step:
    """Products of kernels whose rows sum to 1 have rows that sum to 1."""

    def summed(depth: Index | int) -> Formula:
        return every("i", 1, n, Relation("=", total("j", 1, n, rollout(F)(depth, "i", "j")), as_term(1)))

    claim = ForAllFn(F, every("r", 0, None, Implies(rows_of(F, 1, "r"), every("s", 0, r, summed(s)))))
    return Step("rows of products", claim, Generalise(("F*", "r", "rows"), (
        Step("every depth", every("s", 0, r, summed(s)), Induction(
            "so far",
            base=(Step("no layer", summed(0), Identity()),),
            step=(Step("one more layer", summed(s + 1), Identity((
                item(use("so far", "l"), times=F(s + 1, "i", "l"), over=(("l", 1, n),)),
                item(use("rows", s + 1, "i")),
            ))),),
        )),
    )))  # fmt: skip


def norm_lemmas() -> tuple[Step, ...]:
    """The bound over all tests, the positive part as a bound, and that products keep the row sums."""
    return _rises_to_one(), _norm(), _positive_part(), _rows()

"""The series of exp, from exp(x + y) = exp x exp y and 1 + x <= exp x alone.

    1 - x x^m / m! <= D_m(x) <= 1   for x >= 0,   D_m(x) = exp(-x) sum_{k <= m} x^k / k!

One step of length y from x to z = x + y: (1 - y^2) D_m(z) <= D_m(x) <= D_m(z) + y^2 + y z^m / m!, for a term x^{k+1} /
(k+1)! grows by at least y x^k / k! and at most y z^k / k!.  N steps of length x / N lead from 0, where D_m = 1, to x;
the errors y^2 add up to x^2 / N, and a number whose every multiple is at most x^2 is not positive.
"""

from __future__ import annotations

from collections.abc import Callable

from proofs.laws import partial_mass, partial_sum, term_of_series
from proofs.lemmas.comparison_steps import value
from proofs.lemmas.growth_steps import BEYOND, FIXED, cited, growth_lemmas, induction, last_of, step_back, term_at
from proofs.lemmas.poisson_steps import at_least_0, for_reals
from proofs.notation import every, number, some
from proofs.steps import (
    Archimedes,
    Exponential,
    Generalise,
    Identity,
    Instantiate,
    Invert,
    Nonnegative,
    Obtain,
    Step,
    Use,
    item,
    real_cases,
    use,
)
from proofs.term import (
    Exp,
    Formula,
    Implies,
    Index,
    Reciprocal,
    Relation,
    Symbol,
    Term,
    as_term,
    index,
)

__all__ = ["series_lemmas"]

x, y, z, a, b = (Symbol(f"{v}*", 0) for v in "xyzab")
X, Y, Z = x(), y(), z()
i, m, r = index("i"), index("m"), index("r")
q = term_of_series(X)
ONE = as_term(1)
Walked = Callable[[Term, Term, Term], Relation]


# --- many short steps -----------------------------------------------------------------------------


def _small() -> Step:
    """A number is not positive if all its multiples are at most b: some multiple of it is at least b + 1."""
    goal = Relation("<=", a(), as_term(0))
    enough = Relation("<=", (b() + 1) * Reciprocal(a()), number("r"))
    claim = Implies(every("r", 0, None, Relation("<=", number(r + 1) * a(), b())), goal)
    return Step("small", for_reals(claim, a, b), Generalise(("a*", "b*", "multiples"), (
        Step("by cases", goal, real_cases(
            a(), as_term(0), "case",
            (Step("not positive", goal, Instantiate(use("case"))),),
            (
                Step("inverted", Relation("=", a() * Reciprocal(a()), ONE), Invert(use("case"))),
                Step("beyond", some("r", 0, enough), Archimedes()),
                Step("large", goal, Obtain(use("beyond"), "r", "enough", (
                    Step("too large", goal, Nonnegative(
                        (item(use("multiples", r)), item(use("case"), use("enough")), item()),
                        (item(use("inverted"), times=-(b() + 1)),),
                    )),
                ))),
            ),
        )),
    )))  # fmt: skip


def _at_zero() -> Step:
    """The series at 0 is 1."""

    def one(at: Index | int) -> Relation:
        return Relation("=", partial_sum(X, at), ONE)

    claim = Implies(Relation("=", X, as_term(0)), every("m", 0, None, one(m)))
    return Step("series at 0", for_reals(claim, x), Generalise(("x*", "zero"), (
        induction(
            "every sum", "m", one(m),
            Step("one term", one(0), Identity((item(use("only term", fns=(q,))),))),
            Step("one more", one(m + 1), Identity((
                item(last_of(X)), item(use("so far")), item(use("zero"), times=Reciprocal(number(m + 1)) * q(m)),
            ))),
        ),
    )))  # fmt: skip


_N = number(r + 1)
_h = X * Reciprocal(_N)  # N steps of length h lead from 0 to x


def _point(at: Index | int | str) -> Term:
    return number(at) * _h


def _walk(
    label: str, goal: Formula, walked: Walked, multiple: Relation, sign: int, rest: Term, limit: tuple[Term, Term]
) -> Step:
    """``goal`` for every x >= 0 and m: ``walked`` (z, i, h) holds after i steps of length h, also at the end."""

    def one_step(at: Index, points: tuple[Term, Term], *given: Use | str) -> Use:
        fns = (value(points[0]), value(_h), value(points[1]))
        return use(f"{label}: one step", m, at, fns=fns, given=given)

    here, then = _point(i), _point(i + 1)
    steps = (
        Step("step length", at_least_0(_h), Nonnegative((item(use("not negative"), use("inverse positive", r)),))),
        Step("points", every("i", 0, None, at_least_0(here)), Nonnegative((
            item(use("numbers", i), use("step length")),
        ))),
        Step("next point", every("i", 0, None, Relation("=", then, here + _h)), Identity()),
        Step("last point", Relation("=", X, _point(r) + _h), Identity((item(use("inverse", r), times=-X),))),
        Step("at the start", Relation("=", Exp(-_point(0)), ONE), Exponential()),
        Step("start", Relation("=", _point(0), as_term(0)), Identity()),
        Step("sum at the start", Relation("=", partial_sum(_point(0), m), ONE), Instantiate(
            use("series at 0", m, fns=(value(_point(0)),), given=("start",))
        )),
        induction(
            "walk", "i", walked(here, number(i), _h),
            Step("no step", walked(_point(0), number(0), _h), Nonnegative((), (
                item(use("sum at the start"), times=sign),
                item(use("at the start"), times=sign * partial_sum(_point(0), m)),
            ))),
            Step("one more step", walked(then, number(i + 1), _h), Instantiate(
                one_step(i, (here, then), use("points", i), "step length", use("next point", i), "so far")
            )),
        ),
        Step("arrived", walked(X, _N, _h), Instantiate(
            one_step(r, (_point(r), X), use("points", r), "step length", "last point", use("walk", r))
        )),
        Step("multiple", multiple, Nonnegative(
            (item(use("numbers positive", r), use("arrived")),), (item(use("inverse", r), times=rest),)
        )),
    )  # fmt: skip
    claim = Implies(at_least_0(X), every("m", 0, None, goal))
    return Step(label, for_reals(claim, x), Generalise(("x*", "not negative", "m"), (
        Step("multiples", every("r", 0, None, multiple), Generalise(("r",), steps)),
        Step("whole time", goal, Instantiate(use("small", fns=tuple(map(value, limit)), given=("multiples",)))),
    )))  # fmt: skip


def _carried(label: str, walked: Walked, *steps: Callable[[Formula], Step]) -> Step:
    """What holds after i steps holds after one more."""
    goal = walked(Z, number(i + 1), Y)
    claim = every("m", 0, None, every("i", 0, None, Implies(walked(X, number(i), Y), goal)))
    given = Implies(at_least_0(X), Implies(at_least_0(Y), Implies(Relation("=", Z, X + Y), claim)))
    inside = tuple(step(goal) for step in steps)
    return Step(f"{label}: one step", for_reals(given, x, y, z), Generalise((*FIXED, "m", "i", "so far"), inside))


def _mass() -> tuple[Step, ...]:
    """D_m(x) <= 1: after i steps (1 - i h^2) D_m <= 1."""

    def walked(at: Term, count: Term, length: Term) -> Relation:
        here = partial_mass(at, m)
        return Relation("<=", here - count * length * length * here, ONE)

    def cases(goal: Formula) -> Step:
        square, terms = (use("y at least 0"),) * 2, ("k", 0, m)
        mass = (use("exp positive", fns=(value(-Z),)), term_at(z, "k", "z at least 0"))
        return Step("by cases", goal, real_cases(
            ONE - number(i + 1) * Y * Y, as_term(0), "case",
            (Step("late", goal, Nonnegative((item(), item(use("case"), *mass, over=(terms,))))),),
            (Step("early", goal, Nonnegative((
                item(use("so far")),
                item(use("case"), cited("step forward", m)),
                item(*square, cited("step forward", m)),
                item(use("numbers", i), *square, *square, *mass, over=(terms,)),
            ))),),
        ))  # fmt: skip

    whole = partial_mass(X, m)
    return (
        _carried("Poisson mass", walked, lambda goal: BEYOND, cases),
        _walk(
            "Poisson mass", Relation("<=", whole, ONE), walked, Relation("<=", _N * (whole - 1), X * X * whole), 1,
            X * X * whole * (ONE + _N * Reciprocal(_N)), (whole - 1, X * X * whole),
        ),
    )  # fmt: skip


def _tail() -> tuple[Step, ...]:
    """1 - D_m(x) <= x x^m / m!: after i steps 1 - D_m(z) <= i h^2 + i h z^m / m!."""

    def walked(at: Term, count: Term, length: Term) -> Relation:
        last = term_of_series(at)(m)
        return Relation("<=", ONE, partial_mass(at, m) + count * length * length + count * length * last)

    def added(goal: Formula) -> Step:
        return Step("added", goal, Nonnegative((
            item(use("so far")),
            item(cited("step back", m)),
            item(use("numbers", i), use("y at least 0"), cited("terms rise", m)),
        )))  # fmt: skip

    missing = ONE - partial_mass(X, m) - X * q(m)
    return (
        _carried("Poisson tail", walked, added),
        _walk(
            "Poisson tail", Relation("<=", ONE, partial_mass(X, m) + X * q(m)), walked,
            Relation("<=", _N * missing, X * X), -1,
            X * X * (ONE + _N * Reciprocal(_N)) + _N * X * q(m), (missing, X * X),
        ),
    )  # fmt: skip


def series_lemmas() -> tuple[Step, ...]:
    """1 - x x^m / m! <= D_m(x) <= 1."""
    return (
        *growth_lemmas(),
        _small(),
        _at_zero(),
        *_mass(),
        step_back(),
        *_tail(),
    )

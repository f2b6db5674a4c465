"""The series of exp, from exp(x + y) = exp x exp y and 1 + x <= exp x alone.

    1 - x x^m / m! <= D_m(x) <= 1   for x >= 0,   D_m(x) = exp(-x) sum_{k <= m} x^k / k!

One step of length y from x to z = x + y: (1 - y^2) D_m(z) <= D_m(x) <= D_m(z) + y^2 + y z^m / m!, for a term x^{k+1} /
(k+1)! grows by at least y x^k / k! and at most y z^k / k!.  N steps of length x / N lead from 0, where D_m = 1, to x;
the errors y^2 add up to x^2 / N, and a number whose every multiple is at most x^2 is not positive.
"""

from __future__ import annotations

from collections.abc import Callable

from proofs.comparison_steps import value
from proofs.laws import term_of_series
from proofs.notation import every, number, some
from proofs.poisson_steps import at_least_0, for_reals
from proofs.steps import (
    Archimedes,
    Chain,
    Exponential,
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Invert,
    Nonnegative,
    Obtain,
    RealCases,
    Step,
    Use,
    item,
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
    total,
)

__all__ = ["partial_mass", "partial_sum", "series_lemmas"]

x, y, z, a, b = (Symbol(f"{v}*", 0) for v in "xyzab")
X, Y, Z = x(), y(), z()
i, k, m, r = (index(v) for v in ("i", "k", "m", "r"))
p, q = term_of_series(Z), term_of_series(X)
ONE = as_term(1)
Walked = Callable[[Term, Term, Term], Relation]


def partial_sum(argument: Term, last: Index | int | str) -> Term:
    """sum_{k <= m} x^k / k!."""
    return total("k", 0, last, term_of_series(argument)("k"))


def partial_mass(argument: Term, last: Index | int | str) -> Term:
    """D_m(x) = exp(-x) sum_{k <= m} x^k / k!, the chance that a Poisson number of mean x is at most m."""
    return Exp(-argument) * partial_sum(argument, last)


before, after = partial_mass(X, m), partial_mass(Z, m)
_fixed = ("x*", "y*", "z*", "x at least 0", "y at least 0", "sum")


def _one_step(label: str, var: str, goal: Formula, *steps: Step) -> Step:
    """``goal`` for all x, y >= 0 with z = x + y, and every ``var`` >= 0."""
    claim = every(var, 0, None, goal)
    given = Implies(at_least_0(X), Implies(at_least_0(Y), Implies(Relation("=", Z, X + Y), claim)))
    return Step(label, for_reals(given, x, y, z), Generalise(_fixed, steps))


def _induction(label: str, var: str, goal: Formula, base: Step, step: Step) -> Step:
    return Step(label, every(var, 0, None, goal), Induction("so far", (base,), (step,)))


def _cited(label: str, *at: Index | str) -> Use:
    """A lemma of this kind for the same x, y, z."""
    return use(label, *at, fns=(x, y, z), given=("x at least 0", "y at least 0", "sum"))


def _terms(argument: Symbol, at: Index | str, source: str) -> Use:
    return use("terms", at, fns=(argument,), given=(source,))


_beyond = Step("z at least 0", at_least_0(Z), Nonnegative(
    (item(use("x at least 0")), item(use("y at least 0"))), (item(use("sum"), times=-1),)
))  # fmt: skip


# --- one term -------------------------------------------------------------------------------------


def _terms_rise() -> Step:
    def rises(at: Index | int) -> Relation:
        return Relation("<=", q(at), p(at))

    last = use("inverse positive", "k")
    return _one_step(
        "terms rise", "k", rises(k), _beyond,
        _induction(
            "every term", "k", rises(k),
            Step("none", rises(0), Identity()),
            Step("one more", rises(k + 1), Nonnegative(
                (
                    item(last, use("x at least 0"), use("so far")),
                    item(last, use("y at least 0"), _terms(z, "k", "z at least 0")),
                ),
                (item(use("sum"), times=-Reciprocal(number(k + 1)) * p(k)),),
            )),
        ),
    )  # fmt: skip


def _terms_bounded() -> Step:
    def bounded(at: Index | int) -> Relation:
        return Relation("<=", p(at + 1), q(at + 1) + Y * p(at))

    last, power = Reciprocal(number(k + 2)), use("inverse positive", k + 1)
    return _one_step(
        "terms bounded", "k", bounded(k), _beyond,
        _induction(
            "every term", "k", bounded(k),
            Step("linear term", bounded(0), Nonnegative((), (
                item(use("sum"), times=Reciprocal(number(1))), item(use("inverse", 0), times=Y),
            ))),
            Step("one more", bounded(k + 1), Nonnegative(
                (
                    item(use("so far"), use("x at least 0"), power),
                    item(use("y at least 0"), use("y at least 0"), power, _terms(z, "k", "z at least 0")),
                ),
                (
                    item(use("sum"), times=last * (p(k + 1) - Y * p(k))),
                    item(use("inverse", "k"), times=-last * Y * Z * p(k)),
                    item(use("inverse", k + 1), times=Y * p(k + 1)),
                ),
            )),
        ),
    )  # fmt: skip


# --- partial sums ---------------------------------------------------------------------------------


def _last(argument: Term) -> Use:
    """The last term of a partial sum to m + 1, apart."""
    return use("last apart", m, fns=(term_of_series(argument),))


def _sums(label: str, goal: Formula, start: Formula, then: Formula, source: str, sign: int) -> Step:
    """An inequality between the partial sums at x and z, by induction from the one between their terms."""
    only = [use("only term", fns=(fn,)) for fn in (q, p)]
    third = 1 if sign < 0 else 0
    return _one_step(label, "m", goal, _induction(
        "every sum", "m", goal,
        Step("one term", start, Nonnegative((), (
            item(only[0], times=sign), item(only[1], times=-sign), item(only[third], times=sign * Y),
        ))),
        Step("one more", then, Nonnegative((item(use("so far")), item(_cited(source, "m"))), (
            item(_last(X), times=sign), item(_last(Z), times=-sign), item(_last(Z if sign < 0 else X), times=sign * Y),
        ))),
    ))  # fmt: skip


def _sums_bounded() -> Step:
    def bounded(at: Index | int) -> Relation:
        return Relation("<=", partial_sum(Z, at) + Y * p(at), partial_sum(X, at) + Y * partial_sum(Z, at))

    return _sums("sums bounded", bounded(m), bounded(0), bounded(m + 1), "terms bounded", -1)


def _sums_grow() -> Step:
    def grows(at: Index | int) -> Relation:
        return Relation("<=", partial_sum(X, at) + Y * partial_sum(X, at), partial_sum(Z, at) + Y * q(at))

    return _sums("sums grow", grows(m), grows(0), grows(m + 1), "terms grow", 1)


# --- one step of time -----------------------------------------------------------------------------


def _step_forward() -> Step:
    """(1 - y^2) D_m(z) <= D_m(x): exp y >= 1 + y, and the sum grows at most by the factor 1 / (1 - y)."""
    goal = Relation("<=", after - Y * Y * after, before)
    stays = use("exp positive", fns=(value(-Z),))
    terms = ("k", 0, m)
    return _one_step(
        "step forward", "m", goal, _beyond,
        Step("growth", Relation("<=", ONE + Y, Exp(Y)), Exponential()),
        Step("shorter", Relation("=", Exp(-Z) * Exp(Y), Exp(-X)), Exponential((item(use("sum"), times=-1),))),
        Step("each sum", every("m", 0, None, goal), Nonnegative(
            (
                item(stays, use("growth"), _terms(x, "k", "x at least 0"), over=(terms,)),
                item(stays, _cited("sums bounded", "m")),
                item(stays, use("y at least 0"), _cited("sums bounded", "m")),
                item(stays, use("y at least 0"), _terms(z, "m", "z at least 0")),
                item(stays, use("y at least 0"), use("y at least 0"), _terms(z, "m", "z at least 0")),
            ),
            (item(use("shorter"), times=partial_sum(X, "m")),),
        )),
    )  # fmt: skip


def _step_back() -> Step:
    """D_m(x) <= D_m(z) + y^2 + y z^m / m!: exp(-y) >= 1 - y, and the sum grows at least by the factor 1 + y, but for
    the last term.
    """
    goal = Relation("<=", before, after + Y * Y + Y * p(m))
    here, stays = use("exp positive", fns=(value(-X),)), use("exp positive", fns=(value(-Z),))
    slow, terms = use("exp below", fns=(y,)), ("k", 0, m)
    return _one_step(
        "step back", "m", goal, _beyond,
        Step("longer", Relation("=", Exp(-X) * Exp(-Y), Exp(-Z)), Exponential((item(use("sum")),))),
        Step("each sum", every("m", 0, None, goal), Nonnegative(
            (
                item(stays, _cited("sums grow", "m")),
                item(here, slow, _terms(x, "k", "x at least 0"), over=(terms,)),
                item(here, slow, use("y at least 0"), _terms(x, "k", "x at least 0"), over=(terms,)),
                item(
                    use("y at least 0"), use("y at least 0"),
                    use("Poisson mass", "m", fns=(x,), given=("x at least 0",)),
                ),
                item(use("y at least 0"), _cited("terms rise", "m")),
                item(
                    use("y at least 0"), _terms(x, "m", "x at least 0"),
                    use("decay", fns=(z,), given=("z at least 0",)),
                ),
            ),
            (item(use("longer"), times=partial_sum(X, "m") + Y * partial_sum(X, "m")),),
        )),
    )  # fmt: skip


# --- many short steps -----------------------------------------------------------------------------


def _small() -> Step:
    """A number is not positive if all its multiples are at most b: some multiple of it is at least b + 1."""
    goal = Relation("<=", a(), as_term(0))
    enough = Relation("<=", (b() + 1) * Reciprocal(a()), number("r"))
    claim = Implies(every("r", 0, None, Relation("<=", number(r + 1) * a(), b())), goal)
    return Step("small", for_reals(claim, a, b), Generalise(("a*", "b*", "multiples"), (
        Step("by cases", goal, RealCases(
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
        _induction(
            "every sum", "m", one(m),
            Step("one term", one(0), Identity((item(use("only term", fns=(q,))),))),
            Step("one more", one(m + 1), Identity((
                item(_last(X)), item(use("so far")), item(use("zero"), times=Reciprocal(number(m + 1)) * q(m)),
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
        _induction(
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
    bounded = Relation("<=", limit[0], as_term(0))
    claim = Implies(at_least_0(X), every("m", 0, None, goal))
    return Step(label, for_reals(claim, x), Generalise(("x*", "not negative", "m"), (
        Step("multiples", every("r", 0, None, multiple), Generalise(("r",), steps)),
        Step("not positive", bounded, Instantiate(use("small", fns=tuple(map(value, limit)), given=("multiples",)))),
        Step("whole time", goal, Chain((use("not positive"),))),
    )))  # fmt: skip


def _carried(label: str, walked: Walked, *steps: Callable[[Formula], Step]) -> Step:
    """What holds after i steps holds after one more."""
    goal = walked(Z, number(i + 1), Y)
    claim = every("m", 0, None, every("i", 0, None, Implies(walked(X, number(i), Y), goal)))
    given = Implies(at_least_0(X), Implies(at_least_0(Y), Implies(Relation("=", Z, X + Y), claim)))
    inside = (_beyond, *(step(goal) for step in steps))
    return Step(f"{label}: one step", for_reals(given, x, y, z), Generalise((*_fixed, "m", "i", "so far"), inside))


def _mass() -> tuple[Step, ...]:
    """D_m(x) <= 1: after i steps (1 - i h^2) D_m <= 1."""

    def walked(at: Term, count: Term, length: Term) -> Relation:
        here = partial_mass(at, m)
        return Relation("<=", here - count * length * length * here, ONE)

    def cases(goal: Formula) -> Step:
        square, terms = (use("y at least 0"),) * 2, ("k", 0, m)
        mass = (use("exp positive", fns=(value(-Z),)), _terms(z, "k", "z at least 0"))
        return Step("by cases", goal, RealCases(
            ONE - number(i + 1) * Y * Y, as_term(0), "case",
            (Step("late", goal, Nonnegative((item(), item(use("case"), *mass, over=(terms,))))),),
            (Step("early", goal, Nonnegative((
                item(use("so far")),
                item(use("case"), _cited("step forward", m)),
                item(*square, _cited("step forward", m)),
                item(use("numbers", i), *square, *square, *mass, over=(terms,)),
            ))),),
        ))  # fmt: skip

    whole = partial_mass(X, m)
    return (
        _carried("Poisson mass", walked, cases),
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
            item(_cited("step back", m)),
            item(use("numbers", i), use("y at least 0"), _cited("terms rise", m)),
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
        _terms_rise(),
        _terms_bounded(),
        _sums_bounded(),
        _sums_grow(),
        _step_forward(),
        _small(),
        _at_zero(),
        *_mass(),
        _step_back(),
        *_tail(),
    )

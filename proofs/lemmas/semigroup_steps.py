"""exp(x (B - I)) as the limit of exp(-x) sum_{k <= m} x^k / k! B^k in half the 1-norm of each row.

    rows of the limit G sum to 1, and G is at least every partial sum

Partial sums S_m grow, and |S_m - G| is at most twice half the norm, entry by entry and in the sum of a row; so whatever
a partial sum exceeds G by, or a row sum differs from 1 by, is at most half of itself, and is not positive.  Assumed,
under the names given: B is a kernel ("shared kernel"), x >= 0 ("time"), the limit ("limit").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from proofs.laws import half_norm, partial_mass, poisson, term_of_series
from proofs.lemmas.comparison_steps import value
from proofs.lemmas.euler_steps import row
from proofs.lemmas.poisson_steps import at_least_0
from proofs.notation import every, n, power, vanishing, zero_one
from proofs.steps import (
    Antisymmetry,
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Nonnegative,
    Obtain,
    Step,
    item,
    real_cases,
    use,
)
from proofs.substitute import apply
from proofs.term import (
    Exp,
    Fn,
    Formula,
    Index,
    Lambda,
    Relation,
    Symbol,
    Term,
    as_term,
    index,
    total,
)

__all__ = ["converges", "exponential_limit", "first_terms", "partial_kernel", "power_kernels"]

x, y, eta = Symbol("x*", 0), Symbol("y*", 0), Symbol("eta*", 0)
p, q = Symbol("p*", 1), Symbol("q*", 1)
X, ETA = x(), eta()
d, i, j, k, m, r, s, M, v = (index(name) for name in ("d", "i", "j", "k", "m", "r", "s", "M", "v"))
ZERO, ONE = as_term(0), as_term(1)


def partial_kernel(time: Term, kernel: Fn) -> Lambda:
    """(m, i, j) -> exp(-x) sum_{k <= m} x^k / k! B^k_ij."""
    weight = apply(poisson(time), (k,))
    return Lambda(("m", "i", "j"), total("k", 0, m, weight * power(kernel)("k", "i", "j")))


def converges(time: Term, kernel: Fn, limit: Fn) -> Formula:
    """In every row half the 1-norm of the difference between G and the partial sums tends to 0."""
    distance = half_norm(row(limit, "i"), row(partial_kernel(time, kernel), "m", "i"))
    return every("i", 1, n, vanishing(Lambda(("m",), distance)))


def power_kernels(kernel: Fn) -> tuple[Step, ...]:
    """B^k is a kernel."""
    B = power(kernel)

    def entries(at: Index | int) -> Formula:
        return every("i", 1, n, every("j", 1, n, at_least_0(B(at, "i", "j"))))

    def rows(at: Index | int) -> Formula:
        return every("i", 1, n, Relation("=", total("j", 1, n, B(at, "i", "j")), ONE))

    return (
        Step("power entries", every("k", 0, None, entries(k)), Induction(
            "so far",
            (Step("none", entries(0), Nonnegative((item(times=zero_one("i", "j")),))),),
            (Step("one more", entries(k + 1), Nonnegative((
                item(use("shared kernel", "i", "l", parts="nonnegative"), use("so far", "l", "j"), over=(("l", 1, n),)),
            ))),),
        )),
        Step("power rows", every("k", 0, None, rows(k)), Induction(
            "so far",
            (Step("none", rows(0), Identity()),),
            (Step("one more", rows(k + 1), Identity((
                item(use("so far", "l"), times=kernel("i", "l"), over=(("l", 1, n),)),
                item(use("shared kernel", "i", parts="rows")),
            ))),),
        )),
    )  # fmt: skip


def exponential_limit(time: Term, kernel: Fn, limit: Fn, goals: Sequence[tuple[str, Formula]]) -> tuple[Step, ...]:
    """The limit has rows of sum 1 and is above every partial sum; ``goals`` are these two, with their labels."""
    S = partial_kernel(time, kernel)
    stays = use("exp positive", fns=(value(-time),))
    added = item(
        stays, use("terms", "k", fns=(value(time),), given=("time",)), use("power entries", "k", "i", "j"),
        over=(("k", m + 1, m + d),),
    )  # fmt: skip
    (above, above_goal), (rows, rows_goal) = goals
    return (
        *power_kernels(kernel),
        Step("grows", every("m", 0, None, every("d", 0, None, every("i", 1, n, every("j", 1, n, Relation(
            "<=", S(m, "i", "j"), S(m + d, "i", "j")
        ))))), Nonnegative((added,))),
        Step("mass of sums", every("m", 0, None, every("i", 1, n, Relation(
            "=", total("j", 1, n, S(m, "i", "j")), partial_mass(time, m)
        ))), Identity((
            item(
                use("power rows", "k", "i"), times=Exp(-time) * term_of_series(time)(k), over=(("k", 0, m),)
            ),
        ))),
        Step(above, above_goal, Generalise(("m", "i", "j"), (_entry_above(S, limit),))),
        Step(rows, rows_goal, Generalise(("i",), (_mass_at_most(S, time, limit), _mass_at_least(S, time, limit), Step(
            "one", Relation("=", total("j", 1, n, limit("i", "j")), ONE),
            Antisymmetry(use("at most one"), use("at least one")),
        )))),
    )  # fmt: skip


def first_terms(time: Term, kernel: Fn, above: str) -> Nonnegative:
    """exp(-x) ([i = j] + x B_ij) is the partial sum to k = 1, which is below the limit as ``above`` says."""
    terms = Lambda(("k",), apply(poisson(time), (k,)) * power(kernel)("k", "i", "j"))
    return Nonnegative((item(use(above, 1, "i", "j")),), (
        item(use("last apart", 0, fns=(terms,)), times=-1),
        item(use("only term", fns=(terms,)), times=-1),
        item(use("inverse", 0), times=-Exp(-time) * time * kernel("i", "j")),
    ))  # fmt: skip


def _halved(label: str, low: Term, high: Term, steps: Callable[[Term], tuple[Step, ...]]) -> Step:
    """low <= high, because otherwise low - high is at most half of itself: ``steps``, given a quarter of it."""
    quarter = as_term(Fraction(1, 4)) * (low - high)
    goal = Relation("<=", low, high)
    return Step(label, goal, real_cases(
        low, high, "case",
        (Step("so it is", goal, Instantiate(use("case"))),),
        (Step("a quarter", Relation("<", ZERO, quarter), Nonnegative((item(use("case"), times=Fraction(1, 4)),))),
         *steps(quarter)),
    ))  # fmt: skip


def _close(quarter: Term, *steps: Step) -> Step:
    """From some number r of terms on, half the norm is at most the quarter, known as "close"."""
    goal = steps[-1].formula
    near = use("limit", "i", fns=(value(quarter),), given=("a quarter",))
    return Step("close enough", goal, Obtain(near, "r", "close", steps))


def _entry_above(S: Lambda, limit: Fn) -> Step:
    low, high = S(m, "i", "j"), limit("i", "j")
    G, there = row(limit, "i"), row(S, m + r, "i")

    def steps(quarter: Term) -> tuple[Step, ...]:
        return (_close(quarter, Step("half of it", Relation("<=", low, high), Nonnegative((
            item(use("grows", m, r, "i", "j"), times=2),
            item(use("entry below norm", "j", fns=(there, G)), times=2),
            item(use("close", m + r), times=4),
        )))),)  # fmt: skip

    return _halved("entry", low, high, steps)


def _mass_at_most(S: Lambda, time: Term, limit: Fn) -> Step:
    low, high = total("j", 1, n, limit("i", "j")), ONE
    G, there = row(limit, "i"), row(S, r, "i")

    def steps(quarter: Term) -> tuple[Step, ...]:
        return (_close(quarter, Step("half of it", Relation("<=", low, high), Nonnegative(
            (
                item(use("mass below norm", fns=(G, there)), times=2),
                item(use("close", r), times=4),
                item(use("Poisson mass", r, fns=(value(time),), given=("time",)), times=2),
            ),
            (item(use("mass of sums", r, "i"), times=2),),
        ))),)  # fmt: skip

    return _halved("at most one", low, high, steps)


def _mass_at_least(S: Lambda, time: Term, limit: Fn) -> Step:
    low, high = ONE, total("j", 1, n, limit("i", "j"))
    G, there = row(limit, "i"), row(S, r + s, "i")

    def steps(quarter: Term) -> tuple[Step, ...]:
        last = Step("three quarters of it", Relation("<=", low, high), Nonnegative(
            (
                item(use("mass above norm", fns=(G, there)), times=4),
                item(use("close", r + s), times=8),
                item(use("Poisson tail", r + s, fns=(value(time),), given=("time",)), times=4),
                item(use("rest", r + s), times=4),
            ),
            (item(use("mass of sums", r + s, "i"), times=-4),),
        ))  # fmt: skip
        vanish = Step("tail", vanishing(Lambda(("m",), time * term_of_series(time)(m))), Instantiate(
            use("terms vanish", fns=(value(time),), given=("time",))
        ))  # fmt: skip
        there_is = use("tail", fns=(value(quarter),), given=("a quarter",))
        return (vanish, _close(quarter, Step("few missing", last.formula, Obtain(there_is, "s", "rest", (last,)))))

    return _halved("at least one", low, high, steps)

"""x x^m / m! tends to 0, so 1 - exp(-x) sum_{k <= m} x^k / k! does, which is at most that.

From M >= x on the terms do not grow, so m times the m-th one is bounded; some natural number is beyond that
bound over eta.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.laws import partial_mass, term_of_series
from proofs.lemmas.comparison_steps import value
from proofs.lemmas.poisson_steps import at_least_0
from proofs.notation import every, number, some, vanishing
from proofs.steps import (
    Archimedes,
    Chain,
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Invert,
    Nonnegative,
    Obtain,
    Step,
    Witness,
    item,
    real_cases,
    use,
)
from proofs.term import (
    ForAllFn,
    Implies,
    Index,
    Lambda,
    Reciprocal,
    Relation,
    Symbol,
    Term,
    as_term,
    index,
)

__all__ = ["limit_lemma", "series_ends", "terms_vanish"]

x, y, eta = Symbol("x*", 0), Symbol("y*", 0), Symbol("eta*", 0)
p, q = Symbol("p*", 1), Symbol("q*", 1)
z, e = Symbol("z*", 0), Symbol("e*", 1)
X, ETA = x(), eta()
d, i, j, k, m, r, s, M, v = (index(name) for name in ("d", "i", "j", "k", "m", "r", "s", "M", "v"))
ZERO, ONE = as_term(0), as_term(1)


def terms_vanish() -> tuple[Step, ...]:
    """x x^m / m! -> 0: from M >= x on the terms fall, then like 1 / m."""
    terms = term_of_series(X)
    start = terms(M)
    known = use("terms", M + d, fns=(x,), given=("not negative",))
    left = Reciprocal(number(M + d + 1)) * terms(M + d)

    def falls(at: Index | int) -> Relation:
        return Relation("<=", terms(M + at), start)

    bound = X * X * start
    small = every("v", M + r + 1, None, Relation("<=", X * terms(v), ETA))
    goal = some("S", 0, every("v", index("S"), None, Relation("<=", X * terms(v), ETA)))
    steps = number(v - M)
    multiplied = Relation("<=", steps * X * terms(v), steps * ETA)
    inside = (
        Step("falls", every("d", 0, None, falls(d)), Induction(
            "so far",
            (Step("at M", falls(0), Identity()),),
            (Step("one more", falls(d + 1), Nonnegative(
                (
                    item(use("so far")), item(known, use("inverse positive", M + d), use("slow")),
                    item(known, use("inverse positive", M + d), use("numbers", d)),
                    item(known, use("inverse positive", M + d)),
                ),
                (item(use("inverse", M + d), times=terms(M + d)), item(use("numbers add", M, d), times=-left)),
            )),),
        )),
        Step("decays", every("d", 0, None, Relation("<=", number(d + 1) * X * terms(M + d + 1), bound)), Nonnegative(
            (
                item(use("not negative"), use("not negative"), use("falls", d)),
                item(
                    use("not negative"), use("terms", M + d + 1, fns=(x,), given=("not negative",)), use("numbers", M)
                ),
            ),
            (
                item(use("inverse", M + d), times=X * X * terms(M + d)),
                item(use("numbers add", M, d), times=-X * X * left),
            ),
        )),
        Step("inverted", Relation("=", ETA * Reciprocal(ETA), ONE), Invert(use("positive"))),
        Step("far", some("r", 0, Relation("<=", bound * Reciprocal(ETA), number(r))), Archimedes()),
        Step("beyond", goal, Obtain(use("far"), "r", "enough", (
            Step("multiplied", every("v", M + r + 1, None, multiplied), Nonnegative(
                (
                    item(use("decays", v - M - 1)), item(use("positive"), use("enough")),
                    item(use("positive"), use("numbers", v - M - r)),
                ),
                (
                    item(use("inverted"), times=-bound),
                    item(use("numbers add", r, v - M - r), times=-ETA),
                ),
            )),
            Step("small terms", small, Nonnegative(
                (item(use("inverse positive", v - M - 1), use("multiplied", v)),),
                (item(use("inverse", v - M - 1), times=ETA - X * terms(v)),),
            )),
            Step("so", goal, Witness(M + r + 1, "small terms")),
        ))),
    )  # fmt: skip
    add = every("M", 0, None, every("d", 0, None, Relation("=", number(M + d), number(M) + number(d))))
    claim = ForAllFn(x, Implies(at_least_0(X), vanishing(Lambda(("m",), X * terms(m)))))
    return (
        Step("numbers add", add, Generalise(("M",), (
            Step("each", every("d", 0, None, Relation("=", number(M + d), number(M) + number(d))), Induction(
                "so far",
                (Step("none", Relation("=", number(M), number(M) + number(0)), Identity()),),
                (Step("one more", Relation("=", number(M + d + 1), number(M) + number(d + 1)), Identity((
                    item(use("so far")),
                ))),),
            )),
        ))),
        Step("terms vanish", claim, Generalise(("x*", "not negative", "eta*", "positive"), (
            Step("fast", some("M", 0, Relation("<=", X, number(M))), Archimedes()),
            Step("there is", goal, Obtain(use("fast"), "M", "slow", inside)),
        ))),
    )  # fmt: skip


def series_ends(time: Term) -> Step:
    """1 - D_m(x) -> 0 for D_m(x) = exp(-x) sum_{k <= m} x^k / k!."""
    goal = some("S", 0, every("v", index("S"), None, Relation("<=", ONE - partial_mass(time, v), ETA)))
    small = every("v", r, None, Relation("<=", ONE - partial_mass(time, v), ETA))
    vanish = vanishing(Lambda(("m",), time * term_of_series(time)(m)))
    return Step("little is missing", vanishing(Lambda(("m",), ONE - partial_mass(time, m))), Generalise(
        ("eta*", "positive"),
        (
            Step("tail", vanish, Instantiate(use("terms vanish", fns=(value(time),), given=("time",)))),
            Step("there is", goal, Obtain(use("tail", fns=(eta,), given=("positive",)), "r", "rest", (
                Step("missing little", small, Chain((
                    use("Poisson tail", v, fns=(value(time),), given=("time",)), use("rest", v),
                ))),
                Step("so", goal, Witness(r, "missing little")),
            ))),
        ),
    ))  # fmt: skip


def limit_lemma() -> Step:
    """A number that is at most every e_m, m >= 2, is not positive if e_m tends to 0."""
    goal, half = Relation("<=", z(), ZERO), as_term(Fraction(1, 2)) * z()
    bounded = every("m", 2, None, Relation("<=", z(), e("m")))
    near = some("r", 0, every("v", r, None, Relation("<=", e("v"), half)))
    whole = ForAllFn(z, ForAllFn(e, Implies(vanishing(e), Implies(bounded, goal))))
    return Step("limits keep bounds", whole, Generalise(
        ("z*", "e*", "tends to 0", "bounded"),
        (Step("by cases", goal, real_cases(
            z(), ZERO, "case",
            (Step("not positive", goal, Instantiate(use("case"))),),
            (
                Step("half", Relation("<", ZERO, half), Nonnegative((item(use("case"), times=Fraction(1, 2)),))),
                Step("near", near, Instantiate(use("tends to 0", fns=(value(half),), given=("half",)))),
                Step("there", goal, Obtain(use("near"), "r", "small", (
                    Step("so", goal, Nonnegative((
                        item(use("bounded", r + 2), times=2), item(use("small", r + 2), times=2),
                    ))),
                ))),
            ),
        )),),
    ))  # fmt: skip

"""C3, the uniform kernel in continuous depth: a mixture of binomial laws with an explicit mixing law.

    sum_j p_j C(j - 1, m) = C(n - 1, m) E X^m,      E X^m = exp(-S m / (m + 1)),      m = 0, 1, ...
    X = 1 with chance exp(-S), else density exp(-S) sqrt(S / L) I_1(2 sqrt(S L)) at x,      L = -ln x

A_ij = 1 / i for j <= i multiplies the binomial moment of order m by 1 / (m + 1), so that T layers multiply it by prod_t
(1 - lambda_t + lambda_t / (m + 1)) and exp(S (A - I)) by exp(-S) sum_k (S / (m + 1))^k / k! = exp(-S m / (m + 1)).
These moments determine the row.  The density is exp(-S) sum_{k >= 1} S^k / k! L^{k-1} / (k - 1)!.  Source: ours,
beyond arXiv:2602.16837; the uniform kernel in the continuum is in arXiv:2603.10123.

Proved here, for every n, T, m and number u of terms: "rollout", "continuous depth" and "determined" for the rows; the
Bessel series term by term ("Bessel": of y = sqrt(S L) and c = sqrt(S / L) it uses y^2 = S L and c y = S); the partial
sums of the moments between explicit bounds, and their limit ("moments", "limit", from C0); that T layers are within
sum_t lambda_t^2 of continuous depth ("finite depth").  Hypothesis, for want of integrals in the language: J_k, which is
int_0^1 x^m L^{k-1} / (k - 1)! dx, is (m + 1)^{-k}, a Gamma integral.  Not stated: that sum and integral may be
exchanged (monotone convergence).

"one expectation", derived from Weierstrass' theorem, which is taken from outside: for a continuous f on [0, 1], at most
one number is between the expectations that these moments give to polynomials below and above f (law_on_interval.py).
Not stated: that E f(X) is between for every law with these moments, as expectation is monotone; that the E f(X)
determine the law, so that no other on [0, 1] has these moments (Hausdorff).
Exact here: all, but that cases compare exp in balls and pass over "limit" and "one expectation".
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import mixing as mixing_coefficients
from proofs.case import Case, Entries
from proofs.draws import for_each, sizes_within
from proofs.laws import partial_mass, partial_sum, square_sum, term_of_series
from proofs.lemmas.bessel_steps import bessel_terms
from proofs.lemmas.comparison_steps import value
from proofs.lemmas.moment_steps import close_to_exponential, elapsed, kept_moment, share
from proofs.lemmas.pascal_steps import binomial_lemmas
from proofs.lemmas.poisson_steps import exp_lemmas, term_lemmas
from proofs.lemmas.row_moment_steps import (
    binomial_moment,
    determined,
    every_row,
    here,
    mixtures,
    one_layer,
    powers,
    rolled,
    rollouts,
    uniform,
)
from proofs.lemmas.shift_steps import shift_lemmas
from proofs.lemmas.uniqueness_steps import at_most_one, one_expectation
from proofs.notation import (
    accumulated,
    binomial,
    every,
    mixing,
    n,
    number,
    some,
    vanishing,
)
from proofs.outline import used_only
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import (
    Both,
    Exponential,
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Nonnegative,
    Obtain,
    Step,
    Use,
    Witness,
    item,
    use,
)
from proofs.substitute import apply
from proofs.term import (
    And,
    Exp,
    Index,
    Lambda,
    Range,
    Reciprocal,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)
from proofs.twins import Twin, scale, shift

lam, J, d = Symbol("lambda", 1), Symbol("J", 1), Symbol("d", 1)
S, L, y, c = (Symbol(name, 0) for name in ("S", "L", "y", "c"))
i, j, k, at_l, m, s, u, T = (index(name) for name in ("i", "j", "k", "l", "m", "s", "u", "T"))
ONE = as_term(1)
moment = kept_moment(lam)
mean, terms = S() * share, term_of_series(S())
target = Exp(-(S() * number(m) * share))
law_moments = Lambda(("k",), Exp(-(S() * number(k) * Reciprocal(number(k + 1)))))

powers_of_order = accumulated(Lambda(("r",), number(m + 1)))
series = partial_sum(mean, "u")
bessel = total("k", 0, "u", term_of_series(y())("k") * term_of_series(y())(k + 1))
density = total("k", 0, "u", terms(k + 1) * term_of_series(L())("k"))


def order(at: Index | int | str) -> Term:
    """(m + 1)^k."""
    return powers_of_order(at)


no_moment = total("j", 1, n, d("j") * binomial(j - 1, "k"))
finite_depth = And((
    ("below", Relation("<=", accumulated(moment)(T), elapsed(lam, T))),
    ("above", Relation("<=", elapsed(lam, T), accumulated(moment)(T) + square_sum(lam))),
))  # fmt: skip

claim = Claim(
    symbols=(lam, S, J, L, y, c, d),
    indices=tuple(Range(name, as_index(0), None) for name in ("T", "m", "u")),
    hypotheses=(
        ("mixing", mixing(lam, "T")),
        ("depth", Relation("<=", as_term(0), S())),
        ("integrals", every("k", 1, u, Relation("=", order("k") * J("k"), ONE))),
        ("arguments", And((
            ("square", Relation("=", y() * y(), S() * L())),
            ("factor", Relation("=", c() * y(), S())),
        ))),
        ("no moments", every("k", 0, n - 1, Relation("=", no_moment, as_term(0)))),
    ),
    parts=(
        Part("rollout", (), rolled(lam, T)),
        Part("continuous depth", (), every_row(
            total("k", 0, "u", terms("k") * binomial_moment(powers("k", "i", "j"))), here * series
        )),
        Part("density", ("integrals",), Relation(
            "=", ONE + total("k", 1, "u", terms("k") * J("k")), series
        )),
        Part("moments", ("depth",), And((
            ("below", Relation("<=", Exp(-S()) * series, target)),
            ("missing", Relation("<=", target, Exp(-S()) * series + target * mean * term_of_series(mean)("u"))),
        ))),
        Part("limit", ("depth",), vanishing(Lambda(("u",), target - Exp(-S()) * partial_sum(mean, "u")))),
        Part("finite depth", ("mixing",), finite_depth),
        Part("Bessel", ("arguments",), Relation("=", c() * bessel, density)),
        Part("determined", ("no moments",), every("j", 1, n, Relation("=", d("j"), as_term(0)))),
        Part("one expectation", (), at_most_one(law_moments)),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------


def integrals() -> tuple[Step, ...]:
    """S^k / k! = (S / (m + 1))^k / k! (m + 1)^k, and the integrals take the last factor away."""
    scaled = term_of_series(mean)

    def stated(at: Index | int) -> Relation:
        return Relation("=", terms(at), scaled(at) * order(at))

    last = Reciprocal(number(k + 1)) * S()
    return (
        Step("every term", every("k", 0, None, stated(k)), Induction(
            "so far",
            (Step("none", stated(0), Identity()),),
            (Step("one more", stated(k + 1), Identity((
                item(use("so far"), times=last),
                item(use("inverse", m), times=-last * scaled(k) * order(k)),
            ))),),
        )),
        Step("all terms", claim.part("density").asserts, Identity((
            item(use("every term", "k"), times=J("k"), over=(("k", 1, u),)),
            item(use("integrals", "k"), times=scaled("k"), over=(("k", 1, u),)),
            item(use("start apart", u, fns=(scaled,)), times=-1),
        ))),
    )  # fmt: skip


def series_of(part: str, last: Index | int | str) -> Use:
    """C0: 1 - x x^m / m! <= exp(-x) sum_{k <= m} x^k / k! <= 1 for x = S / (m + 1)."""
    return use("C0", last, parts=part, fns=(uniform, uniform, value(mean)), given=("mean",))


def times_apart() -> tuple[Step, ...]:
    """exp(-S m / (m + 1)) exp(-S / (m + 1)) = exp(-S)."""
    return (
        Step("mean", Relation("<=", as_term(0), mean), Nonnegative((item(use("depth"), use("inverse positive", m)),))),
        Step("times", Relation("=", target * Exp(-mean), Exp(-S())), Exponential((
            item(use("inverse", m), times=-S()),
        ))),
    )  # fmt: skip


positive = use("exp positive", fns=(value(-(S() * number(m) * share)),))


def moments() -> tuple[Step, ...]:
    """The bounds of C0 on the series, times exp(-S m / (m + 1))."""
    goals = claim.part("moments").asserts
    assert isinstance(goals, And)
    below, missing = (goal for _, goal in goals.parts)
    return (
        *times_apart(),
        Step("below", below, Nonnegative(
            (item(positive, series_of("below", u)),), (item(use("times"), times=-series),)
        )),
        Step("missing", missing, Nonnegative(
            (item(positive, series_of("missing", u)),), (item(use("times"), times=series),)
        )),
        Step("both", goals, Both(("below", "missing"))),
    )  # fmt: skip


def limit() -> tuple[Step, ...]:
    """exp(-S m / (m + 1)) <= 1, so no more is missing than of the series of C0."""
    v, eta = index("v"), Symbol("eta*", 0)
    ends = series_of("series", 0)
    rest = Relation("<=", target - Exp(-S()) * partial_sum(mean, v), eta())
    goal = some("r", 0, every("v", index("r"), None, rest))
    spent = S() * number(m) * share
    return (
        *times_apart(),
        Step("spent", Relation("<=", as_term(0), spent), Nonnegative((
            item(use("depth"), use("numbers", m), use("inverse positive", m)),
        ))),
        Step("ends", vanishing(Lambda(("k",), ONE - partial_mass(mean, "k"))), Instantiate(ends)),
        Step("moment", claim.part("limit").asserts, Generalise(("eta*", "positive"), (
            Step("there is", goal, Obtain(use("ends", fns=(eta,), given=("positive",)), "r", "near", (
                Step("missing", every("v", index("r"), None, rest), Nonnegative(
                    (
                        item(use("near", v)),
                        item(use("decay", fns=(value(spent),), given=("spent",)), series_of("below", v)),
                    ),
                    (item(use("times"), times=partial_sum(mean, v)),),
                )),
                Step("so", goal, Witness(index("r"), "missing")),
            ))),
        ))),
    )  # fmt: skip


derivation = used_only((
    *exp_lemmas(),
    *term_lemmas(),
    *shift_lemmas(),
    *binomial_lemmas(),
    one_layer(),
    claim.proof("rollout", *rollouts(lam)),
    claim.proof("continuous depth", *mixtures(S(), claim.part("continuous depth").asserts)),
    claim.proof("density", *integrals()),
    claim.proof("moments", *moments()),
    claim.proof("limit", *limit()),
    claim.proof("finite depth", *close_to_exponential(lam, finite_depth)),
    claim.proof("Bessel", *bessel_terms(claim.part("Bessel").asserts, S(), L(), y(), c())),
    claim.proof("determined", *determined(d)),
    Step("whole mass", Relation("=", apply(law_moments, (as_index(0),)), ONE), Exponential()),
    one_expectation("one expectation", law_moments),
    claim.finish("uniform kernel"),
))  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Rational depths, arguments of the Bessel series with rational roots, integrals to u terms."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, depth = size
        drawn = st.tuples(
            mixing_coefficients(depth), st.integers(0, 3), st.integers(0, 4),
            st.fractions(0, 3, max_denominator=4), st.fractions(Fraction(1, 4), 2, max_denominator=4),
        )  # fmt: skip
        return drawn.map(lambda x: _case(positions, *x))

    return for_each(sizes_within(6, 4), draw)


def _case(size: int, mixed: tuple[Fraction, ...], order: int, terms: int, time: Fraction, root: Fraction) -> Case:
    square = root * root / time if time else Fraction(1)
    return Case.of(
        size, {"T": len(mixed), "m": order, "u": terms}, lambda_=mixed, S=time, L=square, y=root if time else 0,
        c=time / root, J=[Fraction(1, (order + 1) ** k) for k in range(1, terms + 1)], d=[0] * size,
    )  # fmt: skip


_plain: dict[str, Entries] = {"lambda_": [0], "S": 0, "J": [1], "L": 1, "y": 0, "c": 0, "d": [0]}


def _alone(order: int = 0, terms: int = 0, **changed: Entries) -> Case:
    return Case.of(1, {"T": 1, "m": order, "u": terms}, **{**_plain, **changed})


needed = (
    Needed("mixing", _alone(9, lambda_=[-5]), "lambda = -5: exp(9/2) against 11/2 and 25"),
    Needed("depth", _alone(S=-1), "S = -1: exp(1) > 1"),
    Needed("integrals", _alone(0, 1, S=1, J=[0]), "J = 0"),
    Needed("arguments", _alone(S=1), "y = c = 0"),
    Needed("no moments", _alone(d=[1]), "d = 1"),
)

statement = Statement(
    id="C3",
    title="The uniform kernel in continuous depth",
    source="ours, beyond arXiv:2602.16837",
    remark="The mixing law is a Poisson number of independent uniform factors.",
    cites=("chowdhury2026",),
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        scale("rollout"), shift("rollout", "accumulated", 0, -1), scale("continuous depth"), scale("density"),
        scale("moments/below", Fraction(1, 2)), scale("moments/missing", Fraction(1, 2)),
        scale("finite depth/below", Fraction(1, 2)), scale("finite depth/above", Fraction(1, 2)), scale("Bessel"),
        Twin(("determined",), "one", lambda r: Relation("=", r.left, ONE)),
    ),
)  # fmt: skip

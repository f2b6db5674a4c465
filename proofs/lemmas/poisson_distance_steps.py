"""The number of hops against a Poisson number of the same mean, as tests 0 <= g <= 1 of any length see it.

    |sum_{k <= T + u} g_k (P(K = k) - exp(-x) x^k / k!)|  <=  sum_t x_t^2,     x = x_1 + ... + x_T

for chances x_t in [0, 1].  Up to T it is count_steps.py; beyond, K has no mass, and a Poisson number at most what is
left.  The law of a distance (distance_law_steps.py) is such a sum: laws of hops that are close give close distances.
"""

from __future__ import annotations

from proofs.laws import chances, effective_depth, gap, poisson, square_sum
from proofs.lemmas.binomial_mean_steps import at_most_1
from proofs.lemmas.comparison_steps import value
from proofs.lemmas.count_steps import hop_lemmas, law_against_poisson
from proofs.lemmas.distance_law_steps import distance_law
from proofs.lemmas.poisson_steps import at_least_0
from proofs.lemmas.product_steps import for_all
from proofs.lemmas.variation_steps import unit
from proofs.notation import IDENTITY, every, hops, mixing, zero_one
from proofs.steps import Both, Chain, Generalise, Induction, Nonnegative, Step, Use, item, use
from proofs.substitute import apply
from proofs.term import (
    And,
    Bracket,
    Fn,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Lambda,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)

__all__ = ["close_hops", "close_lemmas"]

x, g, rho = Symbol("x*", 1), Symbol("g*", 1), Symbol("rho*", 0)  # starred, so that no claim uses the names
a, b, bound = Symbol("a*", 1), Symbol("b*", 1), Symbol("B*", 0)
d, k, r, u, T = (index(name) for name in ("d", "k", "r", "u", "T"))
ONE = as_term(1)


def _differ(first: Fn, second: Fn, most: Term) -> Formula:
    """sum_{k <= T + u} g_k (a_k - b_k) <= B for every u >= 0."""
    tested = total("k", 0, T + u, g(k) * (apply(first, (k,)) - apply(second, (k,))))
    return every("u", 0, None, Relation("<=", tested, most))


def _all_tests(first: Fn, second: Fn, most: Term) -> Formula:
    """That, for every test."""
    return ForAllFn(g, Implies(unit(g, 0, None), _differ(first, second, most)))


# --- hops -------------------------------------------------------------------------------------------

LAW, MEAN, SQUARES = chances(x), effective_depth(x), square_sum(x)
POISSON = poisson(MEAN)


def close_hops(of: Fn) -> tuple[tuple[str, Formula], tuple[str, Formula]]:
    """Both bounds, for the chances x."""
    law, other, most = chances(of), poisson(effective_depth(of)), square_sum(of)
    return ("above", _all_tests(law, other, most)), ("below", _all_tests(other, law, most))


_both = And(close_hops(x))
_other = Lambda(("k",), ONE - g("k"))
_beyond = (("k", T + 1, T + u),)
_none = use("C1", T, k - T - 1, parts="support/above", fns=(x, IDENTITY))  # P(K = k) = 0 for k > T
_mass = (  # exp(-x) > 0 and x^k / k! >= 0
    use("exp positive", fns=(value(-MEAN),)), use("terms", "k", fns=(value(MEAN),), given=("mean",))
)  # fmt: skip
_in_unit = [use("test", "k", parts=part) for part in ("nonnegative", "at most one")]
_low, _high = (formula for _, formula in unit(_other, 0, None).parts)

_above = Step("above", _both.parts[0][1], Generalise(("g*", "test"), (
    Step("every length", _differ(LAW, POISSON, SQUARES), Nonnegative(
        (
            item(use("law tested", T, fns=(g,), given=("test",))),
            item(use("second order")),
            item(_in_unit[0], *_mass, over=_beyond),
        ),
        (item(_none, times=g("k"), over=_beyond),),
    )),
)))  # fmt: skip
_below = Step("below", _both.parts[1][1], Generalise(("g*", "test"), (
    Step("other test: at least 0", _low, Chain((_in_unit[1],))),
    Step("other test: at most 1", _high, Chain((_in_unit[0],))),
    Step("other test", unit(_other, 0, None), Both(("other test: at least 0", "other test: at most 1"))),
    Step("every length", _differ(POISSON, LAW, SQUARES), Nonnegative(
        (
            item(use("law tested", T, fns=(_other,), given=("other test",))),
            item(use("second order")),
            item(use("C0", T + u, parts="below", fns=(IDENTITY, IDENTITY, value(MEAN)), given=("mean",))),
            item(_in_unit[1], *_mass, over=_beyond),
        ),
        (item(use("mass", T), times=-1), item(_none, times=-g("k"), over=_beyond)),
    )),
)))  # fmt: skip

_of_hops = Step("hops are nearly Poisson", for_all((x,), mixing(x, "T"), _both), Generalise(("x*", "mixing"), (
    *hop_lemmas(x),
    *law_against_poisson(x),
    Step("second order", Relation("<=", gap(x), SQUARES), Nonnegative((item(
        use("mixing", "t", parts="nonnegative"), use("exp below", fns=(value(x("t")),)), over=(("t", 1, T),)
    ),))),
    Step("mean", at_least_0(MEAN), Chain((use("depths", T),))),
    _above,
    _below,
    Step("both", _both, Both(("above", "below"))),
)))  # fmt: skip

# --- distances --------------------------------------------------------------------------------------

_p, _q = rho(), ONE - rho()
TRIALS = Lambda(("t",), _q)
_weight = hops(TRIALS)(d, r)
_first = Lambda(("k",), zero_one(k, 0))
_further = Lambda(("k",), total("r", 0, d, _q * _weight * zero_one(k, r + 1)))


def _distances(at: Index | int) -> Relation:
    return Relation("<=", distance_law(a, _p, at) - distance_law(b, _p, at), bound())


def _is_test(label: str, test: Fn, low: Nonnegative, high: Nonnegative) -> tuple[Step, ...]:
    (_, at_least), (_, at_most) = unit(test, 0, None).parts
    return (
        Step(f"{label}: at least 0", at_least, low),
        Step(f"{label}: at most 1", at_most, high),
        Step(label, unit(test, 0, None), Both((f"{label}: at least 0", f"{label}: at most 1"))),
    )


def _of_law(part: str, *at: Index | str) -> Use:
    """P(Bin(d, 1 - rho) = r) >= 0, and their sum 1: C1."""
    given = (use("trials", d),) if part == "nonnegative" else ()
    return use("C1", *at, parts=part, fns=(TRIALS, IDENTITY), given=given)


def _law_at(label: str, sequence: Fn, *at: Index) -> Use:
    return use(label, *at, fns=(sequence, rho))


_counts = (("r", 0, d),)
_trials = every("d", 0, None, mixing(TRIALS, d))
_tested = every("d", 0, None, _distances(d))
_of_distances = Step(
    "distances are close",
    for_all((a, b, bound, rho), at_least_0(_p), at_most_1(_p), _all_tests(a, b, bound()), _tested),
    Generalise(("a*", "b*", "B*", "rho*", "rho >= 0", "rho <= 1", "tests"), (
        Step("trials", _trials, Generalise(("d",), (
            Step("at least 0", every("t", 1, d, at_least_0(_q)), Chain((use("rho <= 1"),))),
            Step("at most 1", every("t", 1, d, at_most_1(_q)), Chain((use("rho >= 0"),))),
            Step("trial", mixing(TRIALS, d), Both(("at least 0", "at most 1"))),
        ))),
        Step("every distance", _tested, Induction(
            "nearer",
            base=(
                *_is_test("test", _first, Nonnegative((item(times=zero_one(k, 0)),)), Nonnegative((
                    item(times=Bracket(((as_index(1), k),))),
                ))),
                Step("distance 0", _distances(0), Nonnegative(
                    (item(use("tests", 0, fns=(_first,), given=("test",))),),
                    (item(_law_at("law at 0", a)), item(_law_at("law at 0", b), times=-1)),
                )),
            ),
            step=(
                *_is_test(
                    "test", _further,
                    Nonnegative((item(
                        use("rho <= 1"), _of_law("nonnegative", d, "r"), times=zero_one(k, r + 1), over=_counts
                    ),)),
                    Nonnegative(
                        (
                            item(
                                use("rho >= 0"), _of_law("nonnegative", d, "r"), times=zero_one(k, r + 1), over=_counts
                            ),
                            item(_of_law("nonnegative", d, "r"), times=Bracket(((k, r),)), over=_counts),
                            item(_of_law("nonnegative", d, "r"), times=Bracket(((r + 2, k),)), over=_counts),
                        ),
                        (item(_of_law("mass", d, as_index(0))),),
                    ),
                ),
                Step("further", _distances(d + 1), Nonnegative(
                    (item(use("tests", d + 1, fns=(_further,), given=("test",))),),
                    (item(_law_at("law further on", a, d)), item(_law_at("law further on", b, d), times=-1)),
                )),
            ),
        )),
    )),
)  # fmt: skip


def close_lemmas() -> tuple[Step, ...]:
    """Hops, and distances; after the lemmas on exp, its series, sums and laws of distances."""
    return _of_hops, _of_distances

"""ALiBi near the end in continuous depth: a Poisson number of hops, of mean rho S after thinning.

    exp(-rho S) M_d,   M_d = [d = 0] + (1 - rho) E (rho S)^k / k!,  k = 1 + Bin(d - 1, 1 - rho)

The factor exp(-rho S) plays no part in the shape.  With x = rho S: x^2 / 2 <= x if x <= 2, and conversely for x > 0.
For the symbols of alibi_row_steps.py.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.laws import poisson, square_sum, term_of_series
from proofs.lemmas.alibi_law_steps import THINNED, counts, law
from proofs.lemmas.alibi_row_steps import L, rho
from proofs.lemmas.binomial_mean_steps import binomial_weight, power
from proofs.lemmas.comparison_steps import value
from proofs.lemmas.distance_law_steps import falls, log_concave_from_1, unimodal_from_1
from proofs.lemmas.law_shape_steps import hump, shape, spike
from proofs.lemmas.log_concave_steps import log_concave, not_negative
from proofs.lemmas.poisson_steps import at_least_0
from proofs.lemmas.prefix_power_steps import lam
from proofs.notation import every, number
from proofs.steps import (
    Absurd,
    Both,
    Chain,
    Exponential,
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Nonnegative,
    Step,
    item,
    real_cases,
    use,
)
from proofs.term import And, Exp, Implies, Reciprocal, Relation, Symbol, as_term, index, total

__all__ = ["M", "S", "close_steps", "close_to_poisson", "hump_steps", "series", "shape_steps", "spent", "spike_steps"]

S, M = Symbol("S", 0), Symbol("M", 1)
d, k, l, D, T = (index(name) for name in ("d", "k", "l", "D", "T"))  # noqa: E741 - the letters of the formulas
ONE, TWO = as_term(1), as_term(2)
p, q = rho(), ONE - rho()
spent = rho() * S()
series = term_of_series(spent)
_low, _high = (use("slope", parts=part) for part in ("at least 0", "at most 1"))
little, little_before = Relation("<=", spent, TWO), Relation("<=", q * spent, ONE)

# --- against the finite depth -----------------------------------------------------------------------

_scaled = Exp(-spent) * M("d")
_most = power(rho(), 2) * square_sum(lam)


def close_to_poisson() -> And:
    """L_{T, d} and exp(-rho S) M_d differ by at most rho^2 sum_t lambda_t^2."""
    return And((
        ("above", every("d", 0, D, Relation("<=", L(T, "d"), _scaled + _most))),
        ("below", every("d", 0, D, Relation("<=", _scaled, L(T, "d") + _most))),
    ))  # fmt: skip


_mean = total("t", 1, T, THINNED.body)
_squares = total("t", 1, T, THINNED.body * THINNED.body)
_terms, _poisson = term_of_series(_mean), poisson(_mean)
_over = Reciprocal(number(k + 1))
_decays = Exp(-_mean)


def _close(side: str, sign: int) -> Step:
    goal = dict(close_to_poisson().parts)[side]
    laws = (counts(T), _poisson) if sign == 1 else (_poisson, counts(T))
    weight = q * binomial_weight(p, d - 1, k)
    return Step(side, goal, Nonnegative(
        (item(use(
            "distances are close", d, fns=(*laws, value(_squares), rho),
            given=(_low, _high, use("hops are nearly Poisson", parts=side, fns=(THINNED,), given=("chances",))),
        )),),
        (
            item(use("endless law", d, given=("endless kernel",)), times=sign),
            item(use("Poisson law", d), times=-sign * Exp(-spent)),
            item(use("same decay"), times=-sign * law(series, d)),
            item(use("same terms", k + 1), times=-sign * (_decays * weight), over=(("k", 0, d - 1),)),
        ),
    ))  # fmt: skip


def close_steps() -> tuple[Step, ...]:
    """Both bounds, from "slope", "chances", "endless kernel", "effective depth" and "Poisson law"."""
    same = every("k", 0, None, Relation("=", series("k"), _terms("k")))
    after = Relation("=", series(k + 1), _terms(k + 1))
    return (
        Step("same mean", Relation("=", spent, _mean), Identity((item(use("effective depth"), times=rho()),))),
        Step("same decay", Relation("=", Exp(-spent), _decays), Exponential((item(use("same mean"), times=-1),))),
        Step("same terms", same, Induction(
            "so far",
            base=(Step("none", Relation("=", series(0), _terms(0)), Identity()),),
            step=(Step("one more", after, Identity((
                item(use("so far"), times=_over * spent), item(use("same mean"), times=_over * _terms("k")),
            ))),),
        )),
        _close("above", 1),
        _close("below", -1),
        Step("close", close_to_poisson(), Both(("above", "below"))),
    )  # fmt: skip


# --- shape ------------------------------------------------------------------------------------------

_of_laws = (M, series, rho)
_second = falls(series, 1)  # x^2 / 2 <= x
_weights = use("inverse positive", 0), use("inverse positive", 1)
_halves = item(use("inverse", 1), times=Reciprocal(number(1)) * spent)
_contradiction = Relation("<", as_term(0), as_term(0))


def shape_steps() -> tuple[Step, ...]:
    """The shape, from "slope", "time" and "Poisson law"."""
    goal = shape(M, little)
    no_hump = dict(goal.parts)["no hump"]
    assert isinstance(no_hump, Implies)
    starts = Implies(Relation("<", p, ONE), Relation("<", as_term(0), series(0)))
    return (
        Step("spent >= 0", at_least_0(spent), Nonnegative((item(_low, use("time")),))),
        Step("series >= 0", not_negative(series), Chain((
            use("terms", k, fns=(value(spent),), given=("spent >= 0",)),
        ))),
        Step("log-concave terms", log_concave(series), Chain((
            use("log-concave series", l, k, fns=(value(spent),), given=("spent >= 0",)),
        ))),
        Step("starts", starts, Generalise(("rho < 1",), (
            Step("one", Relation("<", as_term(0), series(0)), Nonnegative((item(),))),
        ))),
        Step("by terms", shape(M, _second), Instantiate(use("shape of laws", fns=_of_laws, given=(
            "Poisson law", _low, _high, "series >= 0", "log-concave terms", "starts"
        )))),
        Step("log-concave", log_concave_from_1(M), Instantiate(use("by terms", parts="log-concave"))),
        Step("unimodal", unimodal_from_1(M), Instantiate(use("by terms", parts="unimodal"))),
        Step("no hump", no_hump, Generalise(("little",), (
            Step("second falls", _second, Nonnegative(
                (item(*_weights, use("spent >= 0"), use("little")),), (_halves,)
            )),
            Step("falls", no_hump.body, Instantiate(use("by terms", parts="no hump", given=("second falls",)))),
        ))),
        Step("all", goal, Both(("log-concave", "unimodal", "no hump"))),
    )  # fmt: skip


def hump_steps() -> tuple[Step, ...]:
    """If M_2 <= M_1, then rho S <= 2, from "positive slope" and "Poisson law"."""
    return (
        Step("little", hump(M, little), Generalise(("falls",), (
            Step("second falls", _second, Instantiate(
                use("hump of laws", fns=_of_laws, given=("Poisson law", "positive slope", "falls"))
            )),
            Step("so little", little, real_cases(
                spent, TWO, "either", (Step("so it is", little, Chain((use("either"),))),),
                (
                    Step("false", _contradiction, Nonnegative(
                        (
                            item(*_weights, use("either"), use("either")),
                            item(*_weights, use("either"), times=2),
                            item(use("second falls")),
                        ),
                        (item(use("inverse", 1), times=-(Reciprocal(number(1)) * spent)),),
                    )),
                    Step("never", little, Absurd(use("false"), Fraction(0))),
                ),
            )),
        ))),
    )  # fmt: skip


def spike_steps() -> tuple[Step, ...]:
    """M_1 <= M_0 if and only if (1 - rho) rho S <= 1, from "Poisson law"."""
    goal = spike(M, little_before)
    terms = Relation("<=", q * series(1), series(0))
    here = item(use("inverse", 0), times=q * spent)
    return (
        Step("by terms", spike(M, terms), Instantiate(use("spike of laws", fns=_of_laws, given=("Poisson law",)))),
        Step("if", Implies(little_before, falls(M, 0)), Generalise(("little",), (
            Step("terms compared", terms, Nonnegative((item(use("little")),), (here,))),
            Step("falls", falls(M, 0), Instantiate(use("by terms", parts="if", given=("terms compared",)))),
        ))),
        Step("only if", Implies(falls(M, 0), little_before), Generalise(("falls",), (
            Step("terms compared", terms, Instantiate(use("by terms", parts="only if", given=("falls",)))),
            Step("little", little_before, Nonnegative((item(use("terms compared")),), (
                item(use("inverse", 0), times=-(q * spent)),
            ))),
        ))),
        Step("both", goal, Both(("if", "only if"))),
    )  # fmt: skip

"""Coefficients lambda_t next to c t^(-beta), and constant ones: what I6 says of them, at every depth.

    lambda_t <= c t^(-beta), 0 < c < 1 < beta:  P^(q)_ii >= exp(-c beta / ((1 - c)(beta - 1)))
    lambda_t = c > 0:                           lambda_1 + lambda_2 + ... is infinite

Source: classical.
"""

from __future__ import annotations

from proofs.lemmas.limit_steps import A, P, hop, lam
from proofs.lemmas.logarithm_steps import power_of
from proofs.lemmas.series_steps import partial_sum
from proofs.notation import causal, every, layer, layers, mixing, n, number, some, unbounded
from proofs.steps import (
    Archimedes,
    Both,
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
    use,
)
from proofs.substitute import substitute
from proofs.term import (
    And,
    Exp,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Lambda,
    Reciprocal,
    Relation,
    Symbol,
    Term,
    as_term,
    index,
    total,
)

__all__ = [
    "M",
    "below",
    "beta",
    "c",
    "constant_sums",
    "deep",
    "fast_lemma",
    "most",
    "no_function",
    "power",
    "reached",
]

c, beta, M, d = Symbol("c", 0), Symbol("beta", 0), Symbol("M", 0), Symbol("c*", 0)
i, q, k = index("i"), index("q"), index("k")
ZERO, ONE = as_term(0), as_term(1)
no_function = Lambda(("j",), ZERO)  # for the test function of I2, where it plays no part


def most(left: Term, right: Term) -> Relation:
    """left <= right."""
    return Relation("<=", left, right)


power = power_of("t", beta())  # t^(-beta)
below = Exp(-(Reciprocal(ONE - c()) * (c() * (beta() * Reciprocal(beta() - 1)))))

# --- fast decay -----------------------------------------------------------------------------------

x = hop("i")
give = use("mixing", "t", parts="nonnegative")
low_end, high_end = below.body, -(Reciprocal(ONE - c()) * partial_sum(x, "q"))
bounds = And((("below one", Relation("<", c(), ONE)), ("factors", layers(1, q, most(x.body, c())))))
entry = use("kernels", "t", "i", "i", parts="nonnegative")
D, E = Reciprocal(ONE - c()), Reciprocal(beta() - 1)
sum_at_most = most(partial_sum(x, "q"), c() * (beta() * E))


def _if(*premises: Formula, then: Formula) -> Formula:
    for premise in reversed(premises):
        then = Implies(premise, then)
    return then


fast_lemma = Step("fast decay so far", _if(
    Relation("<", ONE, beta()), Relation("<", ZERO, c()), Relation("<", c(), ONE),
    then=every("q", 0, None, _if(
        mixing(lam, "q"), layers(1, "q", causal(layer(A, "t"))), layers(1, q, most(lam("t"), c() * power)),
        then=every("i", 1, n, most(below, P("q", "i", "i"))),
    )),
), Generalise(("fast", "c positive", "c below 1", "q", "mixing", "kernels", "at most a power", "i"), (
    Step("beta >= 0", most(ZERO, beta()), Nonnegative((item(use("fast")), item(times=ONE)))),
    Step("x <= c", layers(1, q, most(x.body, c())), Nonnegative((
        item(use("c positive"), use("k^-b <= 1", "t", fns=(beta,), given=("beta >= 0",))),
        item(use("at most a power", "t")), item(give, entry),
    ))),
    Step("c < 1", Relation("<", c(), ONE), Chain((use("c below 1"),))),
    Step("bounds", bounds, Both(("c < 1", "x <= c"))),
    Step("above exp", most(Exp(high_end), P("q", "i", "i")), Instantiate(use(
        "I2", "i", q, parts="lower", fns=(lam, A, no_function, c), given=("mixing", "kernels", "bounds"),
    ))),
    Step("1 - c > 0", Relation("<", ZERO, ONE - c()), Chain((use("c below 1"),))),
    Step("inverse of 1 - c > 0", Relation("<", ZERO, D), Invert(use("1 - c > 0"))),
    Step("beta - 1 > 0", Relation("<", ZERO, beta() - 1), Chain((use("fast"),))),
    Step("inverse of beta - 1 > 0", Relation("<", ZERO, E), Invert(use("beta - 1 > 0"))),
    Step("inverse", Relation("=", (beta() - 1) * E, ONE), Invert(use("beta - 1 > 0"))),
    Step("sum", sum_at_most, Nonnegative(
        (
            item(give, entry, over=(("t", 1, q),)),
            item(use("at most a power", "t"), over=(("t", 1, q),)),
            item(use("c positive"), use("inverse of beta - 1 > 0"), use("power sums", q, fns=(beta,), given=("fast",))),
        ),
        (item(use("inverse"), times=-(c() * total("t", 1, "q", power))),),
    )),
    Step("exponents", most(low_end, high_end), Nonnegative((item(use("inverse of 1 - c > 0"), use("sum")),))),
    Step("so", most(below, P("q", "i", "i")), Chain((
        use("exp increases", fns=(Lambda((), low_end), Lambda((), high_end)), given=("exponents",)),
        use("above exp"),
    ))),
)))  # fmt: skip

# --- constants ------------------------------------------------------------------------------------

reached = some("T", 0, most(M(), partial_sum(lam, "T")))
counted = Relation("=", partial_sum(lam, "q"), d() * number("q"))


def deep(value: Symbol) -> Term:
    """M / c."""
    return M() * Reciprocal(value())


constant_sums = Step("constant sums", ForAllFn(d, Implies(Relation("<", ZERO, d()), Implies(
    every("t", 1, None, Relation("=", lam("t"), d())), unbounded(lam),
))), Generalise(("c*", "positive", "constant", "M"), (
    Step("inverse", Relation("=", d() * Reciprocal(d()), ONE), Invert(use("positive"))),
    Step("counted", every("q", 0, None, counted), Induction(
        "so far",
        base=(Step("no layer", substitute(counted, {"q": Index(())}, {}), Identity()),),
        step=(Step("one more layer", substitute(counted, {"q": q + 1}, {}), Identity((
            item(use("so far")), item(use("constant", q + 1)),
        ))),),
    )),
    Step("beyond", some("k", 0, most(deep(d), number("k"))), Archimedes()),
    Step("there", reached, Obtain(use("beyond"), "k", "many", (
        Step("enough", most(M(), partial_sum(lam, "k")), Nonnegative(
            (item(use("many"), use("positive")),),
            (item(use("inverse"), times=-M()), item(use("counted", "k"), times=-1)),
        )),
        Step("witness", reached, Witness(k, "enough")),
    ))),
)))  # fmt: skip

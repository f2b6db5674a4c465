"""X1, averaging gap: the mean of a product of random layers is not the product of the mean layers.

    E P^(T) - Q^(T)  =  sum_t N_T ... N_{t+1} E[D_t P^(t-1)],            N = E R,  D = R - N
                     =  sum_{s<t} N_T ... N_{t+1} E[D_t R_{t-1} ... R_{s+1} D_s] N_{s-1} ... N_1
    1/2 |E P^(T) - Q^(T)|_1  <=  1/2 sum_{s<t} E[b_s b_t]    row by row, if rows of |D_t| sum to at most b_t
    E P^(T) = Q^(T)                                          if E[D_t P^(t-1)] = 0 for every t

P = R_T ... R_1, Q = N_T ... N_1; outcomes omega = 1, ..., M have the chances p.  E[D_t P^(t-1)] is the covariance of a
layer and the product below it: 0 for independent layers; pairwise independence does not suffice.  The identities need
no kernels; the bound needs them, causal or not, and is attained, by causal ones too.  Source: ours, beyond
arXiv:2602.16837, which averages kernels over a data set.

Exact here: everything.  Numeric here: nothing.  Not covered: infinitely many outcomes.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.cases.averaging_cases import COUNTEREXAMPLES, averaging_cases
from proofs.laws import half_norm
from proofs.lemmas.absolute_steps import absolute_lemmas
from proofs.lemmas.averaging_bound_steps import (
    absolute_bounds,
    b,
    bound,
    distances,
    gap_tested,
    layer_facts,
    rows_compared,
)
from proofs.lemmas.averaging_steps import (
    D,
    M,
    N,
    P,
    Q,
    R,
    are_deviations,
    are_means,
    by_covariances,
    covariances,
    entries,
    every_outcome,
    expected,
    for_outcome,
    of_second_order,
    outcome,
    p,
    solved_by_covariances,
    solved_by_outcome,
    solved_of_second_order,
    unrolled,
)
from proofs.lemmas.comparison_steps import value
from proofs.lemmas.variation_steps import norm_lemmas, tested, tests
from proofs.notation import every, layers, n, stochastic, zero_one
from proofs.outline import used_only
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Chain, Generalise, Identity, Induction, Instantiate, Step, item, use
from proofs.substitute import apply
from proofs.term import Formula, Index, Lambda, Range, Relation, Symbol, as_index, as_term, index, total
from proofs.twins import lose, scale, turn

g = Symbol("g*", 1)
i, j, s, t, T = (index(name) for name in ("i", "j", "s", "t", "T"))

of_layer = Lambda(("i", "j"), R("omega", "t", "i", "j"))


def mean_is_product(depth: Index | int | str) -> Formula:
    """E P^(depth) = Q^(depth)."""
    return entries(Relation("=", expected(P(depth, "i", "j")), Q(depth, "i", "j")))


claim = Claim(
    symbols=(p, R, N, D, b),
    indices=(Range("M", as_index(1), None), Range("T", as_index(0), None)),
    hypotheses=(
        ("weights", every_outcome(Relation("<=", as_term(0), p("omega")))),
        ("mass", Relation("=", total("omega", 1, M, p("omega")), as_term(1))),
        ("means", are_means()),
        ("deviations", are_deviations()),
        ("kernels", every_outcome(layers(1, "T", stochastic(of_layer)))),
        ("distances", distances()),
        ("uncorrelated", layers(1, "T", entries(Relation("=", apply(covariances, (t, i, j)), as_term(0))))),
    ),
    parts=(
        Part("covariances", ("mass", "deviations"), by_covariances()),
        Part("each outcome", ("deviations",), every_outcome(outcome(T))),
        Part("second order", ("mass", "means", "deviations"), of_second_order()),
        Part("bound", ("weights", "mass", "means", "deviations", "kernels", "distances"), every(
            "i", 1, n, Relation("<=", half_norm(*rows_compared("T")), bound("T"))
        )),
        Part("uncorrelated layers", ("mass", "deviations", "uncorrelated"), mean_is_product("T")),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------


def bounded() -> tuple[Step, ...]:
    """Rows of both sums are 1, so the bound for every test bounds half the norm."""
    first, second = rows_compared("T")
    of_outcomes = use(
        "rows of products", T, T, "i", fns=(for_outcome(R),), given=(use("rows of outcomes", "omega"),)
    )  # fmt: skip
    sums = (
        item(of_outcomes, times=p("omega"), over=(("omega", 1, M),)),
        item(use("rows of products", T, T, "i", fns=(N,), given=("mean rows",)), times=-1),
        item(use("mass")),
    )
    equal = Relation("=", total("j", 1, n, apply(first, (j,))), total("j", 1, n, apply(second, (j,))))
    return (
        *layer_facts(),
        gap_tested(),
        Step("each row", claim.part("bound").asserts, Generalise(("i",), (
            Step("equal mass", equal, Identity(sums)),
            Step("every test", tests(bound("T"), tested(first, second)), Generalise(("g*", "test"), (
                Step("this test", Relation("<=", tested(first, second), bound("T")), Chain((
                    use("gap tested", T, "i", fns=(g,), given=("test",)),
                ))),
            ))),
            Step("this row", Relation("<=", half_norm(first, second), bound("T")), Instantiate(
                use("half norm", fns=(first, second, value(bound("T"))), given=("equal mass", "every test"))
            )),
        ))),
    )  # fmt: skip


no_correlation = Step("every depth", every("s", 0, T, mean_is_product("s")), Induction(
    "so far",
    base=(Step("no layer", mean_is_product(0), Identity((item(use("mass"), times=zero_one("i", "j")),))),),
    step=(Step("one more layer", mean_is_product(s + 1), Identity((
        item(use("uncorrelated", s + 1, "i", "j")),
        item(
            use("deviations", "omega", s + 1, "i", "l"), times=-(p("omega") * P("s", "l", "j")),
            over=(("omega", 1, M), ("l", 1, n)),
        ),
        item(use("so far", "l", "j"), times=N(s + 1, "i", "l"), over=(("l", 1, n),)),
    ))),),
))  # fmt: skip


derivation = used_only((
    *norm_lemmas(),
    *absolute_lemmas(),
    *absolute_bounds(),
    unrolled(),
    claim.proof("covariances", *solved_by_covariances()),
    claim.proof("each outcome", *solved_by_outcome(T), fix=("omega",)),
    claim.proof("second order", *solved_of_second_order()),
    claim.proof("bound", *bounded()),
    claim.proof("uncorrelated layers", no_correlation, Step(
        "depth T", mean_is_product("T"), Chain((use("every depth", T, "i", "j"),))
    )),
    claim.finish("averaging gap"),
))  # fmt: skip

# --- statement ------------------------------------------------------------------------------------

statement = Statement(
    id="X1",
    title="Averaging layers loses their correlation",
    source="ours, beyond arXiv:2602.16837",
    remark="The gap is of second order: it sums over pairs of layers, and independent ones have none.",
    claim=claim,
    derivation=derivation,
    cases=averaging_cases,
    needed=tuple(Needed(*case) for case in COUNTEREXAMPLES),
    twins=(
        scale("covariances"), lose("each outcome"), scale("second order"), turn("bound"),
        scale("bound", Fraction(9, 10)), scale("uncorrelated layers"),
    ),
)  # fmt: skip

"""C2, continuous depth: R_t = (1 - lambda_t) I + lambda_t A_t is an Euler step of dP/ds = (A - I) P.

    1/2 |R_T ... R_1 - E_T ... E_1|_1 <= sum_t lambda_t (1 - exp(-lambda_t)) <= sum_t lambda_t^2        row by row
    1/2 |P^(T) - G|_1 <= d_TV(K, Poisson S) <= sum_t lambda_t^2,  and  <= 1/S sum_t lambda_t^2          one kernel B

E_t = exp(lambda_t (A_t - I)) and G = exp(S (B - I)), S = lambda_1 + ... + lambda_T, are known by what the bounds need:
rows of sum 1 above the first terms, exp(-lambda_t) (I + lambda_t A_t) and exp(-S) sum_{k <= T} S^k / k! B^k; C0 says
that limits of the exponential series are such matrices.

K is the number of attending layers; d_TV is the sum of the positive parts of P(K = k) - exp(-S) S^k / k!, which are 0
for k > T.  Hypotheses: 0 <= lambda_t <= 1; A_t, B are kernels, causal or not.  Inequality; T = 1 is tight in the first.
Source: arXiv:2602.16837.

Proved here: the bounds by lambda_t (1 - exp(-lambda_t)) and lambda_t^2, by test functions 0 <= g <= 1, layer by layer,
which is the coupling.  From outside: the factor 1/S alone (Barbour and Hall 1984).  Exact here: everything, but that
cases compare exp in balls.  Not covered: that exp(s (A - I)) solves the differential equation.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.cases.limit_cases import EULER_COUNTEREXAMPLES, euler_cases
from proofs.laws import (
    chances,
    effective_depth,
    gap,
    half_norm,
    poisson,
    square_sum,
    variation,
)
from proofs.lemmas.comparison_steps import value
from proofs.lemmas.count_steps import hop_lemmas, law_against_poisson
from proofs.lemmas.euler_steps import every_row, products_tested, row, two_terms
from proofs.lemmas.poisson_steps import exp_lemmas, term_lemmas
from proofs.lemmas.shared_steps import constant, mixture_of_powers, shared_tested
from proofs.lemmas.shift_steps import shift_lemmas
from proofs.lemmas.variation_steps import norm_lemmas, rows_of, tested, tests, unit
from proofs.notation import (
    every,
    layer,
    layers,
    mixing,
    n,
    rollout,
    stochastic,
    transition,
)
from proofs.outline import used_only
from proofs.outside import OUTSIDE
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import (
    Both,
    Chain,
    Generalise,
    Identity,
    Instantiate,
    Item,
    Nonnegative,
    Outside,
    Step,
    Use,
    item,
    use,
)
from proofs.substitute import apply
from proofs.term import (
    Compare,
    Fn,
    Formula,
    Lambda,
    Range,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)
from proofs.twins import scale, turn

lam, A, E, B, G = Symbol("lambda", 1), Symbol("A", 3), Symbol("E", 3), Symbol("B", 2), Symbol("G", 2)
g = Symbol("g*", 1)
i, j, k, s, T = (index(v) for v in ("i", "j", "k", "s", "T"))
R, S = transition(lam, A), effective_depth(lam)
P, Q = rollout(R), rollout(E)
P_shared = rollout(transition(lam, constant(B)))
law, poisson_law = chances(lam), poisson(S)
squares = square_sum(lam)
distance_of_laws = variation(law, poisson_law, T)


between_rollouts = half_norm(row(P, "T", "i"), row(Q, "T", "i"))
between_shared = half_norm(row(P_shared, "T", "i"), row(G, "i"))


def entries(relation: Formula) -> Formula:
    return every("i", 1, n, every("j", 1, n, relation))


claim = Claim(
    symbols=(lam, A, E, B, G),
    indices=(Range("T", as_index(0), None),),
    hypotheses=(
        ("mixing", mixing(lam, "T")),
        ("kernels", layers(1, "T", stochastic(layer(A, "t")))),
        ("rows", rows_of(E, 1, T)),
        ("above two terms", layers(1, "T", entries(Relation("<=", two_terms(lam, A), E("t", "i", "j"))))),
        ("shared kernel", stochastic(B)),
        ("limit rows", every("i", 1, n, Relation("=", total("j", 1, n, G("i", "j")), as_term(1)))),
        ("above the series", entries(Relation("<=", mixture_of_powers(lam, B), G("i", "j")))),
    ),
    parts=(
        Part("layers", ("mixing", "kernels", "rows", "above two terms"), every_row(between_rollouts, gap(lam))),
        Part("squares", ("mixing",), Relation("<=", gap(lam), squares)),
        Part(
            "shared kernel, in one step",
            ("shared kernel", "limit rows", "above the series"),
            every_row(between_shared, distance_of_laws),
        ),
        Part("number of layers", ("mixing",), Relation("<=", distance_of_laws, squares)),
        Part("many layers", ("mixing",), Relation("<=", S * distance_of_laws, squares)),
    ),
)

# --- derivation -----------------------------------------------------------------------------------


def mixed_rows(label: str, kernels: Fn, source: Use) -> Step:
    """Rows of (1 - lambda_t) I + lambda_t A_t sum to 1 if those of A_t do, as ``source`` says."""
    return Step(label, rows_of(transition(lam, kernels), 1, T), Identity((item(source, times=lam("t")),)))


def bounded(goal: Formula, first: Fn, second: Fn, source: Use, bound: Term, rows: tuple[Item, Item]) -> Step:
    """``goal``, a bound on half the norm of the difference of two rows i, from ``source``, the bound for every test."""
    return Step("each row", goal, Generalise(("i",), (
        Step("equal mass", Relation("=", total("j", 1, n, first("j")), total("j", 1, n, second("j"))), Identity(rows)),
        Step("every test", tests(bound, tested(first, second)), Generalise(("g*", "test"), (
            Step("this test", Relation("<=", tested(first, second), bound), Chain((source,))),
        ))),
        Step("this row", Relation("<=", half_norm(first, second), bound), Chain((
            use("half norm", fns=(first, second, value(bound)), given=("equal mass", "every test")),
        ))),
    )))  # fmt: skip


def products_bounded() -> tuple[Step, ...]:
    """The rows of both products sum to 1, so the bound for every test bounds half the norm."""
    return (
        mixed_rows("rows mixed", A, use("kernels", "t", "i", parts="rows")),
        *products_tested(lam, A, E),
        bounded(
            claim.part("layers").asserts, row(P, "T", "i"), row(Q, "T", "i"),
            use("products tested", T, "i", fns=(g,), given=("test",)), gap(lam),
            (
                item(use("rows of products", T, T, "i", fns=(R,), given=("rows mixed",))),
                item(use("rows of products", T, T, "i", fns=(E,), given=("rows",)), times=-1),
            ),
        ),
    )  # fmt: skip


def shared_bounded() -> tuple[Step, ...]:
    """Likewise for one kernel and the total variation between K and the Poisson law."""
    shared = transition(lam, constant(B))
    return (
        *shared_tested(lam, B, G),
        mixed_rows("rows mixed", constant(B), use("shared kernel", "i", parts="rows")),
        bounded(
            claim.part("shared kernel, in one step").asserts, row(P_shared, "T", "i"), row(G, "i"),
            use("shared tested", "i", fns=(g,), given=("test",)), distance_of_laws,
            (
                item(use("rows of products", T, T, "i", fns=(shared,), given=("rows mixed",))),
                item(use("limit rows", "i"), times=-1),
            ),
        ),
    )  # fmt: skip


p_k, q_k = apply(law, (k,)), apply(poisson_law, (k,))
worst = Lambda(("k",), Compare(q_k, p_k))
second_order = Step("second order", Relation("<=", gap(lam), squares), Nonnegative((item(
    use("mixing", "t", parts="nonnegative"), use("exp below", fns=(value(lam("t")),)), over=(("t", 1, T),)
),)))  # fmt: skip
laws_tested = (
    *law_against_poisson(lam),
    Step("worst: at least 0", unit(worst, 0, None).parts[0][1], Nonnegative((item(times=worst.body),))),
    Step("worst: at most 1", unit(worst, 0, None).parts[1][1], Chain((
        use("comparison at most one", fns=(value(q_k), value(p_k))),
    ))),
    Step("worst", unit(worst, 0, None), Both(("worst: at least 0", "worst: at most 1"))),
    second_order,
    Step("distance", Relation("<=", distance_of_laws, squares), Chain((
        use("law tested", T, fns=(worst,), given=("worst",)), use("second order"),
    ))),
)  # fmt: skip

derivation = used_only((
    *norm_lemmas(),
    *exp_lemmas(),
    *term_lemmas(),
    *shift_lemmas(),
    *hop_lemmas(lam),
    claim.proof("layers", *products_bounded()),
    claim.proof("squares", second_order),
    claim.proof("shared kernel, in one step", *shared_bounded()),
    claim.proof("number of layers", *laws_tested),
    Step("Poisson approximation", OUTSIDE["Barbour-Hall"].formula, Outside("Barbour-Hall")),
    claim.proof(
        "many layers",
        Step(
            "this depth",
            claim.part("many layers").asserts,
            Instantiate(use("Poisson approximation", T, fns=(lam,), given=("mixing",))),
        ),
    ),
    claim.finish("continuous depth"),
))  # fmt: skip

# --- statement ------------------------------------------------------------------------------------

statement = Statement(
    id="C2",
    title="Depth is time: layers are Euler steps",
    source="arXiv:2602.16837",
    remark="The error is of second order in the mixing coefficients; for one kernel it does not grow with depth.",
    cites=("lecam1960",),
    claim=claim,
    derivation=derivation,
    cases=euler_cases,
    needed=tuple(Needed(*case) for case in EULER_COUNTEREXAMPLES),
    twins=(turn("layers"), *(scale(part.name, Fraction(1, 2)) for part in claim.parts)),
)  # fmt: skip

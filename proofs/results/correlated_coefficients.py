"""X1b, correlated coefficients: with one kernel in two layers, averaging them apart makes the U too shallow.

    E R_2 R_1 - N_2 N_1  =  Cov(lambda_1, lambda_2) (I - A)^2,    R_t = (1 - lambda_t) I + lambda_t A,  N_t = E R_t
    uniform kernel, c = row i of (I - A)^2:   i j (c_j - c_{j+1}) = 1  for j <= i - 2,
                                              i (i - 1) (c_i - c_{i-1}) = i (i - 1) - 1  for i >= 2

So c falls to its last but one entry and then rises, a U for i >= 3: coefficients that correlate over the outcomes
omega = 1, ..., M of chances p deepen the U of the profile.  Identities, for any matrix A and any coefficients.  Source:
ours, beyond arXiv:2602.16837.

Exact here: everything.  Numeric here: nothing.  Not covered: three layers and more, where X1 bounds the gap.
"""

from __future__ import annotations

from proofs.cases.averaging_cases import CORRELATED, correlated_cases
from proofs.lemmas.averaging_steps import M, entries, expected, p
from proofs.lemmas.averaging_uniform_steps import falls, rises, square, squares_fall, squares_rise, uniform_squares
from proofs.lemmas.binomial_steps import number_lemmas
from proofs.lemmas.shared_steps import constant
from proofs.lemmas.uniform_steps import uniform
from proofs.notation import layers, rollout, transition, zero_one
from proofs.outline import used_only
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Identity, Instantiate, Step, item, use
from proofs.term import Lambda, Range, Relation, Symbol, as_index, as_term, total
from proofs.twins import scale

lam, mu, A, w = Symbol("lambda", 2), Symbol("mu", 1), Symbol("A", 2), Symbol("w", 1)

mixed = rollout(transition(Lambda(("t",), lam("omega", "t")), constant(A)))
of_means = rollout(transition(mu, constant(A)))
covariance = expected(lam("omega", 1) * lam("omega", 2)) - mu(1) * mu(2)
gap = expected(mixed(2, "i", "j")) - of_means(2, "i", "j")

claim = Claim(
    symbols=(p, lam, mu, A, w),
    indices=(Range("M", as_index(1), None),),
    hypotheses=(
        ("mass", Relation("=", total("omega", 1, M, p("omega")), as_term(1))),
        ("mean coefficients", layers(1, as_index(2), Relation("=", mu("t"), expected(lam("omega", "t"))))),
        ("uniform", uniform(w)),
    ),
    parts=(
        Part("one matrix, two layers", ("mass", "mean coefficients"), entries(
            Relation("=", gap, covariance * square(A, "i", "j"))
        )),
        Part("falling", ("uniform",), squares_fall(w)),
        Part("rising at the end", ("uniform",), squares_rise(w)),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------

rest = zero_one("i", "j") - A("i", "j")
# E (I - lambda_2 B) (I - lambda_1 B) - (I - mu_2 B) (I - mu_1 B), B = I - A
multiplied_out = Step("multiplied out", claim.part("one matrix, two layers").asserts, Identity((
    item(use("mass"), times=zero_one("i", "j")), *(item(use("mean coefficients", t), times=rest) for t in (1, 2)),
)))  # fmt: skip

weights = Step("uniform weights", uniform(w), Instantiate(use("uniform")))
derivation = used_only((
    *number_lemmas(),
    claim.proof("one matrix, two layers", multiplied_out),
    claim.proof("falling", weights, *uniform_squares(w), Step("rows", squares_fall(w), falls(w))),
    claim.proof("rising at the end", weights, *uniform_squares(w), Step("rows", squares_rise(w), rises(w))),
    claim.finish("correlated coefficients"),
))  # fmt: skip

# --- statement ------------------------------------------------------------------------------------

statement = Statement(
    id="X1b",
    title="Correlated coefficients deepen the U",
    source="ours, beyond arXiv:2602.16837",
    remark="For n = 4 the last row of (I - A)^2 is (1, -11, -17, 27) / 48.",
    claim=claim,
    derivation=derivation,
    cases=correlated_cases,
    needed=tuple(Needed(*case) for case in CORRELATED),
    twins=(scale("one matrix, two layers"), scale("falling"), scale("rising at the end")),
)

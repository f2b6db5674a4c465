"""X2b, inside the prefix: the first b tokens, which see each other, come to read by their stationary law.

    1/2 |(U P^(T))_i - pi|_1  <=  sum_{j > b} U_ij + prod_{t <= T} (1 - nu_t(1) - ... - nu_t(b))       in every row i
    one kernel, A_ij >= c for i, j <= b:   the same with prod_{t <= T} (1 - b c lambda_t)
    F_UI(1, 2) = 1 - U_11, F_I(1, 2) = 0:  on top of I, any kernel in which token 1 reads another moves row 1 up

P = R_T ... R_1, layers that are causal beyond b; pi is a law on the prefix that every layer keeps, nu_t(j) <= R_t(i, j)
for i, j <= b.  U is whatever lies above: with U = I the sum is 0 in the rows of the prefix; a row of which little is
left beyond the prefix (X2) reads by pi too, and not by token 1.  Doeblin's argument, by test functions.  Inequality;
tight (layers whose rows are pi).  The layers R_t may themselves be products of layers, so a block of which some power
is positive is covered.  The last line is why D1 does not hold inside the prefix (n = b = 2, rows exchanged: from 0
to 1), though it does for the last row on top of a monotone product (D1).  Source: ours, beyond arXiv:2602.16837.

Exact here: everything.  Numeric here: nothing.  Not covered: that a primitive block has a stationary law.
"""

from __future__ import annotations

from proofs.cases.prefix_lm_cases import BLOCK_COUNTEREXAMPLES, block_cases
from proofs.lemmas.prefix_block_steps import block, law_of_prefix, minorised, near_law, stationary
from proofs.lemmas.prefix_lm_steps import mixed_beyond
from proofs.lemmas.shared_steps import constant
from proofs.lemmas.variation_steps import norm_lemmas
from proofs.notation import (
    IDENTITY,
    causal_beyond,
    layer,
    layers,
    mixing,
    n,
    product,
    stochastic,
    tail,
    transition,
    zero_one,
)
from proofs.outline import used_only
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Identity, Instantiate, Nonnegative, Step, item, use
from proofs.term import Lambda, Range, Relation, Symbol, as_index, as_term, index
from proofs.twins import lose, scale, turn

R, U, pi, nu = Symbol("R", 3), Symbol("U", 2), Symbol("pi", 1), Symbol("nu", 2)
lam, A, c = Symbol("lambda", 1), Symbol("A", 2), Symbol("c", 0)
b, i, j = index("b"), index("i"), index("j")

mixed = transition(lam, constant(A))
least = Lambda(("t", "j"), lam("t") * c())  # lambda_t c <= R_t(i, j)


claim = Claim(
    symbols=(R, U, pi, nu, lam, A, c),
    indices=(Range("b", as_index(1), n), Range("T", as_index(0), None)),
    hypotheses=(
        ("layers", layers(1, "T", causal_beyond(layer(R, "t"), "b"))),
        ("upper", stochastic(U)),
        ("law", law_of_prefix(pi)),
        ("kept by layers", layers(1, "T", stationary(pi, layer(R, "t")))),
        ("at least nu", layers(1, "T", minorised(Lambda(("j",), nu("t", "j")), layer(R, "t")))),
        ("mixing", mixing(lam, "T")),
        ("kernel", causal_beyond(A, "b")),
        ("kept by the kernel", stationary(pi, A)),
        ("at least c", minorised(Lambda(("j",), c()), A)),
    ),
    parts=(
        Part("to the law", ("layers", "upper", "law", "kept by layers", "at least nu"), near_law(R, U, pi, nu)),
        Part("one kernel", ("upper", "mixing", "kernel", "law", "kept by the kernel", "at least c"), near_law(
            mixed, U, pi, least
        )),
        Part("row 1 moves up", ("upper",), Relation(
            "=", tail(product(U, IDENTITY))(1, 2), as_term(1) - U(1, 1)
        )),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------


def mixed_layers() -> tuple[Step, ...]:
    """R_t = (1 - lambda_t) I + lambda_t A is causal beyond b, keeps pi, and is at least lambda_t c on the prefix."""
    each, low, high = layer(mixed, "t"), *(use("mixing", "t", parts=p) for p in ("nonnegative", "at most one"))
    return (
        mixed_beyond("layers", lam, constant(A), "kernel"),
        Step("stationary", layers(1, "T", stationary(pi, each)), Identity((
            item(use("kept by the kernel", "j"), times=lam("t")),
        ))),
        Step("minorised", layers(1, "T", minorised(Lambda(("j",), least.body), each)), Nonnegative((
            item(high, times=zero_one("i", "j")), item(low, use("at least c", "i", "j")),
        ))),
    )  # fmt: skip


derivation = used_only((
    *norm_lemmas(),
    block(),
    claim.proof("to the law", Step("every row", claim.part("to the law").asserts, Instantiate(use(
        "block", fns=(R, U, pi, nu), given=("layers", "upper", "law", "kept by layers", "at least nu")
    )))),
    claim.proof("one kernel", *mixed_layers(), Step("every row", claim.part("one kernel").asserts, Instantiate(use(
        "block", fns=(mixed, U, pi, least), given=("layers", "upper", "law", "stationary", "minorised")
    )))),
    claim.proof("row 1 moves up", Step("what token 1 reads of others", claim.part("row 1 moves up").asserts, Identity((
        item(use("upper", 1, parts="rows")),
    )))),
    claim.finish("inside the prefix"),
))  # fmt: skip

# --- statement ------------------------------------------------------------------------------------

statement = Statement(
    id="X2b",
    title="Inside a prefix that sees itself",
    source="ours, beyond arXiv:2602.16837",
    remark="Rows of the prefix forget which token they are; token 1 has no privilege.",
    claim=claim,
    derivation=derivation,
    cases=block_cases,
    needed=tuple(Needed(*case) for case in BLOCK_COUNTEREXAMPLES),
    twins=(
        turn("to the law"), lose("to the law"), turn("one kernel"), scale("row 1 moves up"),
    ),
)  # fmt: skip

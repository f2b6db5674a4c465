"""X2, prefix language model: the first b tokens see each other, and beyond them everything is as for causal kernels.

    A_ij = 0 for j > max(i, b);        L(A)_ij = [j > b] A_ij + [j = 1] (A_i1 + ... + A_ib)  is a causal kernel,
    L(X A) = L(X) L(A),   rollouts of A_t and of L(A_t) have the same columns beyond b,   hence for tails k > b:
    F_UNB(i, k) <= F_UB(i, k)                if the tails of B rise beyond b                           (as D1)
    F_{U P(mu)}(i, k) <= F_{U P(lambda)}(i, k)   for lambda_t <= mu_t, if those of the A_t do          (as D2)
    P_rr = prod_t (1 - lambda_t (1 - A^(t)_rr)),  r > b                                                (as I1)
    F_P(r, b + 1) <= P(K <= r - b - 1)       if 1 - A^(t)_kk >= epsilon for b < k <= r                 (as I5)
    F_P(i, b + 1) -> 0 for every i           if sum_t lambda_t (1 - A^(t)_ii) is infinite for i > b    (as I3)
    P_rr stays above a positive number       if that sum is finite for r and no factor vanishes        (as I2)

Collapse is onto the prefix, not onto token 1; where A_rr > 0 for every t and F_P(r, b + 1) -> 0, the sum of row r is
infinite (as I4).  K counts successes of independent trials with chances epsilon lambda_t.  Hypotheses: kernels that are
causal beyond b < r <= n; b = 1 is the causal case.  Identities and inequalities, tight where those cited are.  Source:
ours, beyond arXiv:2602.16837.  Proof: D1, D2, I2 and I3 for the lumped kernels; I1 and I5 as there.

Exact here: everything.  Numeric here: nothing.  Not covered: D5 and I7; what happens inside the prefix (X2b).
"""

from __future__ import annotations

from proofs.cases.prefix_lm_cases import COUNTEREXAMPLES, endless_cases, prefix_cases
from proofs.lemmas.limit_steps import A, P, every_mixing, hop, lam
from proofs.lemmas.prefix_lm_limit_steps import collapse, kept_away, lost, must_diverge, stays
from proofs.lemmas.prefix_lm_order_steps import moved_down, moved_up, rate, rate_by_layer, tails_compared
from proofs.lemmas.prefix_lm_steps import (
    beyond,
    lump,
    lumped_causal,
    lumped_layers,
    lumped_monotone,
    lumped_rollouts,
    mixed_beyond,
    of_rollouts,
    product_lumped,
    rises_beyond,
)
from proofs.lemmas.series_steps import below_one
from proofs.notation import (
    accumulated,
    bounded_away,
    causal,
    causal_beyond,
    every,
    hops,
    layer,
    layers,
    mixing,
    n,
    product,
    rollout,
    summable,
    tail,
    transition,
    unbounded,
    vanishing,
)
from proofs.outline import used_only
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Both, Chain, Generalise, Identity, Induction, Instantiate, Nonnegative, Step, item, use
from proofs.substitute import apply
from proofs.term import Fn, Formula, Index, Lambda, Range, Relation, Symbol, as_index, as_term, index
from proofs.twins import limit, lose, scale, turn

mu, U, N, B, eps = Symbol("mu", 1), Symbol("U", 2), Symbol("N", 2), Symbol("B", 2), Symbol("epsilon", 0)
b, i, j, l, r, s, T = (index(name) for name in ("b", "i", "j", "l", "r", "s", "T"))  # noqa: E741
ZERO, ONE = as_term(0), as_term(1)
slowed = Lambda(("t",), eps() * lam("t"))
kept = Lambda(("t",), ONE - lam("t") * (ONE - A("t", "r", "r")))
lumped = rollout(transition(lam, lumped_layers(A)))


def coefficients(values: Fn) -> Formula:
    """0 <= lambda_t <= 1 up to layer T."""
    return mixing(values, "T")


def diagonal(depth: Index | int | str) -> Relation:
    """P_rr = prod (1 - lambda_t (1 - A_rr))."""
    return Relation("=", P(depth, "r", "r"), accumulated(kept)(depth))


def homomorphism() -> Formula:
    """L(U B) = L(U) L(B)."""
    both = (apply(lump(product(U, B)), (i, j)), product(lump(U), lump(B))("i", "j"))
    return every("i", 1, n, every("j", 1, n, Relation("=", *both)))


claim = Claim(
    symbols=(lam, mu, A, U, N, B, eps),
    indices=(Range("r", as_index(2), n), Range("b", as_index(1), r - 1), Range("T", as_index(0), None)),
    hypotheses=(
        ("upper", causal_beyond(U, "b")),
        ("inserted", causal_beyond(N, "b")),
        ("lower", causal_beyond(B, "b")),
        ("rises", rises_beyond(B)),
        ("kernels", layers(1, "T", causal_beyond(layer(A, "t"), "b"))),
        ("mixing", coefficients(lam)),
        ("more mixing", coefficients(mu)),
        ("ordered", layers(1, "T", Relation("<=", lam("t"), mu("t")))),
        ("kernels rise", layers(1, T - 1, rises_beyond(layer(A, "t")))),
        ("epsilon", Relation("<=", ZERO, eps())),
        ("off the diagonal", layers(1, "T", every("k", b + 1, r, Relation("<=", eps(), ONE - A("t", "k", "k"))))),
        ("all mixing", every_mixing),
        ("all kernels", every("t", 1, None, causal_beyond(layer(A, "t"), "b"))),
        ("infinite sums", every("i", b + 1, n, unbounded(hop("i")))),
        ("factors", below_one(hop("r"))),
        ("finite sum", summable(hop("r"))),
        ("positive diagonal", every("t", 1, None, Relation("<", ZERO, A("t", "r", "r")))),
        ("collapse", vanishing(lost("r"))),
    ),
    parts=(
        Part("lumped kernel", ("lower",), causal(lump(B))),
        Part("lumped product", ("lower",), homomorphism()),
        Part("lumped rollout", ("kernels",), beyond(Relation("=", lumped("T", "i", "j"), P("T", "i", "j")))),
        Part("primacy", ("upper", "inserted", "lower", "rises"), tails_compared(
            product(U, product(N, B)), product(U, B)
        )),
        Part("recency", ("upper", "kernels", "mixing", "more mixing", "ordered", "kernels rise"), tails_compared(
            product(U, layer(rollout(transition(mu, A)), "T")), product(U, layer(P, "T"))
        )),
        Part("diagonal", ("kernels",), diagonal("T")),
        Part("rate", ("kernels", "mixing", "epsilon", "off the diagonal"), Relation(
            "<=", tail(layer(P, "T"))("r", b + 1), rate(hops(slowed), r, T)
        )),
        Part("collapse onto the prefix", ("all mixing", "all kernels", "infinite sums"), every(
            "i", 1, n, vanishing(lost("i"))
        )),
        Part("no collapse", ("all mixing", "all kernels", "factors", "finite sum"), bounded_away(stays("r"))),
        Part(
            "collapse, conversely", ("all mixing", "all kernels", "positive diagonal", "collapse"), unbounded(hop("r"))
        ),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------

on_diagonal = Step("every depth", every("s", 0, T, diagonal("s")), Induction(
    "so far",
    base=(Step("no layer", diagonal(0), Identity()),),
    step=(Step("one more layer", diagonal(s + 1), Identity((
        item(use("so far"), times=apply(kept, (s + 1,))),
        item(
            of_rollouts(lam, A, T, "mask", "kernels", "r", "l", below=s), times=lam(s + 1) * A(s + 1, "r", "l"),
            over=(("l", 1, r - 1),),
        ),
        item(
            use("kernels", s + 1, "l", "r", parts="mask"), times=lam(s + 1) * P("s", "l", "r"), over=(("l", r + 1, n),)
        ),
    ))),),
))  # fmt: skip


def slowed_steps() -> tuple[Step, ...]:
    """Transitions are causal beyond b, and the chances epsilon lambda_t lie in [0, 1]."""
    low, high = use("mixing", "t", parts="nonnegative"), use("mixing", "t", parts="at most one")
    chance = apply(slowed, (index("t"),))
    return (
        mixed_beyond("transitions", lam, A, "kernels", "t"),
        Step("epsilon at most 1", layers(1, "T", Relation("<=", eps(), ONE)), Nonnegative((
            item(use("off the diagonal", "t", r)), item(use("kernels", "t", r, r, parts="nonnegative")),
        ))),
        Step("slowed", every("s", 0, T, mixing(slowed, "s")), Generalise(("s",), (
            Step("at least 0", layers(1, "s", Relation("<=", ZERO, chance)), Nonnegative((item(use("epsilon"), low),))),
            Step("at most 1", layers(1, "s", Relation("<=", chance, ONE)), Nonnegative((
                item(high), item(low, use("epsilon at most 1", "t")),
            ))),
            Step("both", mixing(slowed, "s"), Both(("at least 0", "at most 1"))),
        ))),
    )  # fmt: skip


derivation = used_only((
    lumped_causal(),
    lumped_monotone(),
    lumped_rollouts(),
    claim.proof("lumped kernel", Step("causal", causal(lump(B)), Instantiate(
        use("lumped kernels", fns=(B,), given=("lower",))
    ))),
    claim.proof("lumped product", Step("entries", homomorphism(), Identity(product_lumped(U, B, "lower")))),
    claim.proof("lumped rollout", Step("columns", claim.part("lumped rollout").asserts, Instantiate(
        use("lumped rollouts", T, T, parts="columns", fns=(lam, A), given=("kernels",))
    ))),
    claim.proof("primacy", *moved_down(U, N, B)),
    claim.proof("recency", *moved_up(lam, mu, A, U)),
    claim.proof("diagonal", on_diagonal, Step("depth T", diagonal("T"), Chain((use("every depth", T),)))),
    claim.proof("rate", *slowed_steps(), *rate_by_layer(eps, lam, A), Step(
        "depth T", claim.part("rate").asserts, Chain((use("every depth", T, r),))
    )),
    claim.proof("collapse onto the prefix", *collapse()),
    claim.proof("no collapse", *kept_away("factors", "finite sum")),
    claim.proof("collapse, conversely", *must_diverge()),
    claim.finish("prefix language model"),
))  # fmt: skip

# --- statement ------------------------------------------------------------------------------------

statement = Statement(
    id="X2",
    title="A prefix that sees itself is one state",
    source="ours, beyond arXiv:2602.16837",
    remark="Collapse is onto the prefix as a whole; b = 1 is the causal case.",
    claim=claim,
    derivation=derivation,
    cases=prefix_cases,
    needed=tuple(Needed(*case) for case in COUNTEREXAMPLES),
    twins=(
        scale("lumped kernel/rows"), scale("lumped product"), scale("lumped rollout"), turn("primacy"), turn("recency"),
        scale("diagonal"), turn("rate"), lose("rate"), limit("collapse onto the prefix", "bounded away"),
        limit("no collapse", "vanishing"), limit("collapse, conversely", "summable"),
    ),
    endless=endless_cases,
)  # fmt: skip

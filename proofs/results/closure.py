"""S1, closure: transitions and rollouts are causal kernels, and the profile comes from a row recursion.

    R_t = (1 - lambda_t) I + lambda_t A_t  and  P^(T) = R_T ... R_1  are causal kernels;  v P^(T) = ((v R_T) R_{T-1})
    ... R_1

Hypotheses: for the transitions every A_t is a causal kernel and 0 <= lambda_t <= 1; for the rollouts the layers are
any causal kernels; the recursion asks nothing.  With v = e_n the recursion gives the profile by T vector-kernel
products, never a matrix product.  Identity and inequality. Source: arXiv:2602.16837.

Exact here: everything.  Numeric here: nothing.  Not covered: kernels whose rows only nearly sum to 1.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import mixing as mixing_coefficients
from proofs.case import Case, kernel
from proofs.draws import families, for_each, sizes_within, values
from proofs.notation import (
    causal,
    every,
    last_position,
    layer,
    layers,
    mixing,
    n,
    rollout,
    row_recursion,
    row_step,
    transition,
    zero_one,
)
from proofs.outline import causal_kernel
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Chain, Generalise, Identity, Induction, Nonnegative, Step, item, use
from proofs.term import ForAllFn, Formula, Index, Range, Relation, Symbol, as_index, index, total
from proofs.twins import lose, scale, turn

lam, A, R, v, w = Symbol("lambda", 1), Symbol("A", 3), Symbol("R", 3), Symbol("v", 1), Symbol("w", 1)
i, s, T = index("i"), index("s"), index("T")
P, C = rollout(R), transition(lam, A)
last_row = row_recursion(last_position, R)


def row(vector: Symbol, depth: Index | int | str) -> Formula:
    """(v R_depth ... R_1)_j = sum_i v_i P^(depth)_ij."""
    right = total("i", 1, n, vector("i") * P(depth, "i", "j"))
    return Relation("=", row_recursion(vector, R)(depth, "j"), right)


claim = Claim(
    symbols=(lam, A, R, v),
    indices=(Range("T", as_index(0), None),),
    hypotheses=(
        ("mixing", mixing(lam, "T")),
        ("kernels", layers(1, "T", causal(layer(A, "t")))),
        ("layers", layers(1, "T", causal(layer(R, "t")))),
    ),
    parts=(
        Part("transitions", ("mixing", "kernels"), layers(1, "T", causal(layer(C, "t")))),
        Part("rollouts", ("layers",), every("s", 0, T, causal(layer(P, "s")))),
        Part("row recursion", (), every("j", 1, n, row(v, "T"))),
        Part("profile", (), every("j", 1, n, Relation("=", last_row("T", "j"), P("T", "n", "j")))),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------

transitions = claim.proof(
    "transitions",
    *causal_kernel(
        layer(C, "t"),
        Nonnegative((
            item(use("mixing", "t", parts="at most one"), times=zero_one("i", "j")),
            item(use("mixing", "t", parts="nonnegative"), use("kernels", "t", "i", "j", parts="nonnegative")),
        )),
        Identity((item(use("kernels", "t", "i", "j", parts="mask"), times=lam("t")),)),
        Identity((item(use("kernels", "t", "i", parts="rows"), times=lam("t")),)),
    ),
    fix=("t",),
)  # fmt: skip

rollouts = claim.proof("rollouts", Step(
    "every depth",
    claim.part("rollouts").asserts,
    Induction(
        "so far",
        base=causal_kernel(layer(P, 0), Nonnegative((item(times=zero_one("i", "j")),)), Identity(), Identity()),
        step=causal_kernel(
            layer(P, s + 1),
            Nonnegative((item(
                use("layers", s + 1, "i", "l", parts="nonnegative"), use("so far", "l", "j", parts="nonnegative"),
                over=(("l", 1, n),),
            ),)),
            Identity((
                item(use("so far", "l", "j", parts="mask"), times=R(s + 1, "i", "l"), over=(("l", 1, i),)),
                item(use("layers", s + 1, "i", "l", parts="mask"), times=P("s", "l", "j"), over=(("l", i + 1, n),)),
            )),
            Identity((
                item(use("so far", "l", parts="rows"), times=R(s + 1, "i", "l"), over=(("l", 1, n),)),
                item(use("layers", s + 1, "i", parts="rows")),
            )),
        ),
    ),
))  # fmt: skip

any_vector = Step(
    "any vector",
    every("s", 0, T, ForAllFn(w, every("j", 1, n, row(w, "s")))),
    Induction(
        "so far",
        base=(Step("no layer", ForAllFn(w, every("j", 1, n, row(w, 0))), Generalise(("w", "j"), (
            Step("itself", row(w, 0), Identity()),
        ))),),
        step=(Step("one more layer", ForAllFn(w, every("j", 1, n, row(w, s + 1))), Generalise(("w", "j"), (
            Step("top layer first", row(w, s + 1), Identity((item(use("so far", "j", fns=(row_step(w, R, s + 1),))),))),
        ))),),
    ),
)  # fmt: skip

derivation = (
    transitions,
    rollouts,
    any_vector,
    Step("row recursion", claim.part("row recursion").asserts, Chain((use("any vector", T, "j", fns=(v,)),))),
    Step("profile", claim.part("profile").asserts, Chain((use("any vector", T, "j", fns=(last_position,)),))),
    claim.finish("closure"),
)

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Causal kernels, coefficients at both ends and between, a vector of either sign."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, depth = size
        drawn = st.tuples(
            mixing_coefficients(depth), families(positions, depth), families(positions, depth), values(positions)
        )
        return drawn.map(lambda d: Case.of(positions, {"T": depth}, lambda_=d[0], A=d[1], R=d[2], v=d[3]))

    return for_each(sizes_within(), draw)


_identity = kernel([1], [0, 1])
needed = (
    Needed(
        "mixing",
        Case.of(2, {"T": 1}, lambda_=[2], A=[kernel([1], [1, 0])], R=[_identity], v=[1, 1]),
        "lambda = 2: the transition has an entry -1",
    ),
    Needed(
        "kernels",
        Case.of(2, {"T": 1}, lambda_=[1], A=[kernel([1], [1, 1])], R=[_identity], v=[1, 1]),
        "a row that sums to 2 gives a transition whose row sums to 2",
    ),
    Needed(
        "layers",
        Case.of(2, {"T": 1}, lambda_=[1], A=[_identity], R=[((1, 0), (-1, 2))], v=[1, 1]),
        "a layer with a negative entry is its own rollout",
    ),
)

statement = Statement(
    id="S1",
    title="Transitions and rollouts are causal kernels",
    source="arXiv:2602.16837",
    remark="The last row of the rollout needs T vector-kernel products and no matrix product.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(turn("transitions/nonnegative"), lose("row recursion"), scale("transitions/rows"), scale("profile")),
)

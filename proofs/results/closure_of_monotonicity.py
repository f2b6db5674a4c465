"""S4, closure of monotonicity: I, products, convex combinations and head averages of monotone kernels are monotone.

    U, L monotone  =>  U L monotone;     A_t monotone for every t  =>  R_t and P^(T) monotone

Hypotheses: the upper factor of a product is a causal kernel; weights are nonnegative; 0 <= lambda_t <= 1.  The lower
factor need not have rows that sum to 1.  Inequality.  Source: classical.

Exact here: everything.  Numeric here: nothing.  Not covered: weights that depend on the row.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import mixing as mixing_coefficients
from numeric.strategies import monotone_kernels
from proofs.case import Case, Entries, kernel, prefix, scaled_diagonal
from proofs.draws import families, for_each, sizes_within
from proofs.notation import (
    IDENTITY,
    average,
    causal,
    every,
    layer,
    layers,
    mixing,
    monotone,
    product,
    rollout,
    transition,
    zero_one,
)
from proofs.outline import jump, monotone_product, monotone_rollouts
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Nonnegative, Step, item, use
from proofs.term import Range, Relation, Symbol, as_index, as_term, index
from proofs.twins import turn

U, L, alpha, B = Symbol("U", 2), Symbol("L", 2), Symbol("alpha", 1), Symbol("B", 3)
lam, A, R = Symbol("lambda", 1), Symbol("A", 3), Symbol("R", 3)
i, s, T = index("i"), index("s"), index("T")
P = rollout(R)

claim = Claim(
    symbols=(U, L, alpha, B, lam, A, R),
    indices=(Range("H", as_index(0), None), Range("T", as_index(0), None)),
    hypotheses=(
        ("upper kernel", causal(U)),
        ("upper monotone", monotone(U)),
        ("lower monotone", monotone(L)),
        ("weights", every("h", 1, index("H"), Relation("<=", as_term(0), alpha("h")))),
        ("heads monotone", every("h", 1, index("H"), monotone(layer(B, "h")))),
        ("mixing", mixing(lam, "T")),
        ("kernels monotone", layers(1, "T", monotone(layer(A, "t")))),
        ("layers", layers(1, "T", causal(layer(R, "t")))),
        ("layers monotone", layers(1, "T", monotone(layer(R, "t")))),
    ),
    parts=(
        Part("identity", (), monotone(IDENTITY)),
        Part("product", ("upper kernel", "upper monotone", "lower monotone"), monotone(product(U, L))),
        Part("average", ("weights", "heads monotone"), monotone(layer(average(alpha, B), "H"))),
        Part("transitions", ("mixing", "kernels monotone"), layers(1, "T", monotone(layer(transition(lam, A), "t")))),
        Part("rollouts", ("layers", "layers monotone"), every("s", 0, T, monotone(layer(P, "s")))),
    ),
)

# --- derivation -----------------------------------------------------------------------------------


derivation = (
    Step("identity", monotone(IDENTITY), Nonnegative((jump,))),
    claim.proof("product", monotone_product(
        "order preserving", monotone(product(U, L)), U, L,
        use("upper kernel"), use("upper monotone"), use("lower monotone", "l", "k"),
    )),
    claim.proof("average", Step("heads", claim.part("average").asserts, Nonnegative((
        item(use("weights", "h"), use("heads monotone", "h", "i", "k"), over=(("h", 1, index("H")),)),
    )))),
    claim.proof("transitions", Step("each layer", claim.part("transitions").asserts, Nonnegative((
        item(use("mixing", "t", parts="at most one"), times=zero_one("k", i + 1)),
        item(use("mixing", "t", parts="nonnegative"), use("kernels monotone", "t", "i", "k")),
    )))),
    claim.proof("rollouts", monotone_rollouts("every depth", R, T, "layers", "layers monotone")),
    claim.finish("closure"),
)  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Monotone kernels; one to three heads with any nonnegative weights."""

    def draw(drawn: tuple[tuple[int, int], int]) -> SearchStrategy[Case]:
        (positions, depth), heads = drawn
        one = monotone_kernels(positions)
        parts = st.tuples(
            one,
            one,
            mixing_coefficients(heads),
            families(positions, heads, monotone=True),
            mixing_coefficients(depth),
            families(positions, depth, monotone=True),
        )
        return parts.map(
            lambda d: Case.of(
                positions,
                {"H": heads, "T": depth},
                U=d[0],
                L=d[1],
                alpha=d[2],
                B=d[3],
                lambda_=d[4],
                A=d[5],
                R=d[5][::-1],
            )
        )

    return for_each(st.tuples(sizes_within(5), st.integers(1, 3)), draw)


_tilted = scaled_diagonal(prefix(8, 4, 1), 2)  # w = (1, 1/2, 1/8), e = 2: not monotone
_one = kernel([1], [0, 1], [0, 0, 1])
_first = kernel([1], [1, 0], [1, 0, 0])
_growing = kernel([1], [1, 1], [1, 1, 0])
_minus_first = kernel([-1], [-1, 0], [-1, 0, 0])
_plain: dict[str, Entries] = {"U": _one, "L": _one, "alpha": [1], "B": [_one], "lambda_": [1], "A": [_one], "R": [_one]}


def _case(**changed: Entries) -> Case:
    return Case.of(3, {"H": 1, "T": 1}, **{**_plain, **changed})


needed = (
    Needed(
        "upper kernel",
        _case(U=_growing, L=_minus_first),
        "row sums 1, 2, 2 above a lower factor with entries -1: F(1, 1) = -1, F(2, 1) = -2",
    ),
    Needed("upper monotone", _case(U=_tilted), "w = (1, 1/2, 1/8), e = 2 times the identity"),
    Needed("lower monotone", _case(L=_tilted), "the identity times w = (1, 1/2, 1/8), e = 2"),
    Needed("weights", _case(alpha=[-1]), "minus the identity is decreasing"),
    Needed("heads monotone", _case(B=[_tilted]), "one head, w = (1, 1/2, 1/8), e = 2"),
    Needed("mixing", _case(lambda_=[2], A=[_first]), "lambda = 2, A = everything on token 1: R = 2A - I is decreasing"),
    Needed("kernels monotone", _case(A=[_tilted]), "lambda = 1, A = w = (1, 1/2, 1/8), e = 2"),
    Needed(
        "layers",
        Case.of(3, {"H": 1, "T": 2}, **{**_plain, "lambda_": [1, 1], "A": [_one, _one], "R": [_minus_first, _growing]}),
        "the same two factors as layers 1 and 2",
    ),
    Needed("layers monotone", _case(R=[_tilted]), "one layer, w = (1, 1/2, 1/8), e = 2"),
)

statement = Statement(
    id="S4",
    title="Monotone kernels are closed under products and averages",
    source="classical",
    remark="So every transition and every rollout of monotone kernels is monotone.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(turn("product"), turn("average"), turn("transitions"), turn("rollouts")),
)

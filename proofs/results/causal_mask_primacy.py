"""D1, causal mask => primacy: inserting a causal layer moves every row of the rollout down.

    Q_u ... Q_1 N P  ≼  Q_u ... Q_1 P,   P = R_s ... R_1;     in particular  P^(T+1) ≼ P^(T)

Hypotheses: the layers are causal kernels and the product P below the inserted layer is stochastically monotone; the
inserted layer N and those above are arbitrary.  At the bottom nothing lies below, so nothing is needed.  On top, for
the last row, not even the mask of the new layer is needed.  Inequality; tight (N = I).  Source: arXiv:2602.16837.

Exact here: everything.  Numeric here: nothing.  Not covered: per-token mixing coefficients.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import causal_kernels
from numeric.strategies import mixing as mixing_coefficients
from proofs.case import Case, Entries, kernel, prefix, scaled_diagonal
from proofs.draws import families, for_each, sizes_within
from proofs.notation import (
    IDENTITY,
    below,
    causal,
    every,
    layer,
    layers,
    mixing,
    monotone,
    n,
    product,
    rollout,
    stochastic,
    tail,
    transition,
)
from proofs.outline import (
    causal_rollout,
    causal_transitions,
    jump,
    monotone_rollouts,
    monotone_transitions,
    under_product,
)
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Generalise, Instantiate, Nonnegative, Step, item, use
from proofs.term import Fn, ForAllFn, Implies, Range, Relation, Symbol, as_index, index
from proofs.twins import scale, turn

Rows = tuple[tuple[Fraction, ...], ...]

R, Q, N, M = Symbol("R", 3), Symbol("Q", 3), Symbol("N", 2), Symbol("M", 2)
lam, A = Symbol("lambda", 1), Symbol("A", 3)
i, j, T = index("i"), index("j"), index("T")
P, U = layer(rollout(R), "s"), layer(rollout(Q), "u")
C = transition(lam, A)

claim = Claim(
    symbols=(R, Q, N, M, lam, A),
    indices=tuple(Range(name, as_index(0), None) for name in ("s", "u", "T")),
    hypotheses=(
        ("layers above", layers(1, "u", causal(layer(Q, "t")))),
        ("inserted layer", causal(N)),
        ("top layer", stochastic(M)),
        ("monotone below", monotone(P)),
        ("mixing", mixing(lam, T + 1)),
        ("kernels", layers(1, T + 1, causal(layer(A, "t")))),
        ("kernels monotone", layers(1, T, monotone(layer(A, "t")))),
    ),
    parts=(
        Part(
            "any depth", ("layers above", "inserted layer", "monotone below"),
            below(product(U, product(N, P)), product(U, P)),
        ),
        Part("bottom", ("layers above", "inserted layer"), below(product(U, N), U)),
        Part(
            "top, last row", ("top layer", "monotone below"),
            every("k", 1, n, Relation("<=", tail(product(M, P))("n", "k"), tail(P)("n", "k"))),
        ),
        Part(
            "one more layer", ("mixing", "kernels", "kernels monotone"),
            below(layer(rollout(C), T + 1), layer(rollout(C), "T")),
        ),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------

K, B = Symbol("K", 2), Symbol("B", 2)
F = tail(B)

on_top = Step(  # F_B(i, k) - F_KB(i, k) = sum_{j <= i} K_ij [F_B(i, k) - F_B(j, k)]
    "on top of a monotone product",
    ForAllFn(K, ForAllFn(B, Implies(causal(K), Implies(monotone(B), below(product(K, B), B))))),
    Generalise(("K", "B", "K is causal", "B is monotone"), (
        Step("moves down", below(product(K, B), B), Nonnegative(
            (item(
                use("K is causal", "i", "j", parts="nonnegative"), use("B is monotone", "l", "k"),
                over=(("j", 1, i), ("l", j, i - 1)),
            ),),
            (
                item(use("K is causal", "i", parts="rows"), times=F("i", "k")),
                item(
                    use("K is causal", "i", "j", parts="mask"), times=F("j", "k") - F("i", "k"), over=(("j", i + 1, n),)
                ),
            ),
        )),
    )),
)  # fmt: skip


def moved_down(label: str, lower: Fn, upper_fact: str, monotone_fact: str, upper: Fn = N) -> Step:
    """upper lower ≼ lower, for a monotone lower."""
    source = use("on top of a monotone product", fns=(upper, lower), given=(upper_fact, monotone_fact))
    return Step(label, below(product(upper, lower), lower), Instantiate(source))


layers_above = causal_rollout("product above", Q, "u", "layers above")

derivation = (
    on_top,
    claim.proof("any depth", layers_above, moved_down("inserted", P, "inserted layer", "monotone below"),
                under_product("under the rest", claim.part("any depth").asserts, "product above", "inserted")),
    claim.proof("bottom", layers_above, Step("identity", monotone(IDENTITY), Nonnegative((jump,))),
                moved_down("inserted", IDENTITY, "inserted layer", "identity"),
                under_product("under the rest", claim.part("bottom").asserts, "product above", "inserted")),
    claim.proof("top, last row", Step("last row", claim.part("top, last row").asserts, Nonnegative(
        (item(
            use("top layer", n, "j", parts="nonnegative"), use("monotone below", "l", "k"),
            over=(("j", 1, n), ("l", j, n - 1)),
        ),),
        (item(use("top layer", n, parts="rows"), times=tail(P)("n", "k")),),
    ))),
    claim.proof(
        "one more layer",
        causal_transitions("transitions", lam, A, T + 1, "mixing", "kernels"),
        monotone_transitions("transitions monotone", C, "T", "mixing", "kernels monotone"),
        monotone_rollouts("products", C, T, "transitions", "transitions monotone"),
        Step("top", claim.part("one more layer").asserts, Instantiate(use(
            "on top of a monotone product", fns=(layer(C, T + 1), layer(rollout(C), "T")),
            given=(use("transitions", T + 1), use("products", T)),
        ))),
    ),
    claim.finish("primacy"),
)  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Monotone layers below, any causal layers above and between, a top layer that may read the future."""

    def draw(drawn: tuple[tuple[int, int], int]) -> SearchStrategy[Case]:
        (positions, depth), above = drawn
        one = causal_kernels(positions)
        parts = st.tuples(
            families(positions, depth, monotone=True),
            families(positions, above),
            one,
            one,
            one,
            mixing_coefficients(depth + 1),
        )
        return parts.map(lambda d: Case.of(
            positions, {"s": depth, "u": above, "T": depth}, R=d[0], Q=d[1], N=d[2],
            M=_unmasked(d[3], d[4]), lambda_=d[5], A=[*d[0], d[3]],
        ))  # fmt: skip

    return for_each(st.tuples(sizes_within(5), st.integers(0, 2)), draw)


def _unmasked(rows: Rows, other: Rows) -> Rows:
    """A kernel that reads the future: row i of one kernel where i is odd, the reversed row of another where it is
    even.
    """
    return tuple(row if i % 2 == 0 else other[-1 - i][::-1] for i, row in enumerate(rows))


_tilted = scaled_diagonal(prefix(8, 4, 1), 2)  # w = (1, 1/2, 1/8), e = 2: not monotone
_top = prefix(1, 7, 1)
_one = kernel([1], [0, 1], [0, 0, 1])
_token = kernel([1], [0, 1], [Fraction(1, 3)] * 3)
_plain: dict[str, Entries] = {"R": [_one], "Q": [_one], "N": _one, "M": _one, "lambda_": [1, 1], "A": [_one, _one]}


def _case(**changed: Entries) -> Case:
    return Case.of(3, {"s": 1, "u": 1, "T": 1}, **{**_plain, **changed})


needed = (
    Needed(
        "layers above",
        _case(Q=[kernel([1], [0, 1], [0, -1, 2])], N=kernel([1], [1, 0], [0, 0, 1])),
        "a row (0, -1, 2) above a layer that moves only token 2",
    ),
    Needed(
        "inserted layer", _case(N=((1, 0, 0), (0, 0, 1), (0, 0, 1))), "a layer that reads the future moves row 2 up"
    ),
    Needed("top layer", _case(M=kernel([1], [0, 1], [-1, 0, 2])), "a last row (-1, 0, 2)"),
    Needed(
        "monotone below",
        Case.of(3, {"s": 1, "u": 0, "T": 0}, R=[_token], Q=[], N=prefix(1, 3, 9), M=_one, lambda_=[1], A=[_one]),
        "coefficients (0, 1) for tokens 2 and 3 of a uniform layer, below prefix (1, 3, 9): 2/3 < 9/13",
    ),
    Needed(
        "monotone below", _case(R=[_tilted], N=_top), "w = (1, 1/2, 1/8), e = 2 below prefix (1, 7, 1): 54/126 < 55/126"
    ),
    Needed(
        "mixing", _case(lambda_=[1, -1], A=[_one, prefix(1, 1, 1)]), "lambda = -1 at the top moves away from the past"
    ),
    Needed("kernels", _case(A=[_one, ((1, 0, 0), (0, 0, 1), (0, 0, 1))]), "a top layer that reads the future"),
    Needed("kernels monotone", _case(A=[_tilted, _top]), "the same two layers with lambda = 1: 54/126 < 55/126"),
)

statement = Statement(
    id="D1",
    title="The causal mask gives primacy",
    source="arXiv:2602.16837",
    remark="Only the product below the inserted layer has to be monotone.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        turn("any depth"),
        turn("bottom"),
        turn("top, last row"),
        turn("one more layer"),
        scale("bottom", Fraction(1, 2)),
    ),
)

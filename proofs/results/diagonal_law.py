"""I1, diagonal law: what a token keeps of itself.

    P^(T)_ii = prod_{t <= T} (1 - lambda_t (1 - A^(t)_ii))

Hypothesis: the kernels are causal.  Nothing is asked of the coefficients.  Identity.  Source: arXiv:2602.16837.

Exact here: everything.  Numeric here: nothing.  Not covered: the limit of infinite depth.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import mixing as mixing_coefficients
from proofs.case import Case
from proofs.draws import families, for_each, sizes_within
from proofs.notation import accumulated, causal, every, layer, layers, n, rollout, transition
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Identity, Induction, Step, item, use
from proofs.substitute import apply
from proofs.term import Formula, Index, Lambda, Range, Relation, Symbol, as_index, as_term, index
from proofs.twins import scale, shift

lam, A = Symbol("lambda", 1), Symbol("A", 3)
i, s, T = index("i"), index("s"), index("T")
P = rollout(transition(lam, A))
kept = Lambda(("t",), as_term(1) - lam("t") * (as_term(1) - A("t", "i", "i")))


def law(depth: Index | int | str) -> Formula:
    """P^(depth)_ii = prod_{t <= depth} (1 - lambda_t (1 - A^(t)_ii))."""
    return Relation("=", P(depth, "i", "i"), accumulated(kept)(depth))


def masked(depth: Index | int | str) -> Formula:
    """P^(depth)_ij = 0 for j > i."""
    return every("i", 1, n, every("j", i + 1, n, Relation("=", P(depth, "i", "j"), as_term(0))))


claim = Claim(
    symbols=(lam, A),
    indices=(Range("T", as_index(0), None),),
    hypotheses=(("kernels", layers(1, "T", causal(layer(A, "t")))),),
    parts=(Part("diagonal", ("kernels",), every("i", 1, n, law("T"))),),
)

# --- derivation -----------------------------------------------------------------------------------

future = use("kernels", s + 1, "i", "l", parts="mask")

derivation = (claim.proof(
    "diagonal",
    Step("mask", every("s", 0, T, masked("s")), Induction(
        "so far",
        base=(Step("no layer", masked(0), Identity()),),
        step=(Step("one more layer", masked(s + 1), Identity((
            item(use("so far", "i", "j"), times=as_term(1) - lam(s + 1)),
            item(use("so far", "l", "j"), times=lam(s + 1) * A(s + 1, "i", "l"), over=(("l", 1, i),)),
            item(future, times=lam(s + 1) * P("s", "l", "j"), over=(("l", i + 1, n),)),
        ))),),
    )),
    Step("every depth", every("s", 0, T, every("i", 1, n, law("s"))), Induction(
        "so far",
        base=(Step("no layer", every("i", 1, n, law(0)), Identity()),),
        step=(Step("one more layer", every("i", 1, n, law(s + 1)), Identity((
            item(use("so far", "i"), times=apply(kept, (s + 1,))),
            item(use("mask", "s", "l", "i"), times=lam(s + 1) * A(s + 1, "i", "l"), over=(("l", 1, i - 1),)),
            item(future, times=lam(s + 1) * P("s", "l", "i"), over=(("l", i + 1, n),)),
        ))),),
    )),
    Step("depth T", every("i", 1, n, law("T")), Identity((item(use("every depth", T, "i")),))),
), claim.finish("law"))  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Causal kernels and coefficients at both ends and between."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, depth = size
        drawn = st.tuples(mixing_coefficients(depth), families(positions, depth))
        return drawn.map(lambda d: Case.of(positions, {"T": depth}, lambda_=d[0], A=d[1]))

    return for_each(sizes_within(), draw)


_swap = ((0, 1), (1, 0))
statement = Statement(
    id="I1",
    title="The diagonal of the rollout is a product",
    source="arXiv:2602.16837",
    remark="The recency spike at infinite depth is decided by this product.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=(
        Needed(
            "kernels", Case.of(2, {"T": 2}, lambda_=[1, 1], A=[_swap, _swap]),
            "rows swapped twice: the diagonal is 1, the product 0",
        ),
    ),
    twins=(scale("diagonal"), shift("diagonal", "accumulated", 0, -1)),
)  # fmt: skip

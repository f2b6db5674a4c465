"""D4, content: positive diagonal content gives recency, negative primacy.

    e <= e'   =>   A_{w,e}  ≼  A_{w,e'}          A_{w,c} is monotone  <=>  w_i + c (w_{i+1} - w_i) >= 0 for 2 <= i < n

(a) What is constant along a row of logits (a factor g_i of the scores) cancels.  (b) Multiplying the diagonal of any
scores s_ij by larger factors moves the kernel up; with scores whose kernels are monotone below the top layer, and the
residual stream, the rollout too (by S5).  (c) The prefix kernel with content c = e^d is monotone exactly as above:
always for c <= 1, and for nondecreasing weights (ALiBi with m >= 0) for every c.  With B = W_{k-1}, a = w_i, b =
w_{i+1} the cross product is B (a + c b - c a).  Inequality and equivalence; tight.  Source: arXiv:2602.16837; (c):
ours.

Exact here: everything.  Numeric here: nothing.  Not covered: content off the diagonal.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import content_factor_pairs, content_factors, prefix_weights
from numeric.strategies import mixing as mixing_coefficients
from proofs.case import Case, Entries
from proofs.draws import for_each, score_values, sizes_within
from proofs.lemmas.content_steps import (
    constant,
    content_criterion,
    content_monotone,
    content_monotone_conversely,
    content_sums,
    cross_product,
    lemmas,
    more_content,
    row_factor,
)
from proofs.lemmas.prefix_steps import divisors
from proofs.notation import (
    attention,
    below,
    causal,
    content,
    every,
    layer,
    layers,
    mixing,
    monotone,
    n,
    nondecreasing,
    positive,
    rollout,
    scaled_diagonal,
    scores,
    transition,
)
from proofs.outline import mixed_order
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Generalise, Identity, Instantiate, Nonnegative, Step, item, use
from proofs.term import Fn, Lambda, Range, Relation, Symbol, as_index, as_term, index
from proofs.twins import scale, turn

s, g, x, y = Symbol("s", 2), Symbol("g", 1), Symbol("x", 1), Symbol("y", 1)
w, c, lam = Symbol("w", 1), Symbol("c", 0), Symbol("lambda", 1)
f, X, Y = Symbol("f", 3), Symbol("X", 2), Symbol("Y", 2)
i, T = index("i"), index("T")


def layer_scores() -> Lambda:
    """The scores of layer t."""
    return Lambda(("i", "j"), f("t", "i", "j"))


def layer_content(factors: Symbol) -> Lambda:
    """The factors of layer t."""
    return Lambda(("i",), factors("t", "i"))


def family(factors: Symbol) -> Lambda:
    """The kernels of all layers, with content."""
    return Lambda(("t", "i", "j"), attention(scaled_diagonal(layer_scores(), layer_content(factors)))("i", "j"))


def transitions_rollout(factors: Symbol) -> Fn:
    """P^(T) of the layers with that content."""
    return layer(rollout(transition(lam, family(factors))), "T")


scaled = attention(Lambda(("i", "j"), g("i") * s("i", "j")))
with_content = content(w, constant(c()))

claim = Claim(
    symbols=(s, g, x, y, w, c, lam, f, X, Y),
    indices=(Range("T", as_index(0), None),),
    hypotheses=(
        ("scores", scores(s)),
        ("row factor", positive(g)),
        ("content", positive(x)),
        ("more content", more_content(x, y)),
        ("weights", positive(w)),
        ("factor", Relation("<", as_term(0), c())),
        ("criterion", content_criterion(w, c())),
        ("kernel monotone", monotone(with_content)),
        ("at most 1", Relation("<=", c(), as_term(1))),
        ("weights nondecreasing", nondecreasing(w)),
        ("mixing", mixing(lam, "T")),
        ("layer scores", layers(1, "T", scores(layer_scores()))),
        ("layer content", layers(1, "T", positive(layer_content(X)))),
        ("more layer content", layers(1, "T", more_content(layer_content(X), layer_content(Y)))),
        ("kernels monotone", layers(1, T - 1, monotone(layer(family(X), "t")))),
    ),
    parts=(
        Part("a", ("scores", "row factor"), every("i", 1, n, every("j", 1, n, Relation(
            "=", scaled("i", "j"), attention(s)("i", "j")
        )))),
        Part("b", ("scores", "content", "more content"), below(
            attention(scaled_diagonal(s, x)), attention(scaled_diagonal(s, y))
        )),
        Part(
            "b, rollouts",
            ("mixing", "layer scores", "layer content", "more layer content", "kernels monotone"),
            below(transitions_rollout(X), transitions_rollout(Y)),
        ),
        Part("c", ("weights", "factor", "criterion"), monotone(with_content)),
        Part("c, conversely", ("weights", "factor", "kernel monotone"), content_criterion(w, c())),
        Part("c, at most 1", ("weights", "factor", "at most 1"), content_criterion(w, c())),
        Part("c, nondecreasing weights", ("weights", "factor", "weights nondecreasing"), content_criterion(w, c())),
        Part("c, cross product", (), cross_product(w, c())),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------

of_layer = (layer_scores(), layer_content(X), layer_content(Y))
facts_of_layer = (use("layer scores", "t"), use("layer content", "t"), use("more layer content", "t"))


def layer_lemma(label: str, factors: Symbol, lemma: str) -> Step:
    """The kernels of all layers are causal."""
    goal = layers(1, "T", causal(layer(family(factors), "t")))
    return Step(label, goal, Generalise(("t",), (
        Step("this layer", goal.body, Instantiate(use(lemma, fns=of_layer, given=facts_of_layer))),
    )))  # fmt: skip


sums = content_sums(w, c(), "weights", "factor")
criterion = claim.part("c, at most 1").asserts

derivation = (
    *lemmas(),
    claim.proof("a", *row_factor("entries", s, g, ("scores", "row factor"))),
    claim.proof("b", Step("lemma", claim.part("b").asserts, Instantiate(use(
        "more content compares", fns=(s, x, y), given=("scores", "content", "more content")
    )))),
    claim.proof(
        "b, rollouts",
        layer_lemma("kernels causal", X, "kernels with content are causal"),
        layer_lemma("kernels with more content causal", Y, "kernels with more content are causal"),
        Step(
            "kernels compared",
            layers(1, "T", below(layer(family(X), "t"), layer(family(Y), "t"))),
            Nonnegative((item(use("more content compares", "i", "k", fns=of_layer, given=facts_of_layer)),)),
        ),
        *mixed_order(
            claim.part("b, rollouts").asserts, lam, (family(X), family(Y)),
            ("kernels causal", "kernels with more content causal"), "kernels compared", "kernels monotone",
        ),
    ),
    claim.proof(
        "c", *sums, content_monotone("each tail", w, c(), ("weights", "factor", "criterion")), fix=("i", "k")
    ),
    claim.proof(
        "c, conversely",
        *divisors("w", w, (item(use("weights", "r")),)),
        *sums,
        content_monotone_conversely("criterion", w, c(), "kernel monotone"),
    ),
    claim.proof("c, at most 1", Step("sum of two", criterion, Nonnegative((
        item(use("at most 1"), use("weights", "i")), item(use("factor"), use("weights", i + 1)),
    )))),
    claim.proof("c, nondecreasing weights", Step("sum of two", criterion, Nonnegative((
        item(use("weights", "i")), item(use("factor"), use("weights nondecreasing", "i")),
    )))),
    claim.proof("c, cross product", Step("expanded", claim.part("c, cross product").asserts, Identity())),
    claim.finish("content"),
)  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Scores with zeros; contents in order; prefix weights, rising half of the time; monotone layers below the top."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, depth = size
        rows = st.tuples(*[prefix_weights(positions)] * max(depth - 1, 0))
        top = [score_values(positions)] if depth else []
        parts = st.tuples(
            score_values(positions), prefix_weights(positions), st.tuples(*[content_factor_pairs()] * positions),
            st.booleans(), content_factors(), mixing_coefficients(depth), rows, st.tuples(*top),
        )  # fmt: skip
        return parts.map(lambda d: _case_from(positions, depth, d))

    return for_each(sizes_within(5, 3), draw)


def _case_from(positions: int, depth: int, d: tuple[Any, ...]) -> Case:
    values, factors, contents, rising, factor, coefficients, lower, top = d
    weights = tuple(sorted(factors)) if rising else factors
    low, high = zip(*contents, strict=True)
    below_top = [[min(Fraction(1), *low)] * positions] * len(lower)  # one factor, at most 1: monotone kernels
    return Case.of(
        positions, {"T": depth}, s=values, g=factors, x=low, y=high, w=weights, c=factor, lambda_=coefficients,
        f=[*([row] * positions for row in lower), *top], X=[*below_top, *([low] * len(top))], Y=[high] * depth,
    )  # fmt: skip


_ones: Entries = (1, 1, 1)
_flat: Entries = (_ones, _ones, _ones)
_signed: Entries = ((1, 0, 0), (-1, 2, 0), (0, 0, 1))
_steep: Entries = (8, 4, 1)  # times 1/8: w = (1, 1/2, 1/8)
_plain: dict[str, Entries] = {
    "s": _flat, "g": _ones, "x": _ones, "y": _ones, "w": _ones, "c": 1, "lambda_": [1], "f": [_flat], "X": [_ones],
    "Y": [_ones],
}  # fmt: skip


def _case(depth: int = 1, **changed: Entries) -> Case:
    return Case.of(3, {"T": depth}, **{**_plain, **changed})


_two: Entries = (2, 2, 2)
needed = (
    Needed("scores", _case(s=_signed, y=_two), "row 2 of the scores is (-1, 2): F(2, 2) = 2 against 4/3"),
    Needed("row factor", _case(g=(1, 0, 1)), "a factor 0 leaves no row to normalise"),
    Needed("content", _case(x=(1, -3, 1)), "x_2 = -3: F(2, 2) = 3/2 against 1/2"),
    Needed("more content", _case(x=_two), "contents turned"),
    Needed("weights", _case(w=(2, -1, 1)), "w = (2, -1, 1): F(2, 2) = -1"),
    Needed("factor", _case(c=Fraction(-1, 2)), "c = -1/2: F(2, 2) = -1"),
    Needed("criterion", _case(w=_steep, c=2), "w = (1, 1/2, 1/8), c = 2: F(2, 2) = 1/2, F(3, 2) = 3/7"),
    Needed("kernel monotone", _case(w=_steep, c=2), "w = (1, 1/2, 1/8), c = 2: 1/2 + 2 (1/8 - 1/2) = -1/4"),
    Needed("at most 1", _case(w=_steep, c=2), "w = (1, 1/2, 1/8), c = 2: 1/2 + 2 (1/8 - 1/2) = -1/4"),
    Needed("weights nondecreasing", _case(w=_steep, c=2), "w = (1, 1/2, 1/8), c = 2: 1/2 + 2 (1/8 - 1/2) = -1/4"),
    Needed("mixing", _case(lambda_=[-1], Y=[_two]), "lambda = -1 turns the order of the kernels"),
    Needed("layer scores", _case(f=[_signed], Y=[_two]), "row 2 of the scores is (-1, 2): F(2, 2) = 2 against 4/3"),
    Needed("layer content", _case(X=[(1, -3, 1)]), "X_2 = -3: F(2, 2) = 3/2 against 1/2"),
    Needed("more layer content", _case(X=[_two]), "contents turned"),
    Needed(
        "kernels monotone",
        _case(2, lambda_=[1, 1], f=[[_steep] * 3, [(1, 7, 1)] * 3], X=[_two, _ones], Y=[_two, _two]),
        "D1's example with the top factor from 1 to 2: 55/126 falls to 61/140",
    ),
)

statement = Statement(
    id="D4",
    title="Diagonal content gives recency",
    source="arXiv:2602.16837",
    remark="Negative diagonal content (c < 1) gives primacy.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        scale("a"), turn("b"), turn("b, rollouts"), turn("c"), turn("c, conversely"), turn("c, at most 1"),
        scale("c, cross product"),
    ),
)  # fmt: skip

"""D3, positional bias => recency: a bias that favours near tokens more moves kernels, and rollouts, up.

    A_w ≼ A_v  <=>  V_i / W_i is nondecreasing          A_a ≼ A_b  <=>  C_r / B_r is nonincreasing

(a) Every prefix kernel is monotone.  (b) Prefix kernels with weights w, v and sums W, V compare as above; v_j / w_j
nondecreasing suffices, by the cross product sum_{l < k <= j <= i} (v_j w_l - w_j v_l) >= 0, and is not necessary: (1,
1, 1), (1, 3, 2).  (c) Hence a steeper ALiBi slope (q = e^m) moves the kernel up, and averages of heads, mixed with
the residual stream, move the rollout up.  (d) A distance kernel with weights a and sums B is monotone if and only if
B_{r+1} / B_r is nonincreasing; nonincreasing a suffices.  (e) Distance kernels compare as above; b_d a_c >= b_c a_d
for d < c suffices.  Inequality; tight (equal weights).  Source: arXiv:2602.16837; (d), (e): ours.

Exact here: everything.  Numeric here: nothing.  Not covered: e^m <= e^m' for m <= m' itself.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import content_factor_pairs, distance_pairs, prefix_weights, weights_with_ratio
from numeric.strategies import distance_weights as distance_values
from numeric.strategies import mixing as mixing_coefficients
from proofs.case import Case, Entries, Table
from proofs.draws import for_each, sizes_within
from proofs.lemmas import distance_steps as far
from proofs.lemmas.prefix_steps import cross_powers, cross_ratio, positive_powers, powers, prefix_lemmas, sums_ratio
from proofs.notation import (
    below,
    cumulative,
    distance,
    distance_weights,
    every,
    layer,
    mixing,
    monotone,
    n,
    positive,
    prefix,
    rollout,
    transition,
)
from proofs.prefix_heads import (
    each_head,
    family,
    head_powers,
    head_shares,
    of_head,
    ordered_powers,
    rollouts_of_heads,
)
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Chain, Identity, Instantiate, Step, use
from proofs.term import Fn, Range, Relation, Symbol, as_index, as_term, index, total
from proofs.twins import lose, turn

w, v, a, b = Symbol("w", 1), Symbol("v", 1), Symbol("a", 1), Symbol("b", 1)
q, r = Symbol("q", 0), Symbol("q'", 0)  # e^m and e^m'
x, y = Symbol("x", 2), Symbol("y", 2)  # the same for head h of layer t
lam, alpha, f, g = Symbol("lambda", 1), Symbol("alpha", 2), Symbol("f", 3), Symbol("g", 3)
i, k, H, T = index("i"), index("k"), index("H"), index("T")
W, V = cumulative(w), cumulative(v)


def of_rollout(weights: Fn) -> Fn:
    """The rollout of averages of heads with those weights, mixed with the residual stream."""
    return layer(rollout(transition(lam, family(alpha, weights))), "T")


cross_product = every("k", 1, n, every("i", k, n, Relation(
    "=",
    W(k - 1) * V("i") - V(k - 1) * W("i"),
    total("l", 1, k - 1, total("j", k, i, v("j") * w("l") - w("j") * v("l"))),
)))  # fmt: skip

claim = Claim(
    symbols=(w, v, a, b, q, r, lam, alpha, f, g, x, y),
    indices=(Range("H", as_index(0), None), Range("T", as_index(0), None)),
    hypotheses=(
        ("w positive", positive(w)),
        ("v positive", positive(v)),
        ("V / W rises", sums_ratio(w, v)),
        ("A_w precedes A_v", below(prefix(w), prefix(v))),
        ("v / w rises", cross_ratio(w, v)),
        ("slope", Relation("<", as_term(0), q())),
        ("steeper", Relation("<=", q(), r())),
        ("mixing", mixing(lam, "T")),
        ("head weights", head_shares(alpha)),
        ("f positive", each_head(positive(of_head(f)))),
        ("g positive", each_head(positive(of_head(g)))),
        ("g / f rises", each_head(cross_ratio(of_head(f), of_head(g)))),
        ("slopes", each_head(Relation("<", as_term(0), x("t", "h")))),
        ("steeper slopes", each_head(Relation("<=", x("t", "h"), y("t", "h")))),
        ("a distance weights", distance_weights(a)),
        ("b distance weights", distance_weights(b)),
        ("growth falls", far.growth(a)),
        ("A_a monotone", monotone(distance(a))),
        ("a decreasing", far.decreasing(a)),
        ("C / B falls", far.sums_ratio(a, b)),
        ("A_a precedes A_b", below(distance(a), distance(b))),
        ("b / a falls", far.cross_ratio(a, b)),
    ),
    parts=(
        Part("a", ("w positive",), monotone(prefix(w))),
        Part("b", ("w positive", "v positive", "V / W rises"), below(prefix(w), prefix(v))),
        Part("b, conversely", ("w positive", "v positive", "A_w precedes A_v"), sums_ratio(w, v)),
        Part("b, ratio of weights", ("w positive", "v positive", "v / w rises"), sums_ratio(w, v)),
        Part("b, cross product", (), cross_product),
        Part("c, slope", ("slope", "steeper"), below(prefix(powers(q)), prefix(powers(r)))),
        Part(
            "c, rollouts",
            ("mixing", "head weights", "f positive", "g positive", "g / f rises"),
            below(of_rollout(f), of_rollout(g)),
        ),
        Part(
            "c, slopes and rollouts", ("mixing", "head weights", "slopes", "steeper slopes"),
            below(of_rollout(head_powers(x)), of_rollout(head_powers(y))),
        ),
        Part("d", ("a distance weights", "growth falls"), monotone(distance(a))),
        Part("d, conversely", ("a distance weights", "A_a monotone"), far.growth(a)),
        Part("d, decreasing weights", ("a distance weights", "a decreasing"), far.growth(a)),
        Part("e", ("a distance weights", "b distance weights", "C / B falls"), below(distance(a), distance(b))),
        Part(
            "e, conversely", ("a distance weights", "b distance weights", "A_a precedes A_b"), far.sums_ratio(a, b)
        ),
        Part("e, ratio of weights", ("a distance weights", "b distance weights", "b / a falls"), far.sums_ratio(a, b)),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------


def by_lemma(part: str, lemma: str) -> Step:
    """A part that is a lemma on prefix kernels at w (and v)."""
    given = claim.part(part).given
    fns = (w,) if len(given) == 1 else (w, v)
    return claim.proof(part, Step("lemma", claim.part(part).asserts, Instantiate(use(lemma, fns=fns, given=given))))


sums_a = far.weight_sums("B", a, "a distance weights")
sums_b = far.weight_sums("C", b, "b distance weights")
ratio_suffices = use(
    "ratio of weights suffices", fns=(powers(q), powers(r)), given=("powers of q", "powers of q'", "powers compare")
)

derivation = (
    *prefix_lemmas(),
    rollouts_of_heads(lam, alpha),
    by_lemma("a", "prefix kernels are monotone"),
    by_lemma("b", "prefix kernels compare"),
    by_lemma("b, conversely", "prefix kernels compare, conversely"),
    by_lemma("b, ratio of weights", "ratio of weights suffices"),
    claim.proof("b, cross product", Step("expanded", cross_product, Identity())),
    claim.proof(
        "c, slope",
        *positive_powers("powers of q", q, "slope"),
        Step("q' > 0", Relation("<", as_term(0), r()), Chain((use("slope"), use("steeper")))),
        *positive_powers("powers of q'", r, "q' > 0"),
        cross_powers("powers compare", q, r, ("slope", "steeper", "powers of q", "powers of q'")),
        Step("lemma", claim.part("c, slope").asserts, Instantiate(use(
            "prefix kernels compare", fns=(powers(q), powers(r)), given=("powers of q", "powers of q'", ratio_suffices)
        ))),
    ),
    claim.proof("c, rollouts", Step("lemma", claim.part("c, rollouts").asserts, Instantiate(use(
        "rollouts of heads", fns=(f, g), given=("mixing", "head weights", "f positive", "g positive", "g / f rises")
    )))),
    claim.proof(
        "c, slopes and rollouts",
        *ordered_powers(x, y),
        Step("lemma", claim.part("c, slopes and rollouts").asserts, Instantiate(use(
            "rollouts of heads", fns=(head_powers(x), head_powers(y)),
            given=("mixing", "head weights", "powers positive", "steeper powers positive", "ratio rises"),
        ))),
    ),
    claim.proof("d", *sums_a, far.monotone_tails("each tail", a, "a distance weights", "growth falls"), fix=("i", "k")),
    claim.proof("d, conversely", *sums_a, far.monotone_conversely("growth", a, "A_a monotone")),
    claim.proof(
        "d, decreasing weights", *sums_a,
        far.decreasing_suffices("growth", a, "a distance weights", "a decreasing"),
    ),
    claim.proof("e", *sums_a, *sums_b, far.compared("each tail", a, b, "C / B falls"), fix=("i", "k")),
    claim.proof("e, conversely", *sums_a, *sums_b, far.compared_conversely("ratio", a, b, "A_a precedes A_b")),
    claim.proof("e, ratio of weights", *sums_a, *sums_b, far.cross_suffices("ratio", a, b, "b / a falls")),
    claim.finish("positional bias"),
)  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Weights whose ratios rise or fall as the criteria ask, and weights of any order; one or two heads."""

    def draw(drawn: tuple[tuple[int, int], int]) -> SearchStrategy[Case]:
        (size, depth), count = drawn
        rows = st.tuples(*[weights_with_ratio(size)] * (depth * count))
        near_first = st.tuples(distance_values(size), distance_values(size, nonincreasing=False))
        parts = st.tuples(
            st.one_of(weights_with_ratio(size), st.tuples(prefix_weights(size), prefix_weights(size))),
            st.one_of(distance_pairs(size), near_first),
            content_factor_pairs(),
            mixing_coefficients(depth),
            rows,
            st.integers(0, 4),
        )

        def case(d: tuple[Any, ...]) -> Case:
            (lower, upper), (near, far), (slope, steeper), coefficients, pairs, share = d
            slopes = [[slope * (1 + h) for h in range(count)]] * depth
            shares = [Fraction(share, 4), Fraction(4 - share, 4)] if count == 2 else [Fraction(1)]
            by_layer = [pairs[t * count : (t + 1) * count] for t in range(depth)]
            return Case.of(
                size,
                {"H": count, "T": depth},
                w=lower,
                v=upper,
                a=Table(near, (0,)),
                b=Table(far, (0,)),
                q=slope,
                **{"q'": steeper},
                lambda_=coefficients,
                alpha=[shares] * depth,
                f=[[p[0] for p in layer] for layer in by_layer],
                g=[[p[1] for p in layer] for layer in by_layer],
                x=slopes,
                y=[[steeper * (1 + h) for h in range(count)]] * depth,
            )

        return parts.map(case)

    return for_each(st.tuples(sizes_within(5, 3), st.integers(1, 2)), draw)


_ones: Entries = (1, 1, 1)
_plain: dict[str, Entries] = {
    "w": _ones, "v": _ones, "a": _ones, "b": _ones, "q": 1, "q'": 1, "lambda_": [1], "alpha": [[1]], "f": [[_ones]],
    "g": [[_ones]], "x": [[1]], "y": [[1]],
}  # fmt: skip


def _case(heads: int = 1, **changed: Entries) -> Case:
    values = {**_plain, **changed}
    near: dict[str, Entries | Table] = {name: Table(values[name], (0,)) for name in ("a", "b")}
    return Case.of(3, {"H": heads, "T": 1}, **{**values, **near})


_hollow: Entries = (1, 0, 5)
needed = (
    Needed("w positive", _case(w=(2, -1, 1)), "w = (2, -1, 1): F(2, 2) = -1"),
    Needed("v positive", _case(v=(-2, 1, 0)), "v = (-2, 1, 0): V / W = -2, -1/2, -1/3 rises, and F(2, 2) = -1"),
    Needed("V / W rises", _case(v=(1, 2, 1)), "(1, 1, 1), (1, 2, 1): 1, 3/2, 4/3"),
    Needed("A_w precedes A_v", _case(v=(1, 2, 1)), "(1, 1, 1), (1, 2, 1): 1, 3/2, 4/3"),
    Needed("v / w rises", _case(v=(1, 2, 1)), "(1, 1, 1), (1, 2, 1): 1, 3/2, 4/3"),
    Needed("slope", _case(q=-2), "q = -2: F(2, 2) = 2 against 1/2"),
    Needed("steeper", _case(q=2), "slopes turned"),
    Needed("mixing", _case(lambda_=[-1], g=[[(1, 2, 4)]]), "lambda = -1 turns the order of the kernels"),
    Needed(
        "head weights",
        _case(2, alpha=[[-1, 2]], f=[[_ones, _ones]], g=[[(1, 2, 4), _ones]], x=[[1, 1]], y=[[1, 1]]),
        "head weights (-1, 2)",
    ),
    Needed("f positive", _case(f=[[(1, -2, -3)]]), "f = (1, -2, -3): F(2, 2) = 2 against 1/2"),
    Needed("g positive", _case(g=[[(-2, 1, 3)]]), "g = (-2, 1, 3): F(2, 2) = -1 against 1/2"),
    Needed("g / f rises", _case(g=[[(4, 2, 1)]]), "weights turned"),
    Needed("slopes", _case(x=[[-2]]), "q = -2: F(2, 2) = 2 against 1/2"),
    Needed("steeper slopes", _case(x=[[2]]), "slopes turned"),
    Needed("a distance weights", _case(a=(1, -2, 2), b=_ones), "a = (1, -2, 2): B = (1, -1, 1), F(2, 2) = -1"),
    Needed("b distance weights", _case(b=(1, -2, -1)), "b = (1, -2, -1): C = (1, -1, -2), F(2, 2) = -1"),
    Needed("growth falls", _case(a=_hollow, b=_hollow), "a = (1, 0, 5): B = (1, 1, 6), F(2, 2) = 1, F(3, 2) = 1/6"),
    Needed("A_a monotone", _case(a=_hollow, b=_hollow), "a = (1, 0, 5): B = (1, 1, 6) grows by 1, then 6"),
    Needed("a decreasing", _case(a=_hollow, b=_hollow), "a = (1, 0, 5): B = (1, 1, 6) grows by 1, then 6"),
    Needed("C / B falls", _case(b=(1, 2, 4)), "(1, 1, 1), (1, 2, 4): 1, 3/2, 7/3"),
    Needed("A_a precedes A_b", _case(b=(1, 2, 4)), "(1, 1, 1), (1, 2, 4): 1, 3/2, 7/3"),
    Needed("b / a falls", _case(a=(9, 0, 5), b=(3, 0, 8)), "neighbours alone do not tell: (9, 0, 5), (3, 0, 8)"),
)

statement = Statement(
    id="D3",
    title="Positional bias gives recency",
    source="arXiv:2602.16837",
    remark="ALiBi with slope m is the prefix kernel with weights q^j, q = e^m.",
    cites=("press2022",),
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        turn("a"), turn("b"), turn("b, conversely"), lose("b, cross product"), turn("c, slope"),
        turn("c, rollouts"), turn("c, slopes and rollouts"),
        turn("d"), turn("e"), turn("e, ratio of weights"),
    ),
)  # fmt: skip

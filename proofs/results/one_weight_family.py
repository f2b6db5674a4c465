"""D5, one weight family needs no monotonicity: layers that share one causal kernel K, whatever K is.

    R_t = (1 - kappa_{t,i}) [i = j] + kappa_{t,i} K_ij,   kappa <= nu   =>   Q_u ... Q_1 P(nu)  ≼  Q_u ... Q_1 P(kappa)

The coefficients lie in [0, 1] and are free in every layer and for every token; the layers above, Q, are any causal
kernels.  One more layer of the same kind moves every row down.  The average over the earlier tokens, K_ij = w_j /
W_{i-1} for j < i, is such a kernel: this is one weight family.  Layers that share their scores s_ij, with content
e_{t,i} on the diagonal and mixing lambda_{t,i} of their own, are of this kind, with kappa = lambda E_i / (E_i + e
s_ii), E_i the sum of s_il over l < i (s_ij = w_j: the prefix kernel): so less mixing or more diagonal content moves
the rollout up, and a layer more moves it down, without monotonicity.  The coefficients of token 1 play no part.
Inequality; tight (kappa = nu).  Source: ours, beyond arXiv:2602.16837; K need not be
an average.

A function f of the tokens with K f <= f, such as any nondecreasing one, is sent by R = (1 - kappa) I + kappa K to g = R
f with K f <= g <= f, so K g <= g again; and R g falls as kappa rises.

Exact here: everything.  Numeric here: nothing.  Not covered: kernels that differ from layer to layer.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.case import Case, Entries, kernel, prefix, scaled_diagonal
from proofs.cases.one_kernel_cases import one_kernel_cases
from proofs.lemmas.average_steps import average_lemmas, score_average, weight_average
from proofs.lemmas.content_steps import more_content, score_sums
from proofs.lemmas.shared_scores_steps import (
    coefficient,
    content_lemmas,
    content_row_parts,
    in_each_layer,
    lazy_layers,
    shares,
    with_content,
)
from proofs.lemmas.token_layers_steps import (
    compared,
    moved_down,
    new_row,
    of_layer,
    one_kernel_lemmas,
    token_layers,
    token_mixing,
    token_ordered,
    under_layers,
    unit_row,
    written_out,
)
from proofs.notation import (
    below,
    causal,
    every,
    layer,
    layers,
    n,
    positive,
    product,
    rollout,
    scores,
    token_transition,
)
from proofs.outline import causal_rollout, used_only
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Both, Chain, Identity, Instantiate, Step, item, use
from proofs.term import And, Fn, ForAll, Lambda, Range, Relation, Symbol, as_index, index
from proofs.twins import scale, turn

K, A, kappa, nu, mu, Q = (Symbol(*x) for x in (("K", 2), ("A", 3), ("kappa", 2), ("nu", 2), ("mu", 1), ("Q", 3)))
w, s, y, X, Y = Symbol("w", 1), Symbol("s", 2), Symbol("y", 1), Symbol("X", 2), Symbol("Y", 2)
i, j, T = index("i"), index("j"), index("T")
U = layer(rollout(Q), "u")


def deep(coefficients: Fn, kernel_fn: Fn) -> Fn:
    """P^(T) of the layers with these coefficients."""
    return layer(rollout(token_layers(coefficients, kernel_fn)), "T")


one_more, one_more_content = token_transition(mu, K), token_transition(mu, with_content(s, y))
each = layer(A, "t")
lower, higher = (with_content(s, of_layer(factors)) for factors in (X, Y))
same_kernel: ForAll = layers(1, "T", every("i", 1, n, every("j", 1, n, Relation("=", A("t", "i", "j"), K("i", "j")))))

claim = Claim(
    symbols=(K, A, kappa, nu, mu, Q, w, s, y, X, Y),
    indices=(Range("T", as_index(0), None), Range("u", as_index(0), None)),
    hypotheses=(
        ("kernel", causal(K)),
        ("kernels equal", same_kernel),
        ("mixing", token_mixing(kappa)),
        ("more mixing", token_mixing(nu)),
        ("ordered", token_ordered(kappa, nu)),
        ("new mixing", unit_row(mu)),
        ("layers above", layers(1, "u", causal(layer(Q, "t")))),
        ("weights", positive(w)),
        ("scores", scores(s)),
        ("new content", positive(y)),
        ("content", layers(1, "T", positive(of_layer(X)))),
        ("more content", layers(1, "T", more_content(of_layer(X), of_layer(Y)))),
    ),
    parts=(
        Part(
            "one kernel", ("kernel", "kernels equal", "mixing", "more mixing", "ordered", "layers above"),
            below(product(U, deep(nu, each)), product(U, deep(kappa, each))),
        ),
        Part(
            "one more layer", ("kernel", "kernels equal", "mixing", "new mixing", "layers above"),
            below(product(U, product(one_more, deep(kappa, each))), product(U, deep(kappa, each))),
        ),
        Part("one weight family", ("weights",), causal(weight_average(w))),
        Part("coefficient", ("scores", "new content"), every("i", 1, n, And(content_row_parts(mu, s, y)))),
        Part(
            "mixing and content",
            ("scores", "content", "more content", "mixing", "more mixing", "ordered"),
            below(deep(nu, lower), deep(kappa, higher)),
        ),
        Part(
            "one more layer with content",
            ("scores", "content", "new content", "more mixing", "new mixing"),
            below(product(one_more_content, deep(nu, lower)), deep(nu, lower)),
        ),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------

layers_above = causal_rollout("product above", Q, "u", "layers above")


def under(part: str, sides: tuple[Fn, Fn], fact: str) -> tuple[Step, Step]:
    """The part, from the comparison of the two sides below the layers above."""
    return layers_above, under_layers("under the rest", claim.part(part).asserts, U, sides, ("product above", fact))


shared_average = score_average(s)
kernel_of_scores = Step("kernel", causal(shared_average), Instantiate(
    use("average of scores is causal", fns=(s,), given=("scores",))
))  # fmt: skip
lower_shares, upper_shares = shares(nu, s, X), shares(kappa, s, Y)
shares_ordered = in_each_layer(
    "shares ordered",
    token_ordered(upper_shares, lower_shares),
    use(
        "share falls with content", fns=(s, of_layer(kappa), of_layer(nu), of_layer(X), of_layer(Y)),
        given=("scores", *(use(fact, "t") for fact in ("content", "more content", "mixing", "ordered"))),
    ),
)  # fmt: skip
higher_content = Step(
    "higher content", layers(1, "T", positive(of_layer(Y))),
    Chain((use("content", "t", "j"), use("more content", "t", "j"))),
)  # fmt: skip

row_parts = dict(content_row_parts(mu, s, y))
own = Lambda(("i",), coefficient(mu("i"), s, y))

derivation = (
    *one_kernel_lemmas(),
    *average_lemmas(),
    *content_lemmas(),
    claim.proof(
        "one kernel",
        written_out("rows", kappa, each, K, use("kernels equal", "t", "i", "j")),
        written_out("more rows", nu, each, K, use("kernels equal", "t", "i", "j")),
        compared(
            (token_layers(kappa, each), token_layers(nu, each)), (kappa, nu), K, ("mixing", "more mixing", "ordered")
        ),
        *under("one kernel", (deep(nu, each), deep(kappa, each)), "compared"),
    ),
    claim.proof(
        "one more layer",
        written_out("rows", kappa, each, K, use("kernels equal", "t", "i", "j")),
        Step("new row", new_row(one_more, mu, K), Identity()),
        moved_down(one_more, mu, token_layers(kappa, each), kappa, K, ("mixing", "new mixing")),
        *under("one more layer", (product(one_more, deep(kappa, each)), deep(kappa, each)), "moved down"),
    ),
    claim.proof("one weight family", Step("average", claim.part("one weight family").asserts, Instantiate(
        use("average of weights is causal", fns=(w,), given=("weights",))
    ))),
    claim.proof(
        "coefficient",
        *used_only((
            *score_sums("Z", s, y, "scores", "new content"),
            Step("diagonal", row_parts["diagonal"], Identity((item(use("Z / Z", "i"), times=mu("i")),))),
            Step("before", row_parts["before"], Identity()),
            Step("both", And(tuple(row_parts.items())), Both(("diagonal", "before"))),
        )),
        fix=("i",),
    ),
    claim.proof(
        "mixing and content",
        kernel_of_scores,
        higher_content,
        *lazy_layers("", kappa, s, Y, ("mixing", "higher content")),
        *lazy_layers("more ", nu, s, X, ("more mixing", "content")),
        shares_ordered,
        compared(
            (token_layers(kappa, higher), token_layers(nu, lower)),
            (upper_shares, lower_shares), shared_average, ("shares", "more shares", "shares ordered"),
        ),
    ),
    claim.proof(
        "one more layer with content",
        kernel_of_scores,
        *lazy_layers("", nu, s, X, ("more mixing", "content")),
        Step("new share", unit_row(own), Instantiate(
            use("share of content", fns=(s, mu, y), given=("scores", "new content", "new mixing"))
        )),
        Step("new row", new_row(one_more_content, own, shared_average), Instantiate(
            use("row with content", fns=(s, mu, y), given=("scores", "new content"))
        )),
        moved_down(one_more_content, own, token_layers(nu, lower), lower_shares, shared_average,
                   ("shares", "new share")),
    ),
    claim.finish("one kernel in all layers"),
)  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------

_tilted = scaled_diagonal(prefix(8, 4, 1), 2)  # w = (1, 1/2, 1/8), e = 2: not monotone
_top = prefix(1, 7, 1)
_one = kernel([1], [0, 1], [0, 0, 1])
_first = kernel([1], [1, 0], [1, 0, 0])
_second = kernel([1], [1, 0], [0, 0, 1])
_future = ((1, 0, 0), (0, 0, 1), (0, 0, 1))
_ones: Entries = (1, 1, 1)
_none: Entries = (0, 0, 0)
_twos: Entries = (2, 2, 2)
_flat: Entries = (_ones, _ones, _ones)
_signed: Entries = ((1, 0, 0), (-1, 2, 0), (0, 0, 1))
_plain: dict[str, Entries] = {
    "K": _one, "A": [_one], "kappa": [_none], "nu": [_ones], "mu": _none, "Q": [_one], "w": _ones, "s": _flat,
    "y": _ones, "X": [_ones], "Y": [_ones],
}  # fmt: skip


def _case(depth: int = 1, **changed: Entries) -> Case:
    return Case.of(3, {"T": depth, "u": 1}, **{**_plain, **changed})


needed = (
    Needed("kernel", _case(K=_future, A=[_future]), "a kernel that reads the future moves row 2 up"),
    Needed(
        "kernels equal",
        _case(2, A=[_tilted, _top], kappa=[_ones, _none], nu=[_ones, _ones], X=[_ones] * 2, Y=[_ones] * 2),
        "two weight families, D1's example: w = (1, 1/2, 1/8), e = 2 below prefix (1, 7, 1): 54/126 < 55/126",
    ),
    Needed("mixing", _case(K=_first, A=[_first], kappa=[_twos], mu=_ones), "kappa = 2: F(2, 2) = -1, and 0 above K"),
    Needed(
        "more mixing",
        _case(2, K=_first, A=[_first] * 2, kappa=[_ones] * 2, nu=[_twos] * 2, X=[_ones] * 2, Y=[_ones] * 2),
        "nu = 2 twice: (-1)(-1) = 1 > 0",
    ),
    Needed("ordered", _case(K=_first, A=[_first], kappa=[_ones], nu=[_none]), "coefficients turned"),
    Needed("new mixing", _case(K=_first, A=[_first], mu=(0, -1, 0)), "mu_2 = -1: F(2, 2) = 2"),
    Needed("layers above", _case(K=_second, A=[_second], Q=[kernel([1], [0, 1], [0, -1, 2])]), "(0, -1, 2)"),
    Needed("weights", _case(w=(-1, 2, 1)), "w = (-1, 2, 1): the average of row 3 is (-1, 2)"),
    Needed("scores", _case(s=_signed), "row 2 of the scores is (-1, 2): F(2, 2) = 2"),
    Needed("new content", _case(y=(1, -3, 1), mu=_ones), "y_2 = -3: row 2 is (-1/2, 3/2)"),
    Needed("content", _case(X=[(1, -3, 1)]), "X_2 = -3: row 2 is (-1/2, 3/2)"),
    Needed("more content", _case(kappa=[_ones], X=[_twos]), "contents turned: F(2, 2) = 2/3 against 1/2"),
)

statement = Statement(
    id="D5",
    title="Layers that share one kernel need no monotonicity",
    source="ours, beyond arXiv:2602.16837",
    remark="One weight family is one such kernel; the coefficients are free for every layer and token.",
    claim=claim,
    derivation=derivation,
    cases=one_kernel_cases,
    needed=needed,
    twins=(
        turn("one kernel"),
        turn("one more layer"),
        turn("one weight family/nonnegative"),
        scale("one weight family/rows"),
        scale("coefficient/diagonal", Fraction(1, 2)),
        scale("coefficient/before"),
        turn("mixing and content"),
        turn("one more layer with content"),
    ),
)

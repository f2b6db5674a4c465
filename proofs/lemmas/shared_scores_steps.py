"""Lemmas on layers that share their scores s_ij, with content and mixing of their own: they share one kernel (D5).

Row i >= 2 of (1 - lambda_i) I + lambda_i A, where A has the scores s_ij with the diagonal multiplied by e_i, is

    (1 - kappa_i) [i = j] + kappa_i [j < i] s_ij / E_i,   kappa_i = lambda_i E_i / (E_i + e_i s_ii),

where E_i = s_i1 + ... + s_{i,i-1}: a mixture of staying and of the average over the earlier tokens.
"""

from __future__ import annotations

from proofs.lemmas.average_steps import earlier, moved, score_average, with_or_without
from proofs.lemmas.content_steps import more_content, score_sums
from proofs.lemmas.product_steps import for_all
from proofs.lemmas.token_layers_steps import lazy_row, of_layer, rows_of, token_layers, token_mixing, unit_row
from proofs.notation import (
    attention,
    attention_total,
    every,
    n,
    positive,
    scaled_diagonal,
    scores,
    token_transition,
    up_to_diagonal,
    zero_one,
)
from proofs.outline import used_only
from proofs.steps import (
    Antisymmetry,
    Both,
    Chain,
    Generalise,
    Identity,
    Instantiate,
    Nonnegative,
    Step,
    Use,
    item,
    use,
)
from proofs.term import (
    And,
    Fn,
    ForAll,
    Formula,
    Lambda,
    Reciprocal,
    Relation,
    Symbol,
    Term,
    as_term,
    index,
)

__all__ = [
    "coefficient",
    "content_lemmas",
    "content_row_parts",
    "in_each_layer",
    "lazy_layers",
    "shares",
    "with_content",
]

s, lam, mu = Symbol("s*", 2), Symbol("lambda*", 1), Symbol("mu*", 1)  # starred, so that no claim uses the names
x, y = Symbol("x*", 1), Symbol("y*", 1)
i, m = index("i"), index("m")


def with_content(values: Fn, factors: Fn) -> Fn:
    """The causal kernel of the scores, those on the diagonal multiplied by e_i."""
    return attention(scaled_diagonal(values, factors))


def _whole(values: Fn, factors: Fn) -> Term:
    """1 / Z_i, Z_i = E_i + e_i s_ii."""
    return Reciprocal(attention_total(scaled_diagonal(values, factors))("i"))


def coefficient(mix: Term, values: Fn, factors: Fn) -> Term:
    """lambda E_i / (E_i + e_i s_ii)."""
    return mix * earlier(values, "i") * _whole(values, factors)


def content_row_parts(mix: Fn, values: Fn, factors: Fn) -> tuple[tuple[str, Formula], ...]:
    """Row i of the layer with content is (1 - kappa) delta_i + kappa times the average, kappa = lambda E / (E + e s):
    R_ii = 1 - kappa_i and E_i R_ij = kappa_i s_ij for j < i.
    """
    row, share = token_transition(mix, with_content(values, factors)), coefficient(mix("i"), values, factors)
    stays = Relation("=", row("i", "i"), as_term(1) - share)
    reads = Relation("=", earlier(values, "i") * row("i", "j"), share * values("i", "j"))
    return ("diagonal", stays), ("before", every("j", 1, i - 1, reads))


_content = ("scores", "content")
_content_premises = (scores(s), positive(x))


def _nothing_before() -> tuple[Step, ...]:
    """s_im = 0 for m < i where E_i <= 0."""
    others = [
        item(use("scores", "i", "l", parts="nonnegative"), over=(("l", *ends),))
        for ends in ((1, m - 1), (m + 1, i - 1))
    ]
    return (
        Step("at most 0", every("m", 1, i - 1, Relation("<=", s("i", "m"), as_term(0))), Nonnegative(
            (item(use("case")), *others)
        )),
        Step("nothing before", every("m", 1, i - 1, Relation("=", s("i", "m"), as_term(0))), Antisymmetry(
            use("at most 0", "m"), use("scores", "i", "m", parts="nonnegative")
        )),
    )  # fmt: skip


def _content_row() -> Step:
    share, Z = coefficient(lam("i"), s, x), _whole(s, x)
    left = token_transition(lam, with_content(s, x))("i", "j")
    goal = Relation("=", left, lazy_row(share, score_average(s)))
    common = (item(use("none"), times=share * moved), item(use("Z / Z", "i"), times=lam("i") * zero_one("i", "j")))
    gone = item(
        use("nothing before", "m"), times=lam("i") * Z * (zero_one("m", "j") - zero_one("i", "j")),
        over=(("m", 1, i - 1),),
    )  # fmt: skip
    spread = item(use("E / E"), times=-(lam("i") * up_to_diagonal(i - 1, "j") * s("i", "j") * Z))
    return Step(
        "row with content",
        for_all((s, lam, x), *_content_premises, every("i", 1, n, every("j", 1, n, goal))),
        Generalise(("s*", "lambda*", "x*", *_content, "i", "j"), used_only((
            *score_sums("Z", s, x, *_content),
            with_or_without(
                "entry", goal,
                (*_nothing_before(), Step("stays", goal, Identity((*common, gone)))),
                (Step("reads", goal, Identity((*common, spread))),),
            ),
        ))),
    )  # fmt: skip


def _shares() -> tuple[Step, ...]:
    """0 <= kappa <= 1."""
    share, Z = coefficient(lam("i"), s, x), use("1 / Z > 0", "i")
    both = unit_row(Lambda(("i",), share)).body
    assert isinstance(both, And)
    (_, low), (_, high) = both.parts
    return (
        *score_sums("Z", s, x, *_content),
        Step("at least 0", low, Nonnegative((item(
            use("mixing", "i", parts="nonnegative"), use("scores", "i", "l", parts="nonnegative"), Z,
            over=(("l", 1, i - 1),),
        ),))),
        Step("at most 1", high, Nonnegative(
            (
                item(use("mixing", "i", parts="at most one")),
                item(
                    use("mixing", "i", parts="nonnegative"), use("content", "i"),
                    use("scores", "i", parts="diagonal"), Z,
                ),
            ),
            (item(use("Z / Z", "i"), times=lam("i")),),
        )),
        Step("share", both, Both(("at least 0", "at most 1"))),
    )  # fmt: skip


def _share_lemma() -> Step:
    then = unit_row(Lambda(("i",), coefficient(lam("i"), s, x)))
    return Step(
        "share of content",
        for_all((s, lam, x), *_content_premises, unit_row(lam), then),
        Generalise(("s*", "lambda*", "x*", *_content, "mixing", "i"), _shares()),
    )


def _shares_ordered() -> Step:
    """kappa falls with the content and rises with the mixing."""
    low, high = coefficient(lam("i"), s, y), coefficient(mu("i"), s, x)
    goal = every("i", 1, n, Relation("<=", low, high))
    ordered = every("i", 1, n, Relation("<=", lam("i"), mu("i")))
    Z, Y = (Reciprocal(attention_total(scaled_diagonal(s, f))("i")) for f in (x, y))
    read = use("scores", "i", "l", parts="nonnegative")
    upper = Step("more content", positive(y), Chain((use("content", "j"), use("more", "j"))))
    compared = Step("shares compared", goal, Nonnegative(
        (
            item(use("ordered", "i"), read, use("1 / Z > 0", "i"), over=(("l", 1, i - 1),)),
            item(
                use("mixing", "i", parts="nonnegative"), use("more", "i"), use("scores", "i", parts="diagonal"), read,
                use("1 / Z > 0", "i"), use("1 / Y > 0", "i"), over=(("l", 1, i - 1),),
            ),
        ),
        (
            item(use("Y / Y", "i"), times=lam("i") * earlier(s, "i") * Z),
            item(use("Z / Z", "i"), times=-(lam("i") * earlier(s, "i") * Y)),
        ),
    ))  # fmt: skip
    premises = (*_content_premises, more_content(x, y), unit_row(lam), ordered)
    return Step(
        "share falls with content",
        for_all((s, lam, mu, x, y), *premises, goal),
        Generalise(("s*", "lambda*", "mu*", "x*", "y*", *_content, "more", "mixing", "ordered"), (
            *score_sums("Z", s, x, *_content), upper, *score_sums("Y", s, y, "scores", "more content"), compared,
        )),
    )  # fmt: skip


def content_lemmas() -> tuple[Step, ...]:
    """A layer with scores s and content e is a layer of one kernel, whose coefficients are ordered as they should."""
    return _content_row(), _share_lemma(), _shares_ordered()


# --- layer by layer -------------------------------------------------------------------------------


def shares(mix: Fn, values: Fn, factors: Fn) -> Lambda:
    """lambda_{t,i} E_i / (E_i + e_{t,i} s_ii)."""
    return Lambda(("t", "i"), coefficient(mix("t", "i"), values, of_layer(factors)))


def in_each_layer(label: str, stated: ForAll, source: Use) -> Step:
    """What holds in every layer, from a lemma on one."""
    return Step(label, stated, Generalise(("t",), (Step("this layer", stated.body, Instantiate(source)),)))


def lazy_layers(name: str, mix: Fn, values: Fn, factors: Fn, facts: tuple[str, str]) -> tuple[Step, Step]:
    """The rows of layers with mixing and content, and that their coefficients lie in [0, 1]."""
    mixed, positive_factors = (use(fact, "t") for fact in facts)
    fns, own = (values, of_layer(mix), of_layer(factors)), shares(mix, values, factors)
    rows = rows_of(token_layers(mix, with_content(values, of_layer(factors))), own, score_average(values))
    return (
        in_each_layer(f"{name}rows", rows, use("row with content", fns=fns, given=("scores", positive_factors))),
        in_each_layer(f"{name}shares", token_mixing(own), use(
            "share of content", fns=fns, given=("scores", positive_factors, mixed)
        )),
    )  # fmt: skip

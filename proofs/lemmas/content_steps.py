"""Lemmas on kernels with content: scores s_ij, normalised in each row, the diagonal multiplied by a factor (D4)."""

from __future__ import annotations

from functools import reduce

from proofs.lemmas.prefix_steps import divisors
from proofs.notation import (
    attention,
    attention_total,
    below,
    causal,
    content,
    content_total,
    cumulative,
    every,
    n,
    positive,
    scaled_diagonal,
    scores,
    tail,
    up_to_diagonal,
    zero_one,
)
from proofs.outline import causal_kernel
from proofs.steps import Cases, Chain, Generalise, Identity, Nonnegative, Step, item, use
from proofs.substitute import substitute
from proofs.term import (
    Fn,
    ForAllFn,
    Formula,
    Implies,
    Lambda,
    Reciprocal,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)

__all__ = [
    "constant",
    "content_criterion",
    "content_monotone",
    "content_monotone_conversely",
    "content_sums",
    "cross_product",
    "lemmas",
    "more_content",
    "row_factor",
    "score_sums",
]

s, x, y = Symbol("s*", 2), Symbol("x*", 1), Symbol("y*", 1)  # starred, so that no claim uses the names
i, j, k, r = index("i"), index("j"), index("k"), index("r")


def more_content(lower: Fn, upper: Fn) -> Formula:
    """e_i <= e'_i."""
    return every("i", 1, n, Relation("<=", lower("i"), upper("i")))


def score_sums(name: str, values: Fn, factors: Fn, score_fact: str, factor_fact: str) -> tuple[Step, ...]:
    """The three facts on Z_r = s_r1 + ... + s_{r,r-1} + e_r s_rr."""
    return divisors(name, attention_total(scaled_diagonal(values, factors)), (
        item(use(factor_fact, "r"), use(score_fact, "r", parts="diagonal")),
        item(use(score_fact, "r", "l", parts="nonnegative"), over=(("l", 1, r - 1),)),
    ))  # fmt: skip


# --- (a) what is constant along a row cancels -----------------------------------------------------


def row_factor(label: str, values: Fn, factors: Fn, facts: tuple[str, str]) -> tuple[Step, ...]:
    """The kernel of g_i s_ij is that of s_ij."""
    scaled = Lambda(("i", "j"), factors("i") * values("i", "j"))
    Z, scaled_Z = Reciprocal(attention_total(values)("i")), Reciprocal(attention_total(scaled)("i"))
    terms = (
        (item(use(facts[0], "r", parts="diagonal")),),
        (item(use(facts[1], "r"), use(facts[0], "r", parts="diagonal")),),
    )
    rest = use(facts[0], "r", "l", parts="nonnegative")
    entry = up_to_diagonal("i", "j") * values("i", "j")
    return (
        *divisors("Z", attention_total(values), (*terms[0], item(rest, over=(("l", 1, r - 1),)))),
        *divisors("gZ", attention_total(scaled), (*terms[1], item(use(facts[1], "r"), rest, over=(("l", 1, r - 1),)))),
        Step(
            label,
            every("i", 1, n, every("j", 1, n, Relation(
                "=", attention(scaled)("i", "j"), attention(values)("i", "j")
            ))),
            Identity((
                item(use("Z / Z", "i"), times=-(entry * factors("i") * scaled_Z)),
                item(use("gZ / gZ", "i"), times=entry * Z),
            )),
        ),
    )  # fmt: skip


# --- (b) more content, later ----------------------------------------------------------------------


def _content_lemma(conclusion: Formula) -> Formula:
    premises = (scores(s), positive(x), more_content(x, y))
    body = reduce(lambda inner, premise: Implies(premise, inner), reversed(premises), conclusion)
    return ForAllFn(s, ForAllFn(x, ForAllFn(y, body)))


_names = ("s*", "x*", "y*", "scores", "content", "more")
_y_positive = Step("more content", positive(y), Chain((use("content", "j"), use("more", "j"))))
_sums = (*score_sums("Z", s, x, "scores", "content"), _y_positive, *score_sums("Y", s, y, "scores", "more content"))


def _causal(factors: Fn, name: str, fact: str) -> tuple[Step, ...]:
    """The kernel with content is a causal kernel."""
    kernel = attention(scaled_diagonal(s, factors))
    goal = Relation("<=", as_term(0), kernel("i", "j"))
    inverse = use(f"1 / {name} > 0", "i")
    entry = Nonnegative(
        (
            item(use(fact, "i"), use("scores", "i", parts="diagonal"), inverse, times=zero_one("i", "j")),
            item(use("scores", "i", "j", parts="nonnegative"), inverse, times=up_to_diagonal(i - 1, "j")),
        )
    )
    nonnegative = Generalise(("i", "j"), (Step("entry", goal, Cases(
        j, i, (Step("up to the diagonal", goal, entry),), (Step("beyond it", goal, Nonnegative(())),)
    )),))  # fmt: skip
    return causal_kernel(kernel, nonnegative, Identity(), Identity((item(use(f"{name} / {name}", "i")),)))


def lemmas() -> tuple[Step, ...]:
    """For all scores and factors: both kernels are causal, and more content moves every tail up."""
    lower, upper = attention(scaled_diagonal(s, x)), attention(scaled_diagonal(s, y))
    up = Relation("<=", tail(lower)("i", "k"), tail(upper)("i", "k"))
    Z, Y = (Reciprocal(attention_total(scaled_diagonal(s, f))("i")) for f in (x, y))
    tails = [total("j", k, i, scaled_diagonal(s, f)("i", "j")) for f in (x, y)]
    compared = Step("each tail", up, Cases(
        k, i,
        (Step("up to the diagonal", up, Nonnegative(  # (e' - e) s_ii sum_{j < k} s_ij / (Z Y)
            (item(
                use("more", "i"), use("scores", "i", parts="diagonal"), use("scores", "i", "j", parts="nonnegative"),
                use("1 / Z > 0", "i"), use("1 / Y > 0", "i"), over=(("j", 1, k - 1),),
            ),),
            (
                item(use("Z / Z", "i"), times=tails[1] * Y),
                item(use("Y / Y", "i"), times=-(tails[0] * Z)),
            ),
        )),),
        (Step("beyond it", up, Nonnegative(())),),
    ))  # fmt: skip
    return (
        Step("kernels with content are causal", _content_lemma(causal(lower)),
             Generalise(_names, (*_sums, *_causal(x, "Z", "content")))),
        Step("kernels with more content are causal", _content_lemma(causal(upper)),
             Generalise(_names, (*_sums, *_causal(y, "Y", "more content")))),
        Step("more content compares", _content_lemma(below(lower, upper)),
             Generalise((*_names, "i", "k"), (*_sums, compared))),
    )  # fmt: skip


# --- (c) when a prefix kernel with content is monotone --------------------------------------------


def content_sums(weights: Fn, factor: Term, weight_fact: str, factor_fact: str) -> tuple[Step, ...]:
    """The three facts on Z_r = W_{r-1} + c w_r."""
    return divisors("Z", content_total(weights, constant(factor)), (
        item(use(factor_fact), use(weight_fact, "r")),
        item(use(weight_fact, "l"), over=(("l", 1, r - 1),)),
    ))  # fmt: skip


def constant(factor: Term) -> Lambda:
    """The same factor in every row."""
    return Lambda(("i",), factor)


def growth(weights: Fn, factor: Term) -> Term:
    """w_i + c (w_{i+1} - w_i) = Z_{i+1} - Z_i."""
    return weights("i") + factor * (weights(i + 1) - weights("i"))


def content_criterion(weights: Fn, factor: Term) -> Formula:
    """w_i + c (w_{i+1} - w_i) >= 0 for 2 <= i < n."""
    return every("i", 2, n - 1, Relation("<=", as_term(0), growth(weights, factor)))


def _tail_weights(weights: Fn, factor: Term) -> tuple[Term, Term]:
    """The unnormalised tails of rows i and i + 1 from k on."""
    scaled = [total("j", k, row - 1, weights("j")) + factor * weights(row) for row in (i, i + 1)]
    return scaled[0], scaled[1]


def cross_product(weights: Fn, factor: Term) -> Formula:
    """For k <= i: the cross product of the tails of rows i and i + 1 is W_{k-1} (w_i + c (w_{i+1} - w_i))."""
    Z = content_total(weights, constant(factor))
    here, after = _tail_weights(weights, factor)
    right = cumulative(weights)(k - 1) * growth(weights, factor)
    relation = Relation("=", after * Z("i") - here * Z(i + 1), right)
    return every("k", 1, n - 1, every("i", k, n - 1, relation))


def content_monotone(label: str, weights: Fn, factor: Term, facts: tuple[str, str, str]) -> Step:
    """F(i, k) <= F(i + 1, k), with i and k fixed, from the facts on Z and the criterion."""
    weight_fact, factor_fact, criterion = facts
    kernel, Z = content(weights, constant(factor)), content_total(weights, constant(factor))
    rise = Relation("<=", tail(kernel)("i", "k"), tail(kernel)(i + 1, "k"))
    here, after = _tail_weights(weights, factor)
    return Step(label, rise, Cases(
        k, i,
        (Step("up to the diagonal", rise, Nonnegative(
            (item(
                use(criterion, "i"), use(weight_fact, "l"), use("1 / Z > 0", "i"), use("1 / Z > 0", i + 1),
                over=(("l", 1, k - 1),),
            ),),
            (
                item(use("Z / Z", "i"), times=after * Reciprocal(Z(i + 1))),
                item(use("Z / Z", i + 1), times=-(here * Reciprocal(Z("i")))),
            ),
        )),),
        (Step("on or beyond it", rise, Nonnegative((
            item(use(factor_fact), use(weight_fact, i + 1), use("1 / Z > 0", i + 1), times=zero_one("k", i + 1)),
        ))),),
    ))  # fmt: skip


def content_monotone_conversely(label: str, weights: Fn, factor: Term, fact: str) -> Step:
    """The criterion, from the kernel being monotone, cited as ``fact``: the tail k = 2."""
    Z = content_total(weights, constant(factor))
    first = Reciprocal(weights(1))
    here, after = (substitute(x, {"k": as_index(2)}, {}) for x in _tail_weights(weights, factor))
    return Step(label, content_criterion(weights, factor), Nonnegative(
        (item(use(fact, "i", 2), use("Z > 0", "i"), use("Z > 0", i + 1), use("1 / w > 0", 1)),),
        (
            item(use("w / w", 1), times=growth(weights, factor)),
            item(use("Z / Z", i + 1), times=after * Z("i") * first),
            item(use("Z / Z", "i"), times=-(here * Z(i + 1) * first)),
        ),
    ))  # fmt: skip

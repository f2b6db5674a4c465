"""Which kernels are totally positive of order 2: prefix kernels, content at most 1, log-concave distance kernels.

All are A_ij = s_ij / Z_i for j <= i, so only minors with j < l <= i < k count, and the sums Z cancel:

    s_il s_kj <= s_ij s_kl      a factor e_i of the diagonal enters for l = i alone, on the left: e_i <= 1 will do

A distance kernel has s_ij = a_{i-j}; there it reads a_x a_{x+u+v} <= a_{x+u} a_{x+v}, which follows from neighbours,
a_d a_{c+1} <= a_{d+1} a_c for d < c, moved inwards one by one.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.lemmas.content_steps import score_sums
from proofs.lemmas.distance_steps import weight_sums
from proofs.lemmas.prefix_steps import divisors
from proofs.lemmas.prefix_steps import weight_sums as prefix_sums
from proofs.notation import (
    attention,
    content,
    content_total,
    distance,
    distance_sum,
    every,
    n,
    prefix,
    scaled_diagonal,
    totally_positive,
    up_to_diagonal,
    zero_one,
)
from proofs.steps import Absurd, Cases, Chain, Either, Generalise, Induction, Item, Nonnegative, Reason, Step, item, use
from proofs.term import Bracket, Fn, ForAll, Index, Reciprocal, Relation, as_term, index

__all__ = [
    "at_most_one",
    "content_conversely",
    "content_minors",
    "distance_conversely",
    "distance_minors",
    "log_concave",
    "prefix_minors",
    "score_minors",
    "scores_with_content",
]

i, j, k, l, c = (index(name) for name in ("i", "j", "k", "l", "c"))  # noqa: E741 - the letters of the formulas
ONE = as_term(1)
both_rows = (use("1 / Z > 0", "i"), use("1 / Z > 0", "k"))


def at_most_one(factors: Fn) -> ForAll:
    """e_i <= 1 for 2 <= i < n: the first and the last row are free."""
    return every("i", 2, n - 1, Relation("<=", factors("i"), ONE))


def score_minors(values: Fn) -> ForAll:
    """s_il s_kj <= s_ij s_kl for j < l <= i < k."""
    return every("i", 1, n, every("k", i + 1, n, every("l", 1, i, every("j", 1, l - 1, Relation(
        "<=", values("i", "l") * values("k", "j"), values("i", "j") * values("k", "l")
    )))))  # fmt: skip


def log_concave(weights: Fn) -> ForAll:
    """a_d a_{c+1} <= a_{d+1} a_c for d < c: a_{d+1} / a_d falls, and no zero lies between two that are not."""
    near = Relation("<=", weights("d") * weights(c + 1), weights(index("d") + 1) * weights("c"))
    return every("c", 1, n - 2, every("d", 0, c - 1, near))


def prefix_minors(label: str, w: Fn, fact: str) -> tuple[Step, ...]:
    """The minors of a prefix kernel, from w > 0: those with j <= i < l are w_j w_l / (W_i W_k), the others 0."""
    inverses = (use("1 / W > 0", "i"), use("1 / W > 0", "k"))
    return (
        *prefix_sums("W", w, fact),
        Step(label, totally_positive(prefix(w)), Nonnegative((item(
            use(fact, "j"), use(fact, "l"), *inverses, times=Bracket(((j, i), (l, k), (i + 1, l)))
        ),))),
    )  # fmt: skip


# --- minors in general ----------------------------------------------------------------------------


def _entries(kernel: Fn, terms: tuple[Item, ...]) -> Step:
    """A_ij >= 0, from what it is made of for j <= i."""
    entry = Relation("<=", as_term(0), kernel("i", "j"))
    return Step("entries", every("i", 1, n, every("j", 1, n, entry)), Generalise(("i", "j"), (
        Step("entry", entry, Cases(
            j, i,
            (Step("up to the diagonal", entry, Nonnegative(terms)),),
            (Step("beyond it", entry, Nonnegative(())),),
        )),
    )))  # fmt: skip


def _minor(kernel: Fn) -> Relation:
    """A_il A_kj <= A_ij A_kl."""
    return Relation("<=", kernel("i", "l") * kernel("k", "j"), kernel("i", "j") * kernel("k", "l"))


def _minors(label: str, kernel: Fn, inside: Reason) -> Step:
    """Every minor is nonnegative, from the entries and from ``inside``, which proves it for l <= i."""
    minor = _minor(kernel)
    return Step(label, totally_positive(kernel), Generalise(("i", "k", "j", "l"), (
        Step("minor", minor, Cases(
            l, i,
            (Step("up to the diagonal", minor, inside),),
            (Step("no left side", minor, Nonnegative((item(use("entries", "i", "j"), use("entries", "k", "l")),))),),
        )),
    )))  # fmt: skip


# --- content --------------------------------------------------------------------------------------


def content_divisors(w: Fn, e: Fn, facts: tuple[str, str]) -> tuple[Step, ...]:
    """The three facts on Z_r = w_1 + ... + w_{r-1} + e_r w_r."""
    return divisors("Z", content_total(w, e), (
        item(use(facts[1], "r"), use(facts[0], "r")), item(use(facts[0], "l"), over=(("l", 1, index("r") - 1),)),
    ))  # fmt: skip


def content_minors(label: str, w: Fn, e: Fn, facts: tuple[str, str, str]) -> tuple[Step, ...]:
    """The minors of a prefix kernel with content, (1 - e_i) w_j w_i / (Z_i Z_k) for l = i, if w > 0 and 0 < e <= 1."""
    weights, factors, at_most = facts
    kernel, inverse = content(w, e), use("1 / Z > 0", "i")
    return (
        *content_divisors(w, e, (weights, factors)),
        _entries(kernel, (
            item(use(factors, "i"), use(weights, "i"), inverse, times=zero_one("i", "j")),
            item(use(weights, "j"), inverse, times=up_to_diagonal(i - 1, "j")),
        )),
        _minors(label, kernel, Nonnegative((
            item(use(at_most, "i"), use(weights, "j"), use(weights, "l"), *both_rows, times=zero_one("i", "l")),
        ))),
    )  # fmt: skip


def content_conversely(label: str, w: Fn, e: Fn, facts: tuple[str, str, str]) -> tuple[Step, ...]:
    """e_i <= 1, since otherwise the minor of rows i, i + 1 and columns 1, i would be negative."""
    weights, factors, minors = facts
    goal = Relation("<=", e("i"), ONE)
    positive = (use(weights, 1), use(weights, "i"), use("1 / Z > 0", "i"), use("1 / Z > 0", i + 1))
    return (
        *content_divisors(w, e, (weights, factors)),
        Step(label, at_most_one(e), Generalise(("i",), (
            Step("each row", goal, Either(goal, "whether", (
                Step("at most 1", goal, Chain((use("whether"),))),
            ), (
                Step("negative", Relation("<", as_term(0), as_term(0)), Nonnegative((
                    item(use("whether"), *positive), item(use(minors, "i", i + 1, 1, "i")),
                ))),
                Step("absurd", goal, Absurd(use("negative"), Fraction(0))),
            ))),
        ))),
    )  # fmt: skip


def scores_with_content(label: str, s: Fn, e: Fn, facts: tuple[str, str, str, str]) -> tuple[Step, ...]:
    """The minors of any scores with content, from those of the scores."""
    scores, factors, at_most, minors = facts
    kernel, inverse = attention(scaled_diagonal(s, e)), use("1 / Z > 0", "i")
    diagonal, left = use(scores, "i", parts="diagonal"), use(scores, "k", "j", parts="nonnegative")
    return (
        *score_sums("Z", s, e, scores, factors),
        _entries(kernel, (
            item(use(factors, "i"), diagonal, inverse, times=zero_one("i", "j")),
            item(use(scores, "i", "j", parts="nonnegative"), inverse, times=up_to_diagonal(i - 1, "j")),
        )),
        _minors(label, kernel, Nonnegative((
            item(use(minors, "i", "k", "l", "j"), *both_rows),
            item(use(at_most, "i"), diagonal, left, *both_rows, times=zero_one("i", "l")),
        ))),
    )  # fmt: skip


# --- distance -------------------------------------------------------------------------------------


def _inwards(a: Fn, near: str) -> Step:
    """a_x a_{x+u+v} <= a_{x+u} a_{x+v} for u <= v."""
    x, u, v = (index(name) for name in ("x", "u", "v"))

    def moved(by: Index | int) -> ForAll:
        inner = Relation("<=", a("x") * a(x + by + v), a(x + by) * a(x + v))
        return every("v", by, None, every("x", 0, n - 1 - by - v, inner))

    return Step("inwards", every("u", 0, None, moved(u)), Induction(
        "so far",
        base=(Step("not moved", moved(0), Nonnegative(())),),
        step=(Step("one further", moved(u + 1), Nonnegative((
            item(use("so far", v + 1, "x")), item(use(near, x + v, x + u)),
        ))),),
    ))  # fmt: skip


def distance_minors(label: str, a: Fn, facts: tuple[str, str]) -> tuple[Step, ...]:
    """The minors of a distance kernel, from a >= 0, a_0 > 0 and a log-concave: x = i - l, u = l - j, v = k - i."""
    weights, near = facts
    kernel, minor = distance(a), _minor(distance(a))

    def moved(by: Index, rest: Index) -> Nonnegative:
        return Nonnegative((item(use("inwards", by, rest, i - l), *both_rows),))

    return (
        *weight_sums("Z", a, weights),
        _inwards(a, near),
        _entries(kernel, (item(use(weights, i - j, parts="nonnegative"), use("1 / Z > 0", "i")),)),
        _minors(label, kernel, Cases(
            l - j, k - i,
            (Step("columns closer", minor, moved(l - j, k - i)),),
            (Step("rows closer", minor, moved(k - i, l - j)),),
        )),
    )  # fmt: skip


def distance_conversely(label: str, a: Fn, facts: tuple[str, str]) -> tuple[Step, ...]:
    """a is log-concave, from the minors of rows d + 2, c + 2 and columns 1, 2."""
    weights, minors = facts
    d = index("d")
    Z, gap = distance_sum(a), a(d + 1) * a("c") - a("d") * a(c + 1)
    return (
        *weight_sums("Z", a, weights),
        Step(label, log_concave(a), Nonnegative(
            (item(use(minors, d + 2, c + 2, 1, 2), use("Z > 0", d + 2), use("Z > 0", c + 2)),),
            (
                item(use("Z / Z", d + 2), times=gap),
                item(use("Z / Z", c + 2), times=gap * (Z(d + 2) * Reciprocal(Z(d + 2)))),
            ),
        )),
    )  # fmt: skip

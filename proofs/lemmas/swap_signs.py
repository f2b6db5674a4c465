"""How the order of two kernels of sequences is decided: by v_j W_{j-1} w_{j+1} V_j <= v_{j+1} W_j w_j V_{j-1}.

The sequences are those of swap_algebra.py.  The criterion for neighbours j, j + 1 gives it for all pairs, and those
make up the difference of the tails; conversely the tail at (j + 1, j) is one pair.  Where w_j / W_j falls, V_j / W_j
rises and is log-convex, the criterion is met.
"""

from __future__ import annotations

from dataclasses import replace

from proofs.lemmas.comparison_steps import value
from proofs.lemmas.swap_algebra import (
    ALGEBRA,
    LOWER,
    PAIRS,
    SEQUENCES,
    UPPER,
    A,
    B,
    cross,
    for_sequences,
    next_pairs,
    pair,
    sequence_names,
    tail_lemmas,
)
from proofs.notation import every, n, product, tail
from proofs.steps import Generalise, Identity, Induction, Instantiate, Invert, Nonnegative, Step, Use, item, use
from proofs.term import (
    Fn,
    ForAll,
    ForAllFn,
    Formula,
    Implies,
    Index,
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

__all__ = ["SIGNS", "log_convex", "ratio_rises", "sequence_lemmas", "shares_fall"]

SIGNS = ("W > 0", "1 / W > 0", "1 / V > 0")
(w, W, I), (v, V, J) = LOWER, UPPER  # noqa: E741 - 1 / W
i, j, k, p, r = (index(x) for x in ("i", "j", "k", "p", "r"))


# --- from one step to the next, to all pairs ------------------------------------------------------

x, y = Symbol("x*", 1), Symbol("y*", 1)


def _cross_of(late: Index | str) -> Relation:
    return Relation("<=", x("j") * y(late), x(late) * y("j"))


_pairs = Step(  # y_p (x_{p+1} y_j - x_j y_{p+1}) = y_j (x_{p+1} y_p - x_p y_{p+1}) + y_{p+1} (x_p y_j - x_j y_p)
    "all pairs",
    ForAllFn(x, ForAllFn(y, Implies(
        every("j", 2, n, Relation("<", as_term(0), y("j"))),
        Implies(every("j", 2, n - 1, _cross_of(j + 1)), every("j", 2, n, every("p", j, n, _cross_of("p")))),
    ))),
    Generalise(("x*", "y*", "y > 0", "next", "j"), (
        Step("y / y", every("r", 2, n, Relation("=", y("r") * Reciprocal(y("r")), as_term(1))),
             Invert(use("y > 0", "r"))),
        Step("1 / y > 0", every("r", 2, n, Relation("<", as_term(0), Reciprocal(y("r")))), Invert(use("y > 0", "r"))),
        Step("every later", every("p", j, n, _cross_of("p")), Induction(
            "so far",
            base=(Step("itself", _cross_of("j"), Nonnegative(())),),
            step=(Step("one later", _cross_of(p + 1), Nonnegative(
                (
                    item(use("next", "p"), use("y > 0", "j"), use("1 / y > 0", "p")),
                    item(use("so far"), use("y > 0", p + 1), use("1 / y > 0", "p")),
                ),
                (item(use("y / y", "p"), times=x(p + 1) * y("j") - x("j") * y(p + 1)),),
            )),),
        )),
    )),
)  # fmt: skip

# --- the sign of the difference -------------------------------------------------------------------


def _positive(values: Fn) -> Formula:
    return every("r", 1, n, Relation("<", as_term(0), values("r")))


_signs = tuple(_positive(values) for values in (W, I, J))
_odds_positive = every("j", 2, n, Relation("<", as_term(0), w("j") * V(j - 1)))
_two = [tail(product(one, other))("i", "k") for one, other in ((A, B), (B, A))]
_ordered = every("k", 2, n, every("i", k, n, Relation("<=", *_two)))
_of_pair = use("tails of sequences", fns=SEQUENCES, given=ALGEBRA)


def _at(source: Use, *at: Index | str) -> Use:
    return replace(source, at=tuple(as_index(a) for a in at))


def _scale_signs(low: Index, high: Index, top: Index) -> tuple[Use, ...]:
    """W_{k-1}, 1 / W_i, 1 / V_{p-1}, 1 / V_p, 1 / W_{j-1} and 1 / W_j are positive, with k = j where none is told."""
    return (
        use("1 / W > 0", top), use("1 / V > 0", high - 1), use("1 / V > 0", high),
        use("1 / W > 0", low - 1), use("1 / W > 0", low),
    )  # fmt: skip


_sequences_ordered = Step(
    "order of sequences",
    for_sequences(*_signs, _odds_positive, next_pairs(LOWER, UPPER), conclusion=_ordered),
    Generalise((*sequence_names, *SIGNS, "w V > 0", "odds rise"), (
        Step("each pair", every("j", 2, n, every("p", j, n, Relation("<=", *cross(LOWER, UPPER, j, p)))),
             Instantiate(use("all pairs", given=("w V > 0", "odds rise"), fns=(
                 Lambda(("j",), v("j") * W(j - 1)), Lambda(("j",), w("j") * V(j - 1)),
             )))),
        Step("each tail", _ordered, Nonnegative(
            (item(use("each pair", "j", "p"), use("W > 0", k - 1), *_scale_signs(j, p, i), over=PAIRS),),
            (item(_at(_of_pair, "k", "i"), times=-1),),
        )),
    )),
)  # fmt: skip

a, u = Symbol("a*", 0), Symbol("u*", 0)
_divided = Step(
    "a positive factor",
    ForAllFn(a, ForAllFn(u, Implies(
        Relation("<", as_term(0), u()), Implies(Relation("<=", as_term(0), a() * u()), Relation("<=", as_term(0), a()))
    ))),
    Generalise(("a*", "u*", "u > 0", "a u >= 0"), (
        Step("u / u", Relation("=", u() * Reciprocal(u()), as_term(1)), Invert(use("u > 0"))),
        Step("1 / u > 0", Relation("<", as_term(0), Reciprocal(u())), Invert(use("u > 0"))),
        Step("a >= 0", Relation("<=", as_term(0), a()), Nonnegative(
            (item(use("a u >= 0"), use("1 / u > 0")),), (item(use("u / u"), times=a()),)
        )),
    )),
)  # fmt: skip


def divided(label: str, amount: Term, factor: Term, positive: Use, product: Use) -> Step:
    """0 <= a, from 0 < u and 0 <= a u."""
    source = use("a positive factor", fns=(value(amount), value(factor)), given=(positive, product))
    return Step(label, Relation("<=", as_term(0), amount), Instantiate(source))


g = Symbol("g*", 2)
_one_pair = Step(
    "one pair",
    ForAllFn(g, every("j", 2, n - 1, Relation(
        "=", total("l", j, j + 1, total("p", index("l") + 1, j + 1, g("l", "p"))), g("j", j + 1)
    ))),
    Generalise(("g*",), (Step("one pair", every("j", 2, n - 1, Relation(
        "=", total("l", j, j + 1, total("p", index("l") + 1, j + 1, g("l", "p"))), g("j", j + 1)
    )), Identity()),)),
)  # fmt: skip


def _conversely() -> Step:
    """The criterion at j, from the tail at (j + 1, j)."""
    left, right = cross(LOWER, UPPER, j, j + 1)
    each = Lambda(("j", "p"), pair(LOWER, UPPER))
    factor = W(j - 1) * I(j + 1) * J("j") * J(j + 1) * I(j - 1) * I("j")
    return Step(
        "order of sequences, conversely",
        for_sequences(*_signs, _ordered, conclusion=next_pairs(LOWER, UPPER)),
        Generalise((*sequence_names, *SIGNS, "compared", "j"), (
            Step("factor", Relation("<", as_term(0), factor),
                 Nonnegative((item(use("W > 0", j - 1), *_scale_signs(j, j + 1, j + 1)),))),
            Step("tail", Relation("<=", as_term(0), (right - left) * factor), Nonnegative(
                (item(use("compared", "j", j + 1)),), (
                    item(_at(_of_pair, "j", j + 1)),
                    item(use("one pair", "j", fns=(each,)), times=W(j - 1) * I(j + 1)),
                )
            )),
            divided("criterion", right - left, factor, use("factor"), use("tail")),
        )),
    )  # fmt: skip


# --- log-convex ratios of sums --------------------------------------------------------------------


def shares_fall(weights: Fn, sums: Fn) -> ForAll:
    """w_j / W_j is nonincreasing, without dividing."""
    return every("j", 1, n - 1, Relation("<=", weights(j + 1) * sums("j"), weights("j") * sums(j + 1)))


def ratio_rises(lower: Fn, upper: Fn) -> ForAll:
    """V_j / W_j is nondecreasing, without dividing."""
    return every("j", 1, n - 1, Relation("<=", upper("j") * lower(j + 1), upper(j + 1) * lower("j")))


def log_convex(lower: Fn, upper: Fn) -> ForAll:
    """V_j / W_j is log-convex, without dividing."""
    inner, outer = upper("j") * upper("j"), upper(j - 1) * upper(j + 1)
    return every("j", 2, n - 1, Relation(
        "<=", inner * (lower(j - 1) * lower(j + 1)), outer * (lower("j") * lower("j"))
    ))  # fmt: skip


def _log_convex_suffices() -> Step:
    """W_j times the criterion at j is w_j times the log-convexity, and V_j times (V / W rises) times (w / W falls)."""
    left, right = cross(LOWER, UPPER, j, j + 1)
    w_next, before = w(j + 1), V(j - 1)
    return Step(
        "log-convex ratio of sequences",
        for_sequences(
            _positive(w), _positive(W), _positive(V), shares_fall(w, W), ratio_rises(W, V), log_convex(W, V),
            conclusion=next_pairs(LOWER, UPPER),
        ),
        Generalise((*sequence_names, "w > 0", "W > 0", "V > 0", "falls", "rises", "log-convex", "j"), (
            Step("multiple", Relation("<=", as_term(0), (right - left) * W("j")), Nonnegative(
                (
                    item(use("w > 0", "j"), use("log-convex", "j")),
                    item(use("V > 0", "j"), use("rises", j - 1), use("falls", "j")),
                ),
                (
                    item(use("sums V", j + 1), times=w("j") * before * W("j") * W("j")),
                    item(use("sums W", j + 1), times=-(w("j") * V("j") * before * W("j"))),
                    item(use("sums W", "j"), times=w_next * V("j") * before * W("j")),
                    item(use("sums V", "j"), times=-(w_next * V("j") * W("j") * W(j - 1))),
                ),
            )),
            divided("criterion", right - left, W("j"), use("W > 0", "j"), use("multiple")),
        )),
    )  # fmt: skip


def sequence_lemmas() -> tuple[Step, ...]:
    """The lemmas, in the order in which they are proved."""
    return (
        *tail_lemmas(), _pairs, _sequences_ordered, _divided, _one_pair, _conversely(), _log_convex_suffices(),
    )  # fmt: skip

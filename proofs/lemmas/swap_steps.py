"""Lemmas on the order of two prefix kernels, for all positive weights: what D7 builds on.

With W, V the sums of the weights w, v, the tail at (i, k) of A_v A_w less that of A_w A_v is

    (W_{k-1} / W_i) sum_{k <= j < p <= i} (v_p W_{p-1} w_j V_{j-1} - v_j W_{j-1} w_p V_{p-1})
                                          / (V_{p-1} V_p W_{j-1} W_j),

so the order matters by how (v_j / V_{j-1}) / (w_j / W_{j-1}) changes with j, and by nothing else.  It rises where w and
v are powers q^j and r^j with q <= r, and where w_j / W_j falls while V_j / W_j rises and is log-convex.
"""

from __future__ import annotations

from functools import reduce

from proofs.lemmas.prefix_steps import (
    causal_prefix,
    cross_powers,
    cross_ratio,
    inverse,
    positive_powers,
    powers,
    weight_sums,
)
from proofs.lemmas.swap_algebra import Sums, by_ratios, divisor, for_pairs, made_of, next_pairs, over_pairs
from proofs.lemmas.swap_signs import log_convex, ratio_rises, sequence_lemmas, shares_fall
from proofs.notation import below, cumulative, every, n, positive, prefix, product, tail
from proofs.steps import (
    Both,
    Cases,
    Chain,
    Generalise,
    Identity,
    Instantiate,
    Invert,
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
    ForAllFn,
    Formula,
    Implies,
    Index,
    Lambda,
    Reciprocal,
    Relation,
    Symbol,
    as_index,
    as_term,
    index,
)

__all__ = ["criterion", "swap_lemmas", "swapped", "tails", "tails_by_ratios"]

w, v = Symbol("w*", 1), Symbol("v*", 1)  # starred, so that no claim uses the names
q, r = Symbol("q*", 0), Symbol("r*", 0)
i, j, k, p = (index(name) for name in "ijkp")


def swapped(lower: Fn, upper: Fn) -> Formula:
    """A_w A_v ≼ A_v A_w: the kernel of the upper weights v on top is the more recent order."""
    return below(product(prefix(lower), prefix(upper)), product(prefix(upper), prefix(lower)))


def _of(weights: Fn) -> Sums:
    return weights, cumulative(weights), Lambda(("r",), inverse(weights, "r"))


def criterion(lower: Fn, upper: Fn) -> ForAll:
    """(v_j / V_{j-1}) / (w_j / W_{j-1}) is nondecreasing, without dividing: from one j >= 2 to the next."""
    return next_pairs(_of(lower), _of(upper))


def tails(lower: Fn, upper: Fn) -> ForAll:
    """The difference of the tails of A_v A_w and A_w A_v, as a sum over pairs of positions."""
    return over_pairs(_of(lower), _of(upper), (prefix(lower), prefix(upper)), _divided(lower, upper))


def _divided(lower: Fn, upper: Fn) -> Lambda:
    """1 / (V_{p-1} V_p W_{j-1} W_j)."""
    return Lambda(("j", "p"), Reciprocal(divisor(_of(lower), _of(upper))))


def tails_by_ratios(lower: Fn, upper: Fn) -> ForAll:
    """The same difference, as a sum of the ratios V_j / W_j."""
    return by_ratios(_of(lower), _of(upper), (prefix(lower), prefix(upper)))


# --- prefix kernels -------------------------------------------------------------------------------


def for_weights(*premises: Formula, conclusion: Formula) -> Formula:
    """For all positive weights w and v: the premises imply the conclusion."""
    given = (positive(w), positive(v), *premises)
    return ForAllFn(w, ForAllFn(v, reduce(lambda body, premise: Implies(premise, body), reversed(given), conclusion)))


_weights = (*_of(w), prefix(w), *_of(v), prefix(v))
_of_weights = ("w*", "v*", "w positive", "v positive")


def _known_of_sums() -> Step:
    """What the algebra asks of positive weights w, their sums and the prefix kernel."""
    added, inverse_of, entries = made_of(*_of(w), prefix(w))
    sums = weight_sums("W", w, "w positive")
    signs = ("positive", sums[0].formula), ("inverse positive", sums[2].formula)
    conclusion = And((("sums", added), ("inverse", inverse_of), ("entries", entries), *signs))
    return Step("sums of weights", ForAllFn(w, Implies(positive(w), conclusion)), Generalise(("w*", "w positive"), (
        *sums, Step("added", added, Identity()), Step("entries", entries, Identity()),
        Step("all", conclusion, Both(("added", "W / W", "entries", "W > 0", "1 / W > 0"))),
    )))  # fmt: skip


def _known(part: str, weights: Symbol, *at: Index) -> Use:
    """A part of what is known of the sums of w or v."""
    return use("sums of weights", *at, parts=part, fns=(weights,), given=(f"{weights.name[0]} positive",))


_ALGEBRA = tuple(_known(part, weights) for weights in (w, v) for part in ("sums", "inverse", "entries"))
_SIGNS = _known("positive", w), _known("inverse positive", w), _known("inverse positive", v)
_up = Relation("<=", *(tail(product(prefix(one), prefix(other)))("i", "k") for one, other in ((w, v), (v, w))))


def _row(weights: Symbol, at: str) -> Use:
    """The row of the prefix kernel sums to 1."""
    fact = f"{weights.name[0]} positive"
    return use("prefix kernels are causal", at, parts="rows", fns=(weights,), given=(fact,))


_rows = tuple(  # both products have rows that sum to 1
    item(_row(one, at), times=times * sign, over=over)
    for one, other, sign in ((w, v, 1), (v, w, -1))
    for at, times, over in (("i", as_term(1), ()), ("l", -prefix(other)("i", "l"), (("l", 1, n),)))
)


def _tails() -> Step:
    """The sum over pairs; its divisors are positive."""
    whole = divisor(_of(w), _of(v))
    signs = (_known("positive", weights, at) for weights, at in ((v, p - 1), (v, p), (w, j - 1), (w, j)))
    return Step("tails of two orders", for_weights(conclusion=tails(w, v)), Generalise(_of_weights, (
        Step("D > 0", for_pairs(Relation("<", as_term(0), whole)), Nonnegative((item(*signs),))),
        Step("D / D", for_pairs(Relation("=", whole * Reciprocal(whole), as_term(1))), Invert(use("D > 0", "j", "p"))),
        Step("difference", tails(w, v), Instantiate(use(
            "tails with one divisor", fns=(_divided(w, v), *_weights), given=(*_ALGEBRA, "D / D")
        ))),
    )))  # fmt: skip


_by_ratios = Step(
    "tails of two orders, by ratios",
    for_weights(conclusion=tails_by_ratios(w, v)),
    Generalise(_of_weights, (Step("difference", tails_by_ratios(w, v), Instantiate(use(
        "tails of sequences, by ratios", fns=_weights, given=_ALGEBRA
    ))),)),
)  # fmt: skip
_each_tail = Step("each tail", _up, Cases(
    k, as_index(1),
    (Step("whole row", _up, Nonnegative((), _rows)),),
    (Step("tail", _up, Cases(
        k, i,
        (Step("up to the diagonal", _up, Instantiate(use(
            "order of sequences", "k", "i", fns=_weights, given=(*_ALGEBRA, *_SIGNS, "w V > 0", "odds rise")
        ))),),
        (Step("beyond it", _up, Nonnegative(())),),
    )),),
))  # fmt: skip
_swapped = Step(
    "order of prefix kernels",
    for_weights(criterion(w, v), conclusion=swapped(w, v)),
    Generalise((*_of_weights, "odds rise"), (
        Step("w V > 0", every("j", 2, n, Relation("<", as_term(0), w("j") * cumulative(v)(j - 1))),
             Nonnegative((item(use("w positive", "j"), _known("positive", v, j - 1)),))),
        Step("compared", swapped(w, v), Generalise(("i", "k"), (_each_tail,))),
    )),
)  # fmt: skip
_swapped_conversely = Step(
    "order of prefix kernels, conversely",
    for_weights(swapped(w, v), conclusion=criterion(w, v)),
    Generalise((*_of_weights, "compared"), (
        Step("each tail", every("k", 2, n, every("i", k, n, _up)), Chain((use("compared", "i", "k"),))),
        Step("criterion", criterion(w, v), Instantiate(use(
            "order of sequences, conversely", fns=_weights, given=(*_ALGEBRA, *_SIGNS, "each tail")
        ))),
    )),
)  # fmt: skip


# --- what implies the criterion -------------------------------------------------------------------


_log_convex_suffices = Step(
    "log-convex ratio of sums",
    for_weights(
        shares_fall(w, cumulative(w)), ratio_rises(cumulative(w), cumulative(v)),
        log_convex(cumulative(w), cumulative(v)), conclusion=criterion(w, v),
    ),
    Generalise((*_of_weights, "falls", "rises", "log-convex"), (
        Step("criterion", criterion(w, v), Instantiate(use(
            "log-convex ratio of sequences", fns=_weights,
            given=(
                *_ALGEBRA, "w positive", _known("positive", w), _known("positive", v), "falls", "rises", "log-convex",
            ),
        ))),
    )),
)  # fmt: skip


def _geometric(weights: Fn, base: Fn) -> Formula:
    return every("j", 1, n - 1, Relation("=", weights(j + 1), base() * weights("j")))


def _geometric_suffices() -> Step:
    """v_j w_j (r W_j V_{j-1} - q W_{j-1} V_j) = v_j w_j sum_{l <= j} (w_1 v_l - v_1 w_l)."""
    W, V = cumulative(w), cumulative(v)
    both = v("j") * w("j")
    premises = _geometric(w, q), _geometric(v, r), cross_ratio(w, v)
    return Step(
        "geometric weights",
        ForAllFn(q, ForAllFn(r, for_weights(*premises, conclusion=criterion(w, v)))),
        Generalise(("q*", "r*", *_of_weights, "next w", "next v", "v / w rises"), (
            Step("criterion", criterion(w, v), Nonnegative(
                (item(
                    use("v positive", "j"), use("w positive", "j"), use("v / w rises", 1, "l"), over=(("l", 1, j),)
                ),),
                (
                    item(use("next v", "j"), times=-(W("j") * w("j") * V(j - 1))),
                    item(use("next w", "j"), times=v("j") * W(j - 1) * V("j")),
                    item(use("next v", "l"), times=both * W("j"), over=(("l", 1, j - 1),)),
                    item(use("next w", "l"), times=-(both * V("j")), over=(("l", 1, j - 1),)),
                ),
            )),
        )),
    )  # fmt: skip


def _slopes() -> tuple[Step, ...]:
    """For all 0 < q <= r: the powers of q are positive, and with those of r they meet the criterion."""
    positive_base, steeper = Relation("<", as_term(0), q()), Relation("<=", q(), r())
    both = "powers of q", "powers of r"
    facts = (*both, "next of q", "next of r", "powers compare")
    return (
        Step("powers are positive", ForAllFn(q, Implies(positive_base, positive(powers(q)))),
             Generalise(("q*", "slope"), positive_powers("powers", q, "slope"))),
        Step(
            "slopes suffice",
            ForAllFn(q, ForAllFn(r, Implies(positive_base, Implies(steeper, criterion(powers(q), powers(r)))))),
            Generalise(("q*", "r*", "slope", "steeper"), (
                Step("r > 0", Relation("<", as_term(0), r()), Chain((use("slope"), use("steeper")))),
                *positive_powers(both[0], q, "slope"), *positive_powers(both[1], r, "r > 0"),
                cross_powers("powers compare", q, r, ("slope", "steeper", *both)),
                Step("next of q", _geometric(powers(q), q), Identity()),
                Step("next of r", _geometric(powers(r), r), Identity()),
                Step("criterion", criterion(powers(q), powers(r)), Instantiate(use(
                    "geometric weights", fns=(q, r, powers(q), powers(r)), given=facts
                ))),
            )),
        ),
    )  # fmt: skip


def swap_lemmas() -> tuple[Step, ...]:
    """The lemmas, in the order in which they are proved."""
    return (
        causal_prefix, *sequence_lemmas(), _known_of_sums(), _tails(), _by_ratios, _swapped, _swapped_conversely,
        _log_convex_suffices, _geometric_suffices(), *_slopes(),
    )  # fmt: skip

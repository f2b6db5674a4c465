"""Lemmas on prefix kernels A_ij = w_j / W_i, for all positive weights: what D3 and D4 build on.

Each lemma is a step that quantifies over its weights, so a derivation cites it with whatever weights it has.
"""

from __future__ import annotations

from proofs.notation import (
    accumulated,
    below,
    causal,
    cumulative,
    every,
    monotone,
    n,
    positive,
    prefix,
    tail,
    up_to_diagonal,
)
from proofs.outline import causal_kernel
from proofs.steps import Cases, Chain, Generalise, Identity, Induction, Invert, Item, Nonnegative, Step, item, use
from proofs.substitute import apply
from proofs.term import (
    Fn,
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

__all__ = [
    "cross_powers",
    "cross_ratio",
    "divisors",
    "inverse",
    "positive_powers",
    "powers",
    "prefix_lemmas",
    "sums_ratio",
    "weight_sums",
]

w, v = Symbol("w*", 1), Symbol("v*", 1)  # starred, so that no claim uses the names
i, j, k, l = index("i"), index("j"), index("k"), index("l")  # noqa: E741 - the letters of the formulas


def divisors(name: str, divisor: Fn, terms: tuple[Item, ...]) -> tuple[Step, ...]:
    """0 < D_r, D_r (1 / D_r) = 1 and 0 < 1 / D_r for 1 <= r <= n, from items that add up to D_r, the first positive."""
    value = divisor("r")
    return (
        Step(f"{name} > 0", every("r", 1, n, Relation("<", as_term(0), value)), Nonnegative(terms)),
        Step(
            f"{name} / {name}",
            every("r", 1, n, Relation("=", value * Reciprocal(value), as_term(1))),
            Invert(use(f"{name} > 0", "r")),
        ),
        Step(
            f"1 / {name} > 0",
            every("r", 1, n, Relation("<", as_term(0), Reciprocal(value))),
            Invert(use(f"{name} > 0", "r")),
        ),
    )


def weight_sums(name: str, weights: Fn, fact: str) -> tuple[Step, ...]:
    """The three facts on W_r = w_1 + ... + w_r."""
    return divisors(
        name, cumulative(weights), (item(use(fact, "r")), item(use(fact, "l"), over=(("l", 1, index("r") - 1),)))
    )


def inverse(weights: Fn, at: Index | str) -> Term:
    """1 / W_at."""
    return Reciprocal(cumulative(weights)(at))


def sums_ratio(lower: Fn, upper: Fn) -> Formula:
    """V_i / W_i is nondecreasing, W of the lower and V of the upper weights."""
    ratio = [cumulative(upper)(at) * inverse(lower, at) for at in (i, i + 1)]
    return every("i", 1, n - 1, Relation("<=", ratio[0], ratio[1]))


def cross_ratio(lower: Fn, upper: Fn) -> Formula:
    """v_j / w_j is nondecreasing, without dividing: v_l w_j <= v_j w_l for l <= j."""
    return every("l", 1, n, every("j", l, n, Relation("<=", upper("l") * lower("j"), upper("j") * lower("l"))))


def for_weights(*premises: Formula, conclusion: Formula, second: bool = True) -> Formula:
    """For all (pairs of) weights: the premises imply the conclusion."""
    body = conclusion
    for premise in reversed(premises):
        body = Implies(premise, body)
    return ForAllFn(w, ForAllFn(v, body) if second else body)


W, V = cumulative(w), cumulative(v)
below_i, below_next = inverse(w, i), inverse(w, i + 1)  # 1 / W_i, 1 / W_{i+1}

# --- one prefix kernel ----------------------------------------------------------------------------

causal_prefix = Step(
    "prefix kernels are causal",
    for_weights(positive(w), conclusion=causal(prefix(w)), second=False),
    Generalise(("w*", "w positive"), (
        *weight_sums("W", w, "w positive"),
        *causal_kernel(
            prefix(w),
            Nonnegative((item(use("w positive", "j"), use("1 / W > 0", "i"), times=up_to_diagonal("i", "j")),)),
            Identity(),
            Identity((item(use("W / W", "i")),)),
        ),
    )),
)  # fmt: skip

_rise = Relation("<=", tail(prefix(w))("i", "k"), tail(prefix(w))(i + 1, "k"))
monotone_prefix = Step(  # F(i + 1, k) - F(i, k) = W_{k-1} w_{i+1} / (W_i W_{i+1}) for k <= i + 1
    "prefix kernels are monotone",
    for_weights(positive(w), conclusion=monotone(prefix(w)), second=False),
    Generalise(("w*", "w positive", "i", "k"), (
        *weight_sums("W", w, "w positive"),
        Step("each tail", _rise, Cases(
            k, i + 1,
            (Step("up to the diagonal", _rise, Nonnegative(
                (item(
                    use("w positive", "l"), use("w positive", i + 1), use("1 / W > 0", "i"), use("1 / W > 0", i + 1),
                    over=(("l", 1, k - 1),),
                ),),
                (
                    item(use("W / W", "i"), times=below_next * total("j", k, i + 1, w("j"))),
                    item(use("W / W", i + 1), times=-(below_i * total("j", k, i, w("j")))),
                ),
            )),),
            (Step("beyond it", _rise, Nonnegative(())),),
        )),
    )),
)  # fmt: skip

# --- two prefix kernels ---------------------------------------------------------------------------

_both = ("w*", "v*", "w positive", "v positive")
_sums = (*weight_sums("W", w, "w positive"), *weight_sums("V", v, "v positive"))
_up = Relation("<=", tail(prefix(w))("i", "k"), tail(prefix(v))("i", "k"))
_first = (item(use("W / W", "i")), item(use("V / V", "i"), times=-1))  # both rows sum to 1
compared_prefix = Step(
    "prefix kernels compare",
    for_weights(positive(w), positive(v), sums_ratio(w, v), conclusion=below(prefix(w), prefix(v))),
    Generalise((*_both, "V / W rises", "i", "k"), (
        *_sums,
        Step("each tail", _up, Cases(
            k, i,
            (Step("up to the diagonal", _up, Cases(
                k, as_index(1),
                (Step("whole row", _up, Nonnegative((), _first)),),
                (Step("tail", _up, Nonnegative(  # W_{k-1} / V_i times V_i / W_i - V_{k-1} / W_{k-1}
                    (item(
                        use("W > 0", k - 1), use("1 / V > 0", "i"), use("V / W rises", "l"), over=(("l", k - 1, i - 1),)
                    ),),
                    (
                        *_first,
                        item(use("V / V", "i"), times=below_i * W(k - 1)),
                        item(use("W / W", k - 1), times=-(inverse(v, "i") * V(k - 1))),
                    ),
                )),),
            )),),
            (Step("beyond it", _up, Nonnegative(())),),
        )),
    )),
)  # fmt: skip

compared_conversely = Step(  # (F_v - F_w)(i+1, i+1) V_{i+1} / W_i = V_{i+1} / W_{i+1} - V_i / W_i
    "prefix kernels compare, conversely",
    for_weights(positive(w), positive(v), below(prefix(w), prefix(v)), conclusion=sums_ratio(w, v)),
    Generalise((*_both, "compared"), (
        *_sums,
        Step("ratio rises", sums_ratio(w, v), Nonnegative(
            (item(use("compared", i + 1, i + 1), use("V > 0", i + 1), use("1 / W > 0", "i")),),
            (
                item(use("W / W", "i"), times=V(i + 1) * below_next),
                item(use("V / V", i + 1), times=(V(i + 1) - V("i")) * below_i),
                item(use("W / W", i + 1), times=-(V(i + 1) * below_i)),
            ),
        )),
    )),
)  # fmt: skip

cross_suffices = Step(  # V_{i+1} W_i - V_i W_{i+1} = sum_{l <= i} (v_{i+1} w_l - v_l w_{i+1})
    "ratio of weights suffices",
    for_weights(positive(w), positive(v), cross_ratio(w, v), conclusion=sums_ratio(w, v)),
    Generalise((*_both, "v / w rises"), (
        *_sums,
        Step("ratio rises", sums_ratio(w, v), Nonnegative(
            (item(
                use("v / w rises", "l", i + 1), use("1 / W > 0", "i"), use("1 / W > 0", i + 1), over=(("l", 1, i),)
            ),),
            (
                item(use("W / W", "i"), times=V(i + 1) * below_next),
                item(use("W / W", i + 1), times=-(V("i") * below_i)),
            ),
        )),
    )),
)  # fmt: skip

# --- powers: ALiBi --------------------------------------------------------------------------------


def powers(base: Fn) -> Fn:
    """j -> q^j; with q = e^m these are the weights of ALiBi with slope m."""
    return accumulated(Lambda(("p",), apply(base, ())))  # p, since the base may depend on the layer t


def positive_powers(label: str, base: Fn, fact: str) -> tuple[Step, ...]:
    """q^j > 0, from q > 0."""
    q = powers(base)
    at = [Relation("<", as_term(0), q(x)) for x in (as_index(0), j + 1, j)]
    return (
        Step(f"{label}, from 0", every("j", 0, n, at[2]), Induction(
            "so far",
            base=(Step("no factor", at[0], Nonnegative((item(),))),),
            step=(Step("one more factor", at[1], Nonnegative((item(use(fact), use("so far")),))),),
        )),
        Step(label, positive(q), Chain((use(f"{label}, from 0", "j"),))),
    )  # fmt: skip


def cross_powers(label: str, lower: Fn, upper: Fn, facts: tuple[str, str, str, str]) -> Step:
    """r^l q^j <= r^j q^l for l <= j, from q > 0, q <= r and the powers of q and r being positive."""
    slope, steeper, of_lower, of_upper = facts
    q, r = powers(lower), powers(upper)

    def at(x: Index) -> Formula:
        return Relation("<=", r("l") * q(x), r(x) * q("l"))

    return Step(label, cross_ratio(q, r), Generalise(("l",), (
        Step("every later", every("j", l, n, at(j)), Induction(
            "so far",
            base=(Step("itself", at(l), Nonnegative(())),),
            step=(Step("one later", at(j + 1), Nonnegative((
                item(use(slope), use("so far")),
                item(use(steeper), use(f"{of_upper}, from 0", "j"), use(f"{of_lower}, from 0", "l")),
            ))),),
        )),
    )))  # fmt: skip


def prefix_lemmas() -> tuple[Step, ...]:
    """The lemmas, in the order in which they are proved."""
    return causal_prefix, monotone_prefix, compared_prefix, compared_conversely, cross_suffices

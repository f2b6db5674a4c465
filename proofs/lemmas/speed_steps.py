"""Lemmas on how fast test functions shrink from layer to layer, and on numbers of layers that are enough.

    sum_j A^(t)_ij f_j <= (1 - g_t) f_i     =>   sum_j P^(T)_ij f_j <= f_i prod_t (1 - lambda_t g_t),   rows i <= r
    ln m + y <= x_1 + ... + x_T             =>   m prod_t (1 - x_t) <= exp(-y)

for causal kernels, 0 <= lambda_t <= 1, lambda_t g_t <= 1 and any real f; for x_t <= 1, natural m >= 1.  With -f
for f the first one bounds from below.
"""

from __future__ import annotations

from functools import reduce

from proofs.lemmas.series_steps import left, partial_sum
from proofs.notation import causal, every, layer, layers, mixing, n, number, rollout, transition
from proofs.steps import Exponential, Generalise, Induction, Instantiate, Nonnegative, Step, item, use
from proofs.substitute import apply, substitute
from proofs.term import (
    Exp,
    Fn,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Lambda,
    Log,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)

__all__ = ["at_most_one", "deep_enough", "implies", "mean_of", "shrinking", "slowed", "yardstick"]

f, g, x, y = Symbol("f*", 1), Symbol("g*", 1), Symbol("x*", 1), Symbol("y*", 0)  # starred: in no claim
i, m, r, s, T = (index(name) for name in ("i", "m", "r", "s", "T"))
ZERO, ONE = as_term(0), as_term(1)


def implies(*formulas: Formula) -> Formula:
    """The formulas but the last imply the last."""
    return reduce(lambda body, premise: Implies(premise, body), reversed(formulas))


def mean_of(function: Fn, kernel: Fn) -> Term:
    """sum_j A_ij f_j."""
    return total("j", 1, n, apply(kernel, (i, index("j"))) * apply(function, (index("j"),)))


def slowed(lam: Fn, rates: Fn) -> Lambda:
    """t -> lambda_t g_t."""
    return Lambda(("t",), lam("t") * rates("t"))


def at_most_one(sequence: Fn) -> Formula:
    """x_t <= 1 up to layer T."""
    return layers(1, "T", Relation("<=", apply(sequence, (index("t"),)), ONE))


def shrinking(kernels: Fn, function: Fn, rates: Fn) -> Formula:
    """sum_j A^(t)_ij f_j <= (1 - g_t) f_i for the rows up to r of every layer."""
    read = mean_of(function, Lambda(("i", "j"), kernels("t", "i", "j")))
    return layers(1, "T", every("i", 1, r, Relation("<=", read, (ONE - rates("t")) * apply(function, (i,)))))


def yardstick(lam: Fn, kernels: Fn) -> Step:
    """Each layer shrinks f by 1 - lambda_t g_t, and so do they all."""
    product = rollout(transition(lam, kernels))

    def stated(depth: Index | int | str) -> Formula:
        here = mean_of(f, Lambda(("i", "j"), product(depth, "i", "j")))
        return every("i", 1, r, Relation("<=", here, f("i") * left(slowed(lam, g), depth)))

    top, low, high = s + 1, *(use("mixing", s + 1, parts=part) for part in ("nonnegative", "at most one"))
    entry, mask = (use("kernels", top, "i", "l", parts=part) for part in ("nonnegative", "mask"))
    kept = Relation("<=", ZERO, left(slowed(lam, g), "s"))
    below = total("j", 1, n, product("s", "l", "j") * f("j"))
    given = (mixing(lam, "T"), layers(1, "T", causal(layer(kernels, "t"))))
    goal = implies(*given, at_most_one(slowed(lam, g)), shrinking(kernels, f, g), stated("T"))
    fix = ("f*", "g*", "mixing", "kernels", "factors", "shrinks")
    return Step("yardstick", ForAllFn(f, ForAllFn(g, goal)), Generalise(fix, (
        Step("product at least 0", every("s", 0, T, kept), Induction(
            "so far",
            (Step("no layer", substitute(kept, {"s": as_index(0)}, {}), Nonnegative((item(),))),),
            (Step("one more layer", substitute(kept, {"s": top}, {}), Nonnegative((
                item(use("factors", top), use("so far")),
            ))),),
        )),
        Step("every depth", every("s", 0, T, stated("s")), Induction(
            "so far",
            (Step("no layer", stated(0), Nonnegative(())),),
            (Step("one more layer", stated(top), Nonnegative(
                (
                    item(high, use("so far", "i")),
                    item(low, entry, use("so far", "l"), over=(("l", 1, i),)),
                    item(use("product at least 0", "s"), low, use("shrinks", top, "i")),
                ),
                (
                    item(mask, times=lam(top) * (below - f("l") * left(slowed(lam, g), "s")), over=(("l", i + 1, n),)),
                ),
            )),),
        )),
        Step("depth T", stated("T"), Instantiate(use("every depth", T))),
    )))  # fmt: skip


def deep_enough() -> Step:
    """m prod_t (1 - x_t) <= exp(-y) where ln m + y <= sum_t x_t; cites the lemmas on exp and on numbers."""
    depth, needed = partial_sum(x, "T"), Log(number("m")) + y()

    def below(at: Index | int | str) -> Relation:
        return Relation("<=", left(x, at), Exp(-partial_sum(x, at)))

    goal = Relation("<=", number("m") * left(x, "T"), Exp(-y()))
    whole = implies(at_most_one(x), every("m", 1, None, implies(Relation("<=", needed, depth), goal)))
    step_x, here, positive = x(s + 1), Exp(-partial_sum(x, "s")), use("numbers > 0", m)
    return Step("deep enough for any", ForAllFn(x, ForAllFn(y, whole)), Generalise(
        ("x*", "y*", "factors", "m", "deep"),
        (
            Step("product below exp", every("s", 0, T, below("s")), Induction(
                "so far",
                (
                    Step("exp 0", Relation("=", below(0).right, ONE), Exponential()),
                    Step("no layer", below(0), Nonnegative((), (item(use("exp 0"), times=-1),))),
                ),
                (
                    Step("factor", Relation("<=", ONE - step_x, Exp(-step_x)), Exponential()),
                    Step("exp > 0", Relation("<", ZERO, here), Exponential()),
                    Step("together", Relation("=", here * Exp(-step_x), below(s + 1).right), Exponential()),
                    Step("one more layer", below(s + 1), Nonnegative(
                        (item(use("factors", s + 1), use("so far")), item(use("factor"), use("exp > 0"))),
                        (item(use("together")),),
                    )),
                ),
            )),
            Step("exponents", Relation("<=", -depth, -needed), Nonnegative((item(use("deep")),))),
            Step("far below", Relation("<=", Exp(-depth), Exp(-needed)), Instantiate(use(
                "exp increases", fns=(Lambda((), -depth), Lambda((), -needed)), given=("exponents",),
            ))),
            Step("exp ln", Relation("=", Exp(Log(number("m"))), number("m")), Exponential(positive=positive)),
            Step("scaled", Relation("=", Exp(Log(number("m"))) * Exp(-needed), Exp(-y())), Exponential()),
            Step("so", goal, Nonnegative(
                (item(positive, use("product below exp", T)), item(positive, use("far below"))),
                (item(use("exp ln"), times=-Exp(-needed)), item(use("scaled"))),
            )),
        ),
    ))  # fmt: skip

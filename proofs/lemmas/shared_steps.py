"""One kernel B in every layer, against a matrix G above the Poisson mixture of its powers, by test functions.

    P^(T) = sum_k P(K = k) B^k,    sum_j g_j (P^(T) - G)_ij <= sum_k (P(K = k) - exp(-S) S^k / k!) (B^k g)_i

of which 0 <= (B^k g)_i <= 1 sees at most the positive parts.  Assumed, under the names given: B is a kernel ("shared
kernel"), G is at least the sum of exp(-S) S^k / k! B^k over k <= T ("above the series").
"""

from __future__ import annotations

from proofs.laws import chances, effective_depth, poisson, variation
from proofs.lemmas.comparison_steps import value
from proofs.lemmas.euler_steps import every_row, row
from proofs.lemmas.variation_steps import tested, unit
from proofs.notation import every, hops, n, power, rollout, transition
from proofs.steps import Generalise, Induction, Instantiate, Nonnegative, Step, item, use
from proofs.substitute import apply
from proofs.term import Fn, ForAllFn, Formula, Implies, Index, Lambda, Relation, Symbol, Term, as_term, index, total

__all__ = ["constant", "mixture_of_powers", "shared_tested"]

g = Symbol("g*", 1)
k, s, T = index("k"), index("s"), index("T")


def constant(kernel: Fn) -> Lambda:
    """The family with the same kernel in every layer."""
    return Lambda(("t", "i", "j"), kernel("i", "j"))


def mixture_of_powers(lam: Fn, kernel: Fn) -> Term:
    """sum_{k <= T} exp(-S) S^k / k! B^k_ij."""
    return total("k", 0, T, apply(poisson(effective_depth(lam)), (k,)) * power(kernel)("k", "i", "j"))


def _expanded(lam: Fn, kernel: Fn) -> Step:
    """P^(T) = sum_k P(K = k) B^k for one kernel B in every layer: C1."""
    right = total("k", 0, T, hops(lam)(T, "k") * power(kernel)("k", "i", "j"))
    left = rollout(transition(lam, constant(kernel)))(T, "i", "j")
    return Step("powers", every("i", 1, n, every("j", 1, n, Relation("=", left, right))), Instantiate(
        use("C1", T, 0, parts="rollout", fns=(lam, kernel))
    ))  # fmt: skip


def _powers_of_test(powers: Fn) -> tuple[Step, ...]:
    """0 <= (B^k g)_i <= 1."""

    def at(k: Index | int) -> Term:
        return total("j", 1, n, powers(k, "i", "j") * g("j"))

    def low(k: Index | int) -> Formula:
        return every("i", 1, n, Relation("<=", as_term(0), at(k)))

    def high(k: Index | int) -> Formula:
        return every("i", 1, n, Relation("<=", at(k), as_term(1)))

    reads = item(use("shared kernel", "i", "l", parts="nonnegative"), use("so far", "l"), over=(("l", 1, n),))
    return (
        Step("powers: at least 0", every("k", 0, None, low(k)), Induction(
            "so far",
            base=(Step("none", low(0), Nonnegative((item(use("test", "i", parts="nonnegative")),))),),
            step=(Step("one more", low(k + 1), Nonnegative((reads,))),),
        )),
        Step("powers: at most 1", every("k", 0, None, high(k)), Induction(
            "so far",
            base=(Step("none", high(0), Nonnegative((item(use("test", "i", parts="at most one")),))),),
            step=(Step("one more", high(k + 1), Nonnegative(
                (reads,), (item(use("shared kernel", "i", parts="rows")),)
            )),),
        )),
    )  # fmt: skip


def shared_tested(lam: Fn, kernel: Fn, limit: Fn) -> tuple[Step, ...]:
    """sum_j g_j (P^(T) - G)_ij <= sum_k (P(K = k) - exp(-S) S^k / k!)^+ for every test function g."""
    law, poisson_law = chances(lam), poisson(effective_depth(lam))
    powers, bound = power(kernel), variation(law, poisson_law, T)
    seen = total("j", 1, n, powers("k", "i", "j") * g("j"))
    one_row = tested(row(rollout(transition(lam, constant(kernel))), "T", "i"), row(limit, "i"))
    claim = ForAllFn(g, Implies(unit(g, 1, n), every_row(one_row, bound)))
    return (
        _expanded(lam, kernel),
        Step("shared tested", claim, Generalise(("g*", "test"), (
            *_powers_of_test(powers),
            Step("each row", every_row(one_row, bound), Nonnegative(
                (
                    item(use("test", "j", parts="nonnegative"), use("above the series", "i", "j"), over=(("j", 1, n),)),
                    item(
                        use(
                            "positive part", fns=(value(law("k")), value(poisson_law("k")), value(seen)),
                            given=(use("powers: at least 0", "k", "i"), use("powers: at most 1", "k", "i")),
                        ),
                        over=(("k", 0, T),),
                    ),
                ),
                (item(use("powers", "i", "j"), times=g("j"), over=(("j", 1, n),)),),
            )),
        ))),
    )  # fmt: skip

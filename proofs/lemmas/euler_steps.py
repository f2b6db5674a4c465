"""A product of transitions R_t = (1 - lambda_t) I + lambda_t A_t against one of kernels E_t >= exp(-lambda_t) (I +
lambda_t A_t), compared by test functions 0 <= g <= 1, layer by layer.

    sum_j g_j (R_t - E_t)_ij <= lambda_t (1 - exp(-lambda_t))         one layer
    R P - E Q = (R - E) P + E (P - Q)                                  one more layer: P g is a test function again

Assumed, under the names given: 0 <= lambda_t <= 1 ("mixing"), A_t is a kernel ("kernels"), rows of E_t sum to 1
("rows"), E_t >= exp(-lambda_t) (I + lambda_t A_t) ("above two terms").
"""

from __future__ import annotations

from proofs.laws import gap
from proofs.lemmas.comparison_steps import value
from proofs.lemmas.variation_steps import tested, unit
from proofs.notation import every, image, layer, layers, n, rollout, transition, zero_one
from proofs.steps import Both, Generalise, Induction, Item, Nonnegative, Step, item, use
from proofs.term import (
    Exp,
    Fn,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Lambda,
    Relation,
    Symbol,
    Term,
    as_term,
    index,
)

__all__ = ["every_row", "products_tested", "row", "two_terms"]

g = Symbol("g*", 1)
i, s, T = index("i"), index("s"), index("T")


def row(kernel: Fn, *at: Index | int | str) -> Lambda:
    """Row i of a kernel, or of one of a family."""
    return Lambda(("j",), kernel(*at, "j"))


def every_row(left: Term, right: Term) -> Formula:
    """left <= right in every row."""
    return every("i", 1, n, Relation("<=", left, right))


def two_terms(lam: Fn, kernels: Fn) -> Term:
    """exp(-lambda_t) ([i = j] + lambda_t A_t(i, j))."""
    return Exp(-lam("t")) * (zero_one("i", "j") + lam("t") * kernels("t", "i", "j"))


def products_tested(lam: Fn, kernels: Fn, limits: Fn) -> tuple[Step, ...]:
    """sum_j g_j (P^(s) - Q^(s))_ij <= sum_{t <= s} lambda_t (1 - exp(-lambda_t)) for every test, row and depth."""
    P, Q = rollout(transition(lam, kernels)), rollout(limits)

    def stated(depth: Index | int) -> Formula:
        return every_row(tested(row(P, depth, "i"), row(Q, depth, "i")), gap(lam, depth))

    moved = Lambda(("k",), image(layer(P, "s"), g)("k"))
    so_far = use("so far", "l")
    claim = ForAllFn(g, Implies(unit(g, 1, n), every("s", 0, T, stated(s))))
    return (
        _limits_not_negative(lam, kernels, limits),
        _one_layer(lam, kernels, limits),
        Step("products tested", claim, Generalise(("g*", "test"), (
            *_images(lam, kernels),
            Step("every depth", every("s", 0, T, stated(s)), Induction(
                "so far",
                base=(Step("no layer", stated(0), Nonnegative(())),),
                step=(Step("one more layer", stated(s + 1), Nonnegative(
                    (
                        item(use("one layer", s + 1, "i", fns=(moved,), given=(use("images", "s"),))),
                        item(use("limits", s + 1, "i", "l"), so_far, over=(("l", 1, n),)),
                    ),
                    (item(use("rows", s + 1, "i"), times=gap(lam, s)),),
                )),),
            )),
        ))),
    )  # fmt: skip


def _limits_not_negative(lam: Fn, kernels: Fn, limits: Fn) -> Step:
    stays = use("exp positive", fns=(value(-lam("t")),))
    goal = every("i", 1, n, every("j", 1, n, Relation("<=", as_term(0), limits("t", "i", "j"))))
    return Step("limits", layers(1, "T", goal), Nonnegative((
        item(use("above two terms", "t", "i", "j")),
        item(stays, times=zero_one("i", "j")),
        item(stays, use("mixing", "t", parts="nonnegative"), use("kernels", "t", "i", "j", parts="nonnegative")),
    )))  # fmt: skip


def _one_layer(lam: Fn, kernels: Fn, limits: Fn) -> Step:
    R = transition(lam, kernels)
    bound = lam("t") * (as_term(1) - Exp(-lam("t")))
    goal = layers(1, "T", every_row(tested(row(R, "t", "i"), row(limits, "t", "i")), bound))
    least = use("mixing", "t", parts="nonnegative")
    return Step("one layer", ForAllFn(g, Implies(unit(g, 1, n), goal)), Generalise(("g*", "test"), (
        Step("each row", goal, Nonnegative(
            (
                item(
                    use("test", "j", parts="nonnegative"), use("above two terms", "t", "i", "j"), over=(("j", 1, n),)
                ),
                item(use("test", "i", parts="nonnegative"), use("exp below", fns=(value(lam("t")),))),
                item(
                    least, use("decay", fns=(value(lam("t")),), given=(least,)),
                    use("kernels", "t", "i", "j", parts="nonnegative"), use("test", "j", parts="at most one"),
                    over=(("j", 1, n),),
                ),
            ),
            (item(use("kernels", "t", "i", parts="rows"), times=bound),),
        )),
    )))  # fmt: skip


def _images(lam: Fn, kernels: Fn) -> tuple[Step, ...]:
    """0 <= (P^(s) g)_i <= 1."""
    P = rollout(transition(lam, kernels))

    def at(depth: Index | int | str) -> Fn:
        return image(layer(P, depth), g)

    def low(depth: Index | int | str) -> Formula:
        return every("k", 1, n, Relation("<=", as_term(0), at(depth)("k")))

    def high(depth: Index | int | str) -> Formula:
        return every("k", 1, n, Relation("<=", at(depth)("k"), as_term(1)))

    rests, attends = (use("mixing", s + 1, parts=part) for part in ("at most one", "nonnegative"))
    reads = use("kernels", s + 1, "k", "l", parts="nonnegative")

    def induction(
        label: str, part: str, stated: Formula, after: Formula, base: Formula, modulo: tuple[Item, ...] = ()
    ) -> Step:
        return Step(label, every("s", 0, T, stated), Induction(
            "so far",
            base=(Step("no layer", base, Nonnegative((item(use("test", "k", parts=part)),))),),
            step=(Step("one more layer", after, Nonnegative(
                (
                    item(rests, use("so far", "k")),
                    item(attends, reads, use("so far", "l"), over=(("l", 1, n),)),
                ),
                modulo,
            )),),
        ))  # fmt: skip

    mass = (item(use("kernels", s + 1, "k", parts="rows"), times=lam(s + 1)),)
    return (
        induction("images: at least 0", "nonnegative", low("s"), low(s + 1), low(0)),
        induction("images: at most 1", "at most one", high("s"), high(s + 1), high(0), mass),
        Step("images", every("s", 0, T, unit(Lambda(("k",), at("s")("k")), 1, n)), Generalise(("s",), (
            Step("lower", low("s"), Nonnegative((item(use("images: at least 0", "s", "k")),))),
            Step("upper", high("s"), Nonnegative((item(use("images: at most 1", "s", "k")),))),
            Step("images", unit(Lambda(("k",), at("s")("k")), 1, n), Both(("lower", "upper"))),
        ))),
    )  # fmt: skip

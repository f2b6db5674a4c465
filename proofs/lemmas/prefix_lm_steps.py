"""Kernels that are causal beyond position b: the tokens 1, ..., b see each other.  What X2 builds on.

    L(A)_ij = [j > b] A_ij + [j = 1] (A_i1 + ... + A_ib)          what is read of the prefix is read from token 1

The columns beyond b of a product are those of the product of any kernels with the same columns beyond b, and L(A) is
causal: so whatever holds of causal kernels and speaks of tails k > b holds here.
"""

from __future__ import annotations

from collections.abc import Callable

from proofs.notation import (
    causal,
    causal_beyond,
    every,
    layer,
    layers,
    monotone,
    n,
    rollout,
    tail,
    transition,
    zero_one,
)
from proofs.outline import causal_kernel
from proofs.steps import Both, Cases, Generalise, Identity, Induction, Item, Nonnegative, Reason, Step, Use, item, use
from proofs.term import (
    And,
    Bracket,
    Fn,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Lambda,
    Relation,
    Symbol,
    as_index,
    as_term,
    index,
    total,
)

__all__ = [
    "beyond",
    "beyond_kernel",
    "lump",
    "lumped_causal",
    "lumped_layers",
    "lumped_monotone",
    "lumped_rollouts",
    "masked",
    "mixed_beyond",
    "of_rollouts",
    "product_lumped",
    "rises_beyond",
]

b, i, j, k, l, s, T = (index(name) for name in ("b", "i", "j", "k", "l", "s", "T"))  # noqa: E741
X, lam, A = Symbol("X*", 2), Symbol("lambda*", 1), Symbol("A*", 3)
ZERO = as_term(0)


def lump(kernel: Fn) -> Lambda:
    """L(A)."""
    prefix = total("l", 1, b, kernel("i", "l"))
    return Lambda(("i", "j"), Bracket(((b + 1, j),)) * kernel("i", "j") + zero_one("j", 1) * prefix)


def lumped_layers(family: Fn) -> Lambda:
    """L(A_t), as a family of kernels."""
    prefix = total("l", 1, b, family("t", "i", "l"))
    body = Bracket(((b + 1, j),)) * family("t", "i", "j") + zero_one("j", 1) * prefix
    return Lambda(("t", "i", "j"), body)


def beyond(body: Formula) -> Formula:
    """For every row i and column j beyond b."""
    return every("i", 1, n, every("j", b + 1, n, body))


def rises_beyond(kernel: Fn) -> Formula:
    """F_A(i, k) <= F_A(i + 1, k) for k > b: of the rows beyond b, since the others have nothing there."""
    rise = Relation("<=", tail(kernel)("i", "k"), tail(kernel)(i + 1, "k"))
    return every("k", b + 1, n, every("i", b + 1, n - 1, rise))


def masked(kernel: Fn) -> Formula:
    """A_ij = 0 for j > b, i < j."""
    return every("j", b + 1, n, every("i", 1, j - 1, Relation("=", kernel("i", "j"), ZERO)))


def beyond_kernel(kernel: Fn, nonnegative: Reason, mask: Reason, rows: Reason) -> tuple[Step, ...]:
    """ "This kernel is causal beyond b", from a reason for each part; entries are those at (i, j)."""
    entry = kernel("i", "j")
    return (
        Step("at least 0", every("i", 1, n, every("j", 1, n, Relation("<=", ZERO, entry))), nonnegative),
        Step("mask", masked(kernel), mask),
        Step("rows", every("i", 1, n, Relation("=", total("j", 1, n, entry), as_term(1))), rows),
        Step("causal beyond", causal_beyond(kernel, "b"), Both(("at least 0", "mask", "rows"))),
    )


def mixed_beyond(label: str, mixing: Fn, kernels: Fn, fact: str, *at: str) -> Step:
    """R_t = (1 - lambda_t) I + lambda_t A_t is causal beyond b up to layer T, as ``fact`` says of A_t at ``at``."""
    each = layer(transition(mixing, kernels), "t")
    low, high = use("mixing", "t", parts="nonnegative"), use("mixing", "t", parts="at most one")
    weight = mixing("t")
    return Step(label, layers(1, "T", causal_beyond(each, "b")), Generalise(("t",), beyond_kernel(
        each,
        Nonnegative((
            item(high, times=zero_one("i", "j")), item(low, use(fact, *at, "i", "j", parts="nonnegative")),
        )),
        Identity((item(use(fact, *at, "j", "i", parts="mask"), times=weight),)),
        Identity((item(use(fact, *at, "i", parts="rows"), times=weight),)),
    )))  # fmt: skip


# --- one kernel -----------------------------------------------------------------------------------


def product_lumped(U: Fn, B: Fn, fact: str) -> tuple[Item, ...]:
    """L(U B) = L(U) L(B), entry by entry, if B is causal beyond b: its rows of the prefix sum to 1 there."""
    here, first = (("p", b + 1, j), ("q", j, "p")), zero_one("j", 1)  # q = j where j > b
    prefix, later = ("l", 1, b), ("m", b + 1, n)
    read = total("v", 1, b, U("i", "v"))
    return (
        item(use(fact, "q", "l", parts="mask"), times=U("i", "l"), over=(prefix, *here)),
        item(use(fact, "q", 1, parts="mask"), times=-read, over=here),
        item(use(fact, 1, parts="rows"), times=-(first * read)),
        item(use(fact, "l", parts="rows"), times=first * U("i", "l"), over=(prefix,)),
        item(use(fact, "m", 1, parts="mask"), times=first * read, over=(later,)),
        item(use(fact, "m", "l", parts="mask"), times=-(first * U("i", "l")), over=(prefix, later)),
    )


def lumped_causal() -> Step:
    """L(A) is a causal kernel, if A is causal beyond b."""
    entry = use("beyond", "i", "j", parts="nonnegative")
    return Step("lumped kernels", ForAllFn(X, Implies(causal_beyond(X, "b"), causal(lump(X)))), Generalise(
        ("X*", "beyond"),
        causal_kernel(
            lump(X),
            Nonnegative((
                item(entry, times=Bracket(((b + 1, j),))),
                item(use("beyond", "i", "l", parts="nonnegative"), times=zero_one("j", 1), over=(("l", 1, b),)),
            )),
            Identity((item(use("beyond", "q", "i", parts="mask"), over=(("m", b + 1, j), ("q", j, "m"))),)),
            Identity((item(use("beyond", "i", parts="rows")),)),
        ),
    ))  # fmt: skip


def lumped_monotone() -> Step:
    """L(A) is stochastically monotone, if the tails of A beyond b rise."""
    rise = Relation("<=", tail(lump(X))("i", "k"), tail(lump(X))(i + 1, "k"))
    claim = Implies(causal_beyond(X, "b"), Implies(rises_beyond(X), monotone(lump(X))))
    whole = (
        item(use("beyond", "i", parts="rows")),
        item(use("beyond", i + 1, parts="rows"), times=-1),
    )
    return Step("lumped monotone", ForAllFn(X, claim), Generalise(("X*", "beyond", "rises", "i", "k"), (
        Step("by columns", rise, Cases(
            k, as_index(1),
            (Step("first", rise, Nonnegative((), whole)),),
            (Step("later", rise, Cases(k, b, _rises_at(rise, b + 1), _rises_at(rise, k))),),
        )),
    )))  # fmt: skip


def _rises_at(rise: Formula, at: Index) -> tuple[Step, ...]:
    """The tail at ``at`` > b rises from row i to the next, whichever side of b they are on."""
    early = (item(use("beyond", "m", i, parts="mask"), over=(("m", at, n),)),)
    entry = use("beyond", i + 1, "j", parts="nonnegative")
    return (Step("rows", rise, Cases(
        i, b,
        (Step("from the prefix", rise, Nonnegative((item(entry, over=(("j", at, n),)),), early)),),
        (Step("beyond it", rise, Nonnegative((item(use("rises", at, "i")),)),),),
    )),)  # fmt: skip


# --- rollouts -------------------------------------------------------------------------------------


def lumped_rollouts() -> Step:
    """P^(s)_ij = 0 for j > b, i < j; the rollout of the lumped kernels has the same columns beyond b."""
    P, lumped = rollout(transition(lam, A)), rollout(transition(lam, lumped_layers(A)))
    q = index("q")

    def zero(depth: Index) -> Formula:
        return masked(layer(P, depth))

    def same(depth: Index) -> Formula:
        return beyond(Relation("=", lumped(depth, "i", "j"), P(depth, "i", "j")))

    def by_depth(label: str, stated: Callable[[Index], Formula], *items: Item) -> Step:
        return Step(label, every("s", 0, q, stated(s)), Induction(
            "so far",
            base=(Step("no layer", stated(as_index(0)), Identity()),),
            step=(Step("one more layer", stated(s + 1), Identity(items)),),
        ))  # fmt: skip

    attends, rests = lam(s + 1), as_term(1) - lam(s + 1)
    read, entry = attends * total("l", 1, b, A(s + 1, "i", "l")), attends * A(s + 1, "i", "l")
    both = And((("mask", every("s", 0, q, zero(s))), ("columns", every("s", 0, q, same(s)))))
    claim: Formula = every("q", 0, None, Implies(layers(1, q, causal_beyond(layer(A, "t"), "b")), both))
    return Step("lumped rollouts", ForAllFn(lam, ForAllFn(A, claim)), Generalise(("lambda*", "A*", "q", "beyond"), (
        by_depth(
            "mask", zero,
            item(use("so far", "j", "i"), times=rests),
            item(use("so far", "j", "l"), times=entry, over=(("l", 1, j - 1),)),
            item(
                use("beyond", s + 1, "l", "i", parts="mask"), times=attends * P("s", "l", "j"), over=(("l", j, n),)
            ),
        ),
        by_depth(
            "columns", same,
            item(use("so far", "i", "j"), times=rests),
            item(use("so far", "l", "j"), times=entry, over=(("l", b + 1, n),)),
            item(use("so far", 1, "j"), times=read),
            item(use("mask", s, "j", 1), times=read),
            item(use("mask", s, "j", "l"), times=-entry, over=(("l", 1, b),)),
        ),
        Step("both", both, Both(("mask", "columns"))),
    )))  # fmt: skip


def of_rollouts(
    lam: Fn, kernels: Fn, depth: Index, part: str, fact: str, *at: Index | int | str, below: Index | None = None
) -> Use:
    """A fact on the rollout at ``depth``, or at a depth ``below``: "mask" at (j, i) or "columns" at (i, j).

    fact: the kernels up to ``depth`` are causal beyond b.
    """
    where = depth if below is None else below
    return use("lumped rollouts", depth, where, *at, parts=part, fns=(lam, kernels), given=(fact,))

"""What the statements on infinite depth share: endless stacks of layers, and what one row gives away in a layer.

x_t = lambda_t (1 - A^(t)_ii)     the share that row i of layer t does not leave in place, 0 <= x_t <= lambda_t
"""

from __future__ import annotations

from proofs.notation import causal, every, layer, layers, mixing, n, rollout, transition
from proofs.outline import NOTHING, causal_transitions
from proofs.steps import Both, Generalise, Instantiate, Nonnegative, Step, Use, item, use
from proofs.term import (
    And,
    Formula,
    Index,
    Lambda,
    Relation,
    Symbol,
    as_index,
    as_term,
    index,
)

__all__ = [
    "A",
    "P",
    "R",
    "diagonal_at_most_one",
    "diagonal_law",
    "every_kernel",
    "every_mixing",
    "hop",
    "kernels_up_to",
    "lam",
    "rollouts",
    "up_to",
]

ZERO, ONE = as_term(0), as_term(1)
lam, A = Symbol("lambda", 1), Symbol("A", 3)
R = transition(lam, A)
P = rollout(R)
t, i, j = index("t"), index("i"), index("j")

every_mixing = every("t", 1, None, And((
    ("nonnegative", Relation("<=", ZERO, lam("t"))), ("at most one", Relation("<=", lam("t"), ONE)),
)))  # fmt: skip
every_kernel = every("t", 1, None, causal(layer(A, "t")))


def hop(row: Index | int | str) -> Lambda:
    """x_t = lambda_t (1 - A^(t)_ii) as a sequence."""
    return Lambda(("t",), lam("t") * (ONE - A("t", row, row)))


def kernels_up_to(depth: Index | str) -> Step:
    """Causal kernels up to a depth, from "all kernels"."""
    return Step("kernels there", layers(1, depth, causal(layer(A, "t"))), Generalise(("t",), (
        Step("kernel", causal(layer(A, "t")), Instantiate(use("all kernels", "t"))),
    )))  # fmt: skip


def up_to(depth: Index | str) -> tuple[Step, ...]:
    """Coefficients in [0, 1] and causal kernels up to a depth, from "all mixing" and "all kernels"."""
    low, high = layers(1, depth, Relation("<=", ZERO, lam("t"))), layers(1, depth, Relation("<=", lam("t"), ONE))
    return (
        Step("at least 0 there", low, Nonnegative((item(use("all mixing", "t", parts="nonnegative")),))),
        Step("at most 1 there", high, Nonnegative((item(use("all mixing", "t", parts="at most one")),))),
        Step("mixing there", mixing(lam, depth), Both(("at least 0 there", "at most 1 there"))),
        kernels_up_to(depth),
    )


def rollouts(depth: Index | str, mixing_fact: str = "mixing", kernel_fact: str = "kernels") -> tuple[Step, Step]:
    """Transitions up to a depth, and the rollouts P^(s) of that many layers, are causal kernels: S1."""
    source = use("S1", depth, parts="rollouts", fns=(NOTHING, R, R, NOTHING), given=("transitions",))
    return (
        causal_transitions("transitions", lam, A, depth, mixing_fact, kernel_fact),
        Step("rollouts", every("s", 0, as_index(depth), causal(layer(P, "s"))), Instantiate(source)),
    )


def diagonal_at_most_one(label: str, span: Formula, kernel_fact: str = "kernels") -> Step:
    """A^(t)_ii <= 1, since the row sums to 1: ``span`` quantifies over layers and rows."""
    entry = use(kernel_fact, "t", "i", "j", parts="nonnegative")
    others = (item(entry, over=(("j", 1, i - 1),)), item(entry, over=(("j", i + 1, n),)))
    return Step(label, span, Nonnegative(others, (item(use(kernel_fact, "t", "i", parts="rows")),)))


def diagonal_law(depth: Index | str, kernel_fact: str) -> Use:
    """P^(depth)_ii = prod (1 - x_t), at row i: I1."""
    return use("I1", depth, "i", parts="diagonal", fns=(lam, A), given=(kernel_fact,))

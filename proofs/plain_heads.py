"""Averages of prefix-kernel heads whose weights may vary with the row, mixed with the residual stream (U1)."""

from __future__ import annotations

from proofs.lazy_layers import (
    entries_fall,
    keeping_falls,
    nonnegative_entries,
    nonnegative_keeping,
    nonnegative_weights,
)
from proofs.notation import cumulative, every, n, prefix
from proofs.prefix_heads import each_head, of_head
from proofs.steps import Chain, Invert, Item, Nonnegative, Step, item, use
from proofs.term import Fn, Formula, Lambda, Reciprocal, Relation, Term, as_term, index, total

__all__ = [
    "divisor_signs",
    "heads_entries",
    "heads_keeping",
    "heads_steps",
    "nonnegative_shares",
    "prefix_family",
    "weights_steps",
]

r, H = index("r"), index("H")
ZERO = as_term(0)
HEAD = ("t", "h")


def nonnegative_shares(alpha: Fn) -> Formula:
    """alpha_{t,h,i} >= 0."""
    return each_head(every("i", 1, n, Relation("<=", ZERO, alpha("t", "h", "i"))))


def prefix_family(alpha: Fn, weights: Fn) -> Lambda:
    """A_t(i, j) = sum_h alpha_{t,h,i} A_w(i, j), w the weights of head h of layer t."""
    return Lambda(("t", "i", "j"), total("h", 1, H, alpha("t", "h", "i") * prefix(of_head(weights))("i", "j")))


def heads_keeping(lam: Fn) -> Lambda:
    """theta_{t,i} = 1 - lambda_t."""
    return Lambda(("t", "i"), as_term(1) - lam("t"))


def heads_entries(lam: Fn, alpha: Fn, weights: Fn) -> Lambda:
    """b^{t,h}_ij = lambda_t alpha_{t,h,i} / W_i."""
    below = Reciprocal(cumulative(of_head(weights))("i"))
    return Lambda(("t", "h", "i", "j"), lam("t") * alpha("t", "h", "i") * below)


def divisor_signs(name: str, divisor: Term, *last: Item) -> tuple[Step, ...]:
    """0 < D_r and 0 < 1 / D_r in every head, D_r the weights before r and ``last``."""
    rest = item(use("weights", *HEAD, "l"), over=(("l", 1, r - 1),))
    return (
        Step(f"{name} > 0", each_head(every("r", 1, n, Relation("<", ZERO, divisor))), Nonnegative((*last, rest))),
        Step(
            f"1 / {name} > 0", each_head(every("r", 1, n, Relation("<", ZERO, Reciprocal(divisor)))),
            Invert(use(f"{name} > 0", *HEAD, "r")),
        ),
    )  # fmt: skip


def weights_steps(weights: Fn) -> Step:
    """w^{t,h}_j >= 0, under the name that the lemma asks for."""
    return Step("weights >= 0", nonnegative_weights(weights), Chain((use("weights", *HEAD, "j"),)))


def heads_steps(lam: Fn, alpha: Fn, weights: Fn) -> tuple[Step, ...]:
    """What the lemma on envelopes asks of these layers; from "mixing", "head weights" and "weights"."""
    keeping, entries = heads_keeping(lam), heads_entries(lam, alpha, weights)
    entry = item(use("mixing", "t", parts="nonnegative"), use("head weights", *HEAD, "i"), use("1 / W > 0", *HEAD, "i"))
    return (
        *divisor_signs("W", cumulative(of_head(weights))("r"), item(use("weights", *HEAD, "r"))),
        weights_steps(weights),
        Step("keeping", nonnegative_keeping(keeping), Chain((use("mixing", "t", parts="at most one"),))),
        Step("keeping falls", keeping_falls(keeping), Chain(())),
        Step("entries", nonnegative_entries(entries), Nonnegative((entry,))),
        Step("entries fall", entries_fall(entries), Chain(())),
    )  # fmt: skip

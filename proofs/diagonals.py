"""What the diagonals of a file's kernels say of the hypotheses of infinite depth, where λ is the reader's to choose.

    0 < A_ii          every row keeps something of its own token
    A_ii < 1, i ≥ 2   every row but the first gives something away: then some ε > 0 is at most 1 − A_ii everywhere, and
                      Σ_t λ_t (1 − A_ii) is infinite for λ_t = 1; Σ is finite for every λ with a finite sum

Shared kernel: collapse for λ_t = 1 where every row gives something away (I3), for no λ where one does not (I1). Layers
without end are not in a stack of T: then a "for every t" is False if the file already breaks it, else undecided.
A hypothesis of another form is not decided here.
"""

from __future__ import annotations

from dataclasses import dataclass

from numeric.three_valued import all_of
from proofs.substitute import free_names
from proofs.term import (
    And,
    Apply,
    ForAll,
    Formula,
    Holds,
    Index,
    Lambda,
    Op,
    Plus,
    Relation,
    Symbol,
    Term,
    Times,
    as_term,
    index,
)

__all__ = ["Diagonals", "on_diagonals"]

ONE = as_term(1)


@dataclass(frozen=True)
class Diagonals:
    """One answer per layer: positive, whether 0 < A_ii for every i; leaving, whether A_ii < 1 for every i ≥ 2."""

    positive: tuple[bool, ...]
    leaving: tuple[bool, ...]
    shared: bool


def on_diagonals(formula: Formula, diagonals: Diagonals) -> bool | None:
    """Whether the diagonals meet the hypothesis; None if they leave it open or it is none of this kind."""
    positive, leaving = (_for_all_layers(x, formula, diagonals) for x in (diagonals.positive, diagonals.leaving))
    match _body(formula):
        case Relation("<", low, entry) if low == as_term(0) and _is_entry(entry):
            return positive
        case Relation("<", entry, right) if _is_entry(entry) and right == ONE:
            return leaving
        case And(((_, Relation("<", low, Apply(Symbol(arity=0) as eps))), (_, bound))) if low == as_term(0):
            return leaving if _bounds(bound, eps) else None
        case Relation("=", Apply() as entry, Apply() as other) if _is_entry(entry) and _is_entry(other):
            return True if diagonals.shared else None
        case Relation("=", Apply() as entry, value) if _is_entry(entry) and "t" in free_names(value):
            return False if diagonals.shared else None  # a diagonal that changes with the layer
        case Holds("summable", (Lambda(_, hop),)) if _is_hop(hop):
            return True
        case Holds("unbounded", (Lambda(_, hop),)) if _is_hop(hop):
            return leaving
        case Holds("vanishing", (Lambda(_, lost),)):
            return _collapsing(lost, leaving, diagonals)
    return None


def _collapsing(lost: Term, leaving: bool | None, diagonals: Diagonals) -> bool | None:
    """1 − P^(T)_r1 → 0 for the row r, or for all of them."""
    match lost:
        case Plus((one, Times((minus, Apply(Op("rollout"), (_, row, Index((), 1))))))) if (one, minus) == (
            ONE,
            as_term(-1),
        ):
            if leaving or row != index("n"):
                return leaving if diagonals.shared else None
    return None


def _for_all_layers(answers: tuple[bool, ...], formula: Formula, diagonals: Diagonals) -> bool | None:
    known: bool | None = all_of(answers)
    return None if known and not diagonals.shared and not _up_to_depth(formula) else known


def _up_to_depth(formula: Formula) -> bool:
    """Whether the layers that the hypothesis speaks of end at a depth."""
    match formula:
        case ForAll(rng, body):
            return (rng.var == "t" and rng.high is not None) or _up_to_depth(body)
        case And(parts):
            return any(_up_to_depth(part) for _, part in parts)
    return False


def _body(formula: Formula) -> Formula:
    while isinstance(formula, ForAll):
        formula = formula.body
    return formula


def _bounds(formula: Formula, eps: Symbol) -> bool:
    """ε ≤ 1 − A_ii."""
    match _body(formula):
        case Relation("<=", Apply(fn), right):
            return fn == eps and _is_share(right)
    return False


def _is_entry(term: Term) -> bool:
    """A_t[i, i]."""
    match term:
        case Apply(Symbol(arity=3), (_, i, j)):
            return isinstance(i, Index) and i == j
    return False


def _is_share(term: Term) -> bool:
    """1 − A_t[i, i]."""
    match term:
        case Plus((one, Times((minus, entry)))):
            return one == ONE and minus == as_term(-1) and _is_entry(entry)
    return False


def _is_hop(term: Term) -> bool:
    """λ_t (1 − A_t[i, i])."""
    match term:
        case Times((Apply(Symbol(arity=1)), share)):
            return _is_share(share)
    return False

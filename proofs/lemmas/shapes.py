"""The shapes of a profile as formulas, for row i >= 3 of the rollout of uniform layers, the profile of i tokens.

    a U    p_1 >= ... >= p_v <= ... <= p_i  with  p_1 > p_v < p_i      for some valley v
    dips   p_1 > p_{i-1} < p_i

Uses the symbols w and lambda of the claim that speaks of them.
"""

from __future__ import annotations

from collections.abc import Callable

from proofs.lemmas.prefix_power_steps import lam, w
from proofs.lemmas.uniform_steps import one_kernel
from proofs.notation import every
from proofs.term import And, Apply, Formula, Index, Relation, Term, index

__all__ = ["dips", "down", "ends", "level", "p", "up", "valley"]

i, j = index("i"), index("j")
_P = one_kernel(lam, w)


def p(at: Index | int, row: Index = i) -> Apply:
    """The profile of ``row`` tokens."""
    return _P("T", row, at)


Entry = Callable[[Index | int, Index], Term]


def down(low: Index | int, high: Index, row: Index = i, entry: Entry = p) -> Formula:
    """p_low >= ... >= p_high."""
    return every("j", low, high - 1, Relation("<=", entry(j + 1, row), entry(j, row)))


def up(low: Index | int, high: Index, row: Index = i, entry: Entry = p) -> Formula:
    """p_low <= ... <= p_high."""
    return every("j", low, high - 1, Relation("<=", entry(j, row), entry(j + 1, row)))


def ends(low: Index, row: Index = i, entry: Entry = p) -> tuple[tuple[str, Relation], tuple[str, Relation]]:
    """p_1 > p_low < p_i."""
    lowest = entry(low, row)
    return ("falls", Relation("<", lowest, entry(1, row))), ("rises", Relation("<", lowest, entry(row, row)))


def valley(at: Index, row: Index = i, entry: Entry = p) -> And:
    """The profile falls to ``at`` and rises from there, both strictly somewhere."""
    return And((("down", down(1, at, row, entry)), ("up", up(at, row, row, entry)), *ends(at, row, entry)))


dips = And(ends(i - 1))
level = And((("level", Relation("<=", p(1), p(i - 1))), ("rises", Relation("<=", p(i - 1), p(i)))))

"""Degrees: what a value reads, and of which degree it is in each block of variables.

Put in place of numbers, degrees add as ``max`` and multiply as ``+``; batch.py then computes, from the definitions, a
bound on the degree of a relation's sides as polynomials in the entries of the tables.  The vertices decide an
inequality only where it is affine in each polytope, so this is checked and not believed.  Cancellation is ignored,
which errs on the safe side.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction

from proofs.batch import Atom, Environment, holds, sides
from proofs.case import OutsideTable
from proofs.term import Formula, Relation

__all__ = ["Cell", "Degree", "DegreeCells", "cells_read", "degree_of"]

Cell = tuple[str, tuple[int, ...]]
Block = Hashable
SINGULAR = 1000  # the degree of a reciprocal: no polynomial


class Degree:
    """The largest degree in each block of variables; 0 in those not listed."""

    __slots__ = ("high",)

    def __init__(self, high: dict[Block, int]) -> None:
        self.high = high

    def __add__(self, other: Degree | int | Fraction) -> Degree:
        if not isinstance(other, Degree):
            return self
        return Degree({b: max(self.high.get(b, 0), other.high.get(b, 0)) for b in {**self.high, **other.high}})

    __radd__ = __add__

    def __mul__(self, other: Degree | int | Fraction) -> Degree:
        if not isinstance(other, Degree):
            return self
        return Degree({b: self.high.get(b, 0) + other.high.get(b, 0) for b in {**self.high, **other.high}})

    __rmul__ = __mul__

    def __rtruediv__(self, other: int) -> Degree:
        return Degree(dict.fromkeys(self.high, SINGULAR))

    def _undecided(self, other: object) -> bool:
        """Comparing degrees decides nothing; it is done to see what is read."""
        return True

    __le__ = __lt__ = __ge__ = __gt__ = _undecided


class DegreeCells(dict[tuple[int, ...], Degree]):
    """A function whose every cell is a variable; ``blocks`` names the blocks to which a cell belongs."""

    def __init__(self, name: str, blocks: Callable[[Cell], Iterable[Block]]) -> None:
        super().__init__()
        self.name, self.blocks = name, blocks

    def __missing__(self, args: tuple[int, ...]) -> Degree:
        self[args] = found = Degree(dict.fromkeys(self.blocks((self.name, args)), 1))
        return found


def degree_of(atom: Atom, env: Environment) -> Degree:
    """The degree of both sides of a relation together, in an environment of degrees.

    Raises `OutsideTable` for an implication or a claim for all functions: no polynomial inequality.
    """
    if not isinstance(atom.formula, Relation):
        raise OutsideTable("an assertion that is no relation between values")
    left, right = sides(atom, env)
    both = left + right
    return both if isinstance(both, Degree) else Degree({})


def cells_read(formula: Formula, ints: Mapping[str, int], symbols: Iterable[str]) -> frozenset[Cell]:
    """The cells of these functions that deciding a formula at these indices looks up."""
    tables = {name: DegreeCells(name, lambda cell: (cell,)) for name in symbols}
    holds(formula, Environment(dict(ints), tables, tolerance=1.0))  # nothing is decided, so floats do
    return frozenset((name, args) for name, cells in tables.items() for args in cells)

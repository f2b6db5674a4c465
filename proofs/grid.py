"""Grids: finitely many cases of one part of a claim, as a product of independent choices.

A choice (`Axis`) fixes the cells of some functions together, one candidate per case; a grid is a part, its indices
and its choices.  The hypotheses are applied by evaluating the claim's own formulas, never by construction alone: a
hypothesis about one choice thins out its candidates, one about several masks their combinations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proofs.batch import Atom, Environment, Mask, Value, atoms, holds, sides
from proofs.case import Case, Entries, Table
from proofs.degree import Cell, cells_read
from proofs.statement import Claim
from proofs.term import Relation

__all__ = [
    "Axis",
    "Grid",
    "Violation",
    "case_from",
    "case_of",
    "environment",
    "given_atoms",
    "kept",
    "outward",
    "violation",
]

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Axis:
    """One choice: ``cells`` gives each cell an array over the candidates.  ``kind`` says of what the candidates are
    all the vertices (exhaustive.py lists the kinds); ``groups``: which functions make one polytope together.
    """

    kind: str
    cells: Mapping[Cell, Ints]
    groups: tuple[tuple[str, ...], ...] = ()

    @property
    def size(self) -> int:
        """The number of candidates."""
        return len(next(iter(self.cells.values())))

    def taken(self, at: Any) -> Axis:
        """The axis with the candidates ``at`` (a mask or places)."""
        return replace(self, cells={cell: values[at] for cell, values in self.cells.items()})


@dataclass(frozen=True)
class Grid:
    """Cases of one part; ``through``: functions that the part may read only inside rollouts, of depths that differ by
    at most ``spread`` (None: it may compare any); ``alone``: it reads them one layer at a time.
    """

    part: str
    ints: Mapping[str, int]
    axes: tuple[Axis, ...]
    through: tuple[str, ...] = ()
    spread: int | None = 0
    alone: bool = False

    def sorted(self) -> Grid:
        """The same grid, the choice with the most candidates last, where arrays are contiguous."""
        return replace(self, axes=tuple(sorted(self.axes, key=lambda axis: axis.size)))


@dataclass(frozen=True)
class Violation:
    """Where an assertion fails: the candidate of each axis."""

    atom: Atom
    at: tuple[int, ...]


def environment(axes: Sequence[Axis], ints: Mapping[str, int]) -> Environment:
    """All combinations: each axis varies along a dimension of its own."""
    tables: dict[str, dict[tuple[int, ...], Value]] = {}
    for place, axis in enumerate(axes):
        shape = [1] * len(axes)
        shape[place] = axis.size
        for (name, args), values in axis.cells.items():
            tables.setdefault(name, {})[args] = values.reshape(shape)
    return Environment(dict(ints), tables)


def given_atoms(claim: Claim, part: str, ints: Mapping[str, int]) -> Iterator[tuple[Atom, frozenset[Cell]]]:
    """What the hypotheses of a part assert at these indices, each with the cells that it reads."""
    known, symbols = dict(claim.hypotheses), [s.name for s in claim.symbols]
    for label in claim.part(part).given:
        for atom in atoms(known[label], ints, label):
            yield atom, cells_read(atom.formula, dict(atom.ints), symbols)


def kept(axis: Axis, claim: Claim, part: str, ints: Mapping[str, int]) -> Ints:
    """The places of the candidates that meet the hypotheses which speak of this axis alone."""
    env, own = environment([axis], ints), set(axis.cells)
    mask = np.ones(axis.size, dtype=bool)
    for atom, cells in given_atoms(claim, part, ints):
        if cells and cells <= own:
            mask &= holds(atom.formula, env.at(dict(atom.ints)))
    return np.flatnonzero(mask)


def violation(claim: Claim, grid: Grid) -> tuple[Violation | None, int]:
    """The first assertion that fails at a case that meets the hypotheses, and how many cases were looked at.

    A hypothesis that does not concern an assertion is not multiplied out with it: what is asserted of one choice is
    tried at each candidate of that choice.
    """
    env, known, tried = environment(grid.axes, grid.ints), dict(claim.hypotheses), 0
    met: Mask = True
    for label in claim.part(grid.part).given:
        met = met & holds(known[label], env)
    for atom in atoms(claim.part(grid.part).asserts, grid.ints):
        good = holds(atom.formula, env.at(dict(atom.ints)))
        bad = np.asarray(met & np.logical_not(good))
        shape = np.broadcast_shapes(np.shape(met), np.shape(good))
        tried = max(tried, int(np.count_nonzero(np.broadcast_to(met, shape))))
        if bad.any():
            first = np.unravel_index(int(np.argmax(bad)), bad.shape) if bad.ndim else (0,) * len(grid.axes)
            return Violation(atom, tuple(int(x) for x in first)), tried
    return None, tried


def outward(claim: Claim, grid: Grid) -> bool:
    """Whether every inequality, as a polynomial in the lengths of the cones' directions, has coefficients >= 0.

    Candidate 0 of a cone axis is its apex.  right - left is affine in each cone axis, so its coefficients are the
    differences from the apex, taken axis after axis.
    """
    cones = [place for place, axis in enumerate(grid.axes) if axis.kind == "cone"]
    if not cones:
        return True
    env = environment(grid.axes, grid.ints)
    for atom in atoms(claim.part(grid.part).asserts, grid.ints):
        if not isinstance(atom.formula, Relation) or atom.formula.op != "<=":
            return False
        left, right = sides(atom, env)
        gap = np.broadcast_to(right - left, [axis.size for axis in grid.axes]).copy()
        for place in cones:
            along = np.moveaxis(gap, place, 0)
            along[1:] -= along[0]
        if (gap < 0).any():
            return False
    return True


# --- a case from its cells ------------------------------------------------------------------------


def case_of(grid: Grid, at: Sequence[int]) -> Case:
    """The case that takes candidate ``at`` of each axis."""
    cells = {
        cell: Fraction(int(values[place]))
        for axis, place in zip(grid.axes, at, strict=True)
        for cell, values in axis.cells.items()
    }
    return case_from(grid.ints, cells)


def case_from(ints: Mapping[str, int], cells: Mapping[Cell, Fraction]) -> Case:
    """The case with these cells; 0 wherever a table must have a cell that is not given."""
    names = sorted({name for name, _ in cells})
    tables = tuple((name, _table({a: v for (other, a), v in cells.items() if other == name})) for name in names)
    return Case(ints["n"], tuple(sorted((k, v) for k, v in ints.items() if k != "n")), tables)


def _table(cells: Mapping[tuple[int, ...], Fraction]) -> Table:
    lows = [min(column) for column in zip(*cells, strict=True)]
    highs = [max(column) for column in zip(*cells, strict=True)]

    def nested(at: tuple[int, ...]) -> Entries:
        if len(at) == len(lows):
            return cells.get(at, Fraction(0))
        return tuple(nested((*at, x)) for x in range(lows[len(at)], highs[len(at)] + 1))

    return Table(nested(()), tuple(lows) if any(x != 1 for x in lows) else ())

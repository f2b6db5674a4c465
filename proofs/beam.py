"""Cases built row by row, each hypothesis applied as soon as all that it reads is chosen.

A screen in floating point over thousands of cases at once; what comes out is confirmed in exact rationals by the
caller.  The next row is always the one that makes the most assertions decidable.  Where there are more combinations
than can be kept, a seeded sample is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from proofs.batch import Atom, Environment, atoms, holds
from proofs.candidates import Row, rows_of
from proofs.degree import Cell, cells_read
from proofs.statement import Claim
from proofs.term import Formula

__all__ = ["Problem", "build"]

Floats = NDArray[np.float64]
Columns = dict[Cell, Floats]
TOLERANCE = 1e-9
MOST_KEPT, MOST_JOINED = 6000, 60000


@dataclass(frozen=True)
class Problem:
    """Find cells such that ``given`` holds, ``dropped`` does not, and neither does ``asserts``."""

    ints: Mapping[str, int]
    given: tuple[tuple[Atom, frozenset[Cell]], ...]
    dropped: Formula
    asserts: Formula
    rows: tuple[Row, ...]
    wanted: frozenset[Cell]  # what deciding ``dropped`` takes

    @classmethod
    def of(cls, claim: Claim, part: str, dropped: str, ints: Mapping[str, int]) -> Problem | None:
        """The problem for one part at one size; None where the dropped hypothesis asserts nothing."""
        known, symbols, asserts = dict(claim.hypotheses), [s.name for s in claim.symbols], claim.part(part).asserts
        if not any(True for _ in atoms(known[dropped], ints)) or not any(True for _ in atoms(asserts, ints)):
            return None
        given = tuple(
            (atom, cells_read(atom.formula, dict(atom.ints), symbols))
            for label in claim.part(part).given
            if label != dropped
            for atom in atoms(known[label], ints)
        )
        wanted = cells_read(known[dropped], ints, symbols)
        cells = wanted.union(cells_read(asserts, ints, symbols), *(read for _, read in given))
        return cls(ints, given, known[dropped], asserts, rows_of(cells), wanted)

    def environment(self, columns: Mapping[Cell, Floats]) -> Environment:
        """The columns as the tables of a batch."""
        tables: dict[str, dict[tuple[int, ...], Floats]] = {}
        for (name, args), column in columns.items():
            tables.setdefault(name, {})[args] = column
        return Environment(dict(self.ints), tables, TOLERANCE)

    def solved(self, columns: Columns, size: int) -> NDArray[np.bool_]:
        """Where everything that is wanted holds."""
        env = self.environment(columns)
        mask = np.full(size, True)
        for atom, _ in self.given:
            mask &= holds(atom.formula, env.at(dict(atom.ints)))
        mask &= ~np.broadcast_to(holds(self.dropped, env), size)
        mask &= ~np.broadcast_to(holds(self.asserts, env), size)
        return mask


def build(problem: Problem, level: int, rng: Random) -> tuple[Columns, int]:
    """The cells of cases that solve the problem, and how many combinations were tried."""
    columns: Columns = {}
    size, tried, left = 1, 0, list(problem.rows)
    pending = list(problem.given)
    undecided = True
    while left:
        row = _next(left, pending, columns)
        left.remove(row)
        columns, size = _joined(columns, size, row, row.pool(level, rng), rng)
        tried += size
        now, pending = _split(pending, columns)
        mask = np.full(size, True)
        env = problem.environment(columns)
        for atom in now:
            mask &= holds(atom.formula, env.at(dict(atom.ints)))
        if undecided and problem.wanted <= columns.keys():
            undecided = False
            mask &= ~np.broadcast_to(holds(problem.dropped, env), size)
        columns, size = _taken(columns, _sample(np.flatnonzero(mask), MOST_KEPT, rng))
        if not size:
            return {}, tried
    bad = np.flatnonzero(~np.broadcast_to(holds(problem.asserts, problem.environment(columns)), size))
    return (_taken(columns, bad)[0] if len(bad) else {}), tried


def _next(left: Sequence[Row], pending: Sequence[tuple[Atom, frozenset[Cell]]], columns: Columns) -> Row:
    """The row that completes the most assertions, for its size."""

    def completed(row: Row) -> int:
        have = columns.keys() | set(row.cells)
        return sum(read <= have for _, read in pending)

    return max(left, key=completed)


def _split(
    pending: Sequence[tuple[Atom, frozenset[Cell]]], columns: Columns
) -> tuple[list[Atom], list[tuple[Atom, frozenset[Cell]]]]:
    now = [atom for atom, read in pending if read <= columns.keys()]
    return now, [(atom, read) for atom, read in pending if not read <= columns.keys()]


def _joined(columns: Columns, size: int, row: Row, pool: Floats, rng: Random) -> tuple[Columns, int]:
    """Every case with every candidate of the row, or a sample of these combinations."""
    both = _sample(np.arange(size * len(pool)), MOST_JOINED, rng)
    old, new = both // len(pool), both % len(pool)
    kept = {cell: column[old] for cell, column in columns.items()}
    return {**kept, **{cell: pool[new, place] for place, cell in enumerate(row.cells)}}, len(both)


def _sample(places: NDArray[np.int64], most: int, rng: Random) -> NDArray[np.int64]:
    """The first quarter of what may be kept, which is the simplest, and a sample of the rest."""
    if len(places) <= most:
        return places
    generator = np.random.default_rng(rng.getrandbits(32))
    head = most // 4
    rest = generator.choice(len(places) - head, most - head, replace=False, shuffle=False) + head
    return np.concatenate([places[:head], places[np.sort(rest)]])


def _taken(columns: Columns, at: NDArray[np.int64]) -> tuple[Columns, int]:
    return {cell: column[at] for cell, column in columns.items()}, len(at)

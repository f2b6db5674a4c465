"""What a search for counterexamples draws from: rows of small rationals, simplest first.

A *row* is the cells of a function that differ in the last argument only: a row of a kernel, a sequence, a single
number.  Nothing about the function is assumed: hypotheses decide which rows survive.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

import numpy as np
from numpy.typing import NDArray

from proofs.degree import Cell

__all__ = ["Row", "cost", "exact", "rows_of", "values_at"]

Floats = NDArray[np.float64]
MOST_ROWS = 2048
LARGEST = 4


@dataclass(frozen=True)
class Row:
    """Cells that are chosen together."""

    cells: tuple[Cell, ...]

    def pool(self, level: int, rng: Random) -> Floats:
        """Candidates, shape (K, cells), simplest first: all, or the simplest half and a sample of the others."""
        count, width = len(values_at(level)), len(self.cells)
        return _all(level, width) if count**width <= MOST_ROWS else _sorted(_some(count, width, rng), level)


Places = tuple[int, ...]  # a row as places in the list of values


@cache
def _all(level: int, width: int) -> Floats:
    """Every row; nobody may write into it."""
    rows = _sorted(product(range(len(values_at(level))), repeat=width), level)
    rows.flags.writeable = False
    return rows


def _sorted(rows: Iterable[Places], level: int) -> Floats:
    """The rows, simplest first."""
    values = values_at(level)
    costs = [cost(value) for value in values]
    ordered = sorted(rows, key=lambda row: sum([costs[at] for at in row]))
    return np.array(values, dtype=np.float64)[np.array(ordered, dtype=np.intp)]


def _some(count: int, width: int, rng: Random) -> list[Places]:
    """Rows of the first two values, which are 0 and 1, then rows drawn so that half of their cells are."""
    found = dict.fromkeys(product(range(2), repeat=width)) if 2**width <= MOST_ROWS else {}
    for _ in range(4 * MOST_ROWS):
        if len(found) == MOST_ROWS:
            break
        found[tuple([rng.choice(range(count if rng.random() < 0.5 else 2)) for _ in range(width)])] = None
    return list(found)


def values_at(level: int) -> tuple[Fraction, ...]:
    """0 and 1; then -1 and 2 too; then, for each level, larger integers and fractions of that denominator.

    >>> [str(x) for x in values_at(2)]
    ['0', '1', '-1', '2', '1/2', '3']
    """
    if level == 0:
        return Fraction(0), Fraction(1)
    found = [Fraction(x) for x in (0, 1, -1, 2)]
    for q in range(2, level + 1):
        found += [Fraction(p, q) for p in range(1, q) if Fraction(p, q) not in found]
        found += [Fraction(q + 1)] if q + 1 <= LARGEST else []
    return (*found, Fraction(-2)) if level >= 3 else tuple(found)


def cost(value: Fraction) -> int:
    """How far from simple: 0, then 1, then small integers, then fractions by their denominator.

    >>> [cost(Fraction(x)) for x in (0, 1, -1, 2, 3)], cost(Fraction(1, 2))
    ([0, 1, 3, 3, 5], 5)
    """
    if value in (0, 1):
        return int(value)
    if value.denominator == 1:
        return 2 * abs(value.numerator) - 1 + 2 * (value < 0)
    return 2 * value.denominator + abs(value.numerator)


def exact(value: float) -> Fraction:
    """The rational that a float of a pool stands for."""
    return Fraction(value).limit_denominator(1000)


def rows_of(cells: Iterable[Cell]) -> tuple[Row, ...]:
    """The cells grouped into rows, in order."""
    groups: dict[tuple[str, tuple[int, ...]], list[Cell]] = {}
    for name, args in sorted(cells):
        groups.setdefault((name, args[:-1]), []).append((name, args))
    return tuple(Row(tuple(group)) for group in groups.values())

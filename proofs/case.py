"""A case: every function of a claim given by exact rationals, every index by an integer.

Random evidence draws cases, counterexamples are cases, and evaluate.py decides a formula at a case.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from flint import fmpq

__all__ = ["Case", "Entries", "OutsideTable", "Table", "kernel", "prefix", "scaled_diagonal"]

Entries: TypeAlias = "Fraction | int | Sequence[Entries]"


class OutsideTable(Exception):
    """A formula reads a function where the case gives no value."""


@dataclass(frozen=True)
class Table:
    """A function of indices by its values, nested by argument; argument ``a`` starts at ``start[a]`` (1 unless
    told).
    """

    entries: Entries
    start: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "entries", _frozen(self.entries))  # lists become tuples, so that cases can be compared

    def cells(self) -> Iterator[tuple[tuple[int, ...], Fraction]]:
        """Every argument tuple with its value."""
        yield from _cells(self.entries, self.start, ())

    def values(self) -> dict[tuple[int, ...], fmpq]:
        """The same as a mapping to fast rationals."""
        found: dict[tuple[int, ...], fmpq] = {}
        _fill(found, self.entries, self.start, ())
        return found

    def __hash__(self) -> int:  # equal numbers have equal numerators, and hashing a Fraction inverts its denominator
        return hash(_numerators(self.entries))


def _frozen(entries: Entries) -> Entries:
    if isinstance(entries, (int, Fraction)):
        return entries
    return tuple([x if type(x) is Fraction else _frozen(x) for x in entries])


def _numerators(entries: Entries) -> Hashable:
    if isinstance(entries, tuple):
        return tuple([_numerators(x) if type(x) is tuple else x.numerator for x in entries])
    assert isinstance(entries, (int, Fraction))
    return entries.numerator


def _fill(found: dict[tuple[int, ...], fmpq], entries: Entries, start: tuple[int, ...], at: tuple[int, ...]) -> None:
    """What `_cells` yields, without its detours: every evaluation starts here."""
    if not isinstance(entries, tuple):
        assert isinstance(entries, (int, Fraction))
        found[at] = fmpq(entries.numerator, entries.denominator)
        return
    first = start[len(at)] if len(at) < len(start) else 1
    for place, inner in enumerate(entries, first):
        if type(inner) is tuple:
            _fill(found, inner, start, (*at, place))
        else:
            found[*at, place] = fmpq(inner.numerator, inner.denominator)


def _cells(entries: Entries, start: tuple[int, ...], at: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    if isinstance(entries, (int, Fraction)):
        yield at, Fraction(entries)
        return
    first = start[len(at)] if len(at) < len(start) else 1
    for offset, inner in enumerate(entries):
        yield from _cells(inner, start, (*at, first + offset))


@dataclass(frozen=True)
class Case:
    """``n`` positions, the integers of the claim's indices, and a table for each of its functions."""

    n: int
    indices: tuple[tuple[str, int], ...]
    tables: tuple[tuple[str, Table], ...]

    @classmethod
    def of(cls, n: int, indices: dict[str, int] | None = None, **tables: Entries | Table) -> Case:
        """A case from plain nested sequences; names may carry a trailing underscore (``lambda_``)."""
        named = {name.rstrip("_"): t if isinstance(t, Table) else Table(t) for name, t in tables.items()}
        return cls(n, tuple(sorted((indices or {}).items())), tuple(sorted(named.items())))

    @property
    def layers(self) -> int:
        """The depth of the deepest stack of layers: T, or s layers below and u above an inserted one."""
        depth = dict(self.indices)
        return max(depth.get("T", 0), depth.get("s", 0) + depth.get("u", 0))


# --- kernels written by hand ----------------------------------------------------------------------


def kernel(*rows: Sequence[Fraction | int]) -> tuple[tuple[Fraction, ...], ...]:
    """A causal kernel from its rows up to the diagonal, padded with zeros."""
    size = len(rows)
    return tuple(tuple(Fraction(x) for x in row) + (Fraction(0),) * (size - len(row)) for row in rows)


def prefix(*weights: Fraction | int) -> tuple[tuple[Fraction, ...], ...]:
    """The prefix kernel A_ij = w_j / (w_1 + ... + w_i)."""
    w = [Fraction(x) for x in weights]
    return kernel(*([x / sum(w[: i + 1]) for x in w[: i + 1]] for i in range(len(w))))


def scaled_diagonal(rows: tuple[tuple[Fraction, ...], ...], factor: Fraction | int) -> tuple[tuple[Fraction, ...], ...]:
    """The kernel with its diagonal weights multiplied by ``factor`` and each row normalised again (content e)."""
    scaled = [[x * factor if i == j else x for j, x in enumerate(row)] for i, row in enumerate(rows)]
    return tuple(tuple(x / sum(row) for x in row) for row in scaled)

"""Cases and counterexamples for the order polytope (S7)."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from operator import mul
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.order import tails
from numeric.strategies import causal_kernels, monotone_kernels, ordered_pairs
from proofs.case import Case, Entries, Table, kernel
from proofs.draws import Kernel, Row, for_each, sizes_within, values
from proofs.statement import Needed

__all__ = ["cases", "needed"]


def cases() -> SearchStrategy[Case]:
    """Tails of a kernel; levels that cover an ordered pair; X and Y around G, a map or not; a mixed layer."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, _ = size
        one = causal_kernels(positions)
        parts = st.tuples(
            st.one_of(monotone_kernels(positions), one), ordered_pairs(positions, "lower"), one, one,
            st.lists(one, min_size=1, max_size=3), st.tuples(one, one, st.booleans()), values(9),
            st.lists(st.integers(0, positions - 1), min_size=1, max_size=positions), st.integers(0, 3),
        )  # fmt: skip
        return parts.map(lambda d: _case_from(positions, d))

    return for_each(sizes_within(4), draw)


def _case_from(positions: int, d: tuple[Any, ...]) -> Case:
    table_of, (lower_pair, upper_pair), upper, lower, family, around, numbers, reads, blocks = d
    found = sorted(
        {Fraction(0), Fraction(1), *(x for rows in (lower_pair, upper_pair) for y in _tails(rows) for x in y)}
    )
    count, theta = len(found) - 1, Fraction(1, 3)
    steps = [b - a for a, b in pairwise(found)]
    vertices = [family[t % len(family)] for t in range(count)]
    first, second, mixed_up = around
    if not mixed_up:
        first = second = _map_kernel(positions, reads)
    middle = [
        [(1 - theta) * a + theta * b for a, b in zip(*rows, strict=True)] for rows in zip(first, second, strict=True)
    ]
    least = min(_tails_of_products(upper, vertices, lower))
    shares = [steps if block % 2 else steps[::-1] for block in range(blocks)]
    means, at_vertices = _blocks(shares, numbers)
    return Case.of(
        positions, {"m": count, "N": blocks}, F=_tails(table_of), G=middle, X=first, Y=second, theta=theta,
        R=lower_pair, B=upper_pair, u=Table(found, (0,)), U=upper, L=lower, V=vertices, mu=steps, c=least,
        y=Table(means, (0,)), z=at_vertices, rho=shares,
    )  # fmt: skip


def _blocks(shares: list[list[Fraction]], numbers: Row) -> tuple[list[Fraction], list[list[Fraction]]]:
    """y_0, ..., y_N and z, from the last block back: z_b exceeds y_b by squares, y_{b-1} is its mean."""
    means = [numbers[0]]
    at_vertices: list[list[Fraction]] = []
    for block, row in enumerate(reversed(shares)):
        values_there = [means[0] + numbers[(block + 2 * r) % len(numbers)] ** 2 for r in range(len(row))]
        at_vertices.insert(0, values_there)
        means.insert(0, sum(map(mul, row, values_there), Fraction(0)))
    return means, at_vertices


def _tails_of_products(upper: Kernel, vertices: list[Kernel], lower: Kernel) -> list[Fraction]:
    """The tails of upper * vertex * lower, all of which bound c."""
    return [x for v in vertices for row in _tails(_times(upper, _times(v, lower))) for x in row[:-1]]


def _times(first: Kernel, second: Kernel) -> Kernel:
    columns = list(zip(*second, strict=True))
    return tuple(tuple(sum(map(mul, row, column), Fraction(0)) for column in columns) for row in first)


def _tails(rows: Kernel) -> list[list[Fraction]]:
    """F(i, k) for k = 1, ..., n + 1."""
    return [[*row, Fraction(0)] for row in tails(rows)]


def _map_kernel(positions: int, reads: list[int]) -> Kernel:
    """The kernel of zeros and ones in which row i reads the given position, or its own where that is later."""
    chosen = [min(i, reads[i % len(reads)]) for i in range(positions)]
    return tuple(tuple(Fraction(j == at) for j in range(positions)) for at in chosen)


_one, _first, _dip = kernel([1], [0, 1]), kernel([1], [1, 0]), kernel([1], [0, 1], [1, 0, 0])
_tilted: Entries = ((1, 0), (2, -1))
_plain: dict[str, Entries] = {
    "F": _tails(_first), "G": _first, "X": _first, "Y": _first, "theta": Fraction(1, 2), "R": _first, "u": (0, 1),
    "B": _one, "U": _one, "L": _one, "V": [_one], "mu": [1], "c": 0, "rho": [[1]], "z": [[0]],
}  # fmt: skip


def _case(positions: int = 2, **changed: Entries) -> Case:
    values: dict[str, Any] = {"y": (0, 0), **_plain, **changed}
    starting = {name: Table(values[name], (0,)) for name in ("u", "y")}
    return Case.of(positions, {"m": 1, "N": 1}, **{**values, **starting})


def _three(**changed: Entries) -> Case:
    """The same at n = 3."""
    one, first = kernel([1], [0, 1], [0, 0, 1]), kernel([1], [1, 0], [1, 0, 0])
    larger: dict[str, Entries] = {
        "B": one, "F": _tails(first), "G": first, "X": first, "Y": first, "R": first, "U": one, "L": one, "V": [one]
    }  # fmt: skip
    return _case(3, **{**larger, **changed})


needed = (
    Needed("tails", _case(F=((2, 0, 0), (1, 0, 0))), "F(1, 1) = 2: row 1 sums to 2"),
    Needed("rising", _three(F=_tails(_dip)), "row 2 reads token 2, row 3 reads token 1"),
    Needed("kernel", _case(R=((2, 0), (1, 0))), "a row that sums to 2"),
    Needed("monotone", _three(R=_dip), "row 2 reads token 2, row 3 reads token 1"),
    Needed("levels", _case(u=(0, Fraction(1, 2))), "the last level is 1/2: the mean of the maps is R / 2"),
    Needed("covered", _case(R=kernel([1], [Fraction(1, 2), Fraction(1, 2)])), "levels 0 and 1 do not see the tail 1/2"),
    Needed("upper kernel", _case(B=((2, 0), (1, 0))), "a row that sums to 2: the mean of the maps has 1"),
    Needed(
        "upper covered",
        _case(B=kernel([1], [Fraction(1, 2), Fraction(1, 2)])),
        "levels 0 and 1 do not see the tail 1/2",
    ),
    Needed("ordered", _case(R=_one, B=_first), "the identity above everything on token 1"),
    Needed(
        "zeros and ones",
        _case(G=kernel([1], [Fraction(1, 2), Fraction(1, 2)]), X=_one, Y=_first),
        "half of the identity and half of everything on token 1",
    ),
    Needed("first", _case(X=_tilted, Y=_one), "X = (2, -1), Y = (0, 1)"),
    Needed("second", _case(X=_one, Y=_tilted), "X = (0, 1), Y = (2, -1)"),
    Needed("share", _case(X=_one, theta=1), "theta = 1: X plays no part"),
    Needed("mixture of two", _case(X=_one), "X is not G"),
    Needed("weights", _case(mu=[-2], c=-1), "a weight -2"),
    Needed("at vertices", _case(c=2, y=(0, 0)), "a bound 2 that the vertex does not keep"),
    Needed("block weights", _case(rho=[[-1]], z=[[1]], y=(-1, 0)), "a weight -1: y_0 = -1 is below y_1 = 0"),
    Needed("affine in each block", _case(y=(-1, 0)), "y_0 = -1 is not the value 0 at the vertex"),
    Needed("least vertex chosen", _case(y=(0, 1)), "y_1 = 1 is above the value 0 at the vertex"),
)

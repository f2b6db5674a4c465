"""Cases of second moments of prefix kernels: heads that share their weights or not, gates that correlate in any way."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.case import Case, Entries, Table
from proofs.cases.moment_recursions import (
    Matrix,
    Row,
    after_attention,
    after_mlp,
    few_sizes,
    first_moments,
    numbers,
    sizes_of,
    uncorrelated,
)
from proofs.draws import for_each

__all__ = ["COUNTEREXAMPLES", "envelope_moments"]

Number = Fraction | int


def envelope_moments() -> SearchStrategy[Case]:
    """Heads that share their weights mostly, gates that correlate in any way."""

    def draw(size: tuple[int, int, int]) -> SearchStrategy[Case]:
        positions, depth, heads = size
        cells = depth * (2 * heads * positions + heads + 1 + positions * positions)
        return st.tuples(numbers(cells), st.sampled_from((True, True, False))).map(lambda d: _drawn(*size, *d))

    return for_each(few_sizes(), draw)


def _drawn(size: int, depth: int, heads: int, drawn: Row, shared: bool) -> Case:
    left = iter(sizes_of(drawn))

    def row(count: int) -> list[Fraction]:
        return [next(left) for _ in range(count)]

    def correlation() -> list[list[Fraction]]:
        return [[Fraction(1) if i == j else x for j, x in enumerate(row(size))] for i in range(size)]

    rows = [[row(size) for _ in range(heads)] for _ in range(depth)]
    weights = [[row(size) for _ in range(heads)] for _ in range(depth)]
    if shared and depth:
        weights = [[weights[0][0]] * heads] * depth
    squares = [x * x for x in weights[0][0]] if depth else [Fraction(1)] * size
    kappa = [correlation() for _ in range(depth)]
    return _case(size, rows, weights, [row(heads) for _ in range(depth)], row(depth), kappa, y=squares)


def _case(
    size: int, rows: Sequence[Matrix], weights: Sequence[Matrix], moments: Matrix, gates: Row,
    kappa: Sequence[Matrix], **changed: Entries,
) -> Case:  # fmt: skip
    """The case with G by the recursion."""
    places = range(size)
    kernels = [
        [[[b[i] * v[j] * (j <= i) for j in places] for i in places] for b, v in zip(*layer, strict=True)]
        for layer in zip(rows, weights, strict=True)
    ]
    moved = [first_moments(size)]
    for layer, second, gate, correlation in zip(kernels, moments, gates, kappa, strict=True):
        met = after_mlp(moved[-1], [[1 + gate * x for x in row] for row in correlation])
        moved.append(after_attention(met, layer, uncorrelated(second)))
    tables: dict[str, Entries] = {
        "G": moved, "alpha": kernels, "nu": moments, "beta": rows, "w": weights, "eta": gates, "kappa": kappa, **changed
    }  # fmt: skip
    indices = {"T": len(moments), "H": len(moments[0]) if moments else 1}
    return Case.of(size, indices, **{x: Table(e, (0,)) if x == "G" else e for x, e in tables.items()})


def _one(gate: Number = 1, **changed: Entries) -> Case:
    """One position, one step: G goes from 1 to (1 + gate) 2."""
    return _case(1, [[[1]]], [[[1]]], [[1]], [gate], [[[1]]], **{"y": [1], **changed})


def _two(last: Row, weights: Row = (1, 1), gate: Number = 0, correlation: Number = 1) -> Case:
    """Two positions: a step without gates, then one with the rows ``last``."""
    kappa = ((1, correlation), (correlation, 1))
    return _case(2, [[(1, 1)], [last]], [[weights], [(1, 1)]], [[1]] * 2, [0, gate], [kappa] * 2, y=[1, 1])


def _three(weights: Row, first: Number) -> Case:
    """Three positions: a step of attention, then gates alone, of which the first token's is ``first``."""
    ones: Matrix = [[1] * 3] * 3
    kappa: Matrix = [[first, 1, 1], [1, 1, 1], [1, 1, 1]]
    return _case(3, [[(1, 1, 1)]] * 2, [[weights]] * 2, [[1], [0]], [0, 1], [ones, kappa], y=[1, 1, 1])


_minus = _case(1, [[[1]]] * 2, [[[1]]] * 2, [[-2], [1]], [0, 0], [[[1]]] * 2, y=[1])
COUNTEREXAMPLES: tuple[tuple[str, Case, str], ...] = (
    ("start", _one(G=[[[-1]], [[-4]]]), "G starts at -1"),
    ("recursion", _one(G=[[[1]], [[1]]]), "G stays 1"),
    ("prefix kernels", _one(alpha=[[[[2]]]], G=[[[1]], [[10]]]), "alpha = 2 where beta w = 1"),
    ("moments", _minus, "s^2 = -2: G goes to -1"),
    ("rows", _two((-3, 1)), "row 1 reads with the factor -3"),
    ("weights", _two((3, 1), weights=(-1, 1)), "w = (-1, 1): token 1 gets what token 2 does, with a minus"),
    ("gates", _one(-2), "m^2 = -2"),
    ("correlations", _two((3, 1), gate=1, correlation=-5), "kappa(1, 2) = -5"),
    ("own gate", _three((1, 1, 1), 0), "an MLP that passes over token 1"),
    ("one family", _three((1, 2, 1), 1), "w = (1, 2, 1) where y = (1, 1, 1)"),
)

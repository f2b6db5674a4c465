"""Cases for layers that share one kernel (D5)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import mixing_pairs, prefix_weights
from proofs.case import Case
from proofs.draws import families, for_each, sizes_within

__all__ = ["one_kernel_cases"]

Row = tuple[Fraction, ...]


def one_kernel_cases() -> SearchStrategy[Case]:
    """Any kernel, scores with zeros, weights; coefficients and contents in order, for every layer and token."""

    def draw(drawn: tuple[tuple[int, int], int]) -> SearchStrategy[Case]:
        (positions, depth), above = drawn
        rows = depth + 1  # those of the layers and that of the new layer
        parts = st.tuples(
            families(positions, 2 + above), mixing_pairs(positions * rows), prefix_weights(positions * 2 * (rows + 1))
        )
        return parts.map(lambda d: _case_from(positions, depth, d))

    return for_each(st.tuples(sizes_within(4, 2), st.integers(0, 1)), draw)


def _case_from(positions: int, depth: int, d: tuple[Any, ...]) -> Case:
    (shared, values, *above), coefficients, positive_values = d
    low, high = (_rows(side, positions) for side in coefficients)
    weights, (new, _), *contents = _pairs(_rows(positive_values, positions))
    return Case.of(
        positions, {"T": depth, "u": len(above)}, K=shared, A=[shared] * depth, kappa=low[1:], nu=high[1:], mu=low[0],
        Q=above, w=weights[0], s=[[x + (i == j) for j, x in enumerate(row)] for i, row in enumerate(values)], y=new,
        X=[x for x, _ in contents], Y=[y for _, y in contents],
    )  # fmt: skip


def _rows(values: Row, positions: int) -> list[Row]:
    return [values[at : at + positions] for at in range(0, len(values), positions)]


def _pairs(rows: list[Row]) -> list[tuple[Row, Row]]:
    """Two rows at a time, the smaller and the larger of their entries."""
    both = [list(zip(x, y, strict=True)) for x, y in zip(rows[::2], rows[1::2], strict=True)]
    return [(tuple(map(min, pairs)), tuple(map(max, pairs))) for pairs in both]

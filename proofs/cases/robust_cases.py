"""Cases for kernels that are monotone up to a defect (D8)."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import mixing, mixing_pairs, monotone_kernels
from proofs.case import Case
from proofs.draws import families, for_each, sizes_within

__all__ = ["largest_fall", "robust_cases"]

Kernel = tuple[tuple[Fraction, ...], ...]


def largest_fall(kernel: Kernel) -> Fraction:
    """The defect of a kernel: the largest F(i, k) - F(m, k) for i <= m."""
    tails = [tuple(accumulate(reversed(row))) for row in kernel]
    return max(
        a - b for at, upper in enumerate(tails) for lower in tails[at:] for a, b in zip(upper, lower, strict=True)
    )


def robust_cases() -> SearchStrategy[Case]:
    """Any kernels with their defects, or a little more; a monotone lower kernel in half of the cases."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, depth = size
        parts = st.tuples(
            families(positions, depth + 5),
            monotone_kernels(positions),
            mixing_pairs(depth + 1),
            mixing(2),
            st.booleans(),
        )
        return parts.map(lambda d: _case_from(positions, depth, d))

    return for_each(sizes_within(4), draw)


def _case_from(positions: int, depth: int, d: tuple[Any, ...]) -> Case:
    (first, second, third, fourth, inserted, *layers), risen, (low, high), slack, monotone = d
    upper, lower = _unmasked(first, second), risen if monotone else _unmasked(third, fourth)
    more = min(slack) / 4
    return Case.of(
        positions, {"T": depth}, lambda_=low, mu=high, A=[*layers, inserted][: depth + 1],
        eta=[min(Fraction(1), largest_fall(kernel) + more) for kernel in layers],
        delta=[_off_diagonal(kernel) + more for kernel in layers],
        R=upper, P=lower, N=inserted, x=largest_fall(upper) + more, y=min(Fraction(1), largest_fall(lower) + more),
        d=_off_diagonal(inserted) + more,
    )  # fmt: skip


def _off_diagonal(kernel: Kernel) -> Fraction:
    return max(1 - row[i] for i, row in enumerate(kernel))


def _unmasked(rows: Kernel, other: Kernel) -> Kernel:
    """A kernel that reads the future: every second row is that of another kernel, reversed."""
    return tuple(row if i % 2 == 0 else other[-1 - i][::-1] for i, row in enumerate(rows))

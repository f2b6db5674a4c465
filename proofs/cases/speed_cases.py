"""Cases for statements on speed: rates that the kernels of a case have exactly, or with room to spare.

J(i) / (i - 1) is what row i goes back in the mean, as a share of what there is; A_i1 what it reads of the first token.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import mixing as mixing_coefficients
from proofs.draws import Kernel, families, for_each, sizes_within

__all__ = ["at_least", "at_most", "first_share", "jump_share", "mean_jump", "own_loss", "stacks"]

Row = tuple[Fraction, ...]
ONE = Fraction(1)


def mean_jump(kernel: Kernel, row: int) -> Fraction:
    """J(i) = sum_j (i - j) A_ij."""
    return sum(((row - j) * x for j, x in enumerate(kernel[row - 1], start=1)), Fraction(0))


def jump_share(kernel: Kernel, row: int) -> Fraction:
    """J(i) / (i - 1), for i >= 2."""
    return mean_jump(kernel, row) / (row - 1)


def first_share(kernel: Kernel, row: int) -> Fraction:
    """A_i1."""
    return kernel[row - 1][0]


def own_loss(kernel: Kernel, row: int) -> Fraction:
    """1 - A_ii."""
    return 1 - kernel[row - 1][row - 1]


Share = Callable[[Kernel, int], Fraction]


def at_least(share: Share, kernels: Sequence[Kernel], row: int, room: Fraction) -> list[Fraction]:
    """For each layer the smallest share of rows 2, ..., r, less ``room``."""
    return [min(share(kernel, i) for i in range(2, row + 1)) - room for kernel in kernels]


def at_most(share: Share, kernels: Sequence[Kernel], row: int, room: Fraction) -> list[Fraction]:
    """For each layer the largest share of rows 2, ..., r and ``room`` of what it lacks to 1."""
    most = [max(share(kernel, i) for i in range(2, row + 1)) for kernel in kernels]
    return [x + room * (ONE - x) for x in most]


_rooms = st.sampled_from([Fraction(0), Fraction(0), Fraction(1, 4), Fraction(1, 2)])


def stacks(*more: Callable[[int], SearchStrategy[Any]]) -> SearchStrategy[tuple[Any, ...]]:
    """n, coefficients at both ends and between, a kernel for each layer, a row r >= 2, room for the rates, and what
    else is drawn for n positions.
    """

    def draw(size: tuple[int, int]) -> SearchStrategy[tuple[Any, ...]]:
        positions, depth = max(size[0], 2), size[1]
        drawn = mixing_coefficients(depth), families(positions, depth), st.integers(2, positions)
        return st.tuples(st.just(positions), *drawn, _rooms, *(also(positions) for also in more))

    return for_each(sizes_within(), draw)

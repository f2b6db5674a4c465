"""Hypothesis strategies for whole cases: exact kernels and coefficients from numeric.strategies, put under a claim's
names.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from functools import cache
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import kernel_families, mixing, ordered_pairs, sizes

__all__ = [
    "MAX_LAYERS",
    "MAX_POSITIONS",
    "families",
    "for_each",
    "kernel_pairs",
    "kernels_leaving",
    "score_values",
    "sizes_at_most",
    "sizes_within",
    "values",
]

MAX_POSITIONS = 5
MAX_LAYERS = 3

Row = tuple[Fraction, ...]
Kernel = tuple[Row, ...]
Size = TypeVar("Size", bound=Hashable)
Drawn = TypeVar("Drawn")


_LARGEST: ContextVar[tuple[int, int]] = ContextVar("largest", default=(MAX_POSITIONS + 4, MAX_LAYERS))


@contextmanager
def sizes_at_most(positions: int, layers: int) -> Iterator[None]:
    """Inside, no case has more positions or layers: what a quick check draws."""
    before = _LARGEST.set((positions, layers))
    try:
        yield
    finally:
        _LARGEST.reset(before)


def sizes_within(max_n: int = MAX_POSITIONS, max_layers: int = MAX_LAYERS) -> SearchStrategy[tuple[int, int]]:
    """(n, T), at least half of them with n >= 4 and T >= 2."""
    positions, layers = _LARGEST.get()
    return sizes(min(max_n, positions), min(max_layers, layers))


def for_each(sizes: SearchStrategy[Size], draw: Callable[[Size], SearchStrategy[Drawn]]) -> SearchStrategy[Drawn]:
    """What is drawn for a drawn size, by one strategy for each size: making and checking strategies takes longer than
    drawing from them.
    """
    return sizes.flatmap(cache(draw))


def families(n: int, layers: int, *, monotone: bool = False) -> SearchStrategy[tuple[Kernel, ...]]:
    """A kernel for each layer."""
    return kernel_families(n, layers, monotone=monotone)


def kernel_pairs(n: int, layers: int) -> SearchStrategy[tuple[tuple[Kernel, Kernel, Fraction], ...]]:
    """For each layer R ≼ S and c with (1 - c) R + c S monotone; the last layer needs none."""
    lower = ordered_pairs(n, "lower").map(lambda pair: (*pair, Fraction(0)))
    upper = ordered_pairs(n, "upper").map(lambda pair: (*pair, Fraction(1)))
    both = st.tuples(ordered_pairs(n, "both"), st.sampled_from([Fraction(1, 3), Fraction(1, 2)])).map(
        lambda drawn: (*drawn[0], drawn[1])
    )
    neither = ordered_pairs(n, "neither").map(lambda pair: (*pair, Fraction(1, 2)))
    below = [st.one_of(lower, upper, both)] * max(layers - 1, 0)
    return st.tuples(*below, *([neither] if layers else []))


def kernels_leaving(n: int, layers: int) -> SearchStrategy[tuple[Fraction, tuple[Kernel, ...]]]:
    """epsilon and a kernel for each layer: every row but the first puts epsilon, or in half of the draws at least
    epsilon, off the diagonal.
    """

    def spread(kernel: Kernel, share: Fraction) -> Kernel:
        rest = (
            tuple(share * x + (j == i) * (1 - share) for j, x in enumerate(row))
            for i, row in enumerate(kernel[:-1], start=1)  # spread as the row before of the drawn kernel is
        )
        return kernel[0], *rest

    def leaving(drawn: tuple[tuple[Kernel, ...], Row, bool]) -> tuple[Fraction, tuple[Kernel, ...]]:
        kernels, shares, exactly = drawn
        least = min(shares)
        return least, tuple(
            spread(kernel, least if exactly else share) for kernel, share in zip(kernels, shares[1:], strict=True)
        )

    return st.tuples(families(n, layers), mixing(layers + 1), st.booleans()).map(leaving)


def score_values(n: int) -> SearchStrategy[Kernel]:
    """Scores up to the diagonal, zeros inside possible, positive on it, zero beyond."""
    cells = st.lists(st.integers(0, 4), min_size=n * n, max_size=n * n)

    def rows(drawn: list[int]) -> Kernel:
        return tuple(tuple(Fraction(drawn[i * n + j] + (i == j) if j <= i else 0) for j in range(n)) for i in range(n))

    return cells.map(rows)


def values(length: int) -> SearchStrategy[tuple[Fraction, ...]]:
    """Small rationals of either sign."""
    cells = st.tuples(st.integers(1, 3), st.lists(st.integers(-6, 6), min_size=length, max_size=length))
    return cells.map(lambda drawn: tuple(Fraction(x, drawn[0]) for x in drawn[1]))

"""Stacks of 400 layers for claims on finite depth: kernels drawn from a pool, in random order, in exact rationals.

Entries are quarters, so that the numbers of a rollout grow by two bits a layer.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from random import Random

from proofs.case import Entries

__all__ = ["DEPTH", "deep_kernels", "room_for_depth"]

DEPTH = 400
_POOL = 12
_FRAMES = 50  # what a recursive operator may take per layer


def deep_kernels(n: int, least: int, random: Random) -> list[Entries]:
    """400 causal kernels on n positions; every row from the second on gives ``least`` quarters or more to earlier
    tokens."""
    pool = [[_row(n, i, least, random) for i in range(n)] for _ in range(_POOL)]
    return [random.choice(pool) for _ in range(DEPTH)]


def _row(n: int, i: int, least: int, random: Random) -> list[Fraction]:
    away = random.randint(least, 4) if i else 0
    quarters = [0] * n
    for _ in range(away):
        quarters[random.randrange(i)] += 1
    quarters[i] += 4 - away
    return [Fraction(q, 4) for q in quarters]


@contextmanager
def room_for_depth() -> Iterator[None]:
    """The evaluator goes down the layers by recursion, deeper than Python allows by itself."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, DEPTH * _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)

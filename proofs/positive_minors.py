"""Is a kernel from a file totally positive of order 2, as D6 asks?  A_il A_kj <= A_ij A_kl for i < k, j < l.

Where all A_ij with j <= i are positive, adjacent rows and columns suffice: the ratios A_kj / A_ij rise in j.  Where
some are 0, all pairs are tried.  Exact here: every minor, on the numbers as the file gives them.
Three-valued: a minor that fails by no more than the rounding of its four numbers explains is undecided, and so
are kernels of more than 1024 positions, or with zeros of more than 48.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise

from proofs.kernel_file import Layer

__all__ = ["totally_positive"]

MOST, MOST_WITH_ZEROS = 1024, 48
Row = list[int]
Minor = tuple[int, int, int, int]


def totally_positive(layer: Layer) -> bool | None:
    """True, False, or None where rounding or the size leaves it open."""
    if layer.size > MOST:
        return None
    rows = [[int(x) for x in layer.row(i)] for i in range(layer.size)]
    answer: bool | None = True
    if all(x > 0 for row in rows for x in row):
        minors = _adjacent(rows)
    elif layer.size <= MOST_WITH_ZEROS:
        minors = _all(rows)
    else:
        minors, answer = _adjacent(rows), None
    for minor in minors:
        a, b, c, d = minor
        if b * c > a * d:
            if not _explained(minor, layer):
                return False
            answer = None
    return answer


def _adjacent(rows: list[Row]) -> Iterator[Minor]:
    for i, (upper, lower) in enumerate(pairwise(rows)):
        for j in range(i):
            yield upper[j], upper[j + 1], lower[j], lower[j + 1]


def _all(rows: list[Row]) -> Iterator[Minor]:
    """Columns behind the upper row's diagonal hold 0 there, so the minor is at least 0."""
    for (i, upper), (_, lower) in combinations(enumerate(rows), 2):
        for j, k in combinations(range(i + 1), 2):
            yield upper[j], upper[k], lower[j], lower[k]


def _explained(minor: Minor, layer: Layer) -> bool:
    """Whether a d - b c may be 0 or more for the numbers that these stand for.

    Each is off by absolute + relative x, and once more relative x for every halving of 1 on the way to x: the logit of
    a softmax entry is rounded too, and it is as large as that many ln 2.
    """
    a, b, c, d = minor
    most = [Fraction(x) * (1 + _relative(x, layer)) + layer.absolute * layer.scale for x in (a, d)]
    least = [Fraction(x) * (1 - _relative(x, layer)) - layer.absolute * layer.scale for x in (b, c)]
    return max(least[0], Fraction(0)) * max(least[1], Fraction(0)) <= most[0] * most[1]


def _relative(x: int, layer: Layer) -> Fraction:
    return layer.relative * (1 + layer.scale.bit_length() - x.bit_length())

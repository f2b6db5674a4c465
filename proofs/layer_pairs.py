"""In which order the layers of a file are local: A_s A_t ≼ A_t A_s for every s < t, or ≽, as D7 asks.

    rising    later layers are the more local: of all orders this one is the most recent
    falling   later layers are the less local: of all orders this one is the most primacy-heavy

Exact here: every tail of both products, in integers, on the numbers as the file gives them.  Three-valued: a tail that
is out of order by no more than rounding explains (four roundings and the row-sum defect of either factor) is undecided,
and so are stacks of more than 12 layers or 64 positions.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numeric.order import tails
from numeric.three_valued import all_of
from proofs.kernel_file import KernelFile, Layer

__all__ = ["order_of_layers"]

MOST_LAYERS, MOST_POSITIONS = 12, 64
Answer = bool | None


def order_of_layers(file: KernelFile, defect: Fraction) -> tuple[Answer, Answer]:
    """Whether the layers are rising, and whether falling.  defect: how far a row sum is from 1, at most."""
    if file.count < 2 or file.size == 1:
        return True, True
    if file.count > MOST_LAYERS or file.size > MOST_POSITIONS:  # before the layers are read
        return None, None
    found = [_pair(first, second, defect) for first, second in combinations(file.layers(), 2)]
    return all_of([rising for rising, _ in found]), all_of([falling for _, falling in found])


def _pair(first: Layer, second: Layer, defect: Fraction) -> tuple[Answer, Answer]:
    """Of s < t: whether A_s A_t ≼ A_t A_s, and whether ≽."""
    a, b = _integers(first), _integers(second)
    gap = (tails(b.dot(a)) - tails(a.dot(b)))[:, 1:]
    scale = first.scale * second.scale
    size = first.size
    slack = 4 * defect + sum(4 * x.relative + 2 * size * x.absolute for x in (first, second))
    return _sign(min(gap.flat), scale, slack), _sign(-max(gap.flat), scale, slack)


def _sign(least: int, scale: int, slack: Fraction) -> Answer:
    if least >= 0:
        return True
    return None if Fraction(-least, scale) <= slack else False


def _integers(layer: Layer) -> NDArray[Any]:
    whole = np.zeros((layer.size, layer.size), dtype=object)
    for i in range(layer.size):
        whole[i, : i + 1] = layer.row(i)
    return whole

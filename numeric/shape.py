"""The shape of a profile: flat, primacy, recency, U or other, in this precedence (theory U4; arXiv:2602.16837).

flat: all equal. primacy: nonincreasing. recency: nondecreasing. U: nonincreasing down to a valley and nondecreasing
after it, both strictly somewhere. other: anything else. Exact here: the label, which compares the numbers as given with
no tolerance. Numeric here: the mean position and the effective depth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from numeric.refuse import flag, refusal, several, vector
from numeric.schedule import Mixing, as_schedule

__all__ = ["Shape", "Valley", "effective_depth", "shape"]

LABELS = ("flat", "primacy", "recency", "U", "other")


class Valley(NamedTuple):
    """The first position (counted from 0) of the smallest value, and that value."""

    position: int
    value: float


@dataclass(frozen=True)
class Shape:
    """What a profile looks like.

    label : one of flat, primacy, recency, U, other. valley : where the smallest value is. spike : p_n, the mass of the
    last position. mean_position : Σ_j j p_j / Σ_j p_j, j counted from 0.
    """

    label: str
    valley: Valley
    spike: float
    mean_position: float

    def __post_init__(self) -> None:
        if self.label not in LABELS:
            raise refusal("label", f"be one of {', '.join(LABELS)}", self.label)


def shape(p: ArrayLike) -> Shape:
    """The shape of a profile p : (n,), nonnegative with a positive sum. n = 1 is flat.

    >>> shape([0.5, 0.125, 0.125, 0.25])
    Shape(label='U', valley=Valley(position=1, value=0.125), spike=0.25, mean_position=1.125)
    """
    values = vector(p, "p")
    if (values < 0).any():
        at = int(np.argmax(values < 0))
        raise refusal("p", "be nonnegative", values[at], f"entry {at + 1}, counted from 1")
    top = values.max()
    if top == 0:
        raise refusal("p", "have a positive sum", 0.0)
    low = int(np.argmin(values))
    relative = values / top  # so that neither sum overflows
    mean = float(relative @ np.arange(values.size)) / float(relative.sum())
    return Shape(_label(values.tolist()), Valley(low, float(values[low])), float(values[-1]), mean)


def _label(p: list[float]) -> str:
    falls = [x > y for x, y in pairwise(p)]
    rises = [x < y for x, y in pairwise(p)]
    if not any(rises):
        return "primacy" if any(falls) else "flat"
    if not any(falls):
        return "recency"
    last_fall = max(i for i, fall in enumerate(falls) if fall)
    return "U" if last_fall < rises.index(True) else "other"


def effective_depth(lam: Mixing, *, layers: int | None = None) -> float:
    """S = Σ_t λ_t. lam : (T,) numbers in [0, 1], or a number or schedule with ``layers`` given.

    >>> effective_depth([0.5, 0.25]), effective_depth(0.5, layers=24)
    (0.75, 12.0)
    """
    if layers is None:
        if not several(lam):
            raise flag("layers", "be given when lam is one number or a schedule", "left out")
        layers = len(lam)  # type: ignore[arg-type]
    return math.fsum(as_schedule(lam).values(layers))

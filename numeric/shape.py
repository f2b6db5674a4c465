"""The shape of a profile: flat, primacy, recency, U or other, in this precedence (U4; arXiv:2602.16837).

flat: all equal. primacy: nonincreasing. recency: nondecreasing. U: nonincreasing down to a valley and nondecreasing
after it, both strictly somewhere. other: anything else. undecided: the numbers are known too little to tell, and no
guess is made; `shape` never says so, since it takes the numbers as given.

Exact here: label and valley, by comparisons without tolerance; of numbers that are enclosed (balls, floats with a
proven error) each comparison is certain or left open. Numeric here, for floats: mean position, shares, effective depth.
What made the profile, see `numeric.description`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numeric.refuse import flag, refusal, several, vector
from numeric.schedule import Mixing, as_schedule

__all__ = [
    "Shape",
    "Sign",
    "Valley",
    "effective_depth",
    "exact_sign",
    "label_of",
    "shape",
    "shape_of_array",
    "shape_of_numbers",
]

Value = Any  # float, Fraction, or flint's fmpq and arb, which have no types
Sign = Callable[[Value, Value], int | None]

LABELS = ("flat", "primacy", "recency", "U", "other", "undecided")
_AFTER_FALL = {"flat": "primacy", "primacy": "primacy", "recency": "other", "U": "other", "other": "other"}
_AFTER_RISE = {"flat": "recency", "primacy": "U", "recency": "recency", "U": "U", "other": "other"}


class Valley(NamedTuple):
    """The smallest value: its first position, itself, and how far it lies below the lower end, min(p_1, p_n) − min p.

    position : counted from 0; None where the numbers are known too little to tell. depth : ≥ 0, and 0 exactly where
    the smallest value is at an end; in the unit of p.
    """

    position: int | None
    value: Value
    depth: Value


@dataclass(frozen=True)
class Shape:
    """What a profile looks like; numbers are floats, Fractions or balls, as the profile's.

    label : one of flat, primacy, recency, U, other, undecided. valley : where the smallest value is. spike : p_n, the
    mass of the last position. mean_position : Σ_j j p_j / Σ_j p_j, j counted from 0. first_tenth, last_tenth : the
    shares of the first and of the last ⌈n/10⌉ positions in Σ_j p_j.
    """

    label: str
    valley: Valley
    spike: Value
    mean_position: Value
    first_tenth: Value
    last_tenth: Value

    def __post_init__(self) -> None:
        if self.label not in LABELS:
            raise refusal("label", f"be one of {', '.join(LABELS)}", self.label)


def shape(p: ArrayLike) -> Shape:
    """The shape of a profile p : (n,), nonnegative with a positive sum, as the float64 numbers it holds. n = 1 is flat.

    >>> shape([0.5, 0.125, 0.125, 0.25])  # doctest: +NORMALIZE_WHITESPACE
    Shape(label='U', valley=Valley(position=1, value=0.125, depth=0.125), spike=0.25, mean_position=1.125,
          first_tenth=0.5, last_tenth=0.25)
    """
    values = vector(p, "p")
    if (values < 0).any():
        at = int(np.argmax(values < 0))
        raise refusal("p", "be nonnegative", values[at], f"entry {at + 1}, counted from 1")
    if values.max() == 0:
        raise refusal("p", "have a positive sum", 0.0)
    return shape_of_array(values, exact_sign)


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


# --- numbers of every kind ------------------------------------------------------------------------------------------


def exact_sign(x: Value, y: Value) -> int:
    """The sign of x − y: −1, 0 or 1; for numbers, not for balls."""
    return int(x > y) - int(x < y)


def shape_of_array(p: NDArray[np.float64], sign: Sign) -> Shape:
    """The shape of p : (n,) float64 ≥ 0 with a positive sum; ``sign`` compares entries, None where it cannot."""
    values, ends = p.tolist(), -(-p.size // 10)
    relative = p / p.max()  # so that no sum overflows
    total = float(relative.sum())
    mean = float(relative @ np.arange(p.size)) / total
    first, last = float(relative[:ends].sum()) / total, float(relative[-ends:].sum()) / total
    return Shape(label_of(values, sign), _valley(values, sign, min, 0.0), values[-1], mean, first, last)


def shape_of_numbers(p: Sequence[Value], sign: Sign, least: Callable[[Value, Value], Value], zero: Value) -> Shape:
    """The same for rationals or balls p ≥ 0; ``least`` is min(x, y), ``zero`` 0 as a number of their kind."""
    ends = -(-len(p) // 10)
    total = sum(p, zero)
    mean = sum((j * x for j, x in enumerate(p)), zero) / total
    first, last = sum(p[:ends], zero) / total, sum(p[-ends:], zero) / total
    return Shape(label_of(p, sign), _valley(p, sign, least, zero), p[-1], mean, first, last)


def label_of(p: Sequence[Value], sign: Sign) -> str:
    """The label, or undecided where comparisons that are left open admit more than one."""
    labels = {"flat"}
    for x, y in pairwise(p):
        step = sign(x, y)
        if step is None:  # it may fall, rise, or do neither
            labels |= {after[label] for after in (_AFTER_FALL, _AFTER_RISE) for label in labels}
        elif step:
            labels = {(_AFTER_FALL if step > 0 else _AFTER_RISE)[label] for label in labels}
    return labels.pop() if len(labels) == 1 else "undecided"


def _valley(p: Sequence[Value], sign: Sign, least: Callable[[Value, Value], Value], zero: Value) -> Valley:
    low = 0
    for j, x in enumerate(p):
        # of entries that cannot be told apart any one will do: the next lines refuse it
        if sign(p[low], x) == 1:
            low = j
    signs = [sign(x, p[low]) for x in p]
    known = all(s == 1 for s in signs[:low]) and all(s in (0, 1) for s in signs[low + 1 :])
    value = p[low] if known else reduce(least, p)
    if known and low in (0, len(p) - 1):
        return Valley(low, value, zero)
    return Valley(low if known else None, value, least(p[0], p[-1]) - value)

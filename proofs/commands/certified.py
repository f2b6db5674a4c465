"""What ``--certified`` says: the proven error bound of every entry, and what follows for mean position and distance.

Text shows the ends of intervals with all their digits, JSON holds the same numbers: float64, rounded outward.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numeric.description import Description
    from numeric.speed import Bounds

__all__ = [
    "Certified",
    "certified_distance_json",
    "certified_distance_text",
    "certified_json",
    "certified_rows",
    "certify",
]


@dataclass(frozen=True)
class Certified:
    """bound : (n,), of the profile's entries. mean_position : counted from 0. distance : W1 to what the profile is
    compared with, relative to n − 1, if there is such.
    """

    bound: Any
    mean_position: Bounds
    distance: Bounds | None


def certify(found: Description, influence: Any) -> Certified | None:
    """What the bounds of a certified description prove; None where none were asked for."""
    from numeric.within_bound import mean_position_within, wasserstein_within

    if found.bound is None:
        return None
    p, bound = found.profile, found.bound
    distance = None if influence is None else wasserstein_within(p, bound, influence, relative=True)
    return Certified(bound, mean_position_within(p, bound), distance)


def certified_json(proven: Certified) -> dict[str, Any]:
    """The bounds; positions from 1."""
    return {"bound": proven.bound.tolist(), "mean_position_interval": _from_one(proven.mean_position)}


def certified_distance_json(proven: Certified | None) -> dict[str, Any]:
    """The interval of the distance, for the object that holds the distance."""
    if proven is None or proven.distance is None:
        return {}
    return {"wasserstein_interval": [proven.distance.lo, proven.distance.hi]}


def certified_rows(proven: Certified) -> list[tuple[str, str]]:
    """The largest bound, and the mean position with all its digits."""
    low, high = _from_one(proven.mean_position)
    return [
        ("error bound", f"at most {_three_digits(float(proven.bound.max()))} in every entry, proven"),
        ("", f"mean position in [{low!r}, {high!r}]"),
    ]


def certified_distance_text(proven: Certified | None) -> str:
    """What is added to the distance."""
    if proven is None or proven.distance is None:
        return ""
    return f", proven in [{proven.distance.lo!r}, {proven.distance.hi!r}]"


def _three_digits(bound: float) -> str:
    """A bound in three digits, rounded up: a smaller number would not be one."""
    from decimal import ROUND_CEILING, Context

    return f"{Context(prec=3, rounding=ROUND_CEILING).create_decimal_from_float(bound):.2e}" if bound else "0"


def _from_one(mean: Bounds) -> list[float]:
    """An interval of positions counted from 0 as one counted from 1, outward."""
    from fractions import Fraction

    from numeric.outward import ceiling

    return [-ceiling(-Fraction(mean.lo) - 1), ceiling(Fraction(mean.hi) + 1)]

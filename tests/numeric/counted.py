"""Numbers that count roundings: run through the code of a row recursion, they tell the longest path there is."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["Counted", "counted"]


class Counted:
    """Some positive number after at most ``roundings`` roundings. 0 + x and 1 · x are exact, as in IEEE arithmetic."""

    def __init__(self, roundings: int) -> None:
        self.roundings = roundings

    def _added(self, other: Any) -> Counted:
        if not isinstance(other, Counted) and other == 0:
            return self
        return Counted(max(self.roundings, of(other)) + 1)

    def _times(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return other * self  # elementwise, from the other side
        if not isinstance(other, Counted) and other in (0, 1):
            return other and self
        return Counted(self.roundings + of(other) + 1)

    __add__ = __radd__ = _added
    __mul__ = __rmul__ = _times
    __sub__ = __rsub__ = _added  # only 1 − λ is ever subtracted, and counts as one rounding
    __truediv__ = _times

    def __rtruediv__(self, other: Any) -> Any:
        return Counted(self.roundings + of(other) + 1) if other != 0 else other


def of(value: Any) -> int:
    """The roundings in a number; one that is not counted is exact."""
    return value.roundings if isinstance(value, Counted) else 0


def counted(shape: tuple[int, ...], roundings: int) -> Any:
    """An array full of such numbers."""
    array = np.empty(shape, dtype=object)
    for at in np.ndindex(shape):
        array[at] = Counted(roundings)
    return array

"""Integers in decimal digits, however long."""

from __future__ import annotations

__all__ = ["decimal"]

LONG = 10**4000  # worked out once: a row has a million numbers


def decimal(value: int) -> str:
    """An integer in decimal digits; Python itself refuses to print more than 4,300 of them."""
    if -LONG < value < LONG:
        return str(value)
    from flint import fmpz

    return str(fmpz(value))

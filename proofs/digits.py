"""Integers in decimal digits, however long."""

from __future__ import annotations

__all__ = ["decimal"]


def decimal(value: int) -> str:
    """An integer in decimal digits; Python itself refuses to print more than 4,300 of them."""
    if abs(value) < 10**4000:
        return str(value)
    from flint import fmpz

    return str(fmpz(value))

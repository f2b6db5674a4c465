"""What the tables of the benchmarks have in common."""

from __future__ import annotations

__all__ = ["DISAGREE", "duration", "ratio", "size"]

DISAGREE = 1  # the exit code of a claim that failed


def ratio(times: float | None) -> str:
    """How many times quicker; - where the other was not timed.

    >>> ratio(1234.5), ratio(1.25), ratio(None)
    ('x1,234', 'x1.2', '-')
    """
    return "-" if times is None else f"x{times:,.0f}" if times >= 10 else f"x{times:.2g}"


def duration(seconds: float) -> str:
    """Seconds, or thousandths of one."""
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"


def size(bytes_: int) -> str:
    """Bytes in units of 2^20."""
    return f"{bytes_ / 2**20:.1f} MB"

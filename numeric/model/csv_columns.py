"""Columns of numbers as CSV, so that they read back bit for bit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

__all__ = ["csv_columns"]


def csv_columns(head: str, *columns: Iterable[Any], start: int = 0) -> bytes:
    """Rows that count from ``start`` under a line ``head``; a NaN is an empty cell.

    >>> csv_columns("layer,mean,error", [0.5, 0.25], [0.125, float("nan")], start=1)
    b'layer,mean,error\\n1,0.5,0.125\\n2,0.25,\\n'
    """
    rows = enumerate(zip(*(np.asarray(column).tolist() for column in columns), strict=True), start=start)
    lines = [",".join([str(at), *("" if x != x else repr(x) for x in row)]) for at, row in rows]
    return "\n".join([head, *lines, ""]).encode()

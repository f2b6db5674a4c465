"""Loops compiled by numba, the extra ``fast``; whoever imports this without it gets an ImportError."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

__all__ = ["compiled"]


def compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Compiled at its first call, and kept on the disk where a folder for that can be written."""
    try:
        return njit(cache=True, error_model="numpy", nogil=True, **options)(function)
    except RuntimeError:  # no folder can be written: compile in every process
        return njit(error_model="numpy", nogil=True, **options)(function)

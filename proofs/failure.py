"""Where a formula fails."""

from __future__ import annotations

from dataclasses import dataclass

from proofs.compiled import Value

__all__ = ["Failure"]


@dataclass(frozen=True)
class Failure:
    """Where a formula fails: the part of the conclusion, the indices, and both sides, or in words how a limit fails."""

    part: str
    at: tuple[tuple[str, int], ...]
    left: Value
    op: str
    right: Value
    words: str = ""

"""Yes, no, or undecided: True, False, None."""

from __future__ import annotations

from collections.abc import Collection

__all__ = ["all_of"]


def all_of(answers: Collection[bool | None]) -> bool | None:
    """The three-valued conjunction: False before undecided before True.

    >>> all_of([True, None]), all_of([None, False]), all_of([])
    (None, False, True)
    """
    if False in answers:
        return False
    return None if None in answers else True

"""Names from a closed list, and the nearest of them for one that is mistyped."""

from __future__ import annotations

from collections.abc import Iterable

from numeric.refuse import refusal

__all__ = ["near_names", "nearest", "one_of"]

_LEAST = 0.6  # of difflib's ratio
_LEAST_SHORT, _SHORT = 0.5, 3  # letters: a name with one of its two letters right is still near


def near_names(value: object, names: Iterable[str], most: int = 2) -> list[str]:
    """Those of ``names`` that ``value`` may have been meant to be, the nearest first, at most ``most`` of them.

    Capitals do not count: a name that differs by them alone is the only one.
    """
    import difflib

    known: dict[str, list[str]] = {}
    for name in names:
        known.setdefault(name.lower(), []).append(name)
    typed = str(value).lower()
    least = _LEAST_SHORT if len(typed) <= _SHORT else _LEAST
    near = [typed] if typed in known else difflib.get_close_matches(typed, known, n=most, cutoff=least)
    return [name for lowered in near for name in known[lowered]]


def nearest(value: object, names: Iterable[str], most: int = 2, place: str = "") -> str:
    """The nearest of ``names`` as the place of a refusal, after ``place`` if there is one; ``place`` if none is near.

    >>> nearest("unifrom", ["general", "uniform"]), nearest("i1", ["I1", "I2"]), nearest("x", ["general"])
    ('nearest: uniform', 'nearest: I1', '')
    """
    found = near_names(value, names, most)
    return "; ".join(filter(None, (place, f"nearest: {', '.join(found)}" if found else "")))


def one_of(value: str, name: str, names: Iterable[str]) -> str:
    """``value``, if it is one of ``names``. Raises InputError with the nearest of them for any other.

    >>> one_of("lattex", "--format", ("text", "latex"))
    Traceback (most recent call last):
    numeric.refuse.InputError: Argument '--format' must be one of text, latex, not 'lattex' (nearest: latex, text).
    """
    known = tuple(names)
    if value not in known:
        raise refusal(name, f"be one of {', '.join(known)}", value, nearest(value, known))
    return value

"""One grammar for every error: Argument 'lam' must lie in [0, 1], not 1.2.

Name, requirement, value; for a file the place as well. Whatever is bad is refused before work starts; nothing is
clipped, broadcast or renormalised in silence. bool, complex and text never pass as numbers,
NaN and infinity never pass.
"""

from __future__ import annotations

import math
import warnings
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "InputError",
    "flag",
    "integer",
    "numbers",
    "positions",
    "rational",
    "real",
    "refusal",
    "several",
    "shown",
    "square",
    "vector",
]

FloatArray = NDArray[np.float64]
_LONGEST = 60  # characters of a refused value that are shown
MOST_POSITIONS = 10_000_000  # a mistyped length must not fill the memory


class InputError(ValueError):
    """A value that posbias refuses; the text is one line: name, requirement, value (and place)."""


def shown(value: object) -> str:
    """The refused value as one short line: numbers as written in Python, text quoted, arrays by their shape."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is np.ma.masked:
        return "a masked entry"
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return _number(Fraction(value))
    # repr keeps line breaks and control characters escaped, so the message stays one line
    text = " ".join(repr(value).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _number(value: Fraction) -> str:
    """A rational in full, or about where that is long: Python refuses to write out an integer of 4300 digits."""
    size = value.numerator.bit_length() + value.denominator.bit_length()
    if size <= 3 * _LONGEST:  # fewer than _LONGEST characters
        return str(value)
    digits = Context(prec=6, Emax=MAX_EMAX, Emin=MIN_EMIN).divide(Decimal(value.numerator), Decimal(value.denominator))
    return f"about {digits.normalize():e}"


def refusal(name: str, requirement: str, value: object, place: str = "") -> InputError:
    """The error to raise. ``requirement`` continues "must"; ``place`` names file, line or cell.

    >>> refusal("lam", "lie in [0, 1]", 1.2)
    InputError("Argument 'lam' must lie in [0, 1], not 1.2.")
    """
    return flag(name, requirement, shown(value), place)


def flag(name: str, requirement: str, found: str, place: str = "") -> InputError:
    """As ``refusal``, with the text of what was found given instead of a value."""
    where = f" ({place})" if place else ""
    return InputError(f"Argument {name!r} must {requirement}, not {found}{where}.")


def real(value: object, name: str, place: str = "") -> float:
    """``value`` as a finite float. Accepts int, float, Fraction and NumPy's reals; long doubles are rounded."""
    if isinstance(value, np.generic):
        value = float(value) if isinstance(value, np.floating) else value.item()
    if isinstance(value, bool) or not isinstance(value, (float, Rational)):
        raise refusal(name, "be a real number", value, place)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise refusal(name, "be a finite number", value, place)
    return number


def rational(value: object, name: str, place: str = "") -> Fraction:
    """``value`` as the rational it is (a float is a dyadic rational, taken as it stands)."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (int, Rational)) and not isinstance(value, bool):
        return Fraction(value)  # however large: only floats need the check for NaN and infinity
    return Fraction(real(value, name, place))


def several(value: object) -> bool:
    """Whether ``value`` is a sequence or array and not one number."""
    return isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def integer(value: object, name: str, least: int) -> int:
    """``value`` as an int that is at least ``least``."""
    if isinstance(value, np.integer):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise refusal(name, "be an integer", value)
    if value < least:
        raise refusal(name, f"be at least {least}", value)
    return value


def positions(value: object, name: str = "n") -> int:
    """``value`` as a number of positions: an int from 1 to `MOST_POSITIONS`."""
    length = integer(value, name, 1)
    if length > MOST_POSITIONS:
        raise refusal(name, f"be at most {MOST_POSITIONS}", value)
    return length


def numbers(values: object, name: str, axes: int) -> FloatArray:
    """``values`` as a fresh read-only float64 array with ``axes`` axes, every entry a finite real number.

    Half and single precision and integers are widened before any arithmetic, so nothing overflows in a small type. An
    entry that is masked has no value, whatever lies behind the mask: it is refused.
    """
    if isinstance(values, np.ma.MaskedArray) and np.ma.getmaskarray(values).any():
        hidden = tuple(int(c) for c in np.argwhere(np.ma.getmaskarray(values))[0])
        raise flag(name, "have no masked entries", "one that is masked", _cell(hidden))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # a masked entry of a list: refused below
            raw = np.asarray(values)
        given = values if isinstance(values, (list, tuple)) else raw
    except (ValueError, TypeError, OverflowError):
        raise flag(name, "be an array of numbers", "rows of different lengths") from None
    if raw.ndim != axes:
        raise flag(name, f"have {axes} {'axis' if axes == 1 else 'axes'}", f"{raw.ndim}")
    if raw.dtype.kind == "O" or (raw.dtype.kind in "iuf" and given is not raw):
        # a list such as [True, 0.5] is converted by NumPy in silence: look at every entry as it was given
        array = np.array([real(entry, name, _cell(at)) for at, entry in _entries(given)], dtype=np.float64)
        array = array.reshape(raw.shape)
    elif raw.dtype.kind in "iuf":
        with np.errstate(over="ignore"):  # of a wider type: refused below as infinite
            array = raw.astype(np.float64)
    elif raw.size == 0:
        array = np.zeros(raw.shape)
    else:
        raise flag(name, "be an array of real numbers", f"one of type {raw.dtype}")
    if not np.isfinite(array).all():
        at = tuple(int(c) for c in np.argwhere(~np.isfinite(array))[0])
        raise refusal(name, "be finite everywhere", array[at], _cell(at))
    array.setflags(write=False)
    return array


def vector(values: object, name: str) -> FloatArray:
    """``values`` as a float64 vector with at least one entry."""
    array = numbers(values, name, 1)
    if array.size == 0:
        raise flag(name, "have at least one entry", "none")
    return array


def square(values: object, name: str) -> FloatArray:
    """``values`` as a square float64 matrix with at least one row."""
    array = numbers(values, name, 2)
    if array.shape[0] != array.shape[1] or array.size == 0:
        raise flag(name, "be square with at least one row", f"of shape {array.shape}")
    return array


def _entries(values: Any) -> list[tuple[tuple[int, ...], object]]:
    """Every entry with its index, without NumPy's conversion."""
    if several(values):
        return [((i, *at), entry) for i, row in enumerate(values) for at, entry in _entries(row)]
    return [((), values)]


def _cell(at: tuple[int, ...]) -> str:
    """An index as a reader counts, from 1."""
    return f"entry {', '.join(str(i + 1) for i in at)}, counted from 1" if at else ""

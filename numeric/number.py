"""Numbers as text: integers, decimals, exponents (1e-3) and fractions p/q, read exactly.

A small reader of our own: the text is matched against one pattern and never executed. What it does not know is refused,
among them ``nan``, ``inf``, ``1_000``, ``0x10``, ``1/0`` and any expression. Exponents beyond 400 are refused because
the exact number would be long enough to stall the program.
"""

from __future__ import annotations

import re
from fractions import Fraction

from numeric.refuse import refusal

__all__ = ["is_number", "read_fraction", "read_integer"]

LARGEST_EXPONENT = 400
_LONGEST = 500  # characters; more digits than this are no measurement
_BLANKS = " \t\r\n"
_DECIMAL = re.compile(r"([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))(?:[eE]([+-]?[0-9]+))?")
_RATIO = re.compile(r"([+-]?[0-9]+)[ \t]*/[ \t]*([0-9]+)")
_INTEGER = re.compile(r"[+-]?[0-9]+")


def is_number(text: str) -> bool:
    """Whether ``text`` has the form of a number (it may still be refused, for instance 1/0)."""
    body = text.strip(_BLANKS)
    return bool(_DECIMAL.fullmatch(body) or _RATIO.fullmatch(body))


def read_fraction(text: object, name: str, place: str = "") -> Fraction:
    """The exact value of a decimal or of p/q, with an optional sign and blanks around it.

    Raises InputError naming ``name`` (and ``place``) for anything else.

    >>> read_fraction(" -1e-3 ", "lam"), read_fraction("2/6", "lam")
    (Fraction(-1, 1000), Fraction(1, 3))
    """
    body = _body(text, "be a number (decimal or fraction p/q)", name, place)
    if ratio := _RATIO.fullmatch(body):
        below = int(ratio[2])
        if below == 0:
            raise refusal(name, "have a denominator other than 0", text, place)
        return Fraction(int(ratio[1]), below)
    decimal = _DECIMAL.fullmatch(body)
    if decimal is None:
        raise refusal(name, "be a number (decimal or fraction p/q)", text, place)
    exponent = int(decimal[2] or 0)
    if abs(exponent) > LARGEST_EXPONENT:
        raise refusal(name, f"have an exponent in [-{LARGEST_EXPONENT}, {LARGEST_EXPONENT}]", text, place)
    return Fraction(decimal[1]) * Fraction(10) ** exponent


def read_integer(text: object, name: str, place: str = "") -> int:
    """The value of an integer in decimal digits, with an optional sign and blanks around it.

    >>> read_integer("256", "length")
    256
    """
    body = _body(text, "be an integer", name, place)
    if _INTEGER.fullmatch(body) is None:
        raise refusal(name, "be an integer", text, place)
    return int(body)


def _body(text: object, requirement: str, name: str, place: str) -> str:
    """The text without blanks around it, if it is text of a sane length."""
    if not isinstance(text, str):
        raise refusal(name, requirement, text, place)
    body = text.strip(_BLANKS)
    if not body:
        raise refusal(name, requirement, text, place)
    if len(body) > _LONGEST:
        raise refusal(name, f"have at most {_LONGEST} characters", text, place)
    return body

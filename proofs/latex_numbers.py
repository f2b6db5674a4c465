r"""Numbers in displays: rationals and decimals, those of many digits in lines that fit the page.

p_{1}=\frac{35}{162}          p_{1}=4.4\cdot 10^{-31}
p_{1}=1234…                   a number whose digits go on in the next line; \big/ stands before the denominator of
      56…                     a quotient whose numerator or denominator does not fit in one line
      \big/ 789…
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from proofs.digits import decimal
from proofs.latex_letters import fraction, power

__all__ = ["DIGITS", "number_rows", "shown_number"]

DIGITS = 60  # in a line: at 10pt 300 of the 345 points of LaTeX's article, 468 of the derivations document


def shown_number(value: Fraction | str) -> str:
    r"""A rational, or a decimal as it is written with an e, on one line.

    >>> shown_number(Fraction(35, 162)), shown_number("4.4e-31")
    ('\\frac{35}{162}', '4.4\\cdot 10^{-31}')
    """
    if isinstance(value, str):
        figures, e, exponent = value.partition("e")
        return figures + (_ten(exponent) if e else "")
    above, below = decimal(value.numerator), decimal(value.denominator)
    return above if value.denominator == 1 else fraction(above, below)


def _ten(exponent: str) -> str:
    return rf"\cdot {power('10', exponent)}"


def number_rows(left: str, value: Fraction | str) -> str:
    """The rows of an align* environment that say left = value."""
    first, *others = _pieces(value)
    return " \\\\\n".join([f"  {left}&={first}", *(rf"  &\qquad{{}}{piece}" for piece in others)])


def _pieces(value: Fraction | str) -> Iterator[str]:
    """The number in lines."""
    if isinstance(value, str):
        figures, e, exponent = value.partition("e")
        *most, last = _lines(figures)
        yield from (*most, last + (_ten(exponent) if e else ""))
        return
    above, below = decimal(value.numerator), decimal(value.denominator)
    if max(len(above), len(below)) <= DIGITS:
        yield shown_number(value)
        return
    yield from _lines(above)
    first, *others = _lines(below)
    if value.denominator != 1:
        yield from (rf"\big/ {first}", *others)


def _lines(digits: str) -> list[str]:
    return [digits[at : at + DIGITS] for at in range(0, len(digits), DIGITS)]

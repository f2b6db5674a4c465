r"""Closed forms in LaTeX: A_{t,i,j}, \lambda_{t}, u_{t,i}, sums in brackets, negative numbers with their sign before.

    p_{2}=1-\lambda_{1}+\lambda_{1}A_{1,2,2}

One align* environment; a line ends at a sign before it is too wide for the page of the derivations document, and a
quotient whose numerator needs several lines is written as 1/D times a bracket.  Every term is there, unless dots are
asked for: then the first terms of a long sum, \cdots and its last one.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from numeric.refuse import integer
from proofs.closed_form import ClosedForm, Entry
from proofs.closed_form_ring import Letter
from proofs.closed_form_text import Writer, headline
from proofs.latex_letters import fraction, indexed, name, number, power
from proofs.latex_lines import LINE, lines, width
from proofs.latex_math import SIGN, unmarked

__all__ = ["LatexWriter", "as_latex", "formula"]

MANY = 1000  # terms, from which on no string of them all is scanned for the best ends of lines
_ANY_DIGIT = str.maketrans("123456789", "0" * 9)


class LatexWriter(Writer):
    """LaTeX's mathematics mode."""

    gap, plus, minus = "", f"{SIGN}+", f"{SIGN}-"  # a line may end before a sign

    def letter(self, letter: Letter) -> str:
        return indexed(name(letter.base), [str(i) for i in letter.indices])

    def number(self, value: Fraction, alone: bool) -> str:
        return number(value)

    def power(self, base: str, exponent: int) -> str:
        return power(base, str(exponent))


@lru_cache(maxsize=4096)
def _width(piece: str) -> float:
    """The width of a term, which its digits leave as it is: a row has a million terms and few shapes of them."""
    return width(piece)


def formula(entry: Entry, writer: LatexWriter) -> str:
    """An entry on one line, without p_j =."""
    above = unmarked(writer.total(entry.numerator))
    return fraction(above, _below(entry, writer)) if entry.denominator else above


def _below(entry: Entry, writer: LatexWriter) -> str:
    """The denominator of a fraction: a lone factor needs no brackets there."""
    (factor, exponent), *others = entry.denominator
    return unmarked(writer.below(entry) if others or exponent > 1 else writer.total(factor))


def as_latex(form: ClosedForm, dots: int | None = None) -> str:
    """The row as a display; the first line is a comment that says what it is.

    dots : how many terms of a sum to show before \\cdots and its last one; None for all. Raises InputError below 1.
    """
    shown = None if dots is None else integer(dots, "dots", 1)
    writer = LatexWriter(form.letters)
    rows = [line for entry in form.entries for line in _lines(entry, writer, shown)]
    note = headline(form.plan).replace("λ", "lambda")
    return "\n".join([f"% {note}", r"\begin{align*}", " \\\\\n".join(rows), r"\end{align*}"])


def _lines(entry: Entry, writer: LatexWriter, dots: int | None) -> list[str]:
    """The lines of one entry, each with its place of alignment."""
    if dots is None and len(entry.numerator) >= MANY:
        return _many_lines(entry, writer)
    head, above = f"p_{{{entry.position}}}=", "".join(_abridged(list(writer.pieces(entry.numerator)), dots))
    body = above
    if entry.denominator:
        below = _below(entry, writer)
        body = fraction(unmarked(above), below)
        if len(entry.numerator) > 1 and not _fits(head + body):
            body = f"\\frac{{1}}{{{below}}}\\bigl({above}\\bigr)"
    first, *others = lines(head + body)
    return [f"  {first.replace('=', '&=', 1)}", *(rf"  &\qquad{{}}{line}" for line in others)]


def _many_lines(entry: Entry, writer: LatexWriter) -> list[str]:
    """The same lines term by term, with no string of all terms: a row may have a million."""
    head = f"p_{{{entry.position}}}="
    if entry.denominator:
        head += f"\\frac{{1}}{{{_below(entry, writer)}}}\\bigl("
    found, line, filled = [], f"  {head.replace('=', '&=', 1)}", width(head)
    started = False
    for piece in writer.pieces(entry.numerator):
        wide = _width(piece.translate(_ANY_DIGIT))
        if started and filled + wide > LINE:
            found.append(line)
            line, filled = r"  &\qquad{}", 2.0
        line, filled, started = line + unmarked(piece), filled + wide, True
    return [*found, line + (r"\bigr)" if entry.denominator else "")]


def _fits(shown: str) -> bool:
    """Whether it goes on one line; what is much longer is not measured."""
    return len(shown) < 50 * LINE and width(shown) <= LINE


def _abridged(terms: list[str], dots: int | None) -> list[str]:
    """The first terms, dots and the last one, where that leaves out something."""
    if dots is None or len(terms) <= dots + 1:
        return terms
    return [*terms[:dots], rf"{SIGN}+\cdots ", terms[-1]]

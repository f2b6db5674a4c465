r"""Closed forms in LaTeX: A_{t,i,j}, \lambda_{t}, u_{t,i}, sums in brackets, negative numbers with their sign before.

    p_{2}=1-\lambda_{1}+\lambda_{1}A_{1,2,2}

One align* environment; a line ends at a sign before it is too wide for the page of the derivations document, and a
quotient whose numerator needs several lines is written as 1/D times a bracket.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from proofs.closed_form import ClosedForm, Entry
from proofs.closed_form_ring import Letter
from proofs.closed_form_text import Writer, decimal, headline
from proofs.latex_lines import LINE, width

__all__ = ["LatexWriter", "as_latex", "formula"]

_ANY_DIGIT = str.maketrans("123456789", "0" * 9)


class LatexWriter(Writer):
    """LaTeX's mathematics mode."""

    gap, plus, minus = "", "+", "-"

    def letter(self, letter: Letter) -> str:
        base = r"\lambda" if letter.base == "lambda" else letter.base
        if letter.indices:
            return f"{base}_{{{','.join(map(str, letter.indices))}}}"
        return base + (" " if len(base) > 1 else "")  # \lambda must not run into what follows

    def number(self, value: Fraction, alone: bool) -> str:
        if value.denominator == 1:
            return decimal(value.numerator)
        return f"\\tfrac{{{decimal(value.numerator)}}}{{{decimal(value.denominator)}}}"

    def power(self, base: str, exponent: int) -> str:
        return f"{base.rstrip()}^{{{exponent}}}"


@lru_cache(maxsize=4096)
def _width(piece: str) -> float:
    """The width of a term, which its digits leave as it is: a row has a million terms and few shapes of them."""
    return width(piece)


def formula(entry: Entry, writer: LatexWriter) -> str:
    """An entry on one line, without p_j =."""
    above = writer.total(entry.numerator)
    return f"\\frac{{{above}}}{{{_below(entry, writer)}}}" if entry.denominator else above


def _below(entry: Entry, writer: LatexWriter) -> str:
    """The denominator of a fraction: a lone factor needs no brackets there."""
    (factor, exponent), *others = entry.denominator
    return writer.below(entry) if others or exponent > 1 else writer.total(factor)


def as_latex(form: ClosedForm) -> str:
    """The row as a display; the first line is a comment that says what it is."""
    writer = LatexWriter(form.letters)
    rows = [line for entry in form.entries for line in _lines(entry, writer)]
    note = headline(form.plan).replace("λ", "lambda")
    return "\n".join([f"% {note}", r"\begin{align*}", " \\\\\n".join(rows), r"\end{align*}"])


def _lines(entry: Entry, writer: LatexWriter) -> list[str]:
    """The lines of one entry, each with its place of alignment."""
    head = f"  p_{{{entry.position}}}&="
    if len(entry.numerator) < 25 * LINE:  # a term has two characters at least
        single = formula(entry, writer)
        if len(entry.numerator) == 1 or (len(single) < 50 * LINE and width(head + single) <= LINE):
            return [head + single]
    if entry.denominator:
        head += f"\\frac{{1}}{{{_below(entry, writer)}}}\\bigl("
    lines, line, filled = [], head, width(head)
    for piece in writer.pieces(entry.numerator):
        wide = _width(piece.translate(_ANY_DIGIT))
        if filled + wide > LINE and line != head:
            lines.append(line)
            line, filled = r"  &\qquad{}", 2.0
        line, filled = line + piece, filled + wide
    return [*lines, line + (r"\bigr)" if entry.denominator else "")]

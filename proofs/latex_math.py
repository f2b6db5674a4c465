r"""Mathematics in LaTeX, written from the object alone.

    A_{i,j}, A_{t,i,j}, A_{i,j+1}     entries
    R^{(T)}, F_{A}(i,k), UP           rollouts, tails, products
    \sum_{j=k}^{n}, [i=j], \preceq    sums, brackets that are 1 or 0, the stochastic order

A value carries marks where a line may end (`SIGN` before + and -, `RELATION` before = and <=, `FACTOR` after a factor);
latex_lines.py breaks displays there, inline mathematics keeps what TeX can use.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from proofs import latex_letters as letters
from proofs.latex_letters import escaped
from proofs.render import Writer
from proofs.render_formula import Math, pieces
from proofs.render_parts import Level, Shape
from proofs.term import Fn, Formula, Index, Range, Term

__all__ = [
    "FACTOR", "RELATION", "SIGN", "LatexWriter", "displayed", "escaped", "inline", "latex", "sentence", "unmarked",
]  # fmt: skip

SIGN, RELATION, FACTOR = "\ue000", "\ue001", "\ue002"

# Kernels are sans-serif letters with what they are made of above; sums of weights wear an accent.
_LETTERS = {
    "prefix": r"\mathsf{A}", "content": r"\mathsf{C}", "distance": r"\mathsf{D}", "attention": r"\mathsf{S}",
    "prefix heads": r"\mathsf{H}", "threshold maps": r"\mathsf{M}", "token transition": r"\mathsf{T}",
    "content total": r"\mathsf{Z}",
}  # fmt: skip
_ACCENTED = {
    "cumulative": r"\overline", "distance sum": r"\widehat", "attention total": r"\overline",
}  # fmt: skip


def unmarked(shown: str) -> str:
    """Without the marks where a line may end."""
    return re.sub(f"[{SIGN}{RELATION}{FACTOR}]", "", shown)


class LatexWriter(Writer):
    """LaTeX's mathematics mode."""

    plus, minus, negative = f"{SIGN}+", f"{SIGN}-", "-"
    at_least, less = f"{RELATION}\\ge ", f"{RELATION}<"
    equal, at_most, precedes = f"{RELATION}=", f"{RELATION}\\le ", f"{RELATION}\\preceq "
    gap, times = f"\\,{FACTOR}", f"\\cdot {FACTOR}"
    line_end = FACTOR
    hole, index_gap, comma, dots, product_gap = r"\cdot ", "", r",\,", r"\dots", ""
    logarithm = r"\ln "

    def name(self, name: str) -> str:
        return letters.name(name)

    def number(self, value: Fraction) -> str:
        return letters.number(value)

    def brackets(self, inner: str) -> str:
        r"""Never \left and \right: a line may end inside."""
        return letters.within("()", inner, "bigl" if "(" in inner else "")

    def bars(self, inner: str) -> str:
        return letters.within((r"\lvert ", r"\rvert "), inner, "bigl" if "(" in inner else "")

    def quotient(self, numerator: str, body: Term) -> tuple[str, Level]:
        return letters.fraction(unmarked(numerator), unmarked(self.term(body))), Level.ATOM

    def over_factorial(self, power: str, last: str) -> tuple[str, Level]:
        return letters.fraction(unmarked(power), f"{last}!"), Level.ATOM

    def big(self, kind: str, var: str, low: str, high: str) -> str:
        return f"\\{kind}_{{{var}={low}}}^{{{high}}} "

    def shape(self, shape: Shape) -> str:
        attached = (shape.family or shape.slots) and not shape.call
        base = shape.base
        if shape.level < Level.ATOM and (attached or shape.depth):
            base = self.brackets(base)
        if shape.call:
            return f"{base}({','.join(shape.slots)})" if shape.slots else base
        if not (attached or shape.depth):
            return base
        upper = f"^{{({unmarked(shape.depth)})}}" if shape.depth else ""
        indices = [unmarked(x) for x in (*shape.family, *shape.slots)] if attached else []
        return letters.indexed(f"{base.rstrip()}{upper}", indices)

    def raised(self, base: str, exponent: str) -> str:
        open_power = "^" in base and not base.endswith(r"r)")  # not where \bigr) or \Bigr) closes it already
        return letters.power(self.brackets(base) if open_power else base, unmarked(exponent))

    def lowered(self, base: str, index: str) -> str:
        return letters.indexed(base, [unmarked(index)])

    def binomial(self, m: str, k: str) -> str:
        return f"\\binom{{{unmarked(m)}}}{{{unmarked(k)}}}"

    def operator(self, name: str, operands: Sequence[str]) -> str:
        shown = unmarked(",".join(operands))
        if name == "average":
            return f"\\langle {shown}\\rangle "
        if name == "transition":
            return f"R[{shown}]"
        if name in _LETTERS:
            return f"{_LETTERS[name]}^{{{shown}}}"
        if name in _ACCENTED:
            return f"{_ACCENTED[name]}{{{shown}}}"
        if name == "scaled diagonal":
            return f"{{{unmarked(operands[0])}}}^{{[{unmarked(operands[1])}]}}"
        if name == "divided difference":
            return f"g_{{{unmarked(operands[0])}}}[{unmarked(operands[1])}]"
        word = {"row recursion": "row"}.get(name, name)
        return f"\\operatorname{{{escaped(word)}}}({shown})"

    def tail(self, kernel: str) -> str:
        if r"\mapsto" in kernel:  # a function written out is too long for an index, where no line can end
            return f"F\\bigl[{kernel}\\bigr]"
        return f"F_{{{unmarked(kernel)}}}"

    def mapsto(self, params: Sequence[str], body: str) -> str:
        shown = params[0] if len(params) == 1 else f"({','.join(params)})"
        return self.brackets(f"{shown}\\mapsto {body}")


# --- formulas in text and in displays ------------------------------------------------------------------------------


def inline(shown: str) -> str:
    """Mathematics within a line of prose, which TeX may break."""
    return f"${unmarked(shown.replace(FACTOR, chr(92) + 'allowbreak '))}$"


def sentence(node: Formula, writer: LatexWriter, style: str = "") -> str:
    """A formula as prose with inline mathematics, in a mathematics style such as ``\\displaystyle``."""
    return "".join(inline(style + p) if isinstance(p, Math) else escaped(p) for p in pieces(node, writer))


def displayed(node: Formula, writer: LatexWriter) -> str:
    """A formula as mathematics with prose inside it, with its marks."""
    shown = ""
    for piece in pieces(node, writer):
        if isinstance(piece, Math):
            shown += piece
        else:
            shown += f"{FACTOR}\\quad\\text{{for }}" if piece == " for " else f"\\text{{{escaped(piece)}}}"
    return shown


def latex(node: Term | Fn | Formula | Index | Range, writer: LatexWriter | None = None) -> str:
    r"""A value, function, formula, index or range in mathematics mode.

    >>> from proofs.term import Symbol, total
    >>> A = Symbol("A", 2)
    >>> latex(-total("j", "k", "n", A("i", "j") * (1 - A("j", "k"))))
    '-\\sum_{j=k}^{n} A_{i,j}\\,(1-A_{j,k})'
    """
    chosen = writer or LatexWriter()
    match node:
        case Term():
            shown = chosen.term(node)
        case Fn():
            shown = chosen.fn(node)
        case Index():
            shown = chosen.ix(node)
        case Range():
            shown = chosen.range(node)
        case Formula():
            shown = displayed(node, chosen)
    return unmarked(shown)

r"""Formulas of every_term.py in LaTeX, by the letters, numbers and lines that closed forms and statements share.

    \binom{n-1}{j-1}\,\sum_{k=0}^{n-j} (-1)^{k}\,\binom{n-j}{k}\,\prod_{t=1}^{T} \Bigl(1-\lambda_{t}+…\Bigr)
    P(K=k), h_{k-1}(u_{j},\dots,u_{n}), g[z_{j},\dots,z_{n}], I_{1}(x), \ln (x), \exp (x)

A value carries marks (latex_math.py) where a line may end; `latex` is without them.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from proofs import latex_letters as letters
from proofs.every_term import Node, Series
from proofs.every_write import ATOM, POWER, SERIES, SUM, Style
from proofs.latex_lines import lines
from proofs.latex_math import FACTOR, SIGN, unmarked

__all__ = ["LatexStyle", "aligned", "latex"]

_SEVERAL = r"\sum_{j\le i_{1}\le \cdots \le i_{d}\le n} u_{i_{1}}\cdots u_{i_{d}}"


class LatexStyle(Style):
    """LaTeX's mathematics mode, with the marks where a line may end."""

    plus, minus, gap = f"{SIGN}+", f"{SIGN}-", f"\\,{FACTOR}"
    names: ClassVar = {"infinity": r"\infty ", "bessel": "I_{1}"}
    several, divided = _SEVERAL, r"\text{the divided difference of $g$, confluent where nodes coincide}"
    modified = r"\text{the modified Bessel function}"

    def brackets(self, shown: str) -> str:
        return letters.within("()", shown, "Bigl" if r"\frac" in shown else "bigl" if "(" in shown else "")

    def number(self, value: Fraction) -> str:
        return ("-" if value < 0 else "") + letters.number(abs(value))

    def rational(self, value: Fraction) -> int:
        return SUM if value < 0 else POWER

    def joined(self, factors: list[str]) -> str:
        shown = factors[0]
        for factor in factors[1:]:  # a digit behind a factor would be read with it
            shown += (f"\\cdot {FACTOR}" if factor[:1].isdigit() or factor.startswith(r"\tfrac") else self.gap) + factor
        return shown

    def letter(self, name: str) -> str:
        return self.names.get(name) or letters.name(name)

    def at(self, name: str, index: Node) -> str:
        return letters.indexed(self.letter(name), [self._small(index)])

    def _small(self, tree: Node) -> str:
        """What stands in braces, where no line can end."""
        return unmarked(self.show(tree)).rstrip()

    def call(self, name: str, arguments: tuple[Node, ...]) -> tuple[str, int]:
        shown = [self._small(x) for x in arguments]
        match name:
            case "hops":
                return f"P(K={shown[0]})", ATOM
            case "complete":
                first, last = (letters.indexed("u", [x]) for x in shown[1:])
                return f"{letters.indexed('h', shown[:1])}({first},\\dots,{last})", ATOM
            case "divided":
                first, last = (letters.indexed("z", [x]) for x in shown)
                return f"g[{first},\\dots,{last}]", ATOM
            case "sqrt":
                return f"\\sqrt{{{shown[0]}}}", ATOM
            case "exp" | "ln":  # e is a letter of the content kernel
                return rf"\{name} {self.brackets(shown[0])}", POWER
        return f"{self.letter(name)}{self.brackets(shown[0])}", ATOM

    def quotient(self, above: Node, below: Node) -> tuple[str, int]:
        return letters.fraction(self._small(above), self._small(below)), POWER

    def power(self, base: Node, exponent: Node) -> str:
        return letters.power(self.show(base, ATOM), self._small(exponent))

    def binomial(self, above: Node, below: Node) -> str:
        return f"\\binom{{{self._small(above)}}}{{{self._small(below)}}}"

    def factorial(self, of: Node) -> str:
        return f"{self.show(of, ATOM)}!"

    def series(self, tree: Series) -> tuple[str, int]:
        sign = r"\sum" if tree.kind == "sum" else r"\prod"
        low, high = self._small(tree.low), self._small(tree.high)
        return f"{sign}_{{{tree.index}={low}}}^{{{high}}} {self.show(tree.body, SERIES)}", SERIES


def latex(tree: Node) -> str:
    r"""A formula on one line.

    >>> from proofs.every_term import at, node, over
    >>> latex(over(at("lambda", "t"), node(2)))
    '\\frac{\\lambda_{t}}{2}'
    """
    return unmarked(LatexStyle().show(tree))


def aligned(left: str, right: str, place: str = "", tag: str = "") -> str:
    """A row of an align* environment, in lines that fit the page: left = right, for which positions, whose formula.

    ``right`` may carry marks; ``place`` goes last, on a line of its own where there is no room for it.
    """
    shown = f"{left}={right}" + (rf"\quad{place}" if place else "")
    first, *others = (line.removesuffix(r"\,") for line in lines(shown))
    rows = [f"{left}&={first[len(left) + 1 :]}", *(rf"&\qquad{{}}{x}" for x in others)]
    rows[0] += rf"\tag{{{tag}}}" if tag else ""
    return " \\\\\n".join(f"  {row}" for row in rows)

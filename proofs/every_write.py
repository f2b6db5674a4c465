"""Formulas of every_term.py as text and Python, and as LaTeX in every_latex.py: one walk, three spellings.

    binom(n-1, j-1) Σ_{k=0}^{n-j} (-1)^k binom(n-j, k) Π_{t=1}^{T} (1 - λ_t + λ_t / (j + k))
    comb(n - 1, j - 1)*sum((-1)**k*comb(n - j, k)*prod(1 - lam[t - 1] + … for t in …) for k in range(0, n - j + 1))

What follows a Σ or Π belongs to it as far as the product goes, so one that is not the last factor has brackets.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import ClassVar

from proofs.every_term import (
    At,
    Binomial,
    Call,
    Factorial,
    Letter,
    Node,
    Number,
    Over,
    Plus,
    Power,
    Series,
    Times,
    plus,
)

__all__ = ["ATOM", "POWER", "PRODUCT", "SERIES", "SUM", "PythonStyle", "Style", "TextStyle"]

SUM, SERIES, PRODUCT, POWER, ATOM = range(5)  # how tightly a formula holds together


class Style(ABC):
    """How the parts look; `show` decides the brackets."""

    plus, minus, gap = " + ", " - ", " "
    several = divided = modified = ""  # what h_d, g[...] and I_1 are

    def show(self, tree: Node, least: int = SUM, last: bool = True) -> str:
        """``tree``, in brackets where it holds together less than ``least``; ``last``: nothing follows it."""
        shown, level = self._shown(tree)
        if level < least or (level == SERIES and not last):
            return self.brackets(shown)
        return shown

    def _shown(self, tree: Node) -> tuple[str, int]:
        match tree:
            case Number(value):
                return self.number(value), ATOM if value.denominator == 1 and value >= 0 else self.rational(value)
            case Letter(name):
                return self.letter(name), ATOM
            case At(name, index):
                return self.at(name, index), ATOM
            case Call(name, arguments):
                return self.call(name, arguments)
            case Plus(parts):
                return self._sum(parts), SUM
            case Times(parts):
                return self._product(parts)
            case Over(above, below):
                return self.quotient(above, below)
            case Power(base, exponent):
                return self.power(base, exponent), POWER
            case Binomial(above, below):
                return self.binomial(above, below), ATOM
            case Factorial(of):
                return self.factorial(of), POWER
            case Series():
                return self.series(tree)

    def _sum(self, parts: tuple[Node, ...]) -> str:
        shown = ""
        for k, part in enumerate(parts):
            negative, rest = _sign(part)
            sign = ("-" if negative else "") if k == 0 else (self.minus if negative else self.plus)
            shown += sign + self.show(rest, SERIES, k == len(parts) - 1)
        return shown

    def _product(self, parts: tuple[Node, ...]) -> tuple[str, int]:
        negative, rest = _sign(Times(parts))
        if negative:
            return f"-{self.show(rest, SERIES)}", SUM
        shown = [self.factor(x, k == len(parts) - 1) for k, x in enumerate(parts)]
        level = SERIES if isinstance(parts[-1], Series) and self.open else PRODUCT
        return self.joined(shown), level

    def joined(self, factors: list[str]) -> str:
        """Factors side by side."""
        return self.gap.join(factors)

    def rational(self, value: Fraction) -> int:
        """How tightly a number holds together that is negative or has a denominator."""
        return SUM

    def factor(self, tree: Node, last: bool) -> str:
        """A factor among others."""
        return self.show(tree, SERIES, last)

    open = True  # whether a Σ has no closing bracket of its own

    @abstractmethod
    def brackets(self, shown: str) -> str: ...

    @abstractmethod
    def number(self, value: Fraction) -> str: ...

    @abstractmethod
    def letter(self, name: str) -> str: ...

    @abstractmethod
    def at(self, name: str, index: Node) -> str: ...

    @abstractmethod
    def call(self, name: str, arguments: tuple[Node, ...]) -> tuple[str, int]: ...

    @abstractmethod
    def quotient(self, above: Node, below: Node) -> tuple[str, int]: ...

    @abstractmethod
    def power(self, base: Node, exponent: Node) -> str: ...

    @abstractmethod
    def binomial(self, above: Node, below: Node) -> str: ...

    @abstractmethod
    def factorial(self, of: Node) -> str: ...

    @abstractmethod
    def series(self, tree: Series) -> tuple[str, int]: ...


def _sign(tree: Node) -> tuple[bool, Node]:
    """Whether a number in front is negative, and what is left without its sign."""
    if isinstance(tree, Number):
        return tree.value < 0, Number(abs(tree.value))
    if isinstance(tree, Times) and isinstance(tree.parts[0], Number) and tree.parts[0].value < 0:
        rest = tree.parts[1:] if tree.parts[0].value == -1 else (Number(-tree.parts[0].value), *tree.parts[1:])
        return True, rest[0] if len(rest) == 1 else Times(rest)
    return False, tree


class TextStyle(Style):
    """Σ_{k=0}^{n-j}, λ_t, binom(n, k); a console without Greek gets Sum and lambda."""

    several = "sum of u_{i_1} ... u_{i_d} over j <= i_1 <= ... <= i_d <= n"
    divided = "divided difference of g, confluent where nodes coincide"
    modified = "the modified Bessel function"
    names: ClassVar = {"lambda": "λ", "theta": "θ", "eta": "η", "infinity": "∞", "phi": "φ", "bessel": "I_1", "mu": "μ"}

    def brackets(self, shown: str) -> str:
        return f"({shown})"

    def number(self, value: Fraction) -> str:
        return str(value)

    def letter(self, name: str) -> str:
        return self.names.get(name, name)

    def _short(self, tree: Node) -> str:
        return self.show(tree).replace(" ", "")

    def _index(self, tree: Node) -> str:
        shown = self._short(tree)
        return shown if shown.isalnum() else f"{{{shown}}}"

    def at(self, name: str, index: Node) -> str:
        return f"{self.letter(name)}_{self._index(index)}"

    def call(self, name: str, arguments: tuple[Node, ...]) -> tuple[str, int]:
        shown = [self.show(x) for x in arguments]
        if name == "hops":
            return f"P(K = {shown[0]})", ATOM
        if name == "complete":
            degree, low, high = map(self._index, arguments)
            return f"h_{degree}(u_{low}, ..., u_{high})", ATOM
        if name == "divided":
            low, high = map(self._index, arguments)
            return f"g[z_{low}, ..., z_{high}]", ATOM
        return f"{self.letter(name)}({shown[0]})", ATOM

    def quotient(self, above: Node, below: Node) -> tuple[str, int]:
        return f"{self.show(above, PRODUCT)}/{self.show(below, POWER)}", PRODUCT

    def factor(self, tree: Node, last: bool) -> str:
        # what follows must not be read as part of a denominator
        return self.brackets(self.show(tree)) if isinstance(tree, Over) else self.show(tree, SERIES, last)

    def power(self, base: Node, exponent: Node) -> str:
        raised = self._short(exponent)
        return f"{self.show(base, ATOM)}^{raised if raised.isalnum() else f'({raised})'}"

    def binomial(self, above: Node, below: Node) -> str:
        return f"binom({self._short(above)}, {self._short(below)})"

    def factorial(self, of: Node) -> str:
        return f"{self.show(of, ATOM)}!"

    def series(self, tree: Series) -> tuple[str, int]:
        sign = "Σ" if tree.kind == "sum" else "Π"
        low, high = self._short(tree.low), self._short(tree.high)
        high = high if len(high) == 1 else f"{{{high}}}"
        return f"{sign}_{{{tree.index}={low}}}^{high} {self.factor(tree.body, True)}", SERIES


class PythonStyle(Style):
    """Expressions of Python, exact where λ, w, q and e are Fractions; ``real`` names the type of a rational."""

    gap, open = "*", False
    names: ClassVar = {"lambda": "lam", "bessel": "besseli1"}

    def __init__(self, real: str = "Fraction") -> None:
        self.real = real

    def brackets(self, shown: str) -> str:
        return f"({shown})"

    def number(self, value: Fraction) -> str:
        if value.denominator == 1:
            return str(value.numerator)
        return f"{self.real}({value.numerator})/{value.denominator}"

    def letter(self, name: str) -> str:
        return self.names.get(name, name)

    def at(self, name: str, index: Node) -> str:
        if name in ("lambda", "w"):
            return f"{self.letter(name)}[{self.show(plus(index, -1))}]"
        return f"{name}({self.show(index)})"

    def call(self, name: str, arguments: tuple[Node, ...]) -> tuple[str, int]:
        return f"{self.letter(name)}({', '.join(self.show(x) for x in arguments)})", ATOM

    def quotient(self, above: Node, below: Node) -> tuple[str, int]:
        # one integer over another would be a float
        return f"{self.real}({self.show(above)})/{self.show(below, POWER)}", PRODUCT

    def power(self, base: Node, exponent: Node) -> str:
        return f"{self.show(base, ATOM)}**{self.show(exponent, ATOM)}"

    def binomial(self, above: Node, below: Node) -> str:
        return f"comb({self.show(above)}, {self.show(below)})"

    def factorial(self, of: Node) -> str:
        return f"factorial({self.show(of)})"

    def series(self, tree: Series) -> tuple[str, int]:
        name = "sum" if tree.kind == "sum" else "prod"
        above = self.show(plus(tree.high, 1))
        return f"{name}({self.show(tree.body)} for {tree.index} in range({self.show(tree.low)}, {above}))", ATOM

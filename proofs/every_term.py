"""Formulas with n, T, j as letters: small trees that are written, evaluated and compared, never simplified.

SymPy's Sum and Product over symbolic ranges may evaluate wrongly, so these trees have a plain evaluator of their own
(every_value.py). Numbers are folded where letters are put in: n − j is 3 for n = 5, j = 2. Exact here: everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

__all__ = [
    "INFINITY", "At", "Binomial", "Call", "Factorial", "Letter", "Node", "Number", "Over", "Plus", "Power", "Series",
    "Times", "at", "letters", "minus", "node", "over", "plus", "put", "times",
]  # fmt: skip


@dataclass(frozen=True)
class Number:
    """A rational."""

    value: Fraction


@dataclass(frozen=True)
class Letter:
    """n, T, j, S, x, a bound index, λ, q or e."""

    name: str


@dataclass(frozen=True)
class At:
    """λ_t, w_j, u_i: a family of numbers at an index."""

    name: str
    index: Node


@dataclass(frozen=True)
class Call:
    """A function of numbers, or of a range of indices: hops(k) = P(K = k), complete(d, j, n) = h_d(u_j, …, u_n),
    divided(j, n) = g[z_j, …, z_n], exp, ln, sqrt, bessel = I_1.
    """

    name: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True)
class Plus:
    """The sum of ``parts``, two at least."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Times:
    """The product of ``parts``, two at least."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Over:
    """above / below."""

    above: Node
    below: Node


@dataclass(frozen=True)
class Power:
    """base^exponent, an integer exponent; 0^0 = 1."""

    base: Node
    exponent: Node


@dataclass(frozen=True)
class Binomial:
    """C(above, below)."""

    above: Node
    below: Node


@dataclass(frozen=True)
class Factorial:
    """of!"""

    of: Node


@dataclass(frozen=True)
class Series:
    """Σ or Π of ``body`` for ``index`` = low … high; empty where high = low − 1."""

    kind: Literal["sum", "product"]
    index: str
    low: Node
    high: Node
    body: Node


Node = Number | Letter | At | Call | Plus | Times | Over | Power | Binomial | Factorial | Series
Like = Node | str | int | Fraction
INFINITY = Letter("infinity")


def node(value: Like) -> Node:
    """A number, the name of a letter, or a node as it is."""
    if isinstance(value, str):
        return Letter(value)
    return Number(Fraction(value)) if isinstance(value, (int, Fraction)) else value


def at(name: str, index: Like) -> At:
    """The family ``name`` at ``index``."""
    return At(name, node(index))


def plus(*parts: Like) -> Node:
    """A sum, nested sums and numbers put together; a number goes last beside letters that have no sign."""
    total, rest = Fraction(0), list[Node]()
    first: Node | None = None
    for part in (y for x in parts for y in _parts(node(x), Plus)):
        if isinstance(part, Number):
            first = first or (part if not rest else None)
            total += part.value
        else:
            rest.append(part)
    number: list[Node] = [Number(total)] if total else []
    found = number + rest if first is not None else rest + number
    return found[0] if len(found) == 1 else Plus(tuple(found)) if found else Number(total)


def minus(value: Like) -> Node:
    """−value."""
    return times(-1, value)


def times(*parts: Like) -> Node:
    """A product, nested products and numbers put together, the number first."""
    factor, rest = Fraction(1), list[Node]()
    for part in (y for x in parts for y in _parts(node(x), Times)):
        if isinstance(part, Number):
            factor *= part.value
        else:
            rest.append(part)
    if factor == 0:
        return Number(factor)
    found = ([Number(factor)] if factor != 1 or not rest else []) + rest
    return found[0] if len(found) == 1 else Times(tuple(found))


def over(above: Like, below: Like) -> Node:
    """A quotient; a number where both are."""
    x, y = node(above), node(below)
    if isinstance(y, Number) and y.value and (isinstance(x, Number) or y.value == 1):
        return times(x, 1 / y.value)
    return Over(x, y)


def _parts(value: Node, kind: type[Plus] | type[Times]) -> tuple[Node, ...]:
    return value.parts if isinstance(value, kind) else (value,)


def put(tree: Node, values: Mapping[str, Node]) -> Node:
    """``tree`` with letters replaced; bound indices stay, and no letter put in may be one of them."""
    match tree:
        case Number():
            return tree
        case Letter(name):
            return values.get(name, tree)
        case At(name, index):
            return At(name, put(index, values))
        case Call(name, arguments):
            return Call(name, tuple(put(x, values) for x in arguments))
        case Plus(parts):
            return plus(*(put(x, values) for x in parts))
        case Times(parts):
            return times(*(put(x, values) for x in parts))
        case Over(above, below):
            return over(put(above, values), put(below, values))
        case Power(base, exponent):
            return _power(put(base, values), put(exponent, values))
        case Binomial(above, below):
            return Binomial(put(above, values), put(below, values))
        case Factorial(of):
            return Factorial(put(of, values))
        case Series(kind, index, low, high, body):
            inner = {name: value for name, value in values.items() if name != index}
            return Series(kind, index, put(low, values), put(high, values), put(body, inner))


def _power(base: Node, exponent: Node) -> Node:
    one = isinstance(exponent, Number) and exponent.value == 1
    return base if one else Power(base, exponent)


def letters(tree: Node) -> frozenset[str]:
    """The free letters and the names of the families and functions in a tree."""
    match tree:
        case Number():
            return frozenset()
        case Letter(name):
            return frozenset({name})
        case At(name, index):
            return letters(index) | {name}
        case Call(name, arguments):
            return frozenset({name}).union(*(letters(x) for x in arguments))
        case Plus(parts) | Times(parts):
            return frozenset().union(*(letters(x) for x in parts))
        case Over(first, second) | Power(first, second) | Binomial(first, second):
            return letters(first) | letters(second)
        case Factorial(of):
            return letters(of)
        case Series(_, index, low, high, body):
            return letters(low) | letters(high) | (letters(body) - {index})

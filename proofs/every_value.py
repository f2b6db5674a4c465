"""The value of a formula of every_term.py at numbers: term by term, in Fractions, balls or floats of mpmath.

    hops(k) = [x^k] Π_t (1 − λ_t + λ_t x)        complete(d, j, n) = h_d(u_j, …, u_n)
    divided(j, n) = g[z_j, …, z_n], confluent where nodes coincide: g^{(m)}/m! there, from its series (g = Π_t of
    1 − λ_t + λ_t/z)

Exact here: everything, in Fractions. Not covered: sums without an end, which are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, factorial
from typing import Any

from numeric.hops import poisson_binomial
from proofs.every_term import At, Binomial, Call, Factorial, Letter, Node, Number, Over, Plus, Power, Series, Times

__all__ = ["Setting", "divided_difference", "value"]

Value = Any


@dataclass(frozen=True)
class Setting:
    """What letters and families mean.

    numbers : letter -> number (n, T, j as int). lists : λ and w, from index 1. definitions : a family u_i or a function
    with one argument -> (bound letter, tree). number : a rational as a number of the kind wanted; functions : exp and
    its like on such numbers.
    """

    numbers: Mapping[str, Value]
    lists: Mapping[str, Sequence[Value]] = field(default_factory=dict)
    definitions: Mapping[str, tuple[str, Node]] = field(default_factory=dict)
    number: Callable[[Fraction], Value] = Fraction
    functions: Mapping[str, Callable[[Value], Value]] = field(default_factory=dict)

    def bound(self, index: str, at: Value) -> Setting:
        """The same with one more letter."""
        return Setting({**self.numbers, index: at}, self.lists, self.definitions, self.number, self.functions)


def value(tree: Node, setting: Setting) -> Value:
    """The value of ``tree``; KeyError for a letter without one."""
    match tree:
        case Number(rational):
            return int(rational) if rational.denominator == 1 else setting.number(rational)
        case Letter(name):
            return setting.numbers[name]
        case At(name, index):
            return _at(name, value(index, setting), setting)
        case Call():
            return _call(tree, setting)
        case Plus(parts):
            return sum((value(x, setting) for x in parts[1:]), value(parts[0], setting))
        case Times(parts):
            return _product([value(x, setting) for x in parts])
        case Over(above, below):
            return setting.number(Fraction(1)) * value(above, setting) / value(below, setting)
        case Power(base, exponent):
            return _power(value(base, setting), value(exponent, setting))
        case Binomial(above, below):
            return comb(value(above, setting), value(below, setting))
        case Factorial(of):
            return factorial(value(of, setting))
        case Series(kind, index, low, high, body):
            terms = range(value(low, setting), value(high, setting) + 1)
            found = [value(body, setting.bound(index, k)) for k in terms]
            return sum(found, setting.number(Fraction(0))) if kind == "sum" else _product(found)


def _product(parts: Sequence[Value]) -> Value:
    result: Value = 1
    for x in parts:
        result = result * x
    return result


def _power(base: Value, exponent: int) -> Value:
    return _product([base] * exponent) if exponent >= 0 else 1 / _product([base] * -exponent)


def _at(name: str, index: int, setting: Setting) -> Value:
    if name in setting.definitions:
        letter, tree = setting.definitions[name]
        return value(tree, setting.bound(letter, index))
    return setting.lists[name][index - 1]


def _call(tree: Call, setting: Setting) -> Value:
    arguments = [value(x, setting) for x in tree.arguments]
    if tree.name in setting.definitions:
        letter, body = setting.definitions[tree.name]
        return value(body, setting.bound(letter, arguments[0]))
    if tree.name == "hops":
        (k,), law = arguments, poisson_binomial(setting.lists["lambda"], setting.number(Fraction(0)))
        return law[k] if k < len(law) else 0
    if tree.name == "complete":
        degree, low, high = arguments
        return _complete(degree, [_at("u", i, setting) for i in range(low, high + 1)])
    if tree.name == "divided":
        low, high = arguments
        nodes = [_at("z", i, setting) for i in range(low, high + 1)]
        return divided_difference(nodes, lambda z, order: _series(z, order, setting))
    return setting.functions[tree.name](arguments[0])


def _complete(degree: int, nodes: Sequence[Value]) -> Value:
    """h_d, adding one node after the other: h_d(…, u) = h_d(…) + u h_{d−1}(…, u)."""
    row: list[Value] = [1] + [0] * degree
    for u in nodes:
        for d in range(1, degree + 1):
            row[d] = row[d] + u * row[d - 1]
    return row[degree]


def _series(z: Fraction, order: int, setting: Setting) -> list[Value]:
    """Taylor coefficients 0 … order at z of g(y) = Π_t (1 − λ_t + λ_t/y); of order 0 for any g."""
    if order == 0:
        letter, body = setting.definitions["g"]
        return [value(body, setting.bound(letter, z))]
    shares = setting.lists.get("lambda") or [setting.numbers["lambda"]] * setting.numbers["T"]
    result: list[Value] = [1] + [0] * order
    for share in shares:
        factor = [share * (-1) ** m / z ** (m + 1) for m in range(order + 1)]
        factor[0] += 1 - share
        result = [sum(result[k] * factor[m - k] for k in range(m + 1)) for m in range(order + 1)]
    return result


def divided_difference(nodes: Sequence[Value], series: Callable[[Value, int], list[Value]]) -> Value:
    """f[z_1, …, z_m], equal nodes side by side; ``series`` gives f's Taylor coefficients at a node.

    >>> divided_difference([Fraction(2), Fraction(2)], lambda z, order: [z**3, 3 * z**2][: order + 1])
    Fraction(12, 1)
    """
    z = sorted(nodes)
    row = [series(x, 0)[0] for x in z]
    for width in range(1, len(z)):
        row = [
            (row[i + 1] - row[i]) / (z[i + width] - z[i]) if z[i + width] != z[i] else series(z[i], width)[width]
            for i in range(len(row) - 1)
        ]
    return row[0]

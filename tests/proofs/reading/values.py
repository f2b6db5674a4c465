"""Values of what was read: exact rationals, at an integer, a rational or a function for each letter.

exp, ln, the square root and I_1 are functions of a rational that the caller gives for `EXP`, `LN`, `SQRT`, `BESSEL`:
any functions, where nothing but their arguments is compared, or approximations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from fractions import Fraction
from math import comb, factorial, prod
from operator import eq, ge, gt, le, lt
from typing import Any

from tests.proofs.reading import trees as t
from tests.proofs.reading.operators import (
    Call,
    coefficient,
    complete,
    divided,
    inverse,
    over,
    polynomial_at,
    reciprocal_law,
)

__all__ = ["BESSEL", "EXP", "LN", "SQRT", "Letters", "function", "truth", "value"]

Letters = Mapping[str, "Fraction | int | Call"]
EXP, LN, SQRT, BESSEL = "\\exp", "\\ln", "\\sqrt", "\\bessel"
_STEP = "\\step"
_MINUS_ONE = t.Sum(((-1, t.Number(Fraction(1))),))
_SIGNS: dict[str, Callable[[Fraction, Fraction], bool]] = {"=": eq, "<": lt, "<=": le, ">": gt, ">=": ge}


def truth(chain: t.Chain, letters: Letters) -> bool:
    """Whether every relation of a chain is true."""
    found = [value(v, letters) for v in chain.values]
    return all(_SIGNS[s](a, b) for s, a, b in zip(chain.signs, found, found[1:], strict=False))


def integer(node: t.Value, letters: Letters) -> int:
    """An index."""
    found = value(node, letters)
    if found.denominator != 1:
        raise ValueError("an index that is no integer")
    return found.numerator


def _called(name: str, letters: Letters) -> Call:
    found = letters[name]
    if not callable(found):
        raise ValueError(f"{name} is no function")
    return found


def function(node: t.Function, letters: Letters) -> Call:
    """A function of integers."""
    match node:
        case t.Letter(_, name):
            return _called(name, letters)
        case t.Maps(_, params, body):
            return lambda *args: value(body, {**letters, **dict(zip(params, args, strict=True))})
        case t.Operator(_, name, functions):
            n = letters["n"]
            assert isinstance(n, int)
            return over(name, n, [function(f, letters) for f in functions])
        case t.Partial(_, of, given):
            return _partial(function(of, letters), [None if g is None else integer(g, letters) for g in given])
    raise TypeError(f"no function: {node}")


def _partial(whole: Call, given: list[int | None]) -> Call:
    def call(*args: int) -> Fraction:
        rest = iter(args)
        return whole(*(next(rest) if g is None else g for g in given))

    return call


def value(node: t.Value, letters: Letters) -> Fraction:
    """The value; raises ValueError where an index is none or a depth is negative, KeyError for a letter not given."""
    match node:
        case t.Number(number):
            return number
        case t.Apply(t.Letter(0, name), ()):
            found = letters[name]
            return Fraction(found() if callable(found) else found)
        case t.Apply(fn, args):
            return Fraction(function(fn, letters)(*(integer(a, letters) for a in args)))
        case t.Sum(terms):
            return sum((sign * value(term, letters) for sign, term in terms), Fraction(0))
        case t.Product(factors):
            return _product(factors, letters)
        case t.Big(_, var, low, high, body):
            values = (value(body, {**letters, var: x}) for x in _span(low, high, letters))
            return sum(values, Fraction(0)) if node.kind == "sum" else prod(values, start=Fraction(1))
        case t.Conditions(relations):
            return Fraction(all(truth(r, letters) for r in relations))
        case t.Over(above, below):
            return value(above, letters) * inverse(value(below, letters))
        case t.Power(base, exponent):
            return _power(base, integer(exponent, letters), letters)
    return _rarer(node, letters)


def _rarer(node: t.Value, letters: Letters) -> Fraction:
    match node:
        case t.Factorial(of):
            return Fraction(factorial(integer(of, letters)))
        case t.Bars(of):
            return abs(value(of, letters))
        case t.Choose(above, below):
            m, k = integer(above, letters), integer(below, letters)
            return Fraction(comb(m, k) if k >= 0 else 0)
        case t.Euler(exponent):
            return _called(EXP, letters)(value(exponent, letters))
        case t.Ln(of):
            return _called(LN, letters)(value(of, letters))
        case t.Root(of):
            return _called(SQRT, letters)(value(of, letters))
        case t.Bessel(of):
            return _called(BESSEL, letters)(value(of, letters))
    return _of_several(node, letters)


def _of_several(node: t.Value, letters: Letters) -> Fraction:
    match node:
        case t.Coefficient(var, power, polynomial):
            return coefficient(_values(polynomial, var, letters), integer(power, letters))
        case t.Listed("divided", (), (fn,), first, last):
            return divided(function(fn, letters), _listed(first, last, letters))
        case t.Listed(kind, (head,), functions, first, last):
            nodes, at = _listed(first, last, letters), integer(head, letters)
            return complete(at, nodes) if kind == "complete" else reciprocal_law(
                function(functions[0], letters), at, nodes
            )  # fmt: skip
        case t.Divided(first, last, var, polynomial):
            return polynomial_at(_values(polynomial, var, letters), _listed(first, last, letters))
    raise TypeError(f"no value: {node}")


def _values(polynomial: t.Value, var: str, letters: Letters) -> list[Fraction]:
    """A product of linear factors at 0, 1, ..., its degree."""
    assert isinstance(polynomial, t.Big)
    degree = len(_span(polynomial.low, polynomial.high, letters))
    return [value(polynomial, {**letters, var: x}) for x in range(degree + 1)]


def _span(low: t.Value, high: t.Value, letters: Letters) -> range:
    return range(integer(low, letters), integer(high, letters) + 1)


def _product(factors: tuple[t.Value, ...], letters: Letters) -> Fraction:
    found = Fraction(1)
    for factor in factors:
        if found:  # what a bracket that is 0 multiplies may have no value
            found *= value(factor, letters)
    return found


def _power(base: t.Value, exponent: int, letters: Letters) -> Fraction:
    if exponent < 0 and base != _MINUS_ONE:  # (-1)^k is a sign for every k; other powers count factors
        raise ValueError("a power below 0")
    return value(base, letters) ** exponent


# --- x_j, ..., x_i --------------------------------------------------------------------------------------------------


def _listed(first: t.Value, last: t.Value, letters: Letters) -> list[Fraction]:
    """The values from the first to the last one, which differ in one index that counts on."""
    differences: list[tuple[t.Value, t.Value]] = []
    general = _merged(first, last, differences)
    counts = {integer(b, letters) - integer(a, letters) for a, b in differences}
    if len(counts) > 1 or (not counts and first != last):
        raise ValueError("a list whose rule is not seen")
    return [value(general, {**letters, _STEP: step}) for step in range(max(counts, default=0) + 1)]


def _merged(first: Any, last: Any, differences: list[tuple[t.Value, t.Value]]) -> Any:
    """The first tree with a step added to each index in which the last one differs."""
    if first == last:
        return first
    kept = len(differences)
    if isinstance(first, tuple) and isinstance(last, tuple) and len(first) == len(last):
        return tuple(_merged(a, b, differences) for a, b in zip(first, last, strict=True))
    if isinstance(first, t.Value | t.Function | t.Formula) and type(first) is type(last):
        try:
            parts = {f.name: _merged(getattr(first, f.name), getattr(last, f.name), differences) for f in fields(first)}
            return replace(first, **parts)
        except _Differs:
            del differences[kept:]
    if isinstance(first, t.Value) and isinstance(last, t.Value):
        differences.append((first, last))
        return t.Sum(((1, first), (1, t.Apply(t.Letter(0, _STEP)))))
    raise _Differs


class _Differs(Exception):
    """Two trees differ where no value stands."""

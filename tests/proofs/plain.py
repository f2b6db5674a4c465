"""Values of terms in plain Python, for comparison: no normal form, no compilation, operators from their textbook
formulas rather than from notation.py (save those that have none here), and functions defined at every integer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from random import Random

from proofs.notation import DEFINITIONS
from proofs.substitute import substitute
from proofs.term import (
    Apply,
    Bracket,
    Compare,
    Exp,
    Fn,
    Index,
    Lambda,
    Log,
    Num,
    Op,
    Plus,
    Reciprocal,
    Sum,
    Symbol,
    Term,
    Times,
    index,
)

__all__ = ["Function", "Functions", "Ints", "function_value", "integer", "noise", "value"]

Function = Callable[..., Fraction]
Ints = Mapping[str, int]
Functions = Mapping[str, Function]


def noise(name: str, seed: int) -> Function:
    """A function of any number of integers whose values look random and are the same at every run."""

    @cache
    def read(*args: int) -> Fraction:
        drawn = Random(f"{seed} {name} {args}")
        return Fraction(drawn.randint(-4, 4), drawn.randint(1, 3))

    return read


def integer(ix: Index, ints: Ints) -> int:
    """The integer of an index."""
    return ix.const + sum(c * ints[name] for name, c in ix.terms)


def value(term: Term, ints: Ints, functions: Functions) -> Fraction:
    """The value of a term; the reciprocal of 0 is 0, so that it is defined everywhere."""
    match term:
        case Num(number):
            return number
        case Plus(parts):
            return sum((value(p, ints, functions) for p in parts), Fraction(0))
        case Times(parts):
            product = Fraction(1)
            for part in parts:
                if product:  # what a bracket that is 0 multiplies may lie outside a table
                    product *= value(part, ints, functions)
            return product
        case Reciprocal(body):
            divisor = value(body, ints, functions)
            return 1 / divisor if divisor else divisor
        case Exp(body) | Log(body):  # opaque: known only by name and argument
            return noise(type(term).__name__, 0)(value(body, ints, functions))
        case Compare(left, right):
            return Fraction(value(left, ints, functions) <= value(right, ints, functions))
        case Bracket(conditions):
            return Fraction(all(integer(a, ints) <= integer(b, ints) for a, b in conditions))
        case Sum(rng, body):
            assert rng.high is not None
            span = range(integer(rng.low, ints), integer(rng.high, ints) + 1)
            return sum((value(body, {**ints, rng.var: v}, functions) for v in span), Fraction(0))
        case Apply(fn, args):
            return function_value(fn, ints, functions)(*(integer(a, ints) for a in args))
    raise TypeError(f"no value: {term}")


def function_value(fn: Fn, ints: Ints, functions: Functions) -> Function:
    """A function of indices."""
    match fn:
        case Symbol(name):
            return functions[name]
        case Lambda(params, body):
            return lambda *args: value(body, {**ints, **dict(zip(params, args, strict=True))}, functions)
        case Op(name, fns):
            given = [function_value(f, ints, functions) for f in fns]
            return _formulas(ints["n"], *given).get(name) or _defined(name, ints["n"], given)
    raise TypeError(f"no function: {fn}")


def _defined(name: str, n: int, given: Sequence[Function]) -> Function:
    """An operator that has no formula here: its definition, with its functions under their own names."""
    meaning = DEFINITIONS[name]
    functions = {symbol.name: function for symbol, function in zip(meaning.fns, given, strict=True)}

    def read(*args: int) -> Fraction:
        ints = {"n": n, **dict(zip(meaning.params, args, strict=True))}
        if meaning.base is None:
            return value(meaning.body, ints, functions)
        if args[0] == 0:
            return value(meaning.base, ints, functions)
        return value(substitute(meaning.body, {meaning.params[0]: index(meaning.params[0]) - 1}, {}), ints, functions)

    return read


def _formulas(n: int, *fns: Function) -> dict[str, Function]:
    positions = range(1, n + 1)

    def total(terms: object) -> Fraction:
        return sum(terms, Fraction(0))  # type: ignore[call-overload,no-any-return]

    def rolled(depth: int, i: int, j: int) -> Fraction:
        if depth == 0:
            return Fraction(i == j)
        return total(fns[0](depth, i, l) * rolled(depth - 1, l, j) for l in positions)  # noqa: E741

    def recursed(depth: int, j: int) -> Fraction:
        row = {i: fns[0](i) for i in positions}
        for t in range(depth, 0, -1):
            row = {j: total(row[i] * fns[1](t, i, j) for i in positions) for j in positions}
        return row[j]

    def multiplied(depth: int) -> Fraction:
        product = Fraction(1)
        for t in range(1, depth + 1):
            product *= fns[0](t)
        return product

    def subsets(depth: int, k: int) -> Fraction:
        return (
            total(
                prod((fns[0](t) if t in chosen else 1 - fns[0](t) for t in range(1, depth + 1)), start=Fraction(1))
                for chosen in combinations(range(1, depth + 1), max(k, 0))
            )
            if k >= 0
            else Fraction(0)
        )

    def homogeneous(m: int, j: int, i: int) -> Fraction:
        chosen = combinations_with_replacement(range(j, i + 1), m)
        return total(prod((fns[0](l) for l in monomial), start=Fraction(1)) for monomial in chosen)  # noqa: E741

    def divided(depth: int, j: int, i: int) -> Fraction:
        """g = sum_k P(K = k) z^{-k}, and z^{-k} has (-1)^{i-j} h_{k-1}(1 / z_j, ..., 1 / z_i) / (z_j ... z_i)."""
        if i < j:
            return Fraction(0)
        inverse = {r: 1 / z if (z := fns[1](r)) else z for r in range(j, i + 1)}

        def of_power(k: int) -> Fraction:
            chosen = combinations_with_replacement(inverse.values(), k - 1)
            return (
                Fraction((-1) ** (i - j)) * prod(inverse.values()) * total(prod(m, start=Fraction(1)) for m in chosen)
            )

        return subsets(depth, 0) * (i == j) + total(subsets(depth, k) * of_power(k) for k in range(1, depth + 1))

    def divided_product(m: int, j: int, i: int) -> Fraction:
        """By the coefficients of the product: z^d has h_{d - (i - j)}(theta_j, ..., theta_i)."""
        coefficients = [Fraction(1)]
        for t in range(1, m + 1):
            same, next_up = ([fn(t) * c for c in coefficients] for fn in fns[1:])
            coefficients = [a + b for a, b in zip([*same, Fraction(0)], [Fraction(0), *next_up], strict=True)]
        return total(c * homogeneous(d - (i - j), j, i) for d, c in enumerate(coefficients) if d >= i - j >= 0)

    def raised(k: int, i: int, j: int) -> Fraction:
        return Fraction(i == j) if k == 0 else total(fns[0](i, l) * raised(k - 1, l, j) for l in positions)  # noqa: E741

    return {
        "power": raised,
        "hops": subsets,
        "complete": homogeneous,
        "divided difference": divided,
        "divided product": divided_product,
        "number": lambda k: Fraction(k),
        "sign": lambda k: Fraction((-1) ** k),
        "binomial": lambda m, k: Fraction(comb(m, k) if k >= 0 else 0),
        "identity": lambda i, j: Fraction(i == j),
        "transition": lambda t, i, j: (1 - fns[0](t)) * (i == j) + fns[0](t) * fns[1](t, i, j),
        "product": lambda i, j: total(fns[0](i, l) * fns[1](l, j) for l in positions),  # noqa: E741
        "rollout": rolled,
        "tail": lambda i, k: total(fns[0](i, j) for j in range(k, n + 1)),
        "row recursion": recursed,
        "image": lambda i: total(fns[0](i, j) * fns[1](j) for j in positions),
        "average": lambda heads, i, j: total(fns[0](h) * fns[1](h, i, j) for h in range(1, heads + 1)),
        "blend": lambda t, i, j: (1 - fns[0](t)) * fns[1](t, i, j) + fns[0](t) * fns[2](t, i, j),
        "accumulated": multiplied,
    }

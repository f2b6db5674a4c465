"""Values at a case: terms compiled once to closures that compute exact rationals, or balls where exp or ln enters.

A term becomes a function of an environment (integers of the index variables, tables of the functions); a defined
operator follows its definition in notation.py and remembers its values per case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from operator import itemgetter
from typing import Any, TypeAlias

from flint import arb, fmpq

from proofs.case import Case, OutsideTable
from proofs.notation import DEFINITIONS
from proofs.rational_function import Logarithm, exponential
from proofs.substitute import free_indices, free_names, new_name, substitute
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

__all__ = ["FAR", "ONE", "ZERO", "Environment", "Value", "Values", "compiled", "hoisted", "index_value"]

ZERO, ONE = fmpq(0), fmpq(1)

FAR = 10**12
Value: TypeAlias = Any  # fmpq; arb, a ball, where exp or ln enters; a rational function of a depth that is not fixed
Values = dict[tuple[int, ...], fmpq]


@dataclass
class Environment:
    """Integers of index variables, values of functions, and remembered operator values.

    An index from ``FAR`` / 2 on stands for a depth that is not fixed; ``closed`` then gives the value of a recursive
    operator.
    """

    ints: dict[str, int]
    tables: Mapping[str, Mapping[tuple[int, ...], Value]]
    memo: dict[object, Value] = field(default_factory=dict)
    closed: Callable[[Op, tuple[int, ...]], Value] | None = None

    @classmethod
    def of(cls, case: Case) -> Environment:
        """The environment of a case."""
        tables = {name: table.values() for name, table in case.tables}
        return cls({"n": case.n, **dict(case.indices)}, tables)

    def at(self, ints: dict[str, int]) -> Environment:
        """The same values at other indices."""
        return Environment(ints, self.tables, self.memo, self.closed)


Compiled = Callable[[Environment], Value]
IndexValue = Callable[[dict[str, int]], int]


@lru_cache(maxsize=4096)
def index_value(ix: Index) -> IndexValue:
    """The index as a function of the integers in force; a variable or a variable plus a constant without detours."""
    if not ix.terms:
        return lambda ints: ix.const
    (name, c), *more = ix.terms
    if more or c != 1:
        return lambda ints: ix.const + sum(factor * ints[v] for v, factor in ix.terms)
    shift = ix.const
    return itemgetter(name) if not shift else lambda ints: ints[name] + shift


def _arguments(args: tuple[Index, ...]) -> Callable[[dict[str, int]], tuple[int, ...]]:
    if len(args) > 1 and all(not a.const and len(a.terms) == 1 and a.terms[0][1] == 1 for a in args):
        return itemgetter(*(a.terms[0][0] for a in args))
    parts = [index_value(a) for a in args]
    match parts:
        case [a]:
            return lambda ints: (a(ints),)
        case [a, b]:
            return lambda ints: (a(ints), b(ints))
        case [a, b, c]:
            return lambda ints: (a(ints), b(ints), c(ints))
        case [a, b, c, d]:
            return lambda ints: (a(ints), b(ints), c(ints), d(ints))
    return lambda ints: tuple(p(ints) for p in parts)


@lru_cache(maxsize=16384)
def compiled(term: Term) -> Compiled:
    match term:
        case Num(value):
            constant = fmpq(value.numerator, value.denominator)
            return lambda env: constant
        case Plus(parts):
            first, *others = [compiled(p) for p in parts]
            if len(others) == 1:
                second = others[0]
                return lambda env: first(env) + second(env)
            return lambda env: sum((c(env) for c in others), first(env))
        case Times(parts):
            return _product([compiled(p) for p in parts])
        case Reciprocal(body):
            return _reciprocal(compiled(body))
        case Exp(body):
            return _ball(compiled(body), arb.exp, exponential)
        case Log(body):
            return _ball(compiled(body), arb.log, Logarithm)
        case Compare(left, right):
            low, high = compiled(left), compiled(right)
            return lambda env: _compared(low(env), high(env))
        case Bracket(conditions):
            return _bracket([(index_value(a), index_value(b)) for a, b in conditions])
        case Sum():
            plain, quick = _sum(term), hoisted(term)
            return plain if quick == term else _either(compiled(quick), plain)
        case Apply(Symbol(name), args):
            return _look_up(name, _arguments(args))
        case Apply(fn, args):
            function, at = _function(fn), _arguments(args)
            return lambda env: function(env, at(env.ints))
    raise TypeError(f"no value: {term}")


def _bracket(pairs: list[tuple[IndexValue, IndexValue]]) -> Compiled:
    """1 where every pair is in order, else 0; one pair, or two as in [i = j], without detours."""
    match pairs:
        case [(a, b)]:
            return lambda env: ONE if a(env.ints) <= b(env.ints) else ZERO
        case [(a, b), (c, d)]:
            return lambda env: ONE if a(env.ints) <= b(env.ints) and c(env.ints) <= d(env.ints) else ZERO
    return lambda env: ONE if all(a(env.ints) <= b(env.ints) for a, b in pairs) else ZERO


def _compared(low: Value, high: Value) -> Value:
    """[low <= high]; where balls do not tell, a ball that holds both 0 and 1."""
    if low <= high:
        return ONE
    return ZERO if high < low else arb(0.5, 0.5)


def _ball(body: Compiled, function: Callable[[arb], arb], exactly: Callable[[Value], Value]) -> Compiled:
    """A ball that encloses the function at the value; numbers that are not positive have no logarithm here.

    exactly: the same without balls, where a depth may be one that is not fixed.
    """

    def value(env: Environment) -> Value:
        at = body(env)
        if env.closed is not None:
            return exactly(at)
        image = function(arb(at))
        if not image.is_finite():
            raise OutsideTable("exp or ln of a value where it is not defined")
        return image

    return value


def _reciprocal(body: Compiled) -> Compiled:
    def value(env: Environment) -> Value:
        divisor = body(env)
        return 1 / divisor if divisor else ZERO

    return value


def _product(factors: list[Compiled]) -> Compiled:
    if not factors:
        return lambda env: ONE
    first, *others = factors

    def value(env: Environment) -> Value:
        result = first(env)
        for factor in others:
            if not result:  # the other factors may read outside a table: [i = j] A_ij is 0 all the same
                return result
            result = result * factor(env)
        return result

    return value


def hoisted(term: Sum) -> Term:
    """The sum with what does not depend on its index in front: as many products as before become far fewer.

    >>> from proofs.term import total
    >>> a, b = Symbol("a", 1), Symbol("b", 1)
    >>> hoisted(total("k", 1, "n", a("i") * b("k"))) == Times((a("i"), total("k", 1, "n", Times((b("k"),)))))
    True
    """
    body = hoisted(term.body) if isinstance(term.body, Sum) else term.body
    factors = _factors(body)
    outer = tuple(x for x in factors if term.range.var not in free_names(x))
    if not outer:
        return Sum(term.range, body)
    return Times((*outer, Sum(term.range, Times(tuple(x for x in factors if x not in outer)))))


def _factors(term: Term) -> tuple[Term, ...]:
    """Those of products of products in one row."""
    return tuple(x for part in term.parts for x in _factors(part)) if isinstance(term, Times) else (term,)


def _either(quick: Compiled, plain: Compiled) -> Compiled:
    """The first, and the second where it reads outside a table: factors in another order do not guard each other."""

    def value(env: Environment) -> Value:
        ints = env.ints.copy()
        try:
            return quick(env)
        except OutsideTable:
            env.ints.clear()
            env.ints.update(ints)
            return plain(env)

    return value


def _sum(term: Sum) -> Compiled:
    assert term.range.high is not None
    body, var, low, high = (
        compiled(term.body),
        term.range.var,
        index_value(term.range.low),
        index_value(term.range.high),
    )

    def value(env: Environment) -> Value:
        ints = env.ints
        first, last = low(ints), high(ints)
        if last > FAR // 2:
            raise OutsideTable("a sum over layers that are not fixed")
        shadowed = ints.get(var)
        total: Value = ZERO
        for index_of_term in range(first, last + 1):
            ints[var] = index_of_term
            total = total + body(env)
        if shadowed is None:
            ints.pop(var, None)
        else:
            ints[var] = shadowed
        return total

    return value


@lru_cache(maxsize=4096)
def _function(fn: Fn) -> Callable[[Environment, tuple[int, ...]], Value]:
    match fn:
        case Symbol(name):
            return lambda env, args: _look_up(name, lambda ints: args)(env)
        case Lambda(params, body):
            return _abstraction(params, compiled(body))
        case Op():
            return _operator(fn)
    raise TypeError(f"no function: {fn}")


def _look_up(name: str, at: Callable[[dict[str, int]], tuple[int, ...]]) -> Compiled:
    def value(env: Environment) -> Value:
        args = at(env.ints)
        try:
            return env.tables[name][args]
        except KeyError:
            where = ", ".join(map(str, args))
            raise OutsideTable(f"the case gives no value of {name} at {where}") from None

    return value


def _abstraction(params: tuple[str, ...], body: Compiled) -> Callable[[Environment, tuple[int, ...]], Value]:
    def value(env: Environment, args: tuple[int, ...]) -> Value:
        return body(env.at({**env.ints, **dict(zip(params, args, strict=True))}))

    return value


def _operator(op: Op) -> Callable[[Environment, tuple[int, ...]], Value]:
    """The operator by its definition; remembered per case and per value of the free indices of its functions.

    Its parameters get names of their own, so that no function inside it can see them.
    """
    definition = DEFINITIONS[op.name]
    own = new_name()
    params = [f"{own}.{p}" for p in definition.params]
    names = {p: index(q) for p, q in zip(definition.params, params, strict=True)}
    fns = {s.name: f for s, f in zip(definition.fns, op.fns, strict=True)}
    free = sorted(free_indices(op) - {"n"})
    recursive = definition.base is not None

    @cache
    def instance(base: bool) -> Compiled:
        body = definition.base if base and definition.base is not None else definition.body
        return compiled(substitute(body, names, fns))

    def value(env: Environment, args: tuple[int, ...]) -> Value:
        outer = [env.ints[v] for v in free]
        key = (own, args, *outer)
        known = env.memo.get(key)
        if known is not None:
            return known
        if recursive and args[0] > FAR // 2 and env.closed is not None:
            return env.closed(op, args)
        if recursive and args[0] < 0:
            raise OutsideTable(f"{op.name} of negative depth")
        base = recursive and args[0] == 0
        at = (args[0] - 1, *args[1:]) if recursive and not base else args
        inside = {"n": env.ints["n"], **dict(zip(free, outer, strict=True)), **dict(zip(params, at, strict=True))}
        result = instance(base)(env.at(inside))
        env.memo[key] = result
        return result

    return value

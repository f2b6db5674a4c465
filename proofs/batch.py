"""Values at many cases at once: the definitions of notation.py computed in whatever can be added and multiplied.

The vectorised twin of compiled.py and evaluate.py.  A table gives each function, at each of its arguments, a *value*:
an integer array over a batch of cases (exact), a float array (a screen, to be confirmed exactly), or the degree of a
polynomial (degree.py).  Arrays broadcast: cases that are a product of independent choices give each choice an axis
of its own, so a value that depends on one choice is never copied for the others.

A formula becomes its *atoms*: the relations it asserts, at concrete indices, quantifiers over ranges unrolled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from proofs.case import OutsideTable
from proofs.compiled import index_value
from proofs.notation import DEFINITIONS, unfold_property
from proofs.substitute import free_indices, new_name, substitute
from proofs.term import (
    And,
    Apply,
    Bracket,
    Compare,
    Exists,
    Exp,
    Fn,
    ForAll,
    ForAllFn,
    Formula,
    Holds,
    Implies,
    Lambda,
    Log,
    Num,
    Op,
    Plus,
    Range,
    Reciprocal,
    Relation,
    Sum,
    Symbol,
    Term,
    Times,
    index,
)

__all__ = ["Atom", "Environment", "Mask", "Tables", "Value", "atoms", "holds", "sides", "value_of"]

Value: TypeAlias = Any  # int, Fraction, an array, a degree: anything with + and *
Cells: TypeAlias = Mapping[tuple[int, ...], Value]
Tables: TypeAlias = Mapping[str, Cells]
Mask: TypeAlias = "NDArray[np.bool_] | np.bool_ | bool"


@dataclass
class Environment:
    """Integers of the indices (``n`` among them), values of the functions; ``tolerance`` 0 where values are exact."""

    ints: dict[str, int]
    tables: Tables
    tolerance: float = 0.0
    memo: dict[object, Value] = field(default_factory=dict)

    def at(self, ints: dict[str, int]) -> Environment:
        """The same tables at other indices."""
        return Environment(ints, self.tables, self.tolerance, self.memo)


Valued = Callable[[Environment], Value]


def value_of(fn: Fn, env: Environment, *args: int) -> Value:
    """The value of a function at these indices."""
    return _function(fn)(env, args)


@lru_cache(maxsize=16384)
def _compiled(term: Term) -> Valued:
    match term:
        case Num(value):
            if value.denominator == 1:
                whole = value.numerator
                return lambda env: whole
            return lambda env: float(value) if env.tolerance else value
        case Plus(parts):
            values = [_compiled(p) for p in parts]
            return lambda env: _plus([v(env) for v in values])
        case Times(parts):
            return _times([_compiled(p) for p in parts])
        case Reciprocal(body):
            inner = _compiled(body)
            return lambda env: _reciprocal(inner(env))
        case Exp(body) | Log(body):
            of, analytic = _compiled(body), (np.exp if isinstance(term, Exp) else np.log)
            return lambda env: _screened(analytic, of(env), env.tolerance)
        case Compare(left, right):
            low, high = _compiled(left), _compiled(right)
            return lambda env: _compare(low(env), high(env), env.tolerance)
        case Bracket(conditions):
            pairs = [(index_value(a), index_value(b)) for a, b in conditions]
            return lambda env: int(all(a(env.ints) <= b(env.ints) for a, b in pairs))
        case Sum():
            return _sum(term)
        case Apply(fn, args):
            function, at = _function(fn), [index_value(a) for a in args]
            return lambda env: function(env, tuple(a(env.ints) for a in at))
    raise TypeError(f"no value: {term}")


def _reciprocal(value: Value) -> Value:
    """One over the value, and 0 over 0 as in compiled.py; arrays of integers have none."""
    if isinstance(value, (int, Fraction)):
        return Fraction(1) / value if value else 0
    if isinstance(value, np.ndarray):
        if value.dtype.kind != "f":
            raise OutsideTable("a division, which integers cannot decide")
        return np.divide(1.0, value, out=np.zeros_like(value), where=value != 0)
    return 1 / value


def _screened(function: Callable[[Value], Value], value: Value, tolerance: float) -> Value:
    """exp or ln in floating point, where values are a screen; of no degree, as they are no polynomials."""
    if not isinstance(value, (int, float, Fraction, np.ndarray)):
        return _reciprocal(value)
    if not tolerance:
        raise OutsideTable("exp or ln, which rationals cannot decide")
    return function(np.asarray(value, dtype=float))


def _compare(left: Value, right: Value, tolerance: float) -> Value:
    """1 where left <= right, else 0; of no degree, since it is no polynomial."""
    numbers = (int, float, Fraction, np.ndarray)
    if not all(isinstance(side, numbers) for side in (left, right)):
        return _reciprocal(left + right)
    up = left <= (right + tolerance if tolerance else right)
    return up * 1


def _plus(values: list[Value]) -> Value:
    """The sum; a plain 0 is left out, so that it costs no array."""
    total: Value = 0
    for value in values:
        if isinstance(value, int) and value == 0:
            continue
        total = value if isinstance(total, int) and total == 0 else total + value
    return total


def _times(factors: list[Valued]) -> Valued:
    """The product; a factor that is plainly 0 or 1 costs nothing, and after a 0 the others are not read."""

    def value(env: Environment) -> Value:
        product: Value = 1
        for factor in factors:
            by = factor(env)
            if isinstance(by, int):
                if by == 0:
                    return 0
                if by == 1:
                    continue
            product = by if isinstance(product, int) and product == 1 else product * by
        return product

    return value


def _sum(term: Sum) -> Valued:
    if term.range.high is None:
        raise OutsideTable("an infinite sum cannot be evaluated")
    body, var = _compiled(term.body), term.range.var
    low, high = index_value(term.range.low), index_value(term.range.high)

    def value(env: Environment) -> Value:
        span = range(low(env.ints), high(env.ints) + 1)
        return _plus([body(env.at({**env.ints, var: at})) for at in span])

    return value


@lru_cache(maxsize=4096)
def _function(fn: Fn) -> Callable[[Environment, tuple[int, ...]], Value]:
    match fn:
        case Symbol(name):
            return lambda env, args: _look_up(env, name, args)
        case Lambda(params, body):
            inner = _compiled(body)
            return lambda env, args: inner(env.at({**env.ints, **dict(zip(params, args, strict=True))}))
        case Op():
            return _operator(fn)
    raise TypeError(f"no function: {fn}")


def _look_up(env: Environment, name: str, args: tuple[int, ...]) -> Value:
    try:
        return env.tables[name][args]
    except KeyError:
        raise OutsideTable(f"the case gives no value of {name} at {', '.join(map(str, args))}") from None


def _operator(op: Op) -> Callable[[Environment, tuple[int, ...]], Value]:
    """The operator by its definition, its parameters under names of their own; remembered as in compiled.py."""
    definition = DEFINITIONS[op.name]
    own = new_name()
    params = [f"{own}.{p}" for p in definition.params]
    names = {p: index(q) for p, q in zip(definition.params, params, strict=True)}
    fns = {s.name: f for s, f in zip(definition.fns, op.fns, strict=True)}
    free = sorted(free_indices(op) - {"n"})
    recursive = definition.base is not None

    @cache
    def instance(base: bool) -> Valued:
        body = definition.base if base and definition.base is not None else definition.body
        return _compiled(substitute(body, names, fns))

    def value(env: Environment, args: tuple[int, ...]) -> Value:
        key = (own, args, tuple([env.ints[v] for v in free]))
        if key in env.memo:
            return env.memo[key]
        if recursive and args[0] < 0:
            raise OutsideTable(f"{op.name} of negative depth")
        base = recursive and args[0] == 0
        at = (args[0] - 1, *args[1:]) if recursive and not base else args
        result = instance(base)(env.at({**env.ints, **dict(zip(params, at, strict=True))}))
        env.memo[key] = result
        return result

    return value


# --- formulas -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Atom:
    """One thing that a formula asserts: a relation (or an implication, or a claim for all functions) at indices."""

    path: str
    formula: Formula
    ints: tuple[tuple[str, int], ...]


def atoms(formula: Formula, ints: Mapping[str, int], path: str = "", *, unfold: bool = True) -> Iterator[Atom]:
    """The atoms of a formula at the given indices; defined properties stay whole unless ``unfold``."""
    match _unfolded(formula) if unfold else formula:
        case And(parts):
            for name, part in parts:
                yield from atoms(part, ints, f"{path}/{name}".strip("/"), unfold=unfold)
        case ForAll(rng, body):
            if rng.high is None:
                raise OutsideTable("a claim for infinitely many indices cannot be evaluated")
            own = dict(ints)
            for value in range(index_value(rng.low)(own), index_value(rng.high)(own) + 1):
                yield from atoms(body, {**ints, rng.var: value}, path, unfold=unfold)
        case leaf:
            yield Atom(path, leaf, tuple(ints.items()))


@lru_cache(maxsize=4096)
def _unfolded(formula: Formula) -> Formula:
    return unfold_property(formula)


def sides(atom: Atom, env: Environment) -> tuple[Value, Value]:
    """Both sides of an atom that is a relation."""
    assert isinstance(atom.formula, Relation)
    at = env.at(dict(atom.ints))
    return _compiled(atom.formula.left)(at), _compiled(atom.formula.right)(at)


def holds(formula: Formula, env: Environment) -> Mask:
    """Where in the batch the formula holds; a claim for all functions is tried at the thresholds [j >= l]."""
    result: Mask = True
    for atom in atoms(formula, env.ints):
        result = result & _atom_holds(atom, env)
    return result


def _atom_holds(atom: Atom, env: Environment) -> Mask:
    at = env.at(dict(atom.ints))
    match atom.formula:
        case Relation(op):
            return _compares(op, *sides(atom, env), env.tolerance)
        case Implies(hypothesis, body):
            return np.logical_not(holds(hypothesis, at)) | holds(body, at)
        case ForAllFn(symbol, body):
            return _at_thresholds(symbol.name, body, at)
        case Exists(rng, body):
            return _somewhere(rng, body, at)
        case Holds():
            return holds(atom.formula, at)
    raise TypeError(f"no truth value: {atom.formula}")


def _somewhere(rng: Range, body: Formula, env: Environment) -> Mask:
    if rng.high is None:
        raise OutsideTable("a claim for infinitely many indices cannot be evaluated")
    result: Mask = False
    for value in range(index_value(rng.low)(env.ints), index_value(rng.high)(env.ints) + 1):
        result = result | holds(body, env.at({**env.ints, rng.var: value}))
    return result


def _at_thresholds(name: str, body: Formula, env: Environment) -> Mask:
    n = env.ints["n"]
    result: Mask = True
    for low in range(1, n + 2):
        step: Cells = {(j,): int(j >= low) for j in range(1, n + 1)}
        result = result & holds(body, Environment(dict(env.ints), {**env.tables, name: step}, env.tolerance))
    return result


def _compares(op: str, left: Value, right: Value, tolerance: float) -> Mask:
    """The relation; up to the tolerance where the values are a screen in floating point."""
    if op == "<":
        return (left + tolerance if tolerance else left) < right  # type: ignore[no-any-return]
    up: Mask = left <= (right + tolerance if tolerance else right)
    if op == "<=":
        return up
    return up & (right <= (left + tolerance if tolerance else left))  # type: ignore[no-any-return]

"""What a formula says at given values, in plain arithmetic, as the list that reading/readings.py makes of its LaTeX."""

from __future__ import annotations

from collections.abc import Iterator

from proofs.notation import arity
from proofs.term import And, Exists, ExistsFn, ForAll, ForAllFn, Formula, Holds, Implies, Relation
from tests.proofs.plain import Function, Functions, Ints, function_value, integer, noise, value
from tests.proofs.reading.readings import ends, table

__all__ = ["said"]


def said(formula: Formula, ints: Ints, functions: Functions, seed: int) -> Iterator[tuple[object, ...]]:
    """The list; functions that are quantified are noise."""
    match formula:
        case Relation(op, left, right):
            yield op, value(left, ints, functions), value(right, ints, functions)
        case Holds("mixing", (lam,), (layers,)):
            yield from _mixing(function_value(lam, ints, functions), integer(layers, ints))
        case Holds(name, fns, args):
            tables = (table(function_value(f, ints, functions), arity(f), ints["n"]) for f in fns)
            yield (name, *tables, *(integer(a, ints) for a in args))
        case ForAll(rng, body) | Exists(rng, body):
            low, high = integer(rng.low, ints), None if rng.high is None else integer(rng.high, ints)
            yield "every" if isinstance(formula, ForAll) else "some", low, high
            for at in ends(low, high):
                yield from said(body, {**ints, rng.var: at}, functions, seed)
        case ForAllFn(symbol, body) | ExistsFn(symbol, body):
            yield "every function" if isinstance(formula, ForAllFn) else "some function", symbol.arity
            yield from said(body, ints, {**functions, symbol.name: noise(symbol.name, seed)}, seed)
        case Implies(hypothesis, body):
            yield ("if",)
            yield from said(hypothesis, ints, functions, seed)
            yield ("then",)
            yield from said(body, ints, functions, seed)
        case And(parts):
            for _, part in parts:
                yield from said(part, ints, functions, seed)


def _mixing(lam: Function, layers: int) -> Iterator[tuple[object, ...]]:
    """0 <= lambda_t <= 1 for 1 <= t <= T."""
    yield "every", 1, layers
    for t in ends(1, layers):
        yield from (("<=", 0, lam(t)), ("<=", lam(t), 1))

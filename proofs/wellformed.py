"""Whether a term, function, formula, index or range is well formed: what the checker asks before it reads one.

Names live in one namespace.  A name stands for an index or for a function of so many indices, a binder hides what its
name stood for outside, and every function is read at as many indices as it takes.  So a name that no quantifier fixes
cannot hide behind a binder of the other kind, and a product never confuses f(1) g(2) with f(1, 2) g().
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from proofs.notation import DEFINITIONS, PROPERTIES, arity
from proofs.term import (
    And,
    Apply,
    Bracket,
    Compare,
    Exists,
    ExistsFn,
    Exp,
    Fn,
    ForAll,
    ForAllFn,
    Formula,
    Holds,
    Implies,
    Index,
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
)

__all__ = ["Names", "Node", "faults", "reserved"]

Names = Mapping[str, "int | None"]  # the number of indices a function takes; None for an index
Node = Term | Fn | Formula | Index | Range


def reserved(name: str) -> bool:
    """Whether only the checker may use the name: n is the number of positions, # and ? begin names of its own."""
    return name == "n" or name[:1] in ("", "#", "?")


def faults(node: Node, names: Names) -> Iterator[str]:
    """What is wrong with ``node`` where ``names`` are known; nothing if it is well formed."""
    match node:
        case Index():
            yield from _index_faults(node, names)
        case Range(var, low, high):
            if reserved(var):
                yield f"the name '{var}' is reserved"
            yield from _each((low,) if high is None else (low, high), names, Index)
        case Num(value):
            if type(value) is not Fraction:
                yield f"{value} is not an exact rational"
        case Apply(fn, args):
            yield from _each((fn,), names, Fn)
            yield from _each(args, names, Index)
            if arity(fn) != len(args):
                yield f"a function of {arity(fn)} indices is read at {len(args)}"
        case Plus(parts) | Times(parts):
            yield from _each(parts, names, Term)
        case Reciprocal(body) | Exp(body) | Log(body):
            yield from _each((body,), names, Term)
        case Compare(left, right):
            yield from _each((left, right), names, Term)
        case Sum(rng, body):
            if rng.high is None:
                yield "a sum needs an upper end"
            yield from faults(rng, names)
            yield from _each((body,), {**names, rng.var: None}, Term)
        case Bracket(conditions):
            yield from (fault for pair in conditions for fault in _each(pair, names, Index))
        case Symbol(name, takes):
            if name not in names:
                yield f"nothing is known of {name}"
            elif names[name] != takes:
                yield f"{name} is not a function of {takes} indices here"
        case Lambda(params, body):
            yield from _each((body,), {**names, **dict.fromkeys(params)}, Term)
        case Op(name, fns):
            if name not in DEFINITIONS:
                yield f"no operator {name}"
            yield from _function_faults(name, fns, DEFINITIONS[name].fns, names)
        case _:
            yield from _formula_faults(node, names)


def _formula_faults(node: Node, names: Names) -> Iterator[str]:
    match node:
        case Relation(_, left, right):
            yield from _each((left, right), names, Term)
        case ForAll(rng, body) | Exists(rng, body):
            yield from faults(rng, names)
            yield from _each((body,), {**names, rng.var: None}, Formula)
        case ForAllFn(symbol, body) | ExistsFn(symbol, body):
            if reserved(symbol.name):
                yield f"the name '{symbol.name}' is reserved"
            if type(symbol.arity) is not int or symbol.arity < 0:
                yield f"{symbol.name} is not a function of so many indices: {symbol.arity}"
            yield from _each((body,), {**names, symbol.name: symbol.arity}, Formula)
        case And(parts):
            yield from _each([part for _, part in parts], names, Formula)
        case Implies(hypothesis, body):
            yield from _each((hypothesis, body), names, Formula)
        case Holds(name, fns, args):
            if name not in PROPERTIES:
                yield f"no property {name}"
            yield from _function_faults(name, fns, PROPERTIES[name].fns, names)
            yield from _each(args, names, Index)
            if len(args) != len(PROPERTIES[name].params):
                yield f"'{name}' takes {len(PROPERTIES[name].params)} indices, not {len(args)}"
        case _:
            yield f"{type(node).__name__} is no part of the language"


def _each(nodes: Sequence[Node], names: Names, kind: type[Node]) -> Iterator[str]:
    """The faults of nodes that have to be indices, values, functions or formulas."""
    for node in nodes:
        if not isinstance(node, kind):
            yield f"{type(node).__name__} stands where a {kind.__name__} belongs"
        yield from faults(node, names)


def _function_faults(name: str, fns: tuple[Fn, ...], wanted: tuple[Symbol, ...], names: Names) -> Iterator[str]:
    yield from _each(fns, names, Fn)
    if [arity(fn) for fn in fns] != [symbol.arity for symbol in wanted]:
        yield f"'{name}' is given functions of another kind than it takes"


def _index_faults(node: Index, names: Names) -> Iterator[str]:
    for name, _ in node.terms:
        if name not in names:
            yield f"nothing is known of {name}"
        elif names[name] is not None:
            yield f"{name} is a function, not an index here"
    if node != Index(()) + node or any(type(c) is not int for c in (node.const, *(c for _, c in node.terms))):
        yield "an index is not an integer combination of variables, each named once, in order"

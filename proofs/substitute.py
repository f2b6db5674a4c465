"""Substitution in the language of term.py, never capturing a variable.

``substitute(x, indices, fns)`` replaces free index variables and free function symbols at once.  A bound name that
would capture something is renamed first.  Abstractions are applied as they are met, so ``(i -> f(i))(k + 1)`` becomes
``f(k + 1)``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import overload

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
    index,
)

__all__ = ["apply", "free_indices", "free_names", "fresh", "new_name", "substitute"]

Node = Term | Fn | Formula | Index
_NONE = frozenset[str]()


def apply(fn: Fn, args: tuple[Index, ...]) -> Term:
    """The value of ``fn`` at ``args``, with an abstraction applied at once."""
    if isinstance(fn, Lambda):
        if len(fn.params) != len(args):
            raise ValueError(f"Argument 'args' must have length {len(fn.params)}, not {len(args)}.")
        return substitute(fn.body, dict(zip(fn.params, args, strict=True)), {})
    return Apply(fn, args)


def fresh(name: str, taken: Iterable[str]) -> str:
    """``name`` with as many primes as it needs to differ from all that is taken."""
    used = set(taken)
    while name in used:
        name += "'"
    return name


def free_names(node: Node | Range) -> frozenset[str]:
    """The free index variables and function symbols of a term, function, formula or index."""
    if isinstance(node, Index):
        return frozenset([name for name, _ in node.terms]) if node.terms else _NONE
    if isinstance(node, Range):
        return free_names(node.low) if node.high is None else free_names(node.low) | free_names(node.high)
    known: frozenset[str] | None = getattr(node, "remembered_names", None)
    if known is None:
        known = _free(node)
        object.__setattr__(node, "remembered_names", known)
    return known


def free_indices(fn: Fn) -> frozenset[str]:
    """The free index variables of a function."""
    return free_names(fn) - frozenset(_symbols(fn))


def _symbols(node: Node | Range) -> Iterator[str]:
    match node:
        case Symbol():
            yield node.name
        case Apply():
            yield from _symbols(node.fn)
        case Reciprocal() | Exp() | Log():
            yield from _symbols(node.body)
        case Compare():
            yield from _symbols(node.left)
            yield from _symbols(node.right)
        case Plus() | Times():
            yield from (v for p in node.parts for v in _symbols(p))
        case Sum() | Lambda():
            yield from _symbols(node.body)
        case Op():
            yield from (v for f in node.fns for v in _symbols(f))


def _free(node: Term | Fn | Formula) -> frozenset[str]:
    match node:
        case Apply():
            return _free_of(node.fn, *node.args)
        case Plus() | Times():
            return _free_of(*node.parts)
        case Num():
            return frozenset()
        case Symbol():
            return frozenset((node.name,))
        case Op():
            return _free_of(*node.fns)
        case Sum() | ForAll() | Exists():
            return free_names(node.range) | (free_names(node.body) - {node.range.var})
        case Bracket():
            return _free_of(*(side for pair in node.conditions for side in pair))
        case Lambda():
            return free_names(node.body).difference(node.params)
        case Relation() | Compare():
            return free_names(node.left) | free_names(node.right)
        case And():
            return _free_of(*(part for _, part in node.parts))
        case Implies():
            return free_names(node.hypothesis) | free_names(node.body)
        case Reciprocal() | Exp() | Log():
            return free_names(node.body)
        case ForAllFn() | ExistsFn():
            return free_names(node.body) - {node.symbol.name}
        case Holds():
            return _free_of(*node.fns, *node.args)
    raise TypeError(f"no term, function or formula: {node}")


def _free_of(*nodes: Node) -> frozenset[str]:
    return frozenset().union(*[free_names(node) for node in nodes])


@overload
def substitute(node: Term, indices: Mapping[str, Index], fns: Mapping[str, Fn]) -> Term: ...
@overload
def substitute(node: Fn, indices: Mapping[str, Index], fns: Mapping[str, Fn]) -> Fn: ...
@overload
def substitute(node: Formula, indices: Mapping[str, Index], fns: Mapping[str, Fn]) -> Formula: ...
@overload
def substitute(node: Index, indices: Mapping[str, Index], fns: Mapping[str, Fn]) -> Index: ...
def substitute(node: Node, indices: Mapping[str, Index], fns: Mapping[str, Fn]) -> Node:
    """``node`` with its free index variables and function symbols replaced."""
    if isinstance(node, Index):
        return _in_index(node, indices)
    return _Substitution(dict(indices), dict(fns)).node(node)


def _in_index(node: Index, indices: Mapping[str, Index]) -> Index:
    for name, _ in node.terms:
        if name in indices:
            break
    else:
        return node
    coefficients: dict[str, int] = {}
    const = node.const
    for name, c in node.terms:
        image = indices.get(name)
        if image is None:
            coefficients[name] = coefficients.get(name, 0) + c
            continue
        const += c * image.const
        for v, d in image.terms:
            coefficients[v] = coefficients.get(v, 0) + c * d
    return Index(tuple(sorted((v, c) for v, c in coefficients.items() if c)), const)


class _Substitution:
    """One simultaneous replacement, narrowed as it passes under binders."""

    def __init__(self, indices: dict[str, Index], fns: dict[str, Fn]) -> None:
        self.indices, self.fns = indices, fns
        self.replaced = indices.keys() | fns.keys()
        images: list[Index | Fn] = [*indices.values(), *fns.values()]
        self.avoid = {name for image in images for name in free_names(image)}

    def leaves(self, node: Term | Fn | Formula) -> bool:
        """Whether nothing that is replaced is free in the node."""
        return self.replaced.isdisjoint(free_names(node))

    def ix(self, node: Index) -> Index:
        return _in_index(node, self.indices)

    def under(self, names: tuple[str, ...], body: Node) -> tuple[tuple[str, ...], _Substitution]:
        """New names for binders of ``body`` and the substitution that is valid below them."""
        if self.replaced.isdisjoint(names) and self.avoid.isdisjoint(names):
            return names, self
        new: list[str] = []
        indices = {v: image for v, image in self.indices.items() if v not in names}
        fns = {v: image for v, image in self.fns.items() if v not in names}
        for name in names:
            clash = name in self.avoid
            renamed = fresh(name, {*self.avoid, *free_names(body), *new, *names}) if clash else name
            if clash:
                indices[name] = index(renamed)
            new.append(renamed)
        return tuple(new), _Substitution(indices, fns)

    def range(self, node: Range, body: Node) -> tuple[Range, _Substitution]:
        (var,), below = self.under((node.var,), body)
        high = self.ix(node.high) if node.high is not None else None
        return Range(var, self.ix(node.low), high), below

    def term(self, node: Term) -> Term:
        if self.leaves(node):
            return node
        match node:
            case Apply():
                return apply(self.fn(node.fn), tuple(self.ix(a) for a in node.args))
            case Plus():
                return Plus(tuple(self.term(p) for p in node.parts))
            case Reciprocal() | Exp() | Log():
                return type(node)(self.term(node.body))
            case Compare():
                return Compare(self.term(node.left), self.term(node.right))
            case Times():
                return Times(tuple(self.term(p) for p in node.parts))
            case Sum():
                rng, below = self.range(node.range, node.body)
                return Sum(rng, below.term(node.body))
            case Bracket():
                return Bracket(tuple((self.ix(a), self.ix(b)) for a, b in node.conditions))
        return node

    def fn(self, node: Fn) -> Fn:
        if self.leaves(node):
            return node
        match node:
            case Symbol():
                return self.fns.get(node.name, node)
            case Lambda():
                params, below = self.under(node.params, node.body)
                return Lambda(params, below.term(node.body))
            case Op():
                return Op(node.name, tuple(self.fn(f) for f in node.fns))
        return node

    def formula(self, node: Formula) -> Formula:
        if self.leaves(node):
            return node
        match node:
            case Relation():
                return Relation(node.op, self.term(node.left), self.term(node.right))
            case ForAll() | Exists():
                rng, below = self.range(node.range, node.body)
                return type(node)(rng, below.formula(node.body))
            case ForAllFn() | ExistsFn():
                return self.quantified(node)
            case And():
                return And(tuple((name, self.formula(p)) for name, p in node.parts))
            case Implies():
                return Implies(self.formula(node.hypothesis), self.formula(node.body))
            case Holds():
                return Holds(node.name, tuple(self.fn(f) for f in node.fns), tuple(self.ix(a) for a in node.args))
        return node

    def quantified(self, node: ForAllFn | ExistsFn) -> ForAllFn | ExistsFn:
        name = node.symbol.name
        indices = {v: image for v, image in self.indices.items() if v != name}
        fns = {v: image for v, image in self.fns.items() if v != name}
        if name in self.avoid:
            renamed = Symbol(fresh(name, {*self.avoid, *free_names(node.body)}), node.symbol.arity)
            fns[name] = renamed
            return type(node)(renamed, _Substitution(indices, fns).formula(node.body))
        return type(node)(node.symbol, _Substitution(indices, fns).formula(node.body))

    def node(self, node: Term | Fn | Formula) -> Term | Fn | Formula:
        if isinstance(node, Term):
            return self.term(node)
        return self.fn(node) if isinstance(node, Fn) else self.formula(node)


_numbers = count()


def new_name() -> str:
    """A name that no author writes and that was never given before: ``?0``, ``?1``, …"""
    return f"?{next(_numbers)}"

"""Terms, formulas and citations as lists for a certificate; recheck.py reads them.

    values      3, "1/2", ["+", ...], ["*", ...], ["[]", [low, high], ...], ["sum", [name, low, high], value],
                ["at", function, index, ...], ["1 /", value], ["0 <=", value], "exp", "log"
    indices     3, "i", or [constant, ["i", factor], ...]
    functions   "A", ["fn", free names, names, value], ["op", name, function, ...]
    formulas    ["<=", left, right], ["all", [name, low, high], formula], ["all fn", name, arity, formula],
                "some", "some fn" like these two, ["and", [name, formula], ...],
                ["if", ["given", formula], ["then", formula]]

Properties are written out as what they mean, [x <= y] as [0 <= y - x], and a recursion at 0 as its value there, so that
nothing is written that does not matter.  A construct that is not in this list becomes its class's name alone and is
noted as lying beyond the second opinion.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from proofs.notation import DEFINITIONS, unfold_property
from proofs.region import Region
from proofs.steps import Item, Use
from proofs.substitute import free_names, substitute
from proofs.sums import unfold
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

__all__ = ["Nodes", "index_node", "range_node"]

_LARGEST = 999_999  # beyond this a whole number is written as a fraction


def index_node(node: Index) -> Any:
    """An integer, a name, or [constant, [name, factor], ...]."""
    if not node.terms:
        return node.const
    if len(node.terms) == 1 and node.const == 0 and node.terms[0][1] == 1:
        return node.terms[0][0]
    return [node.const, *([name, factor] for name, factor in node.terms)]


def range_node(rng: Range) -> list[Any]:
    """[name, low, high]; no high for a range without end."""
    return [rng.var, index_node(rng.low), None if rng.high is None else index_node(rng.high)]


@dataclass
class Nodes:
    """Writes nodes; ``operators`` and ``beyond``: what they use, and what of it the second opinion does not know."""

    operators: set[str] = field(default_factory=set)
    beyond: set[str] = field(default_factory=set)

    def term(self, node: Term) -> Any:
        match node:
            case Num(value):
                return _number(value)
            case Plus(parts):
                return ["+", *map(self.term, parts)]
            case Times(parts):
                return ["*", *map(self.term, parts)]
            case Bracket(conditions):
                return ["[]", *([index_node(low), index_node(high)] for low, high in conditions)]
            case Sum(rng, body):
                return ["sum", range_node(rng), self.term(body)]
            case Apply(Op(name), at) if DEFINITIONS[name].base is not None and at[0] == Index((), 0):
                first = unfold(node.fn, at, Region())
                assert first is not None
                return self.term(first)
            case Apply(fn, at):
                return ["at", self.fn(fn), *map(index_node, at)]
            case Exp(body):
                return ["exp", self.term(body)]
            case Log(body):
                return ["log", self.term(body)]
            case Reciprocal(body):
                return ["1 /", self.term(body)]
            case Compare(low, high):
                return ["0 <=", ["+", self.term(high), ["*", -1, self.term(low)]]]
        return self.unknown(node)

    def fn(self, node: Fn) -> Any:
        match node:
            case Symbol(name):
                return name
            case Lambda(params, body):
                return ["fn", sorted(free_names(node)), list(params), self.term(body)]
            case Op(name, fns):
                self.operators.add(name)
                return ["op", name, *map(self.fn, fns)]
        return self.unknown(node)

    def formula(self, node: Formula) -> Any:
        match unfold_property(node):
            case Relation(op, left, right):
                return [op, self.term(left), self.term(right)]
            case ForAll(rng, body):
                return ["all", range_node(rng), self.formula(body)]
            case ForAllFn(symbol, body):
                return ["all fn", symbol.name, symbol.arity, self.formula(body)]
            case Exists(rng, body):
                return ["some", range_node(rng), self.formula(body)]
            case ExistsFn(symbol, body):
                return ["some fn", symbol.name, symbol.arity, self.formula(body)]
            case And(parts):
                return ["and", *([name, self.formula(part)] for name, part in parts)]
            case Implies(hypothesis, body):
                return ["if", ["given", self.formula(hypothesis)], ["then", self.formula(body)]]
        return self.unknown(node)

    def unknown(self, node: object) -> list[str]:
        self.beyond.add(type(node).__name__)
        return [type(node).__name__]

    def definitions(self) -> dict[str, Any]:
        """[functions, names, value, value at 0 or null] of every operator used, and of those that these use."""
        found: dict[str, Any] = {}
        while missing := sorted(self.operators - set(found)):
            for name in missing:
                d = DEFINITIONS[name]
                base = None if d.base is None else self.term(d.base)
                found[name] = [[s.name for s in d.fns], list(d.params), self.term(d.body), base]
        return {name: found[name] for name in sorted(found)}

    # --- reasons ------------------------------------------------------------------------------------------------

    def use(self, source: Use, facts: dict[str, Formula]) -> list[Any]:
        """[label, filling, ...]: what the citation puts for quantifiers, parts and hypotheses, in the fact's order."""
        formula, filled = facts[source.fact], list[Any]([source.fact])
        at, fns, parts, given = list(source.at), list(source.fns), list(source.parts), list(source.given)
        while at or fns or parts or given:
            match unfold_property(formula):
                case ForAll(rng, body) if at:
                    filled.append(index_node(at[0]))
                    formula = substitute(body, {rng.var: at.pop(0)}, {})
                case ForAllFn(symbol, body) if fns:
                    filled.append(self.fn(fns[0]))
                    formula = substitute(body, {}, {symbol.name: fns.pop(0)})
                case And(named) if parts:
                    filled.append(parts[0])
                    formula = dict(named)[parts.pop(0)]
                case Implies(_, body) if given:
                    filled.append(self.use(given.pop(0), facts))
                    formula = body
                case other:
                    filled.append(self.unknown(other))
                    break
        return filled

    def item(self, item: Item, facts: dict[str, Formula]) -> list[Any]:
        """[ranges, factor, citations]."""
        return [list(map(range_node, item.over)), self.term(item.times), [self.use(u, facts) for u in item.uses]]


def _number(value: Fraction) -> int | str:
    whole = value.denominator == 1 and abs(value) <= _LARGEST
    return value.numerator if whole else f"{value.numerator}/{value.denominator}"

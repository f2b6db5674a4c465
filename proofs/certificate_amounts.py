"""What an entry of a certificate amounts to at one small size, as polynomials, by substitution in the term language.

The second opinion computes the same from the written nodes with closures and its own arithmetic; here integers are
substituted for indices and definitions are unfolded as in the checker, so that two implementations have to agree.

    {"A[1,2,1]*lambda[1]": "-1/2"}      -1/2 A[1,2,1] lambda[1]

A reciprocal or comparison is one symbol, named after the polynomial that it depends on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeVar

from proofs.certificate_entries import By, Entry, Place
from proofs.cited import cited
from proofs.notation import unfold_property
from proofs.recheck import RULES
from proofs.region import Region
from proofs.steps import Item, Use, cited_facts
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
    Log,
    Num,
    Plus,
    Range,
    Reciprocal,
    Relation,
    Sum,
    Symbol,
    Term,
    Times,
)

__all__ = ["Amounts"]

Ints = dict[str, int]
Poly = dict[tuple[str, ...], Fraction]
Node = TypeVar("Node", Term, Fn, Formula, Index)
_UNIT: Poly = {(): Fraction(1)}
_ANYWHERE = Region()


class Amounts:
    """For n positions; an index without end is ``above``, or its least value if that is larger."""

    def __init__(self, n: int, above: int) -> None:
        self.n, self.above = n, above
        self.values, self.meanings = dict[Term, Poly](), dict[tuple[Formula, int], Any]()

    def entry(self, entry: Entry) -> list[Any]:
        """[names, what is stated, and of a leaf the multiples it consists of] at each place of the scope."""
        found = []
        for ints in self.places(entry.scope, {"n": self.n}):
            lows = [self.integer(place.low, ints) for place in entry.scope]
            amounts = [ints, lows, self.meaning(self.at(entry.says, ints))]
            by = entry.by if entry.by is not None and entry.by.rule in RULES else None
            found.append(amounts if by is None else [*amounts, self.leaf(entry.says, ints, entry, by)])
        return found

    # --- indices ------------------------------------------------------------------------------------------------

    def at(self, node: Node, ints: Mapping[str, int]) -> Node:
        """The node with integers for its free names."""
        images = {name: Index((), ints[name]) for name in free_names(node) if name in ints}
        return substitute(node, images, {}) if images else node

    def integer(self, node: Index, ints: Mapping[str, int]) -> int:
        value = self.at(node, {"n": self.n, **ints})
        if value.terms:
            raise ValueError(f"Argument 'ints' must give every name, not leave {value.terms}.")
        return value.const

    def span(self, rng: Range | Place, ints: Mapping[str, int]) -> range:
        low = self.integer(rng.low, ints)
        if rng.high is None:
            return range(max(low, self.above), max(low, self.above) + 1)
        return range(low, self.integer(rng.high, ints) + 1)

    def places(self, scope: Sequence[Place], ints: Ints) -> Iterator[Ints]:
        if not scope:
            yield ints
            return
        span, var = self.span(scope[0], ints), scope[0].var
        if var is None:  # a condition, noted with its slack
            span, var = range(len(span) - 1, len(span)) if span else span, f"?{len(ints)}"
        for value in span:
            yield from self.places(scope[1:], {**ints, var: value})

    # --- values -------------------------------------------------------------------------------------------------

    def value(self, term: Term) -> Poly:
        """The polynomial of a term whose names are all integers."""
        if term not in self.values:
            self.values[term] = self._value(term)
        return self.values[term]

    def _value(self, term: Term) -> Poly:
        match term:
            case Num(value):
                return {(): value} if value else {}
            case Plus(parts):
                return _sum(map(self.value, parts))
            case Times(parts):
                return self.product(parts)
            case Sum(rng, body):
                return _sum(self.value(self.at(body, {rng.var: x})) for x in self.span(rng, {}))
            case Bracket(conditions):
                return _UNIT if all(self.integer(a, {}) <= self.integer(b, {}) for a, b in conditions) else {}
            case Reciprocal(body):
                return {(f"1 /[{_named(self.value(body))}]",): Fraction(1)}
            case Exp(body):
                return {(f"exp[{_named(self.value(body))}]",): Fraction(1)}
            case Log(body):
                return {(f"log[{_named(self.value(body))}]",): Fraction(1)}
            case Compare(low, high):
                return {(f"0 <=[{_named(self.value(high - low))}]",): Fraction(1)}
            case Apply(fn, at):
                return self.applied(fn, tuple(self.at(x, {"n": self.n}) for x in at))
        raise NotImplementedError(type(term).__name__)

    def product(self, parts: Sequence[Term]) -> Poly:
        found = _UNIT
        for part in parts:
            found = _product(found, self.value(part))
        return found

    def applied(self, fn: Fn, at: tuple[Index, ...]) -> Poly:
        meaning = unfold(fn, at, _ANYWHERE)
        if meaning is not None:
            return self.value(self.at(meaning, {"n": self.n}))
        if isinstance(fn, Symbol):
            return {(f"{fn.name}[{','.join(str(x.const) for x in at)}]",): Fraction(1)}
        return {
            (f"below 0[{','.join(str(x.const) for x in at)}]",): Fraction(1)
        }  # nothing is known of a recursion there

    def gap(self, relation: Relation) -> Poly:
        return self.value(relation.right - relation.left)

    # --- formulas -----------------------------------------------------------------------------------------------

    def opened(self, formula: Formula) -> Formula:
        """The formula with a property at its head written out."""
        return self.at(unfold_property(formula), {"n": self.n})

    def meaning(self, formula: Formula, depth: int = 0) -> Any:
        """The difference of the sides at each place and in each part of a formula without free indices."""
        if (formula, depth) not in self.meanings:  # a fact is cited again and again at the same integers
            self.meanings[formula, depth] = self._meaning(formula, depth)
        return self.meanings[formula, depth]

    def _meaning(self, formula: Formula, depth: int) -> Any:
        match self.opened(formula):
            case Relation(op, left, right):
                return [op, _written(self.value(right - left))]
            case (ForAll(rng, body) | Exists(rng, body)) as quantified:
                kind = "all" if isinstance(quantified, ForAll) else "some"
                return [
                    kind,
                    self.integer(rng.low, {}),
                    *([x, self.meaning(self.at(body, {rng.var: x}), depth)] for x in self.span(rng, {})),
                ]
            case (ForAllFn(symbol, body) | ExistsFn(symbol, body)) as quantified:
                kind = "all fn" if isinstance(quantified, ForAllFn) else "some fn"
                inner = substitute(body, {}, {symbol.name: Symbol(f"?{depth}", symbol.arity)})
                return [kind, symbol.arity, self.meaning(inner, depth + 1)]
            case And(parts):
                return [[name, self.meaning(part, depth)] for name, part in parts]
            case Implies(hypothesis, body):
                return [["given", self.meaning(hypothesis, depth)], ["then", self.meaning(body, depth)]]
        raise NotImplementedError(type(formula).__name__)

    # --- leaves -------------------------------------------------------------------------------------------------

    def leaf(self, formula: Formula, ints: Ints, entry: Entry, by: By) -> Any:
        """The multiples, or the cited differences, at each place of the formula's ranges."""
        if by.rule in ("same", "both"):
            return []
        formula = unfold_property(formula)
        if isinstance(formula, ForAll):
            rng = formula.range
            return [self.leaf(formula.body, {**ints, rng.var: x}, entry, by) for x in self.span(rng, ints)]
        items = [*by.products, *by.modulo, *(Item((source,)) for source in by.uses)]
        return [_written(self.item(item, ints, entry)) for item in items]

    def item(self, item: Item, ints: Ints, entry: Entry) -> Poly:
        if item.over:
            first, rest = item.over[0], Item(item.uses, item.times, item.over[1:])
            return _sum(self.item(rest, {**ints, first.var: x}, entry) for x in self.span(first, ints))
        found = self.value(self.at(item.times, ints))
        for source in item.uses:
            found = _product(found, self.gap(self.relation(source, ints, entry)))
        return found

    def relation(self, source: Use, ints: Ints, entry: Entry) -> Relation:
        """The cited relation at integers."""
        facts = {label: self.at(entry.known[label], ints) for label in set(cited_facts(source)) & entry.known.keys()}
        filled = Use(
            source.fact,
            source.parts,
            tuple(self.at(x, ints) for x in source.at),
            tuple(self.at(fn, ints) for fn in source.fns),
            source.given,
        )
        formula, _ = cited(filled, facts)
        match None if formula is None else self.opened(formula):
            case Relation() as relation:
                return relation
        raise NotImplementedError(f"a citation of {source.fact}")


def _sum(values: Iterator[Poly] | Any) -> Poly:
    found: Poly = {}
    for value in values:
        for monomial, c in value.items():
            found[monomial] = found[monomial] + c if monomial in found else c
    return {monomial: c for monomial, c in found.items() if c}


def _product(first: Poly, second: Poly) -> Poly:
    found: Poly = {}
    for (m, c), (k, d) in product(first.items(), second.items()):
        monomial = tuple(sorted(m + k)) if m and k else m or k
        found[monomial] = found[monomial] + c * d if monomial in found else c * d
    return {monomial: c for monomial, c in found.items() if c}


def _named(value: Poly) -> str:
    """The polynomial within the name of a symbol: its monomials in order."""
    return " + ".join(f"{c} {monomial}" for monomial, c in sorted(_written(value).items()))


def _written(value: Poly) -> dict[str, str]:
    return {"*".join(monomial): str(value[monomial]) for monomial in sorted(value)}

"""What a citation says, for printing: the cited fact with its quantifiers and hypotheses filled in, nothing checked.

checker.py does the same and refuses what is not allowed; a printed derivation has been accepted there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from proofs.notation import unfold_property
from proofs.steps import Item, Use
from proofs.substitute import substitute
from proofs.term import (
    And,
    Exists,
    ExistsFn,
    Fn,
    ForAll,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Num,
    Range,
    Relation,
    Sum,
    Symbol,
    Term,
    Times,
    index,
)  # fmt: skip

__all__ = ["Assumed", "Filled", "Fixed", "cited", "item_value", "named", "opened", "relation_of"]


@dataclass(frozen=True)
class Filled:
    """A name that the cited fact quantifies over, and what the citation puts in its place."""

    name: str
    value: Index | Fn


@dataclass(frozen=True)
class Fixed:
    """A name that a proof fixes: an index in a range, or a function."""

    what: Range | Symbol


@dataclass(frozen=True)
class Assumed:
    """A hypothesis that a proof assumes under a label."""

    label: str
    formula: Formula


def relation_of(formula: Formula) -> tuple[list[Range], Formula]:
    """The ranges that a formula quantifies over, properties unfolded, and what it states within them."""
    ranges: list[Range] = []
    while isinstance(formula := unfold_property(formula), ForAll):
        ranges.append(formula.range)
        formula = formula.body
    return ranges, formula


def cited(use: Use, facts: Mapping[str, Formula]) -> tuple[Formula | None, list[Filled]]:
    """What the citation says, and what it fills in; None where it does not fit the fact."""
    formula = facts.get(use.fact)
    filled: list[Filled] = []
    at, fns, parts, given = list(use.at), list(use.fns), list(use.parts), list(use.given)
    while formula is not None and (at or fns or parts or given):
        match formula := unfold_property(formula):
            case ForAll(rng, body) if at:
                place = at.pop(0)
                filled.append(Filled(rng.var, place))
                formula = substitute(body, {rng.var: place}, {})
            case ForAllFn(symbol, body) if fns:
                function = fns.pop(0)
                filled.append(Filled(symbol.name, function))
                formula = substitute(body, {}, {symbol.name: function})
            case And(named) if parts and parts[0] in dict(named):
                formula = dict(named)[parts.pop(0)]
            case Implies(_, body) if given:
                given.pop(0)
                formula = body
            case _:
                formula = None
    return formula, filled


def item_value(item: Item, facts: Mapping[str, Formula]) -> Term | None:
    """The value of an item of a certificate, with its sign in front; None where a citation does not fit its fact."""
    one, turned = Num(Fraction(1)), False
    factors: list[Term] = [item.times] if item.times != one or not item.uses else []
    for use in item.uses:
        formula = cited(use, facts)[0]
        relation = unfold_property(formula) if formula is not None else None
        if not isinstance(relation, Relation):
            return None
        negative, difference = _difference(relation)
        factors, turned = [*factors, difference], turned != negative
    value: Term = factors[0] if len(factors) == 1 else Times(tuple(factors))
    for rng in reversed(item.over):
        value = Sum(rng, value)
    return -value if turned else value


def _difference(relation: Relation) -> tuple[bool, Term]:
    """Right side minus left side: whether negative, and of what."""
    zero = Num(Fraction(0))
    if relation.right == zero and relation.left != zero:
        return True, relation.left
    return False, relation.right if relation.left == zero else relation.right - relation.left


def named(formula: Formula | None, name: str) -> Formula | None:
    """What holds of the thing that a formula says there is, under a name for it; None for another formula."""
    match unfold_property(formula) if formula is not None else None:
        case Exists(rng, body):
            return substitute(body, {rng.var: index(name)}, {})
        case ExistsFn(symbol, body):
            return substitute(body, {}, {symbol.name: Symbol(name, symbol.arity)})
    return None


def opened(formula: Formula, names: Sequence[str]) -> tuple[list[Fixed | Assumed], Formula]:
    """What fixing and assuming under ``names`` introduces, and what remains to be proved."""
    found: list[Fixed | Assumed] = []
    for name in names:
        match formula := unfold_property(formula):
            case ForAll(rng, body):
                found.append(Fixed(Range(name, rng.low, rng.high)))
                formula = substitute(body, {rng.var: index(name)}, {})
            case ForAllFn(symbol, body):
                fixed = Symbol(name, symbol.arity)
                found.append(Fixed(fixed))
                formula = substitute(body, {}, {symbol.name: fixed})
            case Implies(hypothesis, body):
                found.append(Assumed(name, hypothesis))
                formula = body
    return found, formula

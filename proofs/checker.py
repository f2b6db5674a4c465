"""The trusted core: accepts or refuses one step of a derivation at a time.  Nothing else decides "proved".

What is trusted: this file with scope.py, sameness.py and wellformed.py, the normal form of sums.py with region.py,
substitution (substitute.py) and the definitions of notation.py.  Everything else only proposes steps.

Rules.  *Identity*, *nonnegative* and *chain* are certificates: the difference of the two sides equals a sum of cited
multiples, decided by the normal form; splitting a range, shifting an index, exchanging sums and telescoping are
equalities of normal forms and need no rule of their own.  *Instantiate* specialises a fact and discharges its
hypotheses.  *Both*, *generalise*, *cases* and *induction* are the logical skeleton.  A formula that cannot be decided
is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from proofs.notation import arity, unfold_property
from proofs.region import Region, at_most
from proofs.sameness import same
from proofs.scope import Refused, Scope
from proofs.steps import (
    Both,
    Cases,
    Chain,
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Invert,
    Item,
    Nonnegative,
    Step,
    Use,
)
from proofs.substitute import substitute
from proofs.sums import Undecided, is_zero
from proofs.term import (
    And,
    Bracket,
    ForAll,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Num,
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

__all__ = ["Refused", "check"]

_ZERO = Num(Fraction(0))


def check(steps: tuple[Step, ...], goal: Formula, fix: tuple[str, ...], earlier: Mapping[str, Formula]) -> None:
    """Accept a derivation of ``goal`` from ``earlier`` statements, or raise `Refused`.

    ``fix`` names, in order, the functions and indices that the goal quantifies over and its hypotheses.
    """
    positive = Region().add(at_most(Index((), 1), index("n")))
    assert positive is not None
    _accept(Step("claim", goal, Generalise(fix, steps)), Scope(positive, {"n": None}, dict(earlier)))


def _prove(steps: tuple[Step, ...], goal: Formula, scope: Scope) -> None:
    """The steps in order; the last must state the goal."""
    if not steps:
        raise Refused("no steps")
    for step in steps:
        try:
            _accept(step, scope)
            scope = scope.know(step.label, step.formula)
        except (Refused, Undecided) as why:
            raise Refused(f"{step.label}: {why}") from None
    if not same(steps[-1].formula, goal, scope.region):
        raise Refused(f"{steps[-1].label}: the last step does not state what was to be proved")


# --- the rules ------------------------------------------------------------------------------------


def _accept(step: Step, scope: Scope) -> None:
    scope.known(step.formula)
    match step.reason:
        case Identity(modulo):
            _certificate(step.formula, scope, (), modulo)
        case Nonnegative(products, modulo):
            _certificate(step.formula, scope, products, modulo)
        case Invert(positive):
            _invert(step.formula, positive, scope)
        case Chain(links):
            _certificate(step.formula, scope, tuple(Item((link,)) for link in links), ())
        case Instantiate(source):
            if not same(_cite(source, scope), step.formula, scope.region):
                raise Refused(f"'{source.fact}' says something else")
        case Both(labels):
            _both(step.formula, labels, scope)
        case Generalise(fix, steps):
            _generalise(step.formula, fix, steps, scope)
        case Cases(left, right, if_at_most, if_greater):
            scope.known(left, right)
            for (low, high), steps in (((left, right), if_at_most), ((right + 1, left), if_greater)):
                region = scope.region.add(at_most(low, high))
                if region is not None:
                    _prove(steps, step.formula, replace(scope, region=region))
        case Induction(hypothesis, base, steps):
            _induction(step.formula, hypothesis, base, steps, scope)
        case _:
            raise Refused(f"no rule {type(step.reason).__name__}")


def _peeled(formula: Formula, scope: Scope) -> tuple[Relation, Scope] | None:
    """The relation inside the quantifiers and the scope in which it is to be proved; None if a range is empty."""
    while isinstance(formula := unfold_property(formula), ForAll):
        inside = scope.within(formula.range)
        if inside is None:
            return None
        scope, formula = inside, formula.body
    if not isinstance(formula, Relation):
        raise Refused("this reason is for an equation or an inequality")
    return formula, scope


def _certificate(formula: Formula, scope: Scope, products: tuple[Item, ...], modulo: tuple[Item, ...]) -> None:
    """right - left = sum of the items, where every product is nonnegative and every other item is zero."""
    if (peeled := _peeled(formula, scope)) is None:
        return
    relation, scope = peeled
    if relation.op == "<" and not any(_positive(i, scope) for i in products):
        raise Refused("nothing cited is positive")
    items = [_item(i, scope, nonnegative=relation.op != "=") for i in products]
    items += [_item(i, scope, nonnegative=False) for i in modulo]
    if not is_zero(relation.right - relation.left - Plus(tuple(items)), scope.region):
        raise Refused("the two sides do not differ by the cited terms")


def _positive(item: Item, scope: Scope) -> bool:
    """Whether the item is positive: a positive number times strict differences, not summed."""
    strict = all(_cited_relation(u, scope).op == "<" for u in item.uses) if not item.over else False
    return strict and isinstance(item.times, Num) and item.times.value > 0


def _invert(formula: Formula, positive: Use, scope: Scope) -> None:
    """x * (1 / x) = 1 or 0 < 1 / x, from the cited 0 < x."""
    if (peeled := _peeled(formula, scope)) is None:
        return
    relation, scope = peeled
    match relation:
        case Relation("=", Times((x, Reciprocal(y))), Num(Fraction(numerator=1, denominator=1))) if x == y:
            pass
        case Relation("<", Num(Fraction(numerator=0)), Reciprocal(x)):
            pass
        case _:
            raise Refused("inversion states x * (1 / x) = 1 or 0 < 1 / x")
    known = _cited_relation(positive, scope)
    if known.op != "<" or not is_zero(known.right - known.left - x, scope.region):
        raise Refused(f"'{positive.fact}' does not say that the divisor is positive")


def _item(item: Item, scope: Scope, *, nonnegative: bool) -> Term:
    """The value of an item: known to be >= 0 if ``nonnegative``, else known to be 0."""
    inside = scope
    for rng in item.over:
        if rng.high is None:
            raise Refused("a sum in a certificate has two ends")
        inside.known(rng)
        deeper = inside.within(rng)
        if deeper is None:
            return _ZERO
        inside = deeper
    inside.known(item.times)
    relations = [_cited_relation(u, inside) for u in item.uses]
    if nonnegative and not _manifest(item.times):
        raise Refused("a factor is not known to be nonnegative")
    if not nonnegative and not any(r.op == "=" for r in relations):
        raise Refused("an item that must vanish cites no equation")
    value: Term = Times((item.times, *(r.right - r.left for r in relations)))
    for rng in reversed(item.over):
        value = Sum(rng, value)
    return value


def _cited_relation(source: Use, scope: Scope) -> Relation:
    formula = unfold_property(_cite(source, scope))
    if not isinstance(formula, Relation):
        raise Refused(f"'{source.fact}' is cited without all its indices or hypotheses")
    return formula


def _manifest(term: Term) -> bool:
    """Whether the value is nonnegative by its form alone."""
    match term:
        case Num(value):
            return value >= 0
        case Bracket():
            return True
        case Sum(_, body):
            return _manifest(body)
        case Plus(parts):
            return all(_manifest(p) for p in parts)
        case Times(parts):
            return all(_manifest(p) or parts.count(p) % 2 == 0 for p in parts)
    return False


def _cite(source: Use, scope: Scope) -> Formula:
    """The cited fact with its quantifiers, conjunctions and implications filled in."""
    if source.fact not in scope.facts:
        raise Refused(f"'{source.fact}' is not known here")
    scope.known(*source.at, *source.fns)
    formula = scope.facts[source.fact]
    at, fns, parts, given = list(source.at), list(source.fns), list(source.parts), list(source.given)
    while at or fns or parts or given:
        formula = unfold_property(formula)
        match formula:
            case ForAll(rng, body) if at:
                value = at.pop(0)
                _in_range(value, rng, scope.region)
                formula = substitute(body, {rng.var: value}, {})
            case ForAllFn(symbol, body) if fns:
                if arity(fns[0]) != symbol.arity:
                    raise Refused(f"'{symbol.name}' takes {symbol.arity} indices")
                formula = substitute(body, {}, {symbol.name: fns.pop(0)})
            case And(named) if parts and parts[0] in dict(named):
                formula = dict(named)[parts.pop(0)]
            case Implies(hypothesis, body) if given:
                if not same(_cite(given.pop(0), scope), hypothesis, scope.region):
                    raise Refused(f"a hypothesis of '{source.fact}' is not discharged")
                formula = body
            case _:
                raise Refused(f"'{source.fact}' cannot be specialised like this")
    return formula


def _in_range(value: Index, rng: Range, region: Region) -> None:
    limits = [(rng.low, value)] + ([(value, rng.high)] if rng.high is not None else [])
    if not all(region.entails(at_most(low, high)) for low, high in limits):
        raise Refused(f"an index is not known to lie in the range of '{rng.var}'")


def _both(formula: Formula, labels: tuple[str, ...], scope: Scope) -> None:
    formula = unfold_property(formula)
    if not isinstance(formula, And) or len(formula.parts) != len(labels):
        raise Refused("not a conjunction of so many parts")
    for (name, part), label in zip(formula.parts, labels, strict=True):
        if label not in scope.facts or not same(scope.facts[label], part, scope.region):
            raise Refused(f"part '{name}' is not what '{label}' states")


def _generalise(formula: Formula, fix: tuple[str, ...], steps: tuple[Step, ...], scope: Scope) -> None:
    for name in fix:
        formula = unfold_property(formula)
        match formula:
            case ForAll(rng, body):
                formula = substitute(body, {rng.var: index(name)}, {})
                inside = scope.within(rng, name)
                if inside is None:
                    return
                scope = inside
            case ForAllFn(symbol, body):
                formula = substitute(body, {}, {symbol.name: Symbol(name, symbol.arity)})
                scope = scope.fix(name, symbol.arity)
            case Implies(hypothesis, body):
                scope, formula = scope.know(name, hypothesis), body
            case _:
                raise Refused(f"nothing to fix or assume as '{name}'")
    _prove(steps, formula, scope)


def _induction(
    formula: Formula, hypothesis: str, base: tuple[Step, ...], steps: tuple[Step, ...], scope: Scope
) -> None:
    formula = unfold_property(formula)
    if not isinstance(formula, ForAll):
        raise Refused("induction needs a statement for every integer of a range")
    rng, body = formula.range, formula.body

    def at(value: Index) -> Formula:
        return substitute(body, {rng.var: value}, {})

    high = rng.high if rng.high is not None else rng.low
    region = scope.region.add(at_most(rng.low, high))
    if region is None:
        return
    _prove(base, at(rng.low), replace(scope, region=region))
    below = scope.within(Range(rng.var, rng.low, None if rng.high is None else rng.high - 1))
    if below is not None:
        _prove(steps, at(index(rng.var) + 1), below.know(hypothesis, body))

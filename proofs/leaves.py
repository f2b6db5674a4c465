"""The leaves of a derivation: citing a fact, and the reasons that prove an equation or an inequality from cited facts.

Part of the trusted core, with checker.py.  A *certificate* says that the difference of the two sides equals a sum of
cited multiples; the normal form decides that.  *Invert* gives x (1 / x) = 1 from x > 0; *antisymmetry* x = y from x
<= y <= x; *absurd* anything from a false inequality between numbers; *compared* the value of [x <= y] from x <= y or
y < x; *exponential* what determines exp and ln: exp(x + y) = exp x exp y, 1 + x <= exp x, exp ln x = x for x > 0.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.notation import arity, unfold_property
from proofs.region import Region, at_most
from proofs.sameness import same
from proofs.scope import Refused, Scope
from proofs.steps import Item, Use
from proofs.substitute import substitute
from proofs.sums import is_zero
from proofs.term import (
    And,
    Bracket,
    Compare,
    Exp,
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
    Term,
    Times,
)

__all__ = ["absurd", "antisymmetry", "certificate", "cite", "compared", "exponential", "in_range", "invert"]

_ZERO = Num(Fraction(0))


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


def certificate(formula: Formula, scope: Scope, products: tuple[Item, ...], modulo: tuple[Item, ...]) -> None:
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


def invert(formula: Formula, positive: Use, scope: Scope) -> None:
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
    formula = unfold_property(cite(source, scope))
    if not isinstance(formula, Relation):
        raise Refused(f"'{source.fact}' is cited without all its indices or hypotheses")
    return formula


def _manifest(term: Term) -> bool:
    """Whether the value is nonnegative by its form alone."""
    match term:
        case Num(value):
            return value >= 0
        case Bracket() | Compare():
            return True
        case Sum(_, body):
            return _manifest(body)
        case Plus(parts):
            return all(_manifest(p) for p in parts)
        case Times(parts):
            return all(_manifest(p) or parts.count(p) % 2 == 0 for p in parts)
    return False


def cite(source: Use, scope: Scope) -> Formula:
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
                in_range(value, rng, scope.region)
                formula = substitute(body, {rng.var: value}, {})
            case ForAllFn(symbol, body) if fns:
                if arity(fns[0]) != symbol.arity:
                    raise Refused(f"'{symbol.name}' takes {symbol.arity} indices")
                formula = substitute(body, {}, {symbol.name: fns.pop(0)})
            case And(named) if parts and parts[0] in dict(named):
                formula = dict(named)[parts.pop(0)]
            case Implies(hypothesis, body) if given:
                if not same(cite(given.pop(0), scope), hypothesis, scope.region):
                    raise Refused(f"a hypothesis of '{source.fact}' is not discharged")
                formula = body
            case _:
                raise Refused(f"'{source.fact}' cannot be specialised like this")
    return formula


def in_range(value: Index, rng: Range, region: Region) -> None:
    """Refuse an index that is not known to lie in the range."""
    limits = [(rng.low, value)] + ([(value, rng.high)] if rng.high is not None else [])
    if not all(region.entails(at_most(low, high)) for low, high in limits):
        raise Refused(f"an index is not known to lie in the range of '{rng.var}'")


# --- inequalities between reals -------------------------------------------------------------------


def antisymmetry(formula: Formula, upper: Use, lower: Use, scope: Scope) -> None:
    """x = y, from the cited x <= y and y <= x."""
    if (peeled := _peeled(formula, scope)) is None:
        return
    relation, scope = peeled
    if relation.op == "<":
        raise Refused("antisymmetry gives an equation, not a strict inequality")
    difference = relation.right - relation.left
    for source, sign in ((upper, 1), (lower, -1)):
        known = _cited_relation(source, scope)
        if not is_zero(difference - sign * (known.right - known.left), scope.region):
            raise Refused(f"'{source.fact}' does not bound the difference of the two sides")


def absurd(source: Use, gap: Fraction, scope: Scope) -> None:
    """Anything, from a cited inequality whose right side is the smaller by a number, or equal where it is strict."""
    scope.known(Num(gap))
    known = _cited_relation(source, scope)
    false = gap < 0 or (gap == 0 and known.op == "<")
    if known.op == "=" or not false or not is_zero(known.right - known.left - Num(gap), scope.region):
        raise Refused(f"'{source.fact}' is not absurd")


def compared(formula: Formula, source: Use, scope: Scope) -> None:
    """[x <= y] = 1 from the cited x <= y, or [x <= y] = 0 from the cited y < x."""
    if (peeled := _peeled(formula, scope)) is None:
        return
    relation, scope = peeled
    known = _cited_relation(source, scope)
    match relation:
        case Relation("=", Compare(x, y), Num(Fraction(numerator=1, denominator=1))):
            holds = is_zero((known.right - known.left) - (y - x), scope.region)
        case Relation("=", Compare(x, y), Num(Fraction(numerator=0))) if known.op == "<":
            holds = is_zero((known.right - known.left) - (x - y), scope.region)
        case _:
            raise Refused("a comparison is 1 by x <= y and 0 by y < x")
    if not holds:
        raise Refused(f"'{source.fact}' does not compare the two values")


# --- exponential and logarithm --------------------------------------------------------------------


def exponential(formula: Formula, modulo: tuple[Item, ...], positive: Use | None, scope: Scope) -> None:
    """A property of exp and ln whose exponents agree up to the items, each of which cites an equation."""
    if (peeled := _peeled(formula, scope)) is None:
        return
    relation, scope = peeled
    items = [_item(i, scope, nonnegative=False) for i in modulo]
    match relation:
        case Relation("<", Num(Fraction(numerator=0)), Exp()):
            gap: Term = _ZERO
        case Relation("=", Exp(x), Num(Fraction(numerator=1, denominator=1))):
            gap = x
        case Relation("=", Times((Exp(x), Exp(y))), Exp(z)):
            gap = z - x - y
        case Relation("=", Exp(Log(x)), y) if positive is not None:
            known = _cited_relation(positive, scope)
            if known.op != "<" or not is_zero(known.right - known.left - x, scope.region):
                raise Refused(f"'{positive.fact}' does not say that the argument of ln is positive")
            gap = y - x
        case Relation("=", Exp(x), Exp(y)):
            gap = y - x
        case Relation("<=", bound, Exp(x)):
            gap = bound - 1 - x
        case _:
            raise Refused("not a property of exp or ln")
    if not is_zero(gap - Plus(tuple(items)), scope.region):
        raise Refused("the exponents do not differ by the cited terms")

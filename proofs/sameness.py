"""Whether two formulas say the same: equal after unfolding properties, renaming, and normal forms of their
relations.  And what a formula denies.
"""

from __future__ import annotations

from proofs.notation import unfold_property
from proofs.region import Region, at_most
from proofs.substitute import new_name, substitute
from proofs.sums import is_zero
from proofs.term import And, Exists, ExistsFn, ForAll, ForAllFn, Formula, Implies, Range, Relation, Symbol, index

__all__ = ["narrowed", "opposite", "same"]


def same(first: Formula, second: Formula, region: Region) -> bool:
    """Whether the formulas say the same for all integers of ``region``.  Raises `Undecided`."""
    if first == second:
        return True
    first, second = unfold_property(first), unfold_property(second)
    match first, second:
        case Relation(op, a, b), Relation(other, c, d):
            return op == other and is_zero((b - a) - (d - c), region)
        case (ForAll(r, f), ForAll(s, g)) | (Exists(r, f), Exists(s, g)):
            return (r.low, r.high) == (s.low, s.high) and _same_within(r, f, s, g, region)
        case (ForAllFn(p, f), ForAllFn(q, g)) | (ExistsFn(p, f), ExistsFn(q, g)):
            symbol = Symbol(new_name(), p.arity)
            f, g = (substitute(x, {}, {old.name: symbol}) for x, old in ((f, p), (g, q)))
            return p.arity == q.arity and same(f, g, region)
        case And(f), And(g):
            return len(f) == len(g) and all(same(x, y, region) for (_, x), (_, y) in zip(f, g, strict=True))
        case Implies(h, f), Implies(k, g):
            return same(h, k, region) and same(f, g, region)
    return False


def _same_within(r: Range, f: Formula, s: Range, g: Formula, region: Region) -> bool:
    """The bodies of two quantifiers over the same range, at a new index in it."""
    var = new_name()
    inside = narrowed(region, Range(var, r.low, r.high))
    f, g = (substitute(x, {old.var: index(var)}, {}) for x, old in ((f, r), (g, s)))
    return inside is None or same(f, g, inside)


def opposite(formula: Formula) -> Formula | None:
    """What is true exactly where the formula is false; None where the language does not say it."""
    match unfold_property(formula):
        case Relation("<=", left, right):
            return Relation("<", right, left)
        case Relation("<", left, right):
            return Relation("<=", right, left)
        case ForAll(rng, body) if (denied := opposite(body)) is not None:
            return Exists(rng, denied)
        case Exists(rng, body) if (denied := opposite(body)) is not None:
            return ForAll(rng, denied)
        case ForAllFn(symbol, body) if (denied := opposite(body)) is not None:
            return ExistsFn(symbol, denied)
        case ExistsFn(symbol, body) if (denied := opposite(body)) is not None:
            return ForAllFn(symbol, denied)
    return None


def narrowed(region: Region, rng: Range) -> Region | None:
    """The points of ``region`` with the variable of ``rng`` within its limits; None if there are none."""
    limits = [at_most(rng.low, index(rng.var))]
    if rng.high is not None:
        limits.append(at_most(index(rng.var), rng.high))
    return region.all(limits)

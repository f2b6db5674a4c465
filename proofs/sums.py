"""Normal form of finite sums with symbolic bounds: decides whether a value is zero for every choice of its functions.

Expanding a value gives monomials: a rational coefficient, a multiset of atoms (a function at given indices), the
order constraints among all indices, bound ones included.  Give every argument slot of every atom a coordinate of its
own; a monomial is then a coefficient times the indicator of a region of integer points, and

    a value is zero identically  <=  for every multiset of functions, the coefficients of the regions, made symmetric
                                     under exchange of equal functions, cancel at every integer point.

Hence linearity, exchange of sums, renaming of bound indices, splitting of ranges, shifts of an index and telescoping
all hold by construction, for symbolic bounds.  Nothing is known of a function: "rows sum to 1" enters only where a
step adds a multiple of that hypothesis (checker.py).  Constraints are linear inequalities between
indices (region.py).  What is accepted is true.  What is refused may be true where constraints are no differences of
indices, where an index occurs in no function (a sum of ones counts), or where equal functions are written differently.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from proofs.notation import DEFINITIONS
from proofs.region import Region, at_most, negated
from proofs.substitute import apply, free_names, new_name, substitute
from proofs.term import (
    Apply,
    Bracket,
    Compare,
    Exp,
    Fn,
    Index,
    Lambda,
    Log,
    Num,
    Op,
    Plus,
    Reciprocal,
    Sum,
    Symbol,
    Term,
    Times,
    index,
)

__all__ = ["Undecided", "is_zero", "unfold"]

Atom = tuple[str, tuple[Index, ...]]


class Undecided(Exception):
    """The question is outside what can be decided; the message says what blocked it."""


@dataclass(frozen=True)
class Monomial:
    """``coefficient`` times the sum of a product of ``atoms`` over ``bound`` indices within ``constraints``."""

    coefficient: Fraction
    atoms: tuple[Atom, ...] = ()
    bound: tuple[str, ...] = ()
    constraints: tuple[Index, ...] = ()

    def __mul__(self, other: Monomial) -> Monomial:
        return Monomial(
            self.coefficient * other.coefficient,
            self.atoms + other.atoms,
            self.bound + other.bound,
            self.constraints + other.constraints,
        )


# --- expansion ------------------------------------------------------------------------------------


def unfold(fn: Fn, args: tuple[Index, ...], region: Region) -> Term | None:
    """The definition of ``fn`` at ``args``; None where there is none, or where the depth of a recursion is not
    known.
    """
    if isinstance(fn, Lambda):
        return apply(fn, args)
    if not isinstance(fn, Op):
        return None
    definition = DEFINITIONS[fn.name]
    fns = {s.name: f for s, f in zip(definition.fns, fn.fns, strict=True)}
    if definition.base is None:
        return substitute(definition.body, dict(zip(definition.params, args, strict=True)), fns)
    depth, rest = args[0], dict(zip(definition.params[1:], args[1:], strict=True))
    if depth == Index((), 0):
        return substitute(definition.base, rest, fns)
    if depth.const >= 1 and region.entails(at_most(Index((), 1), depth)):
        return substitute(definition.body, {definition.params[0]: depth - 1, **rest}, fns)
    return None


def _expand(term: Term, region: Region) -> list[Monomial]:
    match term:
        case Num():
            return [Monomial(term.value)] if term.value else []
        case Plus():
            return [m for part in term.parts for m in _expand(part, region)]
        case Times():
            product = [Monomial(Fraction(1))]
            for part in term.parts:
                factor = _expand(part, region)
                product = [a * b for a in product for b in factor]
            return product
        case Reciprocal() | Compare() | Exp() | Log():
            return [Monomial(Fraction(1), (_atom(term),))]
        case Bracket():
            return [Monomial(Fraction(1), constraints=tuple(at_most(a, b) for a, b in term.conditions))]
        case Sum():
            return _expand_sum(term, region)
        case Apply():
            value = unfold(term.fn, term.args, region)
            return [Monomial(Fraction(1), (_atom(term),))] if value is None else _expand(value, region)
    raise Undecided(f"a value of unknown kind: {type(term).__name__}")


def _expand_sum(term: Sum, region: Region) -> list[Monomial]:
    assert term.range.high is not None
    var = new_name()
    limits = (at_most(term.range.low, index(var)), at_most(index(var), term.range.high))
    inside = region
    for limit in limits:
        narrowed = inside.add(limit)
        if narrowed is None:
            return []
        inside = narrowed
    body = substitute(term.body, {term.range.var: index(var)}, {})
    summed = Monomial(Fraction(1), bound=(var,), constraints=limits)
    return [summed * m for m in _expand(body, inside)]


def _atom(term: Apply | Reciprocal | Compare | Exp | Log) -> Atom:
    """The atom of what is not unfolded (a function, a reciprocal, an exponential, ...): its name, and every index in it
    that may vary.
    """
    free: list[Index] = []
    if not isinstance(term, Apply):
        return _key(term, (), free), tuple(free)
    key = _key(term.fn, (), free)
    return key, term.args + tuple(free)


def _key(node: object, bound: tuple[str, ...], free: list[Index]) -> str:
    """A name for a function that two functions share only if they are the same up to names of bound indices.

    Free index variables are left as numbered holes and collected, in order, in ``free``.
    """
    match node:
        case Symbol():
            return f"{node.name!r}/{node.arity}"
        case Op():
            return f"{node.name}[{'; '.join(_key(f, bound, free) for f in node.fns)}]"
        case Lambda(params, Apply(fn, args)) if args == tuple(index(p) for p in params) and not _uses(fn, params):
            return _key(fn, bound, free)
        case Lambda():
            inner = node.params + bound
            return f"({len(node.params)} -> {_key(node.body, inner, free)})"
        case Apply(Lambda() as fn, args):
            return _key(apply(fn, args), bound, free)
        case Apply():
            return f"{_key(node.fn, bound, free)}({','.join(_key(a, bound, free) for a in node.args)})"
        case Num():
            return str(node.value)
        case Reciprocal():
            return f"1/({_key(node.body, bound, free)})"
        case Exp() | Log():
            return f"{type(node).__name__}({_key(node.body, bound, free)})"
        case Compare():
            return f"[{_key(node.left, bound, free)} <= {_key(node.right, bound, free)}]"
        case Plus() | Times():
            sign = type(node).__name__
            return f"{sign}({','.join(_key(p, bound, free) for p in node.parts)})"
        case Sum():
            low, high = (_key(x, bound, free) for x in (node.range.low, node.range.high))
            return f"Sum({low},{high},{_key(node.body, (node.range.var, *bound), free)})"
        case Bracket():
            return f"[{','.join(_key(x, bound, free) for pair in node.conditions for x in pair)}]"
        case Index(terms, const):
            inside = [f"{c}*b{len(bound) - bound.index(v)}" for v, c in terms if v in bound]
            free.append(Index(tuple((v, c) for v, c in terms if v not in bound), const))
            return "+".join([*sorted(inside), "_"])
    raise Undecided(f"a function of unknown kind: {type(node).__name__}")


def _uses(fn: Fn, params: tuple[str, ...]) -> bool:
    return not free_names(fn).isdisjoint(params)


# --- decision -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Piece:
    """A coefficient on a region of coordinates: the conjunction of ``constraints``."""

    coefficient: Fraction
    constraints: frozenset[Index]


def is_zero(term: Term, region: Region) -> bool:
    """Whether ``term`` is 0 for all functions and all integers of ``region``.  Raises `Undecided`.

    Remembered: a false twin of a claim is refused by the very steps that prove the claim.
    """
    key = (term, region.forms)
    if key not in _DECIDED:
        if len(_DECIDED) >= _REMEMBERED:
            _DECIDED.clear()
        _DECIDED[key] = _decided(term, region)
    return _DECIDED[key]


_DECIDED: dict[tuple[Term, tuple[Index, ...]], bool] = {}
_REMEMBERED = 1 << 14


def _decided(term: Term, region: Region) -> bool:
    groups: dict[tuple[tuple[str, ...], int], list[_Piece]] = {}
    for monomial in _expand(term, region):
        for key, piece in _pieces(monomial, region):
            groups.setdefault(key, []).append(piece)
    return all(_vanishes(pieces, region) for pieces in groups.values())


def _pieces(monomial: Monomial, region: Region) -> Iterator[tuple[tuple[tuple[str, ...], int], _Piece]]:
    """The monomial as regions of coordinates, one for each way to order equal functions, with equal shares."""
    atoms = sorted(monomial.atoms, key=lambda atom: atom[0])
    names = tuple(name for name, _ in atoms)
    orders = list(_orders(names))
    share = monomial.coefficient / len(orders)
    for order in orders:
        constraints, extra = _coordinates([atoms[p] for p in order], monomial, region)
        if constraints is not None:
            yield (names, extra), _Piece(share, constraints)


def _orders(names: tuple[str, ...]) -> Iterator[tuple[int, ...]]:
    """The permutations of positions that exchange equal names only."""
    if len(set(names)) == len(names):
        yield tuple(range(len(names)))
        return
    first = names[0]
    same = [p for p, name in enumerate(names) if name == first]
    rest = names[len(same) :]
    for head in permutations(same):
        for other in _orders(rest):
            yield head + tuple(len(same) + p for p in other)


def _coordinates(atoms: list[Atom], monomial: Monomial, region: Region) -> tuple[frozenset[Index] | None, int]:
    """Constraints on the coordinates ``#0, #1, …`` (one an argument slot), with the bound indices expressed by them."""
    images: dict[str, Index] = {}
    constraints: list[Index] = list(monomial.constraints)
    slots = [a for _, args in atoms for a in args]
    for position, argument in enumerate(slots):
        difference = substitute(argument, images, {}) - index(f"#{position}")  # 0 by the choice of the coordinate
        var = next((v for v, c in difference.terms if v in monomial.bound and abs(c) == 1), None)
        if var is None:
            constraints += [difference, -difference]
        else:
            value = index(var) - (difference if dict(difference.terms)[var] == 1 else -difference)
            images = _with_image(images, var, value)
    unplaced = [v for v in monomial.bound if v not in images]
    moved = [substitute(c, images, {}) for c in constraints]
    extra = 0
    # whether there is a point at all is asked here only where an index has to be placed, else of what does not cancel
    whole = region.all(moved) if unplaced else region
    if whole is None:
        return None, 0
    for var in unplaced:
        pinned = whole.pinned(var, avoid=set(unplaced))
        if pinned is None:
            pinned, extra = index(f"?count{extra}"), extra + 1
        images = _with_image(images, var, pinned)
    if unplaced:
        moved = [substitute(c, images, {}) for c in constraints]
    return frozenset(c for c in moved if c.terms or c.const > 0), extra


def _with_image(images: dict[str, Index], var: str, value: Index) -> dict[str, Index]:
    return {v: substitute(image, {var: value}, {}) for v, image in images.items()} | {var: value}


def _vanishes(pieces: list[_Piece], cell: Region) -> bool:
    """Whether the coefficients cancel at every integer point of the cell, by cutting it along the constraints."""
    live = _live(pieces, cell)
    if not live:
        return True
    if all(not piece.constraints for piece in live):
        return False
    equation = next((e for piece in live if (e := _equation(piece, cell)) is not None), None)
    if equation is not None:
        return _vanishes_around(live, cell, equation)
    cut = min((c for piece in live for c in piece.constraints), key=lambda form: (form.terms, form.const))
    return all(part is None or _vanishes(live, part) for part in (cell.add(cut), cell.add(negated(cut))))


def _live(pieces: list[_Piece], cell: Region) -> list[_Piece]:
    """The pieces that meet the cell, without what the cell entails, equal ones added up.

    What the cell does not entail decides whether a piece meets it, and most pieces cancel: so they are added up first.
    """
    merged: dict[frozenset[Index], Fraction] = {}
    for piece in pieces:
        open_constraints = frozenset(c for c in piece.constraints if not cell.entails(c))
        merged[open_constraints] = merged.get(open_constraints, Fraction(0)) + piece.coefficient
    return [_Piece(c, constraints) for constraints, c in merged.items() if c and cell.all(constraints) is not None]


def _equation(piece: _Piece, cell: Region) -> Index | None:
    """A form that is 0 on the whole piece and that gives one of its variables, a coordinate if there is one."""
    forms = [c for c in piece.constraints if -c in piece.constraints or cell.entails(-c)]
    solvable = [c for c in forms if any(abs(x) == 1 for _, x in c.terms)]
    return min(solvable, key=lambda c: (c.terms, c.const), default=None)


def _vanishes_around(live: list[_Piece], cell: Region, equation: Index) -> bool:
    """The cell cut where a form is 0, with the variable that it gives eliminated there, below 0 and above 0."""
    var, sign = next((v, x) for v, x in equation.terms if abs(x) == 1)
    value = {var: index(var) - (equation if sign == 1 else -equation)}
    on = cell.replaced(var, value[var])
    moved = [_Piece(p.coefficient, frozenset(substitute(c, value, {}) for c in p.constraints)) for p in live]
    sides = (cell.add(equation + 1), cell.add(negated(equation)))
    return (on is None or _vanishes(moved, on)) and all(part is None or _vanishes(live, part) for part in sides)

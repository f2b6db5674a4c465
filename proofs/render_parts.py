"""What printing needs to know of an object before it is printed: its sign, its factors, how tightly it holds together,
whether an abstraction is only a function with some of its indices open, and which families get a name of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import IntEnum
from fractions import Fraction
from functools import cache
from typing import Any

from proofs.substitute import free_indices, free_names
from proofs.term import Apply, Compare, Fn, Index, Lambda, Num, Op, Plus, Sum, Term, Times, index

__all__ = ["Level", "Shape", "abbreviations", "distance", "factors", "flat", "indexed", "inside", "partial", "sign"]

# Families that a statement names once instead of spelling them at every use, and the letters to take, in order.
ABBREVIATED: Mapping[str, tuple[str, ...]] = {"transition": ("R", "S"), "blend": ("M", "B")}


class Level(IntEnum):
    """How tightly a printed value holds together."""

    SUM = 0  # has a sign at its top
    BIG = 1  # ends in a sum or product sign, whose body is open to the right
    PRODUCT = 2
    ATOM = 3


@dataclass(frozen=True)
class Shape:
    """A printed function: ``base``, ``depth`` as superscript, family indices, argument slots; ``call`` for F(i, k)."""

    base: str
    level: Level = Level.ATOM
    depth: str = ""
    family: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()
    call: bool = False

    @property
    def bare(self) -> bool:
        """Whether nothing is attached to the base."""
        return not (self.depth or self.family or self.slots)


def flat(parts: Sequence[Term]) -> list[Term]:
    """The parts of a sum, with sums among them taken apart: a + (b + c) reads a + b + c."""
    return [p for part in parts for p in (flat(part.parts) if isinstance(part, Plus) and part.parts else [part])]


def sign(node: Term) -> tuple[bool, Term]:
    """Whether a value begins with a minus sign, and what follows it."""
    match node:
        case Num(value) if value < 0:
            return True, Num(-value)
        case Times((first, *others)):
            negative, rest = sign(first)
            return negative, Times((rest, *others)) if negative else node
    return False, node


def factors(node: Term) -> list[Term]:
    """The factors to print: a factor 1 is not shown beside others."""
    parts = list(node.parts) if isinstance(node, Times) else [node]
    return [p for p in parts if p != Num(Fraction(1))] or parts[:1]


def distance(node: Times) -> Plus | None:
    """x - y, where the value is ([y <= x] - [x <= y]) (x - y), which is |x - y|; None for another one."""
    match node.parts:
        case (Plus((Compare(y, x), _)) as signs, Plus() as difference):
            if signs == Compare(y, x) - Compare(x, y) and difference == x - y:
                return difference
    return None


def partial(fn: Lambda) -> tuple[Fn, list[Index | None]] | None:
    """The function and the arguments given to it, None for an open one; None where an abstraction is more than that."""
    if not isinstance(fn.body, Apply) or not free_names(fn.body.fn).isdisjoint(fn.params):
        return None
    given, own = fn.body.args, tuple(index(p) for p in fn.params)
    places = [p for p, a in enumerate(given) if a in own]
    others = [a for a in given if a not in own]
    if tuple(given[p] for p in places) != own or any(not free_names(a).isdisjoint(fn.params) for a in others):
        return None
    if len(own) == len(given) or (len(own) in (2, 3) and places == list(range(len(given) - len(own), len(given)))):
        return fn.body.fn, list(others)
    return (fn.body.fn, [None if a in own else a for a in given]) if len(own) == 1 else None


def indexed(base: str, count: int, args: tuple[str, ...]) -> Shape:
    """A function of ``count`` indices: the last two are a matrix entry, those before pick the matrix."""
    if count == 1:
        return Shape(base, family=args)
    return Shape(base, family=args[: count - 2], slots=args[count - 2 :])


# --- abbreviations --------------------------------------------------------------------------------------------------


def inside(node: object) -> Iterator[object]:
    """Every value object within ``node``, itself first, in reading order."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        if isinstance(current, tuple):
            waiting.extend(current[::-1])
        else:
            kind: Any = type(current)
            waiting.extend([getattr(current, name) for name in _last_first(kind)])


@cache
def _last_first(kind: type) -> tuple[str, ...]:
    """The names of the fields of a value object; none of anything else."""
    return tuple(field.name for field in reversed(fields(kind))) if is_dataclass(kind) else ()


def abbreviations(node: object) -> dict[Fn, str]:
    """A name for each family in ``node`` that is not spelled out at every use; never one that is taken.

    A family that varies with the index of a sum keeps its spelling: a name would hide what the sum is over.
    """
    objects = list(inside(node))
    bound = {
        v
        for x in objects
        for v in ((x.range.var,) if isinstance(x, Sum) else x.params if isinstance(x, Lambda) else ())
    }
    taken = {x for x in objects if isinstance(x, str)}  # symbols, bound indices, names that a proof fixes
    names: dict[Fn, str] = {}
    for family in objects:
        if not isinstance(family, Op) or family.name not in ABBREVIATED or family in names:
            continue
        if not bound.isdisjoint(free_indices(family)):
            continue
        letters = ABBREVIATED[family.name]
        primes = (letter + "'" * count for count in range(len(objects)) for letter in letters)
        names[family] = next(name for name in primes if name not in taken)
        taken.add(names[family])
    return names

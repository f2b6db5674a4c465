"""What a formula says at given values, as a list: ranges, both sides of every relation, properties with their tables.

Two formulas that say the same give the same list.  Of a range the first and the last index are looked at, of one
without end the first two; a function that is quantified is the one that the caller gives for its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from tests.proofs.reading import trees as t
from tests.proofs.reading.operators import Call
from tests.proofs.reading.values import Letters, function, integer, value

__all__ = ["ends", "readings", "table"]


def ends(low: int, high: int | None) -> list[int]:
    """The indices of a range that are looked at."""
    return [low, low + 1] if high is None else sorted({low, high}) if low <= high else []


def table(call: Call, arity: int, n: int) -> tuple[Fraction, ...]:
    """The values at a few of the positions 1, ..., n, off the diagonal too."""
    every = list(product(range(1, n + 1), repeat=arity))
    return tuple(Fraction(call(*at)) for at in every[::-2][:3])


def readings(node: t.Formula, letters: Letters, drawn: Callable[[str], Call]) -> Iterator[tuple[object, ...]]:
    """The list; ``drawn`` gives a function for a name that is quantified."""
    match node:
        case t.Chain(values, signs):
            found = [value(v, letters) for v in values]
            yield from zip(signs, found, found[1:], strict=False)
        case t.Holds(name, functions, args):
            n = letters["n"]
            assert isinstance(n, int)
            tables = tuple(table(function(f, letters), f.arity, n) for f in functions)
            yield (name, *tables, *(integer(a, letters) for a in args))
        case t.Every(word, rng, body):
            low = integer(rng.low, letters)
            high = None if rng.high is None else integer(rng.high, letters)
            yield word, low, high
            for at in ends(low, high):
                yield from readings(body, {**letters, rng.var: at}, drawn)
        case t.EveryFunction(word, name, arity, body):
            yield f"{word} function", arity
            yield from readings(body, {**letters, name: drawn(name)}, drawn)
        case t.If(hypothesis, body):
            yield ("if",)
            yield from readings(hypothesis, letters, drawn)
            yield ("then",)
            yield from readings(body, letters, drawn)
        case t.Several(parts):
            for part in parts:
                yield from readings(part, letters, drawn)

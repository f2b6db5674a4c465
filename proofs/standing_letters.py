"""The letters that keep their meaning: what many statements quantify over, and most of them assume the same of.

    lambda_t    in [0, 1]         A_{t,i,j}    a causal kernel for each t

Everything is read off the claims: the letter, the indices it is written with, the property that is assumed of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from proofs.operators import layer
from proofs.properties import PROPERTIES
from proofs.render_parts import inside
from proofs.statement import Statement
from proofs.term import Apply, Fn, Holds, Index, Symbol, index

__all__ = ["Letter", "letters"]

FEWEST = 5  # statements that quantify over a letter; more than half of them have to assume its property


@dataclass(frozen=True)
class Letter:
    """A symbol, the indices that claims write it with, and what most of them assume of it."""

    symbol: Symbol
    params: tuple[str, ...]
    assumed: Holds


def letters(statements: Sequence[Statement]) -> tuple[Letter, ...]:
    """The letters that keep their meaning throughout ``statements``, in reading order."""
    quantified = Counter(symbol for s in statements for symbol in dict.fromkeys(s.claim.symbols))
    found = []
    for symbol, number in quantified.items():
        properties = Counter(name for s in statements if symbol in s.claim.symbols for name in _assumed(s, symbol))
        for name, times in properties.most_common(1):
            if number < FEWEST or 2 * times <= number:
                continue
            params = _written(statements, symbol)
            if len(params) == symbol.arity:
                found.append(Letter(symbol, params, _property(name, symbol, params)))
    return tuple(found)


def _assumed(statement: Statement, symbol: Symbol) -> list[str]:
    """The properties that the hypotheses of a statement assume of a symbol and of nothing else, each once."""
    found = [node for node in inside(statement.claim.hypotheses) if isinstance(node, Holds)]
    return list(dict.fromkeys(h.name for h in found if {f for f in inside(h.fns) if isinstance(f, Symbol)} == {symbol}))


def _written(statements: Sequence[Statement], symbol: Symbol) -> tuple[str, ...]:
    """The letter that stands most often at each place of a symbol; fewer letters where one is never filled by any."""
    places: list[Counter[str]] = [Counter() for _ in range(symbol.arity)]
    for statement in statements:
        for node in inside(statement.claim):
            if isinstance(node, Apply) and node.fn == symbol:
                for place, argument in zip(places, node.args, strict=True):
                    place.update(_variable(argument))
    return tuple(letter for place in places for letter, _ in place.most_common(1))


def _variable(argument: Index) -> Iterator[str]:
    match argument:
        case Index(((name, 1),), 0):
            yield name


def _property(name: str, symbol: Symbol, params: tuple[str, ...]) -> Holds:
    """The property of the symbol, or of each member of a family."""
    meaning = PROPERTIES[name]
    fn: Fn = layer(symbol, params[0]) if symbol.arity > meaning.fns[0].arity else symbol
    return Holds(name, (fn,), tuple(index(p) for p in meaning.params))

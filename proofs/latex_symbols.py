"""The table of notation: letters and operators with their symbols, shapes, ranges of indices and where they come in.

Symbols and shapes are read off the definitions, first uses off the statements.  Ranges follow the letters: positions
are i, j, k and l, layers t, depths T; what differs says so in `_RANGES`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from proofs.definitions import DEFINITIONS, Definition
from proofs.latex_math import LatexWriter, escaped, inline, latex, sentence
from proofs.render_formula import kind
from proofs.render_parts import abbreviations, inside
from proofs.standing_letters import Letter, letters
from proofs.statement import Statement
from proofs.term import Apply, Op, Range, as_index, index

__all__ = ["ranges", "symbol_table", "used"]

_n = index("n")
_LETTERS: Mapping[str, Range] = {
    **{letter: Range(letter, as_index(1), _n) for letter in "ijkl"},
    "t": Range("t", as_index(1), None),
    "H": Range("H", as_index(0), None),
}
_RANGES: Mapping[tuple[str, str], Range] = {  # by operator and letter
    ("tail", "k"): Range("k", as_index(1), _n + 1),
    ("distance sum", "r"): Range("r", as_index(0), _n),
    ("threshold maps", "r"): Range("r", as_index(1), None),
    ("hops", "k"): Range("k", as_index(0), index("T")),
    ("binomial", "k"): Range("k", as_index(0), index("m")),
    ("complete", "i"): Range("i", index("j"), _n),
    ("divided difference", "i"): Range("i", index("j"), _n),
    ("divided product", "i"): Range("i", index("j"), _n),
}

_COUNTS = (r"$n$ & number of positions & integer & $n\ge 1$ & \\", r"$T$ & number of layers & integer & $T\ge 0$ & \\")


def ranges(definition: Definition) -> tuple[Range, ...]:
    """The range of each index; what an operator recurs on begins at 0, where its base is.

    Raises `KeyError` for a letter whose range nothing says.
    """
    found = []
    for position, letter in enumerate(definition.params):
        depth = definition.base is not None and position == 0
        known = _RANGES.get((definition.name, letter))
        found.append(Range(letter, as_index(0), None) if depth else known or _LETTERS[letter])
    return tuple(found)


def used(node: Any) -> Iterator[str]:
    """The names of the operators within a formula, a derivation or a part of one, in reading order."""
    return (part.name for part in inside(node) if isinstance(part, Op))


def symbol_table(statements: Sequence[Statement]) -> str:
    """The table; ``statements`` are those where an operator may come in, in reading order."""
    first: dict[str, str] = {}
    for statement in statements:
        for name in used((statement.claim, statement.derivation)):
            first.setdefault(name, statement.id)
    rows = [*_COUNTS, *(_letter_row(letter, statements) for letter in _kept())]
    rows += [_row(d, first.get(d.name)) for d in DEFINITIONS.values() if d.name != "number"]  # k reads k
    head = r"symbol & meaning & shape & indices & first in \\"
    opening = [
        r"\begingroup\footnotesize\setlength{\tabcolsep}{3pt}\begin{longtable}{@{}lllll@{}}",
        r"\hline",
        head,
        r"\hline\endhead",
    ]
    return "\n".join([*opening, *rows, r"\hline", r"\end{longtable}\endgroup"])


@cache
def _kept() -> tuple[Letter, ...]:
    """The letters of the whole ledger, so that a selection has the same notation."""
    from proofs.ledger import LEDGER

    return letters(list(LEDGER.values()))


def _letter_row(letter: Letter, statements: Sequence[Statement]) -> str:
    writer = LatexWriter()
    symbol = inline(latex(Apply(letter.symbol, tuple(index(p) for p in letter.params)), writer))
    indices = inline(writer.ranges([_LETTERS[p] for p in letter.params]))
    first = next((s.id for s in statements if letter.symbol in s.claim.symbols), None)
    meaning, shape = sentence(letter.assumed, writer), kind(letter.symbol.arity)
    return f"{symbol} & {meaning} & {shape} & {indices} & {_point(first)} \\\\"


def _row(definition: Definition, first: str | None) -> str:
    op = Op(definition.name, definition.fns)
    writer = LatexWriter(abbreviations(op))
    symbol = inline(latex(Apply(op, tuple(index(p) for p in definition.params)), writer))
    indices = inline(writer.ranges(ranges(definition)))
    return f"{symbol} & {escaped(definition.name)} & {_shape(definition)} & {indices} & {_point(first)} \\\\"


def _point(first: str | None) -> str:
    return "" if first is None else f"\\ref{{posbias:{first}}}"


def _shape(definition: Definition) -> str:
    """What it is, once the index that it recurs on is given."""
    depth = definition.base is not None
    one = kind(len(definition.params) - depth)
    return f"{one}, by depth" if depth else one

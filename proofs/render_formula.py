"""How formulas print: pieces of mathematics and of prose, which text joins as they are and LaTeX sets in its own ways.

ForAll(1 <= i <= n, Relation)     F_A(i, k) <= F_B(i, k) for 1 <= i <= n
Holds("monotone", (A,))           A is stochastically monotone
"""

from __future__ import annotations

from fractions import Fraction

from proofs.notation import PROPERTIES
from proofs.render import Writer
from proofs.substitute import apply, free_names, fresh
from proofs.term import (
    And,
    Exists,
    ExistsFn,
    Fn,
    ForAll,
    ForAllFn,
    Formula,
    Holds,
    Implies,
    Index,
    Range,
    Relation,
    as_index,
    index,
)

__all__ = ["Math", "Piece", "Words", "kind", "pieces"]


class Math(str):
    """A piece of a formula that is mathematics."""

    __slots__ = ()


class Words(str):
    """A piece of a formula that is prose, with its own spaces."""

    __slots__ = ()


Piece = Math | Words


def kind(arity: int) -> str:
    """What a function of so many indices is called."""
    if arity < 3:
        return ("real number", "sequence", "matrix")[arity]
    folds = ("", "double ", "triple ", "fourfold ")
    return f"{folds[arity - 3] if arity - 3 < len(folds) else f'{arity - 2}-fold '}family of matrices"


def pieces(node: Formula, writer: Writer) -> list[Piece]:
    """A formula as pieces of mathematics and prose, never two of prose in a row."""
    joined: list[Piece] = []
    for piece in _pieces(node, writer):
        if joined and isinstance(piece, Words) and isinstance(joined[-1], Words):
            joined[-1] = Words(joined[-1] + piece)
        else:
            joined.append(piece)
    return joined


def _pieces(node: Formula, writer: Writer) -> list[Piece]:
    match node:
        case Relation(op, left, right):
            return [Math(writer.term(left) + writer.relation(op) + writer.term(right))]
        case Holds():
            return _holds(node, writer)
        case ForAll():
            return _for_all(node, writer)
        case ForAllFn(symbol, body):
            head: list[Piece] = [Words(f"for every {kind(symbol.arity)} "), Math(writer.name(symbol.name)), Words(": ")]
            return [*head, *_pieces(body, writer)]
        case Exists(rng, body):
            return [Words("for some "), Math(writer.range(rng)), Words(": "), *_pieces(body, writer)]
        case ExistsFn(symbol, body):
            head = [Words(f"for some {kind(symbol.arity)} "), Math(writer.name(symbol.name)), Words(": ")]
            return [*head, *_pieces(body, writer)]
        case Implies():
            return _implies(node, writer)
        case And(parts):
            return _and([part for _, part in parts], writer)
    raise TypeError(f"Argument 'node' must be a formula, not {node!r}.")


def _implies(node: Implies, writer: Writer) -> list[Piece]:
    """If ... and ..., then ...: hypotheses in a row share one "if"."""
    shown: list[Piece] = [Words("if "), *_grouped(node.hypothesis, writer)]
    body = node.body
    while isinstance(body, Implies):
        shown += [Words(" and "), *_grouped(body.hypothesis, writer)]
        body = body.body
    return [*shown, Words(", then "), *_pieces(body, writer)]


def _and(parts: list[Formula], writer: Writer) -> list[Piece]:
    shown: list[Piece] = []
    for position, part in enumerate(parts):
        separator = "; and " if position == len(parts) - 1 else "; "
        shown += [Words(separator)] if position else []
        shown += _grouped(part, writer)
    return shown or [Words("nothing")]


def _grouped(node: Formula, writer: Writer) -> list[Piece]:
    """A formula inside another one: in brackets where its end would not be seen."""
    inner = _pieces(node, writer)
    core = node
    while isinstance(core, ForAll):
        core = core.body
    quantified = isinstance(core, (Implies, And, ForAllFn, Exists, ExistsFn))
    return [Words("("), *inner, Words(")")] if quantified else inner


def _for_all(node: ForAll, writer: Writer) -> list[Piece]:
    ranges, body = [node.range], node.body
    while isinstance(body, ForAll):
        ranges.append(body.range)
        body = body.body
    quantifier = Math(writer.ranges(ranges))
    if isinstance(body, Relation) or (isinstance(body, Holds) and body.name != "mixing"):
        return [*_pieces(body, writer), Words(" for "), quantifier]
    return [Words("for "), quantifier, Words(": "), *_pieces(body, writer)]


def _holds(node: Holds, writer: Writer) -> list[Piece]:
    match node.name, node.fns, node.args:
        case "below", (lower, upper), ():
            return [Math(f"{writer.fn(lower)}{writer.precedes}{writer.fn(upper)}")]
        case "mixing", (lam,), (high,):
            return _mixing(lam, high, writer)
    operands = [*(writer.fn(f) for f in node.fns), *(writer.ix(a) for a in node.args)]
    reads = PROPERTIES[node.name].reads if node.name in PROPERTIES else node.name + " {}" * len(operands)
    words = reads.split("{}")
    shown: list[Piece] = [Words(words[0])] if words[0] else []
    for operand, after in zip(operands, words[1:], strict=True):
        shown += [Math(operand), *([Words(after)] if after else [])]
    return shown


def _mixing(lam: Fn, high: Index, writer: Writer) -> list[Piece]:
    """0 <= lambda_t <= 1 for 1 <= t <= T."""
    var = fresh("t", {*free_names(lam), *free_names(high)})
    zero, one = (writer.number(Fraction(x)) for x in (0, 1))
    between = writer.at_most.join([zero, writer.term(apply(lam, (index(var),))), one])
    return [Math(between), Words(" for "), Math(writer.range(Range(var, as_index(1), high)))]

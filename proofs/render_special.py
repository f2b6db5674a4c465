"""Operators that have a notation of their own where they stand with all their indices.

number, sign        k, (-1)^k
binomial            C(m, k)
hops                P_lambda(K_T = k)
complete            h_m(u_j, ..., u_i)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs.render_parts import Level
from proofs.substitute import apply
from proofs.term import Index, Op

if TYPE_CHECKING:
    from proofs.render import Writer

__all__ = ["special"]


def special(writer: Writer, fn: Op, args: tuple[Index, ...]) -> tuple[str, Level] | None:
    """The value as it is written, and how tightly it holds together; None for an operator without such a notation."""
    match fn.name, args:
        case "number", (k,):
            return writer.ix(k), _level(k)
        case "sign", (k,):
            return writer.raised(writer.brackets("-1"), writer.ix(k)), Level.ATOM
        case "binomial", (m, k):
            return writer.binomial(writer.ix(m), writer.ix(k)), Level.ATOM
        case "hops", (depth, k):
            below = writer.lowered("K", writer.ix(depth))
            return f"{writer.lowered('P', writer.fn(fn.fns[0]))}({below}{writer.equal}{writer.ix(k)})", Level.ATOM
        case "complete", (m, j, i):
            first, last = (writer.term(apply(fn.fns[0], (at,))) for at in (j, i))
            listed = f"{first}{writer.comma}{writer.dots}{writer.comma}{last}"
            return f"{writer.lowered('h', writer.ix(m))}({listed})", Level.ATOM
    return None


def _level(k: Index) -> Level:
    """How tightly an index holds together as a value."""
    if not k.terms:
        return Level.ATOM if k.const >= 0 else Level.SUM
    if k.const or len(k.terms) > 1 or k.terms[0][1] < 0:
        return Level.SUM
    return Level.ATOM if k.terms[0][1] == 1 else Level.PRODUCT

r"""The notations of the laws of K, of symmetric functions x_j, \dots, x_i, and of special functions, read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.proofs.reading import trees as t
from tests.proofs.reading.tokens import Unread

if TYPE_CHECKING:
    from tests.proofs.reading.mathematics import Mathematics

__all__ = ["CHANCE", "bessel", "chance", "coefficient", "complete", "divided_at", "monomials"]

CHANCE = "P(K=.)"  # the law of K, where neither its mixing nor its depth is written


def chance(m: Mathematics) -> t.Value:
    """P(K=k), or with its mixing and its depth."""
    if not m.takes("P", "(", "K", "="):
        return hops(m)
    count = m.value()
    m.take(")")
    return t.Apply(t.Letter(1, CHANCE), (count,))


def bessel(m: Mathematics) -> t.Value:
    """I_{1}(x)."""
    m.take("I", "_", "{", "1", "}")
    return t.Bessel(m.brackets())


def coefficient(m: Mathematics, of: t.Power) -> t.Value:
    """[x^{k}] of the product that follows; the bracket was read."""
    match of.base:
        case t.Apply(t.Letter(0, name), ()):
            return t.Coefficient(name, of.exponent, m.one_big())
    raise Unread("a coefficient of what is no letter")


def monomials(m: Mathematics) -> t.Value:
    r"""\sum_{j\le i_{1}\le\cdots\le i_{d}\le n} u_{i_{1}}\cdots u_{i_{d}}: d ordered indices."""
    m.take(r"\sum", "_", "{")
    low = m.value()
    m.take(r"\le")
    index = m.next()
    m.take(index, "_", "{", "1", "}", r"\le", r"\cdots", r"\le", index, "_", "{")
    degree = m.value()
    m.take("}", r"\le")
    high = m.value()
    m.take("}")
    letter = m.name()
    m.take("_", "{", index, "_", "{", "1", "}", "}", r"\cdots")
    if m.name() != letter:
        raise m.unread(letter)
    m.take("_", "{", index, "_", "{")
    if m.value() != degree:
        raise m.unread("the last index")
    m.take("}", "}")
    first, last = (t.Apply(t.Letter(1, letter), (at,)) for at in (low, high))
    return t.Listed("complete", (degree,), (), first, last)


def hops(m: Mathematics) -> t.Value:
    r"""P_{\lambda}(K_{T}=k)."""
    m.take("P", "_")
    law = m.group(m.function)
    m.take("(", "K", "_")
    depth = m.group(m.value)
    m.take("=")
    count = m.value()
    m.take(")")
    return t.Apply(t.Operator(2, "hops", (law,)), (depth, count))


def complete(m: Mathematics) -> t.Value:
    r"""h_{k}(u_{j},\dots,u_{i})."""
    m.take("h", "_")
    degree = m.group(m.value)
    m.take("(")
    first = m.value()
    return t.Listed("complete", (degree,), (), first, m.last_listed(")"))


def divided_at(m: Mathematics) -> t.Value:
    r"""g[z_{j},\dots,z_{i}], or with its mixing and its depth: g_{\lambda}^{(T)}[z_{j},\dots,z_{i}]."""
    if m.takes("g", "["):
        first = m.value()
        return t.Listed("divided", (), (t.Letter(1, "g"),), first, m.last_listed("]"))
    m.take("g", "_")
    law = m.group(m.function)
    m.take("^", "{")
    depth = m.brackets()
    m.take("}", "[")
    first = m.value()
    return t.Listed("divided difference", (depth,), (law,), first, m.last_listed("]"))

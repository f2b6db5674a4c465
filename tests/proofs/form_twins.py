"""False twins of closed forms for every n, T and j: one number, sign, bound, index or factor changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from proofs.every_form import Form
from proofs.every_term import (
    INFINITY,
    At,
    Binomial,
    Call,
    Factorial,
    Letter,
    Node,
    Number,
    Over,
    Plus,
    Power,
    Series,
    Times,
    node,
)

__all__ = ["changed", "twins"]


def twins(form: Form) -> Iterator[Form]:
    """One thing changed in the formula or in one of its definitions."""
    for body in changed(form.body):
        yield replace(form, body=body)
    for at, d in enumerate(form.definitions):
        # ALiBi's weights q^(i−1) are free up to a factor: another power would change nothing
        for body in [d.body.base] if isinstance(d.body, Power) and d.name == "w" else changed(d.body):
            yield replace(
                form, definitions=(*form.definitions[:at], replace(d, body=body), *form.definitions[at + 1 :])
            )


def changed(tree: Node) -> Iterator[Node]:
    """The tree with one number, sign, bound, index or factor changed.

    Not changed, since it cannot matter: the parity of (−1)^(n−j), which (−1)^(n+j) shares; the end of an endless sum.
    """
    match tree:
        case Number(rational):
            yield Number(rational + 1)
        case At(name, index):
            yield from (At(name, x) for x in (Plus((index, node(-1))), *changed(index)))
        case Call(name, arguments):
            for at, x in enumerate(arguments):
                for y in (Plus((x, node(1))), *changed(x)):
                    yield Call(name, (*arguments[:at], y, *arguments[at + 1 :]))
        case Plus(parts) | Times(parts):
            for at, x in enumerate(parts):
                rest = (*parts[:at], *parts[at + 1 :])
                yield rest[0] if len(rest) == 1 else replace(tree, parts=rest)
                for y in changed(x):
                    yield replace(tree, parts=(*parts[:at], y, *parts[at + 1 :]))
        case Over(above, below):
            yield from (Over(x, below) for x in changed(above))
            yield from (Over(above, x) for x in changed(below))
        case Power(Number(-1), exponent):
            yield Power(node(-1), Plus((exponent, node(1))))
            yield node(1)
        case Power(base, exponent):
            yield from (Power(x, exponent) for x in changed(base))
            yield from (Power(base, x) for x in (Plus((exponent, node(1))), *changed(exponent)))
        case Binomial(above, below):
            yield from (Binomial(x, below) for x in (Plus((above, node(1))), *changed(above)))
            yield from (Binomial(above, x) for x in (Plus((below, node(1))), *changed(below)))
        case Factorial(of):
            yield Factorial(Plus((of, node(1))))
        case Series(kind, index, low, high, body):
            yield Series("product" if kind == "sum" else "sum", index, low, high, body)
            yield Series(kind, index, Plus((low, node(1))), high, body)
            if high != INFINITY:
                yield Series(kind, index, low, Plus((high, node(-1))), body)
            yield from (replace(tree, body=x) for x in changed(body))
        case Letter():
            return

r"""The notations of matrices, sequences and families: how each is written, read by a reader of mathematics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.proofs.reading import trees as t
from tests.proofs.reading.tokens import Unread

if TYPE_CHECKING:
    from tests.proofs.reading.mathematics import Mathematics

__all__ = [
    "accented",
    "angles",
    "divided",
    "functions",
    "sans",
    "scaled",
    "tail",
    "word",
]

# What each sans-serif letter and each accent stands for, by the number of functions above it or their arity.
_SANS = {
    "A": ("prefix", 2), "C": ("content", 2), "D": ("distance", 2), "S": ("attention", 2), "H": ("prefix heads", 4),
    "M": ("threshold maps", 3), "T": ("token transition", 2), "Z": ("content total", 1),
}  # fmt: skip
_WORDS = {"row": 2, "accumulated": 1, "blend": 3}


def scaled(m: Mathematics) -> t.Function:
    """{s}^{[e]}."""
    scores = m.group(m.function)
    m.take("^", "{", "[")
    factors = m.function()
    m.take("]", "}")
    return t.Operator(2, "scaled diagonal", (scores, factors))


def tail(m: Mathematics) -> t.Function:
    """F_{A}, F[A]."""
    m.take("F")
    if m.takes("["):
        of = m.function()
        m.take("]")
    else:
        m.take("_")
        of = m.group(m.function)
    if "F" in m.kinds and not m.sees("("):
        raise m.unread("the arguments of a tail, since F is a letter")
    return t.Operator(2, "tail", (of,))


def divided(m: Mathematics) -> t.Function:
    r"""g_{\lambda}[z], before its depth."""
    m.take("g", "_")
    law = m.group(m.function)
    m.take("[")
    nodes = m.function()
    m.take("]")
    return t.Operator(3, "divided difference", (law, nodes))


def functions(m: Mathematics, closing: str) -> tuple[t.Function, ...]:
    """Functions between commas, up to what closes them."""
    found = [m.function()]
    while m.takes(","):
        found.append(m.function())
    m.take(closing)
    return tuple(found)


def sans(m: Mathematics) -> t.Function:
    r"""\mathsf{A}^{w}."""
    m.take(r"\mathsf", "{")
    name, arity = _SANS[m.next()]
    m.at += 1
    m.take("}", "^", "{")
    return t.Operator(arity, name, functions(m, "}"))


def accented(m: Mathematics) -> t.Function:
    r"""\overline{w}, \widehat{a}."""
    wide = m.next() == r"\widehat"
    m.at += 1
    of = m.group(m.function)
    return t.Operator(1, "distance sum" if wide else "cumulative" if of.arity == 1 else "row total", (of,))


def angles(m: Mathematics) -> t.Function:
    r"""\langle a,A\rangle, before the number of its members."""
    m.take(r"\langle")
    return t.Operator(3, "average", functions(m, r"\rangle"))


def word(m: Mathematics) -> t.Function:
    r"""\operatorname{row}(v,R)."""
    m.take(r"\operatorname", "{")
    word = ""
    while not m.takes("}"):
        word += m.next()
        m.at += 1
    m.take("(")
    found = functions(m, ")")
    if word not in _WORDS:
        raise Unread(f"the operator {word}")
    return t.Operator(_WORDS[word], word, found)

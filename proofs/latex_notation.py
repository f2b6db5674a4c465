r"""The notation section, written from the definitions: change one in notation.py and the document changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from proofs.latex_lines import equation
from proofs.latex_math import LatexWriter, displayed, escaped, inline, sentence
from proofs.latex_symbols import symbol_table
from proofs.notation import DEFINITIONS, PROPERTIES, Definition, Property, unfold_property
from proofs.render_parts import abbreviations
from proofs.statement import Statement
from proofs.substitute import substitute
from proofs.term import And, Apply, Fn, Holds, Op, Relation, as_index, index

__all__ = ["meanings", "notation", "where"]

_CONVENTIONS = r"""Positions are $1,\dots,n$ with $n\ge 1$; layers are counted from $1$, the one nearest the input.
A \emph{matrix} $A$ has entries $A_{i,j}$, the weight with which position $i$ reads position $j$; a \emph{family} of
matrices has members $A_{t}$ with entries $A_{t,i,j}$; a \emph{sequence} $f$ has entries $f_{l}$.  A dot stands for an
open index: $F_{A}(\cdot ,k)$ sends $i$ to $F_{A}(i,k)$.  A bracket such as $[i\le j]$ or $[i=j]$ is $1$ where what it
contains is true and $0$ elsewhere.  A sum over an empty range is $0$, a product over one is $1$.

An index among values stands for the number that it is.  A superscript that is an index without brackets is a power, as
in $A^{k}$.  In round brackets it is a depth: for a family $K$ of matrices $K^{(s)}=K_{s}\cdots K_{1}$ is its
\emph{rollout}, the product of its first $s$ members, and $K^{(0)}=I$; after a recursion or an average it counts the
layers or the members.  The superscript of a sans-serif letter is what the kernel is made of, and in square brackets it
is what the diagonal is multiplied by."""


def notation(statements: Sequence[Statement] = ()) -> str:
    """The section: conventions, a table of the symbols, the objects, the properties.

    statements: those of the document, which the table points to.
    """
    objects = "\n".join(_definition(d) for d in DEFINITIONS.values() if d.name != "number")  # k reads k
    properties = "\n".join(_property(p) for p in PROPERTIES.values())
    return "\n".join([
        r"\section{Notation}", _CONVENTIONS,
        r"\subsection*{Symbols}", symbol_table(statements),
        r"\subsection*{Objects}", r"\begin{itemize}", objects, r"\end{itemize}",
        r"\subsection*{Properties}", r"\begin{itemize}", properties, r"\end{itemize}",
    ])  # fmt: skip


def _definition(definition: Definition) -> str:
    """An operator at its indices; a recursive one at depth 0 and one step further."""
    op = Op(definition.name, definition.fns)
    spelt = op.name == "transition"  # R[lambda, A] is how it stands where it varies with the index of a sum
    writer = LatexWriter({} if spelt else abbreviations(op))
    relations = []
    first, rest = definition.params[:1], definition.params[1:]
    places = tuple(as_index(p) for p in rest)
    if definition.base is not None:
        relations.append(Relation("=", Apply(op, (as_index(0), *places)), definition.base))
        relations.append(Relation("=", Apply(op, (index(first[0]) + 1, *places)), definition.body))
    else:
        relations.append(Relation("=", Apply(op, tuple(index(p) for p in definition.params)), definition.body))
    shown = joined_with_and([inline(displayed(r, writer)) for r in relations])
    return f"  \\item \\emph{{{escaped(definition.name)}}}: {shown}."


def joined_with_and(parts: list[str]) -> str:
    """One or two formulas in a row."""
    return r", \quad ".join(parts)


def _property(meaning: Property) -> str:
    writer = LatexWriter()
    head = sentence(Holds(meaning.name, meaning.fns, tuple(index(p) for p in meaning.params)), writer)
    body = unfold_property(meaning.body)
    if not isinstance(body, And):
        return f"  \\item {head} if {sentence(body, writer)}."
    parts = (f"\\emph{{{escaped(name)}}}, {sentence(part, writer)}" for name, part in body.parts)
    return f"  \\item {head} if {'; '.join(parts)}."


def where(names: Mapping[Fn, str]) -> list[str]:
    """What each abbreviation stands for, as displays."""
    writer = LatexWriter(names)
    return [equation(displayed(meaning, writer)) for meaning in meanings(names)]


def meanings(names: Iterable[Fn]) -> list[Relation]:
    """For each abbreviation, its definition as an equation between its values."""
    found = []
    for fn in names:
        assert isinstance(fn, Op)
        definition = DEFINITIONS[fn.name]
        fns = {s.name: f for s, f in zip(definition.fns, fn.fns, strict=True)}
        indices = {p: index(p) for p in definition.params}
        found.append(Relation("=", Apply(fn, tuple(indices.values())), substitute(definition.body, indices, fns)))
    return found
